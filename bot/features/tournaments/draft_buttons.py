"""The draft of a tournament: what would be announced, and everything that can be chosen for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, Literal

from bot.core import move_times
from bot.core.errors import GONE, ID, Id, Refusal
from bot.core.i18n.locales import Locales
from bot.core.interactions.components import (
    Component,
    Style,
    action_row,
    labelled,
    option,
    rows,
    string_select,
    text_display,
    text_input,
)
from bot.core.interactions.controls import Button, Form, Menu
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions import play
from bot.core.permissions.channels import server_of
from bot.core.settings.service import SettingsStore
from bot.features.tournaments import drafts, layout_views, text
from bot.features.tournaments.drafts import NUMBERS, Draft, Drafts, Group, Place, Switch
from bot.features.tournaments.service import Tournaments
from bot.play.matches.match_text import option_words
from engine import registry
from engine.phrase import Phrase, lines, say

FORMATS: Final[Mapping[str, Phrase]] = {
    "swiss": say("Swiss system: everyone plays every round"),
    "round-robin": say("Round robin: everyone meets everyone"),
    "double-round-robin": say("Double round robin: everyone meets everyone twice"),
    "knockout": say("Knockout: lose and you're out"),
    "double-knockout": say("Double knockout: lose twice and you're out"),
}
_VERDICTS: Final = {
    "draw": say("Open games at the end of a round are drawn"),
    "computer": say("The computer judges games open at the end of a round"),
    "manager": say("The organiser decides games open at the end of a round"),
}
_GROUPS: Final[Mapping[Group, Phrase]] = {
    "time": say("Time…"),
    "size": say("Size…"),
    "ratings": say("Ratings…"),
}
_SWITCHES: Final[Mapping[Switch, Phrase]] = {
    "both_sides": say("Both sides"),
    "casual": say("Unrated"),
    "monthly": say("Every month"),
    "established": say("Settled ratings only"),
}
_TIME: Final = "time"
"""The time per move in the form that asks for times."""
_OPTION: Final = "="
"""Between an option of the game and its value."""
_MAX_OPTIONS: Final = 25


class DraftButton(Button, prefix="draft"):
    """Posts a draft, discards it, or shows more of what can be chosen."""

    number: Id
    action: Literal["post", "more", "discard"]

    async def press(self, reply: Reply) -> None:
        """Do what the button says."""
        if self.action == "post":
            await _post(reply, self.number)
        elif self.action == "discard":
            await reply.get(Drafts).discard(self.number)
            await reply.replace(text_layout(say("The draft is discarded. Nothing was posted.")))
        else:
            await _change(reply, self.number, lambda it: replace(it, unfolded=not it.unfolded))


class DraftSwitch(Button, prefix="draft-set"):
    """Turns something in a draft on or off."""

    number: Id
    field: Switch

    async def press(self, reply: Reply) -> None:
        """Change it, and show the draft."""
        await _change(reply, self.number, self._turned)

    def _turned(self, draft: Draft) -> Draft:
        other: dict[str, Any] = {self.field: not getattr(draft, self.field)}
        return replace(draft, **other)


class DraftMenu(Menu, prefix="draft-pick"):
    """Chooses something in a draft."""

    may_be_empty = True  # no role is a choice
    number: Id
    field: Literal["format", "options", "verdict", "role"]

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Change it, and show the draft."""
        await _change(reply, self.number, partial(self._chosen, next(iter(values), "")))

    def _chosen(self, value: str, draft: Draft) -> Draft:
        if self.field == "format" and value in FORMATS:
            return drafts.with_format(draft, value)
        if self.field == "options" and _OPTION in value:
            name, _, chosen = value.partition(_OPTION)
            return drafts.with_option(draft, name, chosen)
        if self.field == "verdict" and value in _VERDICTS:
            return replace(draft, verdict=value)  # type: ignore[arg-type]
        if self.field == "role":
            try:
                return replace(draft, role=ID.read(value) if value else None)
            except ValueError:
                raise Refusal(GONE) from None
        raise Refusal(GONE)


class DraftNumbersButton(Button, prefix="draft-ask"):
    """Opens the form for some numbers of a draft."""

    number: Id
    group: Group

    async def press(self, reply: Reply) -> None:
        """Open it, filled in with what was chosen."""
        draft = await reply.get(Drafts).get(self.number)
        menus = [_times(draft)] if self.group == "time" else []
        inputs = [
            text_input(
                name,
                known.label,
                placeholder=f"{known.least}–{known.most}",
                value="" if getattr(draft, name) is None else str(getattr(draft, name)),
                max_length=5,
                required=False,
            )
            for name, known in drafts.fields_of(self.group)
        ]
        form = DraftNumbersForm(self.number, self.group)
        await reply.ask(form.modal(_GROUPS[self.group], *menus, *inputs))


