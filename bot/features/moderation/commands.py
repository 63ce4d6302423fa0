"""``/server void``, ``end``, ``clear``, ``rated`` and ``audit``, and the questions asked first."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Final, Literal

import discord

from bot.core.computers import is_person
from bot.core.errors import BadInput, BadOpponent, Id
from bot.core.i18n.mentions import mention, mention_all, numbered
from bot.core.interactions.commands import Option, Suggestions, command, fitting
from bot.core.interactions.components import Style, text_input
from bot.core.interactions.controls import Confirmation, Form
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions.channels import require_manager
from bot.core.permissions.members import Members
from bot.features.moderation import audit_buttons
from bot.features.moderation.audit_buttons import decision_line, left_early
from bot.features.moderation.service import (
    MAX_REASON,
    NOTICE,
    Moderation,
    Moderator,
    RatedPlay,
    check_winners,
)
from bot.play.delivery.notices import Notice, announces
from bot.play.matches.computer_players import playing
from bot.play.matches.positions import Position
from bot.play.ratings.service import changes_of
from data.challenges.challenges import Challenge
from data.matches.match import Match
from data.people.audit import Line
from data.store.store import Store
from engine import registry
from engine.phrase import Phrase, lines, say
from engine.plain_text import one_line
from engine.registry import AnyGame


async def _matches(
    reply: Reply, typed: str, _: AnyGame | None, *, open_only: bool = False
) -> Suggestions:
    """Suggest matches by number, players and game; names that are not in memory come a moment later."""
    if not _may_manage(reply):
        return []
    newest = await reply.get(Moderation).newest_matches(reply.guild_id or 0)
    found = [one for one in newest if not (open_only and one.finished)]
    people = {player.user_id for one in found for player in one.players}
    members = reply.get(Members)
    names = members.known_names(reply.guild_id, people)
    members.learn_names(reply.guild_id, people)
    return await fitting(reply, typed, [(_entry(one, names), one.id) for one in found])


def _entry(match: Match, names: Mapping[int, str]) -> Phrase:
    users = [player.user_id for player in match.players]
    known = [names.get(one, "") if is_person(one) else mention(one) for one in users]
    people = lines(known, " – ") if all(known) else ""
    return lines(filter(None, (f"#{match.id}", people, _title(match))), " · ")


async def _challenges(reply: Reply, typed: str, _: AnyGame | None) -> Suggestions:
    if not _may_manage(reply):
        return []
    found = await reply.get(Moderation).open_challenges(reply.guild_id or 0)
    labels = [(f"{one.id} · {_title(one)}", one.id) for one in reversed(found)]
    return await fitting(reply, typed, labels)


def _title(one: Match | Challenge) -> str:
    return registry.title(one.game)


@command("server void", say("Void a match"))
async def void(
    reply: Reply,
    match: Annotated[
        int,
        Option(say("Match number (finished ones too)"), suggest=_matches),
    ],
) -> None:
    """Ask a moderator to confirm voiding a match."""
    guild_id = require_manager(reply.interaction)
    position = await reply.get(Moderation).match(match, guild_id, by=reply.user_id)
    words = say(
        "{match} will have no result and won't count. Continue?",
        match=_about_match(position),
    )
    await reply.send(_question("void", match, words))


@command("server end", say("End a match with a result"))
async def end(  # noqa: PLR0917 -- the command's options
    reply: Reply,
    match: Annotated[int, Option(say("Match number"), suggest=partial(_matches, open_only=True))],
    winner: Annotated[discord.User | None, Option(say("Winner"))] = None,
    winner2: Annotated[
        discord.User | None, Option(say("Second winner, sharing first place"))
    ] = None,
    winner3: Annotated[
        discord.User | None, Option(say("Third winner, sharing first place"))
    ] = None,
    draw: Annotated[  # noqa: FBT002 -- an option of the command
        bool, Option(say("Draw between all players"))
    ] = False,
) -> None:
    """Ask a moderator to confirm ending a match with a result."""
    guild_id = require_manager(reply.interaction)
    position = await reply.get(Moderation).match(match, guild_id, by=reply.user_id)
    named = frozenset(user.id for user in (winner, winner2, winner3) if user is not None)
    players = playing(position.match)
    everyone = frozenset(player.user_id for player in players)
    if draw and named:
        raise BadInput(say("Pick a winner or `draw`, not both."))
    won = everyone if draw else named
    check_winners(position, won)
    seats = ".".join(str(player.seat) for player in players if player.user_id in won)
    if won == everyone:
        words = say("{match} will end as a draw. Continue?", match=_about_match(position))
    else:
        words = say(
            "{match} will end as a win for {winners}. Continue?",
            match=_about_match(position),
            winners=mention_all(sorted(won)),
        )
    await reply.send(_question("end", match, words, seats))


@command("server clear", say("Close an open challenge"))
async def clear(
    reply: Reply,
    challenge: Annotated[int, Option(say("Challenge number"), suggest=_challenges)],
) -> None:
    """Ask a moderator to confirm closing a challenge."""
    guild_id = require_manager(reply.interaction)
    found = await reply.get(Moderation).challenge(challenge, guild_id)
    words = say("{challenge} will be closed. Continue?", challenge=_about_challenge(found))
    await reply.send(_question("clear", challenge, words))


@command("server rated", say("Bar a member from rated play, or let them back in"))
async def rated(
    reply: Reply,
    user: Annotated[discord.User, Option(say("Member"))],
    allowed: Annotated[bool, Option(say("Allowed to play rated"))],
) -> None:
    """Ask a moderator to confirm excluding a player from rated play, or readmitting one."""
    guild_id = require_manager(reply.interaction)
    if user.bot:
        raise BadOpponent(
            say("{person} is a bot and can't play rated games.", person=mention(user.id))
        )
    await reply.get(RatedPlay).check(guild_id, user.id, by=reply.user_id, allowed=allowed)
    left = await reply.get(Moderation).left_early(guild_id, user.id)
    await reply.send(_rated_question(user.id, allowed=allowed, left=left))


@command("server audit", say("Show moderator decisions"))
async def audit(reply: Reply) -> None:
    """Show the newest moderator decisions."""
    await reply.send(await audit_buttons.audit_page(reply))


def _may_manage(reply: Reply) -> bool:
    return reply.guild_id is not None and reply.interaction.permissions.manage_guild


Decision = Literal["void", "end", "clear"]

_LABELS: Final[Mapping[Decision, str]] = {
    "void": say("Void the match"),
    "end": say("End the match"),
    "clear": say("Close the challenge"),
}
_RATED_LABELS: Final = {True: say("Let back in"), False: say("Bar")}
_REASON: Final = "reason"


class DecideButton(Confirmation, prefix="decide"):
    """Confirms or cancels voiding or ending a match, or closing a challenge."""

    decision: Decision
    number: int
    seats: str
    """The seats of the winners, joined by dots."""

    async def proceed(self, reply: Reply) -> None:
        """Check the decision again and ask for the reason."""
        guild_id = require_manager(reply.interaction)
        moderation = reply.get(Moderation)
        if self.decision == "clear":
            await moderation.challenge(self.number, guild_id)
        else:
            position = await moderation.match(self.number, guild_id, by=reply.user_id)
            if self.decision == "end":
                check_winners(position, _users(position, self.seats))
        await _ask_why(
            reply,
            DecideForm(self.decision, self.number, self.seats),
            _LABELS[self.decision],
            say("Shown to the players and in /server audit"),
        )


class DecideForm(Form, prefix="decided"):
    """Carries out a decision and announces it."""

    decision: Decision
    number: int
    seats: str

    async def submit(self, reply: Reply, typed: Mapping[str, str]) -> None:
        """Decide, with the typed reason."""
        moderator = _moderator(reply, typed)
        moderation = reply.get(Moderation)
        if self.decision == "clear":
            await _done(reply, await moderation.clear(self.number, moderator))
            return
        position = await moderation.match(self.number, moderator.guild_id, by=reply.user_id)
        if self.decision == "end":
            winners = _users(position, self.seats)
            await _done(reply, await moderation.end(self.number, winners, moderator))
            return
        changes = await changes_of(reply.get(Store), position)
        line = await moderation.void(self.number, moderator)
        again = say("Ratings are being recalculated.")
        rated = changes is not None and changes.kind == "changed"
        await _done(reply, line, *([again] if rated else []))


class RatedPlayButton(Confirmation, prefix="rate"):
    """Confirms or cancels excluding a player from rated play, or readmitting one."""

    allowed: bool
    user_id: Id

    async def proceed(self, reply: Reply) -> None:
        """Check the decision again and ask for the reason."""
        guild_id = require_manager(reply.interaction)
        rated_play, allowed = reply.get(RatedPlay), self.allowed
        await rated_play.check(guild_id, self.user_id, by=reply.user_id, allowed=allowed)
        await _ask_why(
            reply,
            RatedPlayForm(allowed, self.user_id),
            _RATED_LABELS[allowed],
            say("Shown in /server audit and in this person's data export"),
        )


class RatedPlayForm(Form, prefix="rated"):
    """Carries out a decision."""

    allowed: bool
    user_id: Id

    async def submit(self, reply: Reply, typed: Mapping[str, str]) -> None:
        """Decide, with the typed reason."""
        moderator = _moderator(reply, typed)
        rated_play = reply.get(RatedPlay)
        await _done(reply, await rated_play.decide(self.user_id, moderator, allowed=self.allowed))


def _users(position: Position, seats: str) -> frozenset[int]:
    named = seats.split(".")
    return frozenset(p.user_id for p in position.match.players if str(p.seat) in named)


async def _ask_why(reply: Reply, form: Form, title: str, read_by: str) -> None:
    """Ask for the reason; ``read_by`` says where it is shown."""
    reason = text_input(
        _REASON, say("Why?"), description=read_by, max_length=MAX_REASON, multiline=True
    )
    await reply.ask(form.modal(title, reason))


def _moderator(reply: Reply, typed: Mapping[str, str]) -> Moderator:
    """Return who filled in the form; raise NotAllowed if they may not manage the server (any more)."""
    guild_id = require_manager(reply.interaction)
    return Moderator(reply.user_id, guild_id, one_line(typed.get(_REASON, "")))


async def _done(reply: Reply, line: Line, *more: str) -> None:
    """Confirm a decision to the moderator, and write it in the log channel."""
    await reply.replace(text_layout(lines([say("Done. {line}", line=decision_line(line)), *more])))
    await audit_buttons.post_in_log_channel(reply, line)


def _question(decision: Decision, number: int, words: str, seats: str = "") -> Layout:
    confirm = DecideButton(confirmed=True, decision=decision, number=number, seats=seats)
    return confirm.question(words, _LABELS[decision])


def _rated_question(user_id: int, *, allowed: bool, left: int) -> Layout:
    """Return the question before a decision; ``left`` is how many matches they left early."""
    player = mention(user_id)
    if allowed:
        words = say(
            "{player} will play rated here again, starting with new matches. Continue?",
            player=player,
        )
    else:
        words = say(
            "No match of {player} here will be rated from now on, including those in progress. "
            "Past results stay. Continue?",
            player=player,
        )
    if left:
        words = lines([words, left_early(user_id, left)])
    confirm = RatedPlayButton(confirmed=True, allowed=allowed, user_id=user_id)
    style: Style = "success" if allowed else "danger"
    return confirm.question(words, _RATED_LABELS[allowed], style=style)


def _about_match(position: Position) -> str:
    return say(
        "Match {match} of {game} between {players}",
        match=f"#{position.match.id}",
        game=position.game.title,
        players=mention_all(player.user_id for player in position.match.players),
    )


def _about_challenge(challenge: Challenge) -> str:
    return say(
        "Challenge {number} ({game}, by {challenger})",
        number=challenge.id,
        game=_title(challenge),
        challenger=mention(challenge.challenger_id),
    )


@announces(NOTICE)
def notice(position: Position, payload: Mapping[str, Any]) -> Notice:
    """Return the notice of a decision for a match's players, except the moderator."""
    players = tuple(player.user_id for player in position.match.players)
    facts = {
        "players": mention_all(players),
        "moderator": mention(payload["by"]),
        "match": numbered(position.match.id, payload["board"]),
        "reason": payload["reason"] or say("no reason given"),
    }
    if payload["action"] == "voided":
        words = say("{players}: {moderator} voided match {match}: {reason}", **facts)
    else:
        words = say("{players}: {moderator} ended match {match}: {reason}", **facts)
    return Notice(text_layout(words), tuple(one for one in players if one != payload["by"]))
