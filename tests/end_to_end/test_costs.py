"""What every command, completion, button, menu and form costs at most.

The world is full, see `full_world`. Commands and their options come from the registered tree, and
controls from ``tests/recorded/controls.txt``, so a new one is measured as well. An option whose name
is not in `VALUES` fails here: add the value that costs most.
"""

from __future__ import annotations

import asyncio
import gc
import re
import sys
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial
from typing import Any, Final

import pytest

from bot.core.errors import TooMany
from bot.core.interactions import components, controls
from bot.core.interactions.controls import Form, Menu
from bot.core.workers.fair_queue import MAX_WAITING, Requester
from bot.features.records.import_export import ImportExport
from bot.features.settings.privacy import MAX_PLAIN, Privacy
from bot.play.replays.replay import Replays
from engine import registry
from playground import command_picker
from playground.command_picker import USER, SlashCommand
from playground.errors import JSON
from playground.interaction import InteractionType
from playground.uploads import Upload
from tests.end_to_end import full_world
from tests.end_to_end.full_world import CHALLENGE, ENDED, MATCH, TOURNAMENT, WAITING
from tests.end_to_end.harness import Environment
from tests.end_to_end.loop_times import OF_BOT, LoopTimes, Spent, loop_times, slowness
from tests.end_to_end.people import may_manage
from tests.recorded import CONTROLS as RECORDED

MAX_HELD: Final = 0.1
"""Seconds of processor time for which one turn of the event loop may be held."""
SCALED: Final = {"/privacy export": 0.3}
"""What part of that may be held where the world has less than there may be: a third of the moves."""
MAX_SPENT: Final = 1.0
"""Seconds of processor time that an interaction may cost in all, drawing and thinking included."""
MAX_KEPT: Final = 400_000
"""Small pieces of memory that may stay after an interaction, a few dozen bytes each."""
DEAR: Final = {
    "/tournament start": 5.0,  # pairs 500 people, in a thread
    "/tablut practice": 3.0,  # a computer's first move, which loads its kernels
    "y:": 4.0,  # an analysis, which has its limit in a process of its own
    "mistake": 4.0,
}
"""Seconds of processor time allowed where a worker has more to do, by how the name begins."""
HOSTILE: Final = (" " * 6000, "a1" * 3000, "e5-e4," * 1000, ",;then " * 850)
"""What is typed into every option that is completed."""

PEOPLE: Final = ("user", "player", "by", "opponent", "opponent2", "opponent3")
LAST: Final = ("r:", "decided:", "w:", "do:", "c:", "erase:")
"""Prefixes of controls that end what others look at."""
FIELDS: Final = ("reason", "note", "word", "quiet_from", "timezone")
"""The fields of forms."""


def planned_line() -> str:
    """Return as many moves as can be planned in a line from where `WAITING` stands."""
    game = registry.game("tablut")
    state, line = game.initial({}, 2), list[str]()
    for _, notation in full_world.log("tablut")[0]:
        state = game.after(state, game.read(state, notation))
    while len(", ".join(line)) < 90 and game.outcome(state) is None:
        move = game.legal_moves(state)[-1]
        line.append(game.write(move))
        state = game.after(state, move)
    return ", ".join(line)


def values(record: bytes) -> dict[str, Any]:
    """Return the value that costs most for each option without choices or a maximum, by name."""
    return {
        "match": MATCH,
        "number": MATCH,
        "challenge": CHALLENGE,
        "tournament": TOURNAMENT,
        "lesson": 1,
        "move": 10_000,
        "file": Upload("file.txt", "text/plain", record),
        "text": record.decode()[:6000],
        "moves": planned_line(),
        "name": "x" * 40,
        "options": "match=true",
        "word": "x" * 30,
        "role": None,
        "winner": None,
        "winner2": None,
        "winner3": None,
    }


