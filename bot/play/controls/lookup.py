"""Finds the match that a command refers to, even where none is named."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Annotated, Final, TypeAlias

from structlog.contextvars import bind_contextvars

from bot.core.errors import COUNT, NoSuchMatch, SeveralMatches
from bot.core.i18n.mentions import slash
from bot.core.interactions.commands import Option, Suggestions, fitting
from bot.core.interactions.reply import Reply
from bot.core.permissions.members import Members
from bot.core.permissions.visibility import may_see, no_such_match
from bot.play.matches import match_names
from bot.play.matches.positions import Position, is_turn_of
from bot.play.matches.service import Matches
from data.matches import matches
from data.matches.match import Match
from data.puzzles import imported_records
from data.sql.transaction import Transaction
from data.store.store import Store
from engine import registry
from engine.pair import MATCH
from engine.phrase import capital, lines, say
from engine.registry import AnyGame

_MAX_TO_VERIFY: Final = 50
"""A player's latest matches searched for those to verify first."""
_MAX_NAMES: Final = 50
"""A player's latest matches suggested by name."""
_WHICH: Final = say("Which game?")
NUMBER: Final = say("Match number, like 12, or i3 for a record (this thread's match if empty)")


async def pick(reply: Reply, game: str, number: int | None, *, my_turn: bool = False) -> Position:
    """Return the match a command refers to; ``my_turn`` prefers one waiting for the user.

    Inside a match's thread, its players mean that match. Raises NoSuchMatch if none fits, or it
    belongs to other players on another server, and SeveralMatches if more than one fits.
    """
    if number is not None:
        position = await visible(reply, number)
        if position.game.slug != game:
            raise NoSuchMatch(
                say(
                    "Match #{number} is a game of {game}. Use {command} for it.",
                    number=number,
                    game=position.game.title,
                    command=slash(position.game.slug),
                )
            )
        return position
    here = await reply.get(Matches).in_thread(reply.channel_id)
    if here is not None and here.game.slug != game:
        here = None
    if here is not None and here.player_of(reply.user_id) is not None:
        return _noted(here)
    found = await reply.get(Matches).of_player(reply.user_id, game=game)
    if not found and here is not None:
        return _noted(here)
    if not found:
        raise NoSuchMatch(
            say(
                "You have no games of this kind going. To start one, use `{command}`.",
                command=slash(game, "challenge"),
            )
        )
    narrowed = in_channel(reply, found)
    if my_turn:
        narrowed = [match for match in narrowed if is_turn_of(match, reply.user_id)] or narrowed
    return await only(reply, narrowed)


def in_channel(reply: Reply, found: Sequence[Match]) -> Sequence[Match]:
    """Return the matches played in this channel, or all if there are none."""
    return [match for match in found if match.channel_id == reply.channel_id] or found


async def only(reply: Reply, found: Sequence[Match]) -> Position:
    """Return the only match; raise SeveralMatches if there are more."""
    entries = with_opponents(reply, found, partial(_entry, user_id=reply.user_id))
    name = _only_name([(str(number), label) for label, number in entries])
    return _noted(await reply.get(Matches).position(int(name)))


async def chosen_name(reply: Reply, name: str | None, *, over: bool = False) -> str:
    """Return the name of a match or record: the given one, this thread's, or the user's only one.

    With ``over``, only matches with a result count. Raises NoSuchMatch or SeveralMatches.
    """
    if name is not None:
        return name
    here = await _here(reply)
    return _only_name(await _own_names(reply, over=over)) if here is None else str(here.match.id)


async def visible(reply: Reply, number: int) -> Position:
    """Return a match; raise NoSuchMatch if it does not exist, or the user may not see it."""
    try:
        position = await reply.get(Matches).position(number)
    except NoSuchMatch as error:
        raise no_such_match(number) from error
    if not await may_see(reply, position.match):
        raise no_such_match(number)
    return _noted(position)


async def chosen(reply: Reply, number: int | None) -> Position:
    """Return a match by number, or else this thread's, or else the user's only open one.

    Raises NoSuchMatch, also if the user may not see it, or SeveralMatches.
    """
    if number is not None:
        return await visible(reply, number)
    if (here := await _here(reply)) is not None:
        return here
    found = await reply.get(Matches).of_player(reply.user_id)
    if not found:
        raise NoSuchMatch(
            say("You have no game going. To start one, use {play}.", play=slash("play"))
        )
    return await only(reply, in_channel(reply, found))


async def to_verify(reply: Reply, number: int | None) -> Position:
    """Return a match like `chosen`, but of all the user's matches those worth verifying."""
    if number is None and (here := await _here(reply)) is not None:
        return here
    if number is None:
        number = int(_only_name([(str(one), label) for label, one in await _to_verify(reply)]))
    return await visible(reply, number)


def known_game(slug: str) -> str:
    """Return a game's slug, or an empty string for all games; raise BadOption if there is none."""
    return registry.game(slug).slug if slug else ""


def given_number(reply: Reply) -> int | None:
    """Return the match number already given while another option is being completed."""
    number = getattr(reply.interaction.namespace, "match", None)
    in_bounds = isinstance(number, int) and COUNT.minimum <= number <= COUNT.maximum
    return number if in_bounds else None


def titled(match: Match) -> str:
    """Return a match by number and game."""
    return f"#{match.id} {registry.title(match.game)}"


def by_number(found: Iterable[Match]) -> Suggestions:
    """Return matches as suggestions, by number and game."""
    return [(titled(one), one.id) for one in found]