class DraftNumbersForm(Form, prefix="draft-typed"):
    """Sets some numbers of a draft."""

    number: Id
    group: Group

    async def submit(self, reply: Reply, typed: Mapping[str, str]) -> None:
        """Set them, and show the draft."""
        mine = {name: words for name, words in typed.items() if name in NUMBERS}
        await _change(reply, self.number, partial(self._typed, typed.get(_TIME), mine))

    def _typed(self, time: str | None, numbers: Mapping[str, str], draft: Draft) -> Draft:
        try:
            timed = draft if time is None else drafts.with_time(draft, time)
        except ValueError:
            raise Refusal(GONE) from None
        return drafts.with_numbers(timed, numbers)


def _times(draft: Draft) -> Component:
    chosen = None if draft.per_move is None else move_times.written(draft.per_move)
    times = {drafts.DEFAULT_TIME: say("Server default"), **move_times.choices()}
    return labelled(
        say("Time per move"),
        string_select(
            _TIME,
            [
                option(label, value, default=value == (chosen or drafts.DEFAULT_TIME))
                for value, label in times.items()
            ],
        ),
    )


async def _place(reply: Reply) -> Place:
    guild_id = server_of(reply.interaction)
    return Place(
        guild_id,
        reply.place,
        reply.user_id,
        reply.interaction.permissions.manage_guild,
        await reply.get(SettingsStore).server(guild_id),
    )


async def _change(reply: Reply, number: int, change: Callable[[Draft], Draft]) -> None:
    place, now = await _place(reply), reply.get(Tournaments).clock()
    check = partial(drafts.terms, place=place, now=now)
    draft = await reply.get(Drafts).change(number, change, check)
    await reply.replace(await draft_layout(reply, number, draft))


async def _post(reply: Reply, number: int) -> None:
    await play.require_challenges(reply)
    draft, place, service = await reply.get(Drafts).get(number), await _place(reply), Tournaments
    terms = drafts.terms(draft, place, reply.get(service).clock())
    tournament = await reply.get(service).create(terms, draft=number)
    there = await reply.get(Locales).of_guild(tournament.guild_id)
    await reply.replace(text_layout(text.created(tournament, there)))


async def draft_layout(reply: Reply, number: int, draft: Draft) -> Layout:
    """Return a draft as it would be announced, with its controls."""
    terms = drafts.terms(draft, await _place(reply), reply.get(Tournaments).clock())
    words = [*layout_views.terms_lines(terms), layout_views.start_line(terms)]
    if draft.most is not None:
        words.append(say("Maximum number of players: {number}", number=draft.most))
    if draft.round_days is not None:
        words.append(_VERDICTS[draft.verdict])
    words.append(say("-# A draft: only you see it until you post it."))
    post = DraftButton(number, "post").component(say("Post it"), style="success")
    more = say("Fewer options") if draft.unfolded else say("More…")
    buttons = [
        post,
        DraftButton(number, "more").component(more),
        DraftButton(number, "discard").component(say("Discard")),
    ]
    shown = _choices(number, draft) if draft.unfolded else ()
    return Layout(text_display(lines(words)), *shown, *rows(buttons))


def _choices(number: int, draft: Draft) -> Iterator[Component]:
    formats = [option(label, one, default=one == draft.format) for one, label in FORMATS.items()]
    yield action_row(DraftMenu(number, "format").component(formats))
    game = registry.game(draft.game)
    settled = game.settle(draft.options)
    entries = [
        option(
            option_words(one, value),
            f"{one.name}{_OPTION}{value}",
            "✓" if settled[one.name] == value else None,
        )
        for one in game.options
        for value in one.values
    ]
    if entries:
        menu = DraftMenu(number, "options")
        yield action_row(
            menu.component(entries[:_MAX_OPTIONS], placeholder=say("Rules and options of the game"))
        )
    verdicts = [
        option(label, one, default=one == draft.verdict) for one, label in _VERDICTS.items()
    ]
    yield action_row(DraftMenu(number, "verdict").component(verdicts))
    roles = [] if draft.role is None else [draft.role]
    menu = DraftMenu(number, "role")
    yield action_row(menu.of_roles(placeholder=say("Role that players need"), chosen=roles))
    forms = [DraftNumbersButton(number, one).component(label) for one, label in _GROUPS.items()]
    yield from rows(forms)
    switches = [
        DraftSwitch(number, name).component(label, style=_style(on=getattr(draft, name)))
        for name, label in _SWITCHES.items()
    ]
    yield from rows(switches)


def _style(*, on: bool) -> Style:
    return "success" if on else "secondary"