def commands(env: Environment) -> list[SlashCommand]:
    """Return every command; of those that all games have, the one of the game of `MATCH`."""
    place = env.channel()
    found: dict[tuple[str, ...], SlashCommand] = {}
    for one in command_picker.slash_commands(env.world, env.ann.user, place):
        root, *words = (word["name"] for word in one.words)
        key = ("game" if root in registry.games() else root, *words)
        if key not in found or root == "tablut":
            found[key] = one
    return list(found.values())


def _over(name: str, spent: Spent, kept: int, slower: float) -> Iterator[str]:
    """Yield how what was measured is over the limits, on a machine slower than usual."""
    part = next((part for begin, part in SCALED.items() if name.startswith(begin)), 1.0)
    if spent.held > slower * MAX_HELD * part:
        yield f"{name} holds the event loop for {spent.held:.3f} s by {spent.by}"
    allowed = next((most for begin, most in DEAR.items() if name.startswith(begin)), MAX_SPENT)
    if spent.loop + spent.elsewhere > slower * allowed:
        yield f"{name} costs {spent.loop:.2f} s on the event loop, {spent.elsewhere:.2f} s elsewhere"
    if kept > MAX_KEPT:
        yield f"{name} leaves {kept} pieces of memory"


class Costs:
    """Measures interactions one after the other."""

    def __init__(self, env: Environment, times: LoopTimes, record: bytes) -> None:
        self.env = env
        self._times = times
        self._values = values(record)
        self._slower = slowness()
        self.over: list[str] = []
        """How what was measured is over the limits."""
        self.place = env.channel()

    async def measure(self, name: str, act: Callable[[], Awaitable[object]]) -> None:
        """Let somebody act, wait until everything that follows is done, and note what it cost."""
        gc.collect()
        before = sys.getallocatedblocks()
        self._times.begin()
        await act()
        await self.env.settled()
        spent = self._times.end()
        gc.collect()
        kept = sys.getallocatedblocks() - before
        if list(_over(name, spent, kept, self._slower)):  # a busy machine may have become slower
            self.over += _over(name, spent, kept, max(self._slower, slowness()))

    async def _interact(self, name: str, kind: InteractionType, data: JSON) -> None:
        ann, shown = self.env.ann, None
        if kind in {InteractionType.COMPONENT, InteractionType.MODAL}:
            shown = await ann.slash("/help")
            await self.env.settled()
        message = None if shown is None else shown.message
        modal = kind is InteractionType.MODAL
        trigger = shown.interaction if modal and shown is not None else None
        await self.measure(
            name,
            lambda: ann._interact(kind, self.place, data, message=message, trigger=trigger),
        )

    def _value(self, option: JSON) -> Any:
        if option.get("choices"):
            return option["choices"][-1]["value"]
        name = option["name"]
        if option["type"] == 5:
            return True
        if option["type"] == 6 and name in PEOPLE:
            return self.env.ben
        if name in self._values:
            value = self._values[name]
            if option["type"] == 3 and value is not None:
                return str(value)[: option["max_length"]]
            return value
        assert option["type"] == 4, f"add the costliest value of the option {name!r} to `values`"
        assert "max_value" in option, f"add the costliest value of the option {name!r} to `values`"
        return option["max_value"]

    def _given(self, one: SlashCommand) -> dict[str, Any]:
        given = {o["name"]: value for o in one.options if (value := self._value(o)) is not None}
        return given | ({"match": WAITING} if one.line("en").endswith(" plan") else {})

    async def command(self, one: SlashCommand) -> None:
        """Use a command without its optional options, then with all of them."""
        line = one.line("en")
        required = {o["name"]: self._value(o) for o in one.options if o.get("required")}
        whole = self._given(one)
        for given in (required, whole) if whole != required else (required,):
            name = " ".join([line, *sorted(given)])
            data = self.env.ann._slash_data(one, given, self.place)
            await self._interact(name, InteractionType.COMMAND, data)

    async def completions(self, one: SlashCommand) -> None:
        """Type hostile texts into each option that is completed."""
        for option in one.options:
            if not option.get("autocomplete"):
                continue
            given = self._given(one)
            own = given.get(option["name"])
            texts = (*HOSTILE, own) if isinstance(own, str) else HOSTILE
            for number, typed in enumerate(texts):
                given[option["name"]] = typed
                name = f"{one.line('en')} {option['name']}… {number}"
                data = self.env.ann._slash_data(one, given, self.place, focused=option["name"])
                await self._interact(name, InteractionType.AUTOCOMPLETE, data)

    async def control(self, address: str) -> None:
        """Press a button, choose from a menu or submit a form."""
        control = controls.find(address)
        data: JSON = {"custom_id": address, "id": 1}
        if isinstance(control, Form):
            field = {"type": 4, "value": "x y " * 1000}
            data["components"] = [
                {"type": 18, "component": {**field, "custom_id": name}} for name in FIELDS
            ]
            await self._interact(address, InteractionType.MODAL, data)
            return
        if not isinstance(control, Menu):
            pressed = {**data, "component_type": components.BUTTON}
            await self._interact(address, InteractionType.COMPONENT, pressed)
        if hasattr(control, "choose"):
            for value in (str(MATCH), str(self.env.ben.id)):
                chosen = {**data, "component_type": components.STRING_SELECT, "values": [value]}
                await self._interact(f"{address} {value}", InteractionType.COMPONENT, chosen)