def with_opponents(
    reply: Reply, found: Iterable[Match], label: Callable[[Match], str] = titled
) -> Suggestions:
    """Return matches as suggestions, by a label and by whom the user plays against.

    Names that are not in memory come a moment later.
    """
    members, people = reply.get(Members), defaultdict[int | None, set[int]](set)
    entries = []
    for match in found:
        users = {player.user_id for player in match.players} - {reply.user_id}
        people[match.guild_id] |= users
        names = members.known_names(match.guild_id, users)
        others = match_names.opponents(match, reply.user_id, names)
        entries.append((lines(filter(None, (label(match), others)), " · "), match.id))
    for guild_id, users in people.items():
        members.learn_names(guild_id, users)
    return entries


async def suggest_to_verify(reply: Reply, typed: str, _: AnyGame | None) -> Suggestions:
    """Suggest the matches a player may want to verify, by number."""
    return await fitting(reply, typed, await _to_verify(reply))


async def suggest_matches(reply: Reply, typed: str, game: AnyGame | None) -> Suggestions:
    """Suggest a player's open matches of a game, by number."""
    assert game is not None
    found = await reply.get(Matches).of_player(reply.user_id, game=game.slug)
    entries = with_opponents(reply, found, partial(_entry, user_id=reply.user_id))
    return await fitting(reply, typed, entries)


ChosenMatch: TypeAlias = Annotated[
    int | None,
    Option(say("Match number (if you play several)"), suggest=suggest_matches),
]
"""The command option that selects a match of its game."""


async def suggest_names(reply: Reply, typed: str, _: AnyGame | None) -> Suggestions:
    """Suggest a player's matches, newest first, and their imported records."""
    found = await _own_names(reply, over=False)
    return await fitting(reply, typed, [(label, name) for name, label in found])


async def suggest_ended(reply: Reply, typed: str, _: AnyGame | None) -> Suggestions:
    """Suggest a player's matches with a result and their finished records."""
    found = await _own_names(reply, over=True)
    return await fitting(reply, typed, [(label, name) for name, label in found])


async def names_of(
    tx: Transaction,
    user_id: int,
    guild_id: int | None,
    *,
    over: bool,
    suggested: Callable[[Iterable[Match]], Suggestions] = by_number,
) -> list[tuple[str, str]]:
    """Return the names and labels of a player's matches, and of their imported records.

    ``guild_id`` limits the matches to a server, ``over`` both to those with a result; ``suggested``
    makes the labels of matches.
    """
    played = await matches.of_player(
        tx, user_id, guild_id=guild_id, open_only=False, limit=_MAX_NAMES
    )
    kept = await imported_records.titles(tx, user_id)
    wanted = (
        match
        for match in played
        if not over or (match.finished and all(one.rank for one in match.players))
    )
    found = [(str(number), label) for label, number in suggested(wanted)]
    for one in kept:
        if one.over or not over:
            title = registry.title(one.game)
            found.append((f"i{one.id}", f"i{one.id} {title} {one.at.date().isoformat()}"))
    return found


async def _own_names(reply: Reply, *, over: bool) -> list[tuple[str, str]]:
    async with reply.get(Store).read() as tx:
        return await names_of(
            *(tx, reply.user_id, reply.home), over=over, suggested=partial(with_opponents, reply)
        )


async def _here(reply: Reply) -> Position | None:
    """Return the match of this thread, if the user may see it."""
    here = await reply.get(Matches).in_thread(reply.channel_id)
    return None if here is None or not await may_see(reply, here.match) else _noted(here)


def _only_name(found: Sequence[tuple[str, str]]) -> str:
    """Return the only name of names with labels; raise NoSuchMatch or SeveralMatches."""
    if not found:
        raise NoSuchMatch(
            say("You have no games to look at yet. To start one, use {play}.", play=slash("play"))
        )
    if len(found) > 1:
        raise SeveralMatches(_WHICH, dict(found))
    return found[0][0]


async def _to_verify(reply: Reply) -> Suggestions:
    """Return a player's matches with labels: finished ones with throws first, open ones last."""
    async with reply.get(Store).read() as tx:
        found = await matches.of_player(
            tx, reply.user_id, guild_id=reply.home, open_only=False, limit=_MAX_TO_VERIFY
        )
    games = registry.games()
    order = sorted(
        found,
        key=lambda one: (not one.finished, one.game not in games or not games[one.game].has_luck),
    )
    return with_opponents(reply, order, _to_verify_label)


def _to_verify_label(match: Match) -> str:
    facts = {"number": match.id, "game": registry.title(match.game)}
    if match.finished:
        return say("#{number} {game}", **facts)
    # Translators: an entry of a menu: a match that is not over.
    return say("#{number} {game}, still being played", **facts)


def _noted(position: Position) -> Position:
    """Add the match number to all further log lines."""
    bind_contextvars(match=position.match.id)
    return position


def _entry(match: Match, user_id: int) -> str:
    """Return a match as its player finds it in a menu; nothing here needs its log."""
    number = match.id
    player = next((one for one in match.players if one.user_id == user_id), None)
    if player is None:
        return f"#{number}"
    mine = is_turn_of(match, user_id)
    if match.options.get(MATCH.name) == "true":  # sides are swapped after the first game
        return say("#{number}, your turn", number=number) if mine else f"#{number}"
    seat = capital(registry.game(match.game).seat_names[player.seat])
    if mine:
        return say("#{number} as {seat}, your turn", number=number, seat=seat)
    return say("#{number} as {seat}", number=number, seat=seat)
