"""Every service that anything asks for can be built, in every role."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from svcs import Container
from svcs.exceptions import ServiceNotFoundError

from bot.app import Services
from bot.app.app import App
from bot.app.thinking import Thinking
from bot.core.posts.kinds import kinds
from bot.core.scheduling.scheduler import WallClock
from bot.core.workers.pool import WorkerPool
from bot.play.pictures.rendering import Renderer
from data.store.store import Store
from tests.bot.conftest import Club


def asked_for() -> set[type[object]]:
    """Return the services that loaded modules of the bot ask for, as ``reply.get(Matches)`` does."""
    return {
        kind
        for name, module in sys.modules.items()
        if name.startswith("bot.") and module.__file__ is not None
        for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "get"
        and isinstance(node.args[0] if node.args else None, ast.Name)
        and inspect.isclass(kind := getattr(module, ast.unparse(node.args[0]), None))
    }


@pytest.fixture
def renderer() -> Iterator[Renderer]:
    """Return a renderer, and close it afterwards."""
    made = Renderer(width=400)
    yield made
    made.close()


@pytest.mark.parametrize("thinks", [True, False], ids=["all", "gateway"])
async def test_a_process_at_discord_builds_every_service(
    club: Club, renderer: Renderer, *, thinks: bool
) -> None:
    app = App(club.store, renderer, clock=WallClock(), thinks=thinks)
    wanted = asked_for()
    assert len(wanted) > 50
    for kind in wanted:
        assert isinstance(app.get(kind), kind) or inspect.isabstract(kind)
        assert app.get(kind) is app.get(kind)
    assert len({kind.kind for kind in kinds()}) == len(list(kinds())) > 20
    await app.client._async_setup_hook()
    await app.close()


async def test_a_worker_builds_what_thinks(club: Club) -> None:
    services = Services()
    services.add({Store: club.store, WallClock: club.clock})
    services.give(Thinking, pools={"moves": (pool := WorkerPool())})
    thinking = Container(services).get(Thinking)
    assert thinking.pools["moves"] is pool
    assert set(thinking.pools) == {"moves", "analyses", "records"}


def test_only_the_bots_own_classes_are_built() -> None:
    with pytest.raises(ServiceNotFoundError):
        Container(Services()).get(Store)
