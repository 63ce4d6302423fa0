"""Which of a player's matches a command means, when it does not say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from structlog.contextvars import bind_contextvars

from bot.delivery.interaction_transport import home_of
from bot.errors import NoSuchMatch, SeveralMatches
from bot.i18n.slash import slash
from bot.interactions.commands import Option
from bot.matches.service import Matches
from bot.matches.turns import waits_for
from bot.permissions.visibility import may_see, no_such_match
from bot.replays.import_export import ImportExport
from engine import registry
from engine.errors import BadOption
from engine.phrase import say, translated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.interactions.commands import Suggestions
    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView
    from engine.registry import AnyGame

WHICH: Final = say("Which game?")


async def pick(reply: Reply, game: str, number: int | None, *, my_turn: bool = False) -> MatchView:
    """Return the match that a command is about, with ``my_turn`` rather one that waits for them.

    A match's thread means that match, at least for its players.

    Raises:
        NoSuchMatch: none fits, or it is played by others in another server.
        SeveralMatches: several fit.

    """
    if number is not None:
        view = await visible(reply, number)
        if view.game.slug != game:
            raise NoSuchMatch(
                say(
                    "Match #{number} is a game of {game}. Use {command} for it.",
                    number=number,
                    game=view.game.title,
                    command=slash(view.game.slug),
                )
            )
        return view
    here = await reply.get(Matches).in_thread(reply.channel_id)
    if here is not None and here.game.slug != game:
        here = None
    if here is not None and here.player_of(reply.user_id) is not None:
        return _noted(here)
    views = await reply.get(Matches).of_player(reply.user_id, game=game)
    if not views and here is not None:
        return _noted(here)
    if not views:
        raise NoSuchMatch(
            say(
                "You have no games of this kind going. To start one, use `{command}`.",
                command=slash(game, "challenge"),
            )
        )
    narrowed = in_channel(reply, views)
    if my_turn:
        narrowed = [view for view in narrowed if waits_for(view, reply.user_id)] or narrowed
    return only(reply, narrowed)


def in_channel(reply: Reply, views: Sequence[MatchView]) -> Sequence[MatchView]:
    """Return those matches that are played in this channel, or all if there are none."""
    return [view for view in views if view.match.channel_id == reply.channel_id] or views


def only(reply: Reply, views: Sequence[MatchView]) -> MatchView:
    """Return the only match; raise SeveralMatches for more."""
    if len(views) > 1:
        choices = {str(view.match.id): _entry(view, reply.user_id) for view in views}
        raise SeveralMatches(WHICH, choices)
    return _noted(views[0])


async def named(reply: Reply, name: str | None, *, over: bool = False) -> str:
    """Return the name of the match or record that a command is about.

    Where none was given it is the match of this thread, or the only one of this person.

    Args:
        reply: the reply to the command.
        name: the name that was given, if any.
        over: whether only what has ended is meant.

    Raises:
        NoSuchMatch: this person has none.
        SeveralMatches: they have several.

    """
    if name is not None:
        return name
    here = await reply.get(Matches).in_thread(reply.channel_id)
    if here is not None and await may_see(reply, here.match):
        return str(here.match.id)
    home = home_of(reply.interaction)
    found = await reply.get(ImportExport).names(reply.user_id, home, over=over)
    if not found:
        raise NoSuchMatch(
            say("You have no games to look at yet. To start one, use {play}.", play=slash("play"))
        )
    if len(found) > 1:
        raise SeveralMatches(WHICH, dict(found))
    return found[0][0]


def known_game(slug: str) -> str:
    """Return a slug that names a game, or the empty text for all of them.

    Raises:
        BadOption: no game of that name.

    """
    if slug and slug not in registry.games():
        raise BadOption(
            say(
                "There is no game “{name}”. There are: {games}.",
                name=slug,
                games=", ".join(registry.games()),
            )
        )
    return slug


async def visible(reply: Reply, number: int) -> MatchView:
    """Return a match that this person may see.

    Raises:
        NoSuchMatch: there is none, or it is not for them to see.

    """
    try:
        view = await reply.get(Matches).view(number)
    except NoSuchMatch as error:
        raise no_such_match(number) from error
    if not await may_see(reply, view.match):
        raise no_such_match(number)
    return _noted(view)


async def numbered(reply: Reply, number: int | None) -> MatchView:
    """Return a match by its number, or that of this thread, or the only open one of this person.

    Raises:
        NoSuchMatch: there is none, or it is not for them to see.
        SeveralMatches: they have several.

    """
    if number is not None:
        return await visible(reply, number)
    here = await reply.get(Matches).in_thread(reply.channel_id)
    if here is not None and await may_see(reply, here.match):
        return _noted(here)
    views = await reply.get(Matches).of_player(reply.user_id)
    if not views:
        raise NoSuchMatch(
            say("You have no game going. To start one, use {play}.", play=slash("play"))
        )
    return only(reply, in_channel(reply, views))


async def suggest_matches(reply: Reply, typed: str, game: AnyGame | None) -> Suggestions:
    """Suggest a player's open matches of a game, by their number."""
    assert game is not None
    views = await reply.get(Matches).of_player(reply.user_id, game=game.slug)
    locale = await reply.locale(public=False)
    labels = [(translated(_entry(view, reply.user_id), locale), view.match.id) for view in views]
    return [(label, number) for label, number in labels if typed.strip().lstrip("#") in label]


ChosenMatch: TypeAlias = Annotated[
    int | None,
    Option(say("Match number (if you play several)"), suggest=suggest_matches),
]
"""The option of a command that names a match of its game."""


async def suggest_names(reply: Reply, typed: str, _: AnyGame | None = None) -> Suggestions:
    """Suggest a player's own matches, the newest first, and the records they imported."""
    return await _names(reply, typed, over=False)


async def suggest_ended(reply: Reply, typed: str, _: AnyGame | None = None) -> Suggestions:
    """Suggest a player's own matches that have ended, and the records they imported."""
    return await _names(reply, typed, over=True)


async def _names(reply: Reply, typed: str, *, over: bool) -> Suggestions:
    wanted = typed.strip().lstrip("#").lower()
    home = home_of(reply.interaction)
    found = await reply.get(ImportExport).names(reply.user_id, home, over=over)
    return [(label, name) for name, label in found if wanted in name or wanted in label.lower()]


def _noted(view: MatchView) -> MatchView:
    """Let the log name the match from here on."""
    bind_contextvars(match=view.match.id)
    return view


def _entry(view: MatchView, user_id: int) -> str:
    number, player = view.match.id, view.player_of(user_id)
    if player is None:
        return f"#{number}"
    seat = view.seat_names[player.seat]
    if waits_for(view, user_id):
        return say("#{number} as {seat}, your turn", number=number, seat=seat)
    return say("#{number} as {seat}", number=number, seat=seat)