def addresses(env: Environment) -> list[str]:
    """Return the recorded addresses of controls, with people and a server that exist."""
    found = []
    for address, _ in RECORDED:
        known = address.replace("222222222222222222", str(env.ben.id))
        known = known.replace("333333333333333333", str(env.carol.id))
        known = known.replace("111111111111111111", str(env.guild.id))
        found.append(known)
        if (ended := re.sub(r":12(?=:|$)", f":{ENDED}", known)) != known:
            found.append(ended)
    return sorted(found, key=lambda address: address.startswith(LAST))


@pytest.fixture
async def costs(empty_env: Environment) -> AsyncIterator[Costs]:
    """Open the full world and measure in it; then compare what was measured with the limits."""
    env = empty_env
    env.allow_pending = True
    env.expected |= {400, 403, 404}
    token = OF_BOT.set(True)
    await env.start()
    OF_BOT.reset(token)
    may_manage(env, env.ann)
    await full_world.fill(env)
    replay = await env.app.get(Replays).of_match(ENDED)
    record = (await env.app.get(ImportExport).export(replay, people=False)).encode()
    await full_world.import_records(env, record.decode())
    gc.collect()
    gc.freeze()
    try:
        with loop_times() as times:
            found = Costs(env, times, record)
            yield found
    finally:
        gc.unfreeze()
    assert found.over == []


async def test_completing_costs_little_whatever_is_typed(costs: Costs) -> None:
    for one in commands(costs.env):
        await costs.completions(one)


@pytest.mark.parametrize("part", range(2))
async def test_no_command_holds_the_event_loop(costs: Costs, part: int) -> None:
    for one in commands(costs.env)[part::2]:
        await costs.command(one)


async def test_no_command_of_a_menu_holds_the_event_loop(costs: Costs) -> None:
    env = costs.env
    for menu in command_picker.offered(env.world, env.ann.user, costs.place, USER):
        await costs.measure(menu.name, partial(env.ann.user_command, menu.name, on=env.ben))


@pytest.mark.parametrize("part", range(3))
async def test_no_button_menu_or_form_holds_the_event_loop(costs: Costs, part: int) -> None:
    for address in addresses(costs.env)[part::3]:
        await costs.control(address)


async def test_copies_of_ones_data_take_little_memory(costs: Costs) -> None:
    privacy, ann = costs.env.app.get(Privacy), Requester(0, costs.env.ann.id)
    tracemalloc.start()
    try:
        copies = [privacy.export(ann, 10_000_000) for _ in range(MAX_WAITING + 1)]
        found = await asyncio.gather(*copies, return_exceptions=True)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [type(one) for one in found] == [*[tuple] * MAX_WAITING, TooMany]
    assert peak < (MAX_WAITING + 1) * MAX_PLAIN, (
        "no more than the finished copies and one in the making"
    )
