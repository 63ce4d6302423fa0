"""Commands for playing, taking back, viewing boards and lists, notes, and verifying throws."""

from __future__ import annotations

from typing import Annotated, Any, Final

from bot.core.i18n.slash import slash
from bot.core.interactions.commands import Option, Suggestions, command, game_command, group
from bot.core.interactions.game_options import game_option
from bot.core.interactions.layout import Upload, text_layout
from bot.core.interactions.reply import Reply
from bot.play.clocks.absences import Absences
from bot.play.controls import games_buttons, note_buttons, offer_buttons
from bot.play.controls.board_views import BoardController
from bot.play.controls.games_buttons import match_line
from bot.play.controls.lookup import (
    ChosenMatch,
    given_number,
    known_game,
    numbered,
    pick,
    suggest_to_verify,
    to_verify,
)
from bot.play.delivery.boards import Boards
from bot.play.matches.positions import MatchView
from bot.play.matches.service import Matches
from bot.play.matches.turns import may_move
from bot.play.matches.verification import proof
from data.store.store import Store
from engine.menu import choices, label
from engine.phrase import glued, lines, plural, say
from engine.registry import AnyGame
from engine.typed import MAX_READ, suggested

_MAX_SUGGESTED: Final = 25
_MAX_LISTED: Final = 20
"""Maximum lines with mentions and links in one message."""

group("match", say("Look at a match"))


async def _legal_moves(reply: Reply, typed: str, game: AnyGame | None) -> Suggestions:
    """Suggest legal moves that match the typed text."""
    assert game is not None
    view = await pick(reply, game.slug, given_number(reply), my_turn=True)
    may_move(view, reply.user_id)
    moves = suggested(view.game, view.state, typed)
    if len(moves) > _MAX_SUGGESTED and not typed.strip():
        first = choices(view.game, view.state)
        return [(one.label, "".join(one.steps)) for one in first[:_MAX_SUGGESTED]]
    return [_suggestion(view, move) for move in moves[:_MAX_SUGGESTED]]


def _suggestion(view: MatchView, move: Any) -> tuple[str, str]:
    """Return a suggested move as a label and its notation."""
    notation = view.game.write(move)
    return glued(notation, " · ", label(view.game, view.state, move)), notation


@game_command("move", say("Play a move by typing it"))
async def move(
    reply: Reply,
    game: AnyGame,
    move: Annotated[
        str,
        Option(
            say("Your move (legal moves are suggested)"),
            maximum=MAX_READ,
            suggest=_legal_moves,
        ),
    ],
    match: ChosenMatch = None,
) -> None:
    """Play a typed move."""
    view = await pick(reply, game.slug, match, my_turn=True)
    await reply.get(BoardController).type(reply, view.match.id, move)


@game_command("takeback", say("Take back your last move, if your opponent agrees"), public=True)
async def takeback(reply: Reply, game: AnyGame, match: ChosenMatch = None) -> None:
    """Offer to take a move back; in practice, against computers only, do it at once."""
    await offer_buttons.take_back(reply, await pick(reply, game.slug, match))


@game_command("board", say("Show the current board"))
async def board(reply: Reply, game: AnyGame, match: ChosenMatch = None) -> None:
    """Show the board to the player alone, and repost a board whose message was deleted."""
    view = await pick(reply, game.slug, match)
    await reply.get(BoardController).show(reply, view.match.id)
    reply.get(Absences).check(view.match.id)
    await reply.get(Boards).restore(view.match.id, via=reply)


@game_command("games", say("Your games, your turn first"))
async def games_of_one(reply: Reply, game: AnyGame) -> None:
    """List a player's open matches of a game."""
    matches = reply.get(Matches)
    found = await matches.of_player(reply.user_id, game=game.slug)
    entries = [
        match_line(match, reply.user_id, await matches.link(match)) for match in found[:_MAX_LISTED]
    ]
    if len(found) > _MAX_LISTED:
        # Translators: at the end of a list of matches.
        entries.append(plural("… and {n} more.", "… and {n} more.", len(found) - _MAX_LISTED))
    none = say(
        "You have no {game} games going. To start one, use `{command}`.",
        game=game.title,
        command=slash(game.slug, "challenge"),
    )
    await reply.send(text_layout(lines(entries) or none))


@command("games", say("All your games, your turn first"))
async def games(
    reply: Reply,
    game: Annotated[
        str | None,
        game_option(say("Game (all if empty)")),
    ] = None,
) -> None:
    """List a player's open matches on all servers."""
    await reply.send(await games_buttons.games_page(reply, known_game(game or "")))


@command("match verify", say("Check that the throws of a game were fair"))
async def verify(
    reply: Reply,
    number: Annotated[
        int | None,
        Option(say("Match number (this thread's match if empty)"), suggest=suggest_to_verify),
    ] = None,
) -> None:
    """Show whether the throws of a match follow from what was sealed beforehand."""
    view = await to_verify(reply, number)
    words, record = await proof(reply.get(Store), view.match.id)
    files = [] if record is None else [Upload(f"match-{view.match.id}.txt", record.encode())]
    attached = files[0].filename if files else None
    await reply.send(text_layout(words, attached=attached), files=files)


@command("match note", say("Write a note to yourself on a game"))
async def note(
    reply: Reply,
    number: Annotated[
        int | None, Option(say("Match number (this thread's match if empty)"))
    ] = None,
) -> None:
    """Open the user's note on a match."""
    await note_buttons.ask(reply, await numbered(reply, number))
