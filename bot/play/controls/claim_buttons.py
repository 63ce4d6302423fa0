"""Commands about time, and messages about it with their buttons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from bot.core.i18n.locales import Locales
from bot.core.i18n.mentions import mention, mention_all, numbered, slash, timestamp
from bot.core.interactions.commands import Option, command, game_command
from bot.core.interactions.components import Component, Style
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.core.posts.kinds import Content, PostKind
from bot.core.scheduling.scheduler import WallClock
from bot.play.clocks.service import (
    ENDING_POST,
    MAX_DAYS_AT_A_STRETCH,
    MAX_DAYS_PER_YEAR,
    Claims,
    Vacations,
    late_player,
)
from bot.play.controls.lookup import ChosenMatch, pick
from bot.play.delivery.boards import Boards
from bot.play.delivery.notices import Notice, announces
from bot.play.matches import jobs, match_text
from bot.play.matches.computer_players import LEVEL, can_continue, playing
from bot.play.matches.positions import Position
from data.matches import absences, clocks, matches
from data.matches.absences import Vacation
from data.posts import Post
from data.store.store import Store, Transaction
from engine.phrase import lines, plural, say
from engine.registry import AnyGame

Action: TypeAlias = Literal["win", "abort", "mute"]

_LABELS: Final[Mapping[Action, str]] = {
    "win": say("Claim the win"),
    "abort": say("Abort the match"),
    "mute": say("Mute reminders"),
}
_MUTED: Final = say("No more reminders for this turn.")


class ClaimButton(Button, prefix="w"):
    """Claims or aborts a match whose player to move is late, or mutes their reminders."""

    match_id: int
    version: int
    action: Action

    async def press(self, reply: Reply) -> None:
        """Do what the button says."""
        claims = reply.get(Claims)
        if self.action == "mute":
            await claims.mute(self.match_id, reply.user_id, self.version)
            await reply.send(text_layout(_MUTED), public=False)
            return
        position = await claims.claim(self.match_id, reply.user_id, self.version, self.action)
        facts = {"player": mention(reply.user_id), "match": f"#{self.match_id}"}
        sentence = say(
            "{player} gave the late player's seat in match {match} to a computer.", **facts
        )
        if position.match.finished:
            line = say("{player} ended match {match} because time was up.", **facts)
            sentence = lines([line, match_text.result(position)])
        answer = reply.replace(text_layout(sentence))
        await reply.get(Boards).show(self.match_id, via=reply, answer=answer)


def _button(position: Position, action: Action, label: str = "") -> Component:
    style: Style = "success" if action == "win" else "secondary"
    button = ClaimButton(position.match.id, position.version, action)
    return button.component(label or _LABELS[action], style=style)


def mute_button(position: Position) -> Component:
    """Return the button that mutes reminders for the current turn."""
    return _button(position, "mute")


async def ask(reply: Reply, position: Position) -> None:
    """Offer a player the options against a late opponent; raises like `late_player`."""
    late = late_player(position, reply.user_id)
    what = await reply.get(Claims).leaving(position, late.user_id)
    void = what.void and not can_continue(position.match)
    await reply.send(_choices(position, void=void), public=False)


def _choices(position: Position, *, void: bool, board: str | None = None) -> Layout:
    """Return the choices of the others while the player to move is late.

    If the match is void as hardly begun, there is no win to claim.
    """
    late = position.to_move
    assert late is not None
    others = [p.user_id for p in playing(position.match) if p.user_id != late.user_id]
    facts = {
        "others": mention_all(others),
        "late": mention(late.user_id),
        "match": numbered(position.match.id, board),
    }
    buttons = [_button(position, "abort")]
    if can_continue(position.match):
        sentence = say(
            "{others}, {late} is out of time in match {match}. Wait for the move, or let a "
            "computer (level {level}) take the seat. {late} comes last and you play on.",
            **facts,
            level=LEVEL,
        )
        buttons = [_button(position, "win", say("Let a computer play on"))]
    elif void:
        sentence = say(
            "{others}, {late} is out of time in match {match}. Wait for the move, or "
            "abort. The game has hardly begun, so nothing is counted.",
            **facts,
        )
    else:
        sentence = say(
            "{others}, {late} is out of time in match {match}. Claim the win, abort so "
            "that nothing is counted, or wait for the move.",
            **facts,
        )
        buttons.insert(0, _button(position, "win"))
    return text_layout(sentence, *buttons)


@announces("lapsed")
def _lapsed(position: Position, payload: Mapping[str, Any]) -> Notice:
    return Notice(
        _choices(position, void=bool(payload["void"]), board=payload["board"]),
        tuple(payload["call"]),
    )


@announces("reminder")
def _reminder(position: Position, payload: Mapping[str, Any]) -> Notice:
    mover, clock = position.to_move, position.match.clock
    assert mover is not None
    due = None if clock is None else clock.due_at
    facts: dict[str, Any] = {
        "player": mention(mover.user_id),
        "match": numbered(position.match.id, payload["board"]),
    }
    if due is not None:
        facts |= {"moment": timestamp(due), "distance": timestamp(due, "R")}
    if due is None:
        sentence = say("{player}, your turn in match {match}.", **facts)
        alone = say("Your turn in match {match}.", **facts)
    elif payload.get("grace"):
        sentence = say(
            "{player}, I was away for a while, so you have more time in match {match}. "
            "Move by {moment} ({distance}).",
            **facts,
        )
        alone = say(
            "I was away for a while, so you have more time in match {match}. "
            "Move by {moment} ({distance}).",
            **facts,
        )
    else:
        sentence = say(
            "{player}, your turn in match {match}. Move by {moment} ({distance}).", **facts
        )
        alone = say("Your turn in match {match}. Move by {moment} ({distance}).", **facts)
    button = _button(position, "mute")
    called = tuple(payload["call"])
    return Notice(text_layout(sentence, button), called, text_layout(alone, button))


@announces("turn")
def _turn(position: Position, payload: Mapping[str, Any]) -> Notice:
    facts = {
        "player": mention(payload["user"]),
        "match": numbered(position.match.id, payload["board"]),
    }
    sentence = say("{player}, your turn in match {match}.", **facts)
    alone = say("Your turn in match {match}.", **facts)
    return Notice(text_layout(sentence), (payload["user"],), text_layout(alone))


@announces("forfeited")
def _forfeited(position: Position, payload: Mapping[str, Any]) -> Notice:
    sentence = say(
        "{late} ran out of time in match {match}.",
        late=mention(payload["late"]),
        match=numbered(position.match.id, payload["board"]),
    )
    return Notice(
        text_layout(lines([sentence, match_text.result(position)])), tuple(payload["call"])
    )


@announces("returning")
def _returning(_: Position, payload: Mapping[str, Any]) -> Notice:
    until = datetime.fromtimestamp(payload["until"], UTC)
    sentence = say(
        "{player}, your vacation ends {distance}, {moment}. Then your clocks run "
        "again, with at least a day each. End it early with {back}.",
        back=slash("me", "back"),
        player=mention(payload["user"]),
        moment=timestamp(until),
        distance=timestamp(until, "R"),
    )
    return Notice(text_layout(sentence), (payload["user"],))


@game_command("claim", say("Claim the win when your opponent is out of time"))
async def claim(reply: Reply, game: AnyGame, match: ChosenMatch = None) -> None:
    """Offer the options against a late player."""
    await ask(reply, await pick(reply, game.slug, match))


@game_command("mute", say("Mute reminders for this turn"))
async def mute(reply: Reply, game: AnyGame, match: ChosenMatch = None) -> None:
    """Mute the reminders of a turn."""
    position = await pick(reply, game.slug, match, my_turn=True)
    await reply.get(Claims).mute(position.match.id, reply.user_id)
    await reply.send(text_layout(_MUTED))


@command("me vacation", say("Go on vacation (your clocks are paused)"))
async def vacation(
    reply: Reply,
    days: Annotated[
        int,
        Option(say("Number of days, starting now"), minimum=1, maximum=MAX_DAYS_AT_A_STRETCH),
    ],
) -> None:
    """Start a vacation."""
    vacations = reply.get(Vacations)
    begun = await vacations.start(reply.user_id, days)
    left = await vacations.left(reply.user_id)
    words = [
        say(
            "You're on vacation until {moment}. Your clocks are paused, and you can still "
            "move. End it early with {back}.",
            back=slash("me", "back"),
            moment=timestamp(begun.ends_at),
        ),
        plural(
            "You have {n} vacation day left this year, of {most}.",
            "You have {n} vacation days left this year, of {most}.",
            left,
            most=MAX_DAYS_PER_YEAR,
        ),
    ]
    await reply.send(text_layout(lines(words)))


@command("me back", say("End your vacation early"))
async def back(reply: Reply) -> None:
    """End a vacation."""
    await reply.get(Vacations).end(reply.user_id)
    words = say("Welcome back. Your clocks run again, with at least a day each.")
    await reply.send(text_layout(words))


@dataclass(eq=False, repr=False)
class VacationEndingPost(PostKind):
    """Warns by direct message, or beside one of the player's boards if those are closed."""

    kind: ClassVar[str] = ENDING_POST
    kept: ClassVar[bool] = False

    store: Store
    locales: Locales
    clock: WallClock

    async def content(self, post: Post) -> Content | None:
        """Return the warning; ``None`` if the player is back already."""
        async with self.store.read() as tx:
            away = await self._away(tx, post)
        if away is None:
            return None
        message = text_layout(
            say(
                "Your vacation ends {distance}, {moment}. Then your clocks run again, with "
                "at least a day each. End it early with {back}.",
                back=slash("me", "back"),
                moment=timestamp(away.ends_at),
                distance=timestamp(away.ends_at, "R"),
            )
        )
        return Content(message, await self.locales.of_player(post.user_id))

    async def ended(self, post: Post) -> None:
        """Queue the warning as a notice in one of the player's matches."""
        async with self.store.write() as tx:
            away = await self._away(tx, post)
            for clock in () if away is None else await clocks.of_player(tx, away.user_id):
                match = await matches.get(tx, clock.match_id)
                if away is not None and match is not None:
                    await jobs.notify(
                        tx,
                        match,
                        "returning",
                        at=self.clock(),
                        user=away.user_id,
                        until=away.ends_at.timestamp(),
                    )
                    return

    async def _away(self, tx: Transaction, post: Post) -> Vacation | None:
        away = await absences.present(tx, post.user_id, self.clock())
        return away if away is not None and away.id == post.subject else None
