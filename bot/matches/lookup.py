"""Which of a player's matches a command means, when it does not say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

from bot.delivery.interaction_transport import home_of
from bot.errors import NoSuchMatch, Refusal
from bot.i18n.slash import slash
from bot.interactions.commands import Option
from bot.matches.service import Matches
from bot.matches.turns import waits_for
from bot.permissions.visibility import may_see, no_such_match
from bot.replays.import_export import ImportExport
from engine import registry
from engine.errors import BadOption
from engine.phrase import say, translated, word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.interactions.commands import Suggestions
    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView
    from engine.registry import AnyGame


async def pick(reply: Reply, game: str, number: int | None, *, my_turn: bool = False) -> MatchView:
    """Return the match that a command is about, with ``my_turn`` rather one that waits for them.

    Raises:
        NoSuchMatch: none fits, or it is played by others in another server.
        Refusal: several fit; it tells how to say which.

    """
    if number is not None:
        view = await visible(reply, number)
        if view.game.slug != game:
            raise NoSuchMatch(
                say(
                    "Match #{number} is a match of {game}: use the commands of {command} for it.",
                    number=number,
                    game=view.game.title,
                    command=slash(view.game.slug),
                )
            )
        return view
    views = await reply.get(Matches).of_player(reply.user_id, game=game)
    if not views:
        raise NoSuchMatch(
            say(
                "You have no open match of this game. Start one with `{command}`.",
                command=slash(game, "challenge"),
            )
        )
    narrowed = in_channel(reply, views)
    if my_turn:
        narrowed = [view for view in narrowed if waits_for(view, reply.user_id)] or narrowed
    return only(narrowed, word("option", "match"))


def in_channel(reply: Reply, views: Sequence[MatchView]) -> Sequence[MatchView]:
    """Return those matches that are played in this channel, or all if there are none."""
    return [view for view in views if view.match.channel_id == reply.channel_id] or views


def only(views: Sequence[MatchView], option: str) -> MatchView:
    """Return the only match; raise Refusal, which names the option to tell which, for several."""
    if len(views) > 1:
        raise Refusal(
            say(
                "Which match: {numbers}? Say it with the option `{option}`.",
                numbers=", ".join(f"#{view.match.id}" for view in views),
                option=option,
            )
        )
    return views[0]


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
    return view


async def suggest_matches(reply: Reply, typed: str, game: AnyGame | None) -> Suggestions:
    """Suggest a player's open matches of a game, by their number."""
    assert game is not None
    views = await reply.get(Matches).of_player(reply.user_id, game=game.slug)
    locale = await reply.locale(public=False)
    labels = [(translated(_entry(view, reply.user_id), locale), view.match.id) for view in views]
    return [(label, number) for label, number in labels if typed.strip().lstrip("#") in label]


ChosenMatch: TypeAlias = Annotated[
    int | None,
    Option(say("The number of the match, if you play several"), suggest=suggest_matches),
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


def _entry(view: MatchView, user_id: int) -> str:
    number, player = view.match.id, view.player_of(user_id)
    if player is None:
        return f"#{number}"
    seat = view.seat_names[player.seat]
    if waits_for(view, user_id):
        return say("#{number} as {seat}, your turn", number=number, seat=seat)
    return say("#{number} as {seat}", number=number, seat=seat)
