"""Records a database of this version: a short match of each game, played through the use cases.

`python -m tests.recorded.record` writes two files named after the version in pyproject.toml: the
output of ``sqlite3 FILE .dump``, and the position of every match. Seeds and clock are fixed.
"""

from __future__ import annotations

import asyncio
import dataclasses
import sqlite3
import tempfile
import tomllib
from contextlib import closing
from pathlib import Path

from bot.core.settings.player_settings import PlayerSettings
from bot.core.settings.server_settings import ServerSettings
from bot.core.settings.service import SettingsStore
from bot.play.matches.positions import MatchView
from data.store.store import Store
from engine import registry
from tests.bot.conftest import BEN, CAROL, GUILD, Club

FOLDER = Path(__file__).parent
SERVER = ServerSettings(threads=False, days=5)
PLAYER = PlayerSettings(confirm=True)


def described(view: MatchView) -> str:
    """Return one line describing a match's position."""
    return f"{view.match.id} {view.version} {view.game.write_position(view.state)}"


async def play(club: Club) -> list[MatchView]:
    """Play a few moves of each game, end one match, and leave a challenge open."""
    settings = SettingsStore(club.store, clock=club.clock)
    await settings.change_server(GUILD, SERVER.model_dump(), by=CAROL)
    await settings.change_player(BEN, PLAYER.model_dump())
    views = []
    for slug in sorted(registry.games()):
        invitation = dataclasses.replace(club.invitation(BEN), game=slug, days=3)
        offered = await club.challenges.offer(invitation)
        _, view = await club.accept(offered.id, BEN, "ben's press")
        assert view is not None
        views.append(await club.play_a_while(view))
        club.wait(hours=1)
    over = await club.play_a_while(await club.start())
    views.append(await club.matches.resign(over.match.id, BEN))
    await club.challenges.offer(club.invitation(CAROL))
    return views


def ordered(statements: list[str]) -> list[str]:
    """Return a dump's statements with the indexes by name: SQLAlchemy keeps them in a set."""
    indexes = ("CREATE INDEX", "CREATE UNIQUE INDEX")
    names = iter(sorted(text for text in statements if text.startswith(indexes)))
    return [next(names) if text.startswith(indexes) else text for text in statements]


async def main(name: str, folder: Path = FOLDER) -> None:
    """Record a database under a name."""
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "games.db"
        store = await Store.open(f"sqlite:///{path}")
        try:
            views = await play(Club(store))
        finally:
            await store.close()
        with closing(sqlite3.connect(path)) as file:
            dump = "\n".join(ordered(list(file.iterdump())))
    (folder / f"{name}.sql").write_text(f"{dump}\n", encoding="utf-8")
    (folder / f"{name}.txt").write_text(
        "".join(f"{described(v)}\n" for v in views), encoding="utf-8"
    )


if __name__ == "__main__":
    project = tomllib.loads((FOLDER.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    asyncio.run(main(project["project"]["version"]))
