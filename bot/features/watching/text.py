"""Texts on following."""

from __future__ import annotations

from collections.abc import Container, Iterable

from bot.core.i18n.mentions import mention, mention_all
from bot.core.i18n.slash import slash
from bot.features.watching.service import Ended
from bot.play.matches import results
from bot.play.matches.links import message_link
from bot.play.matches.positions import MatchView
from data.matches.boards import PostedMessage
from engine.phrase import Phrase, glued, lines, say


def playing(
    view: MatchView, board: PostedMessage | None, departed: Container[int], *, followed: bool
) -> Phrase:
    """Return the line of an open match."""
    line = say(
        # Translators: a line in a list: "#12 Tablut · @Ann, @Ben · move 14".
        "#{number} **{game}** · {players} · move {move}",
        number=view.match.id,
        game=view.game.title,
        players=mention_all((player.user_id for player in view.match.players), departed),
        move=view.move,
    )
    parts = [line]
    if board is not None:
        parts.append(glued("[", say("board"), f"]({_link(view, board)})"))
    if followed:
        parts.append(say("following"))
    return lines(parts, " · ")


def here(
    entries: Iterable[str],
    players: Iterable[int],
    departed: Container[int],
    *,
    first: bool = True,
    last: bool = True,
) -> Phrase:
    """Return a page of open matches, and the players the reader follows."""
    games = list(entries) or [_nothing(first=first, last=last)]
    followed = list(players)
    if followed:
        games.append(say("You follow {players}.", players=mention_all(followed, departed)))
    hint = say("-# Follow one, and I'll write to you when it ends.")
    return lines((say("### Being played here"), *games, hint))


def _nothing(*, first: bool, last: bool) -> Phrase:
    """Return the line for a page without matches."""
    if not last:
        # Translators: Older is a button; use your translation of "Older".
        return say("Nothing you can see on this page. Press **Older** to look further.")
    if not first:
        return say("No older games that you can see.")
    return say(
        "Nothing you can see is being played here right now. Start a game with `{command}`.",
        command=slash("play"),
    )


def following_match(number: int) -> Phrase:
    """Confirm following a match."""
    return say(
        "You're following match #{number}. I'll send you a direct message when it ends.",
        number=number,
    )


def following_player(player_id: int) -> Phrase:
    """Confirm following a player."""
    return say(
        "You're following {player} on this server. I'll send you a direct message whenever they "
        "finish a game you can see.",
        player=mention(player_id),
    )


def stopped_match(number: int) -> Phrase:
    """Confirm no longer following a match."""
    return say("You no longer follow match #{number}.", number=number)


def stopped_player(player_id: int) -> Phrase:
    """Confirm no longer following a player."""
    return say("You no longer follow {player}.", player=mention(player_id))


def ended(ended: Ended, server: str) -> Phrase:
    """Return the notification that a followed match has ended."""
    view = ended.view
    head = say("### {game} on {server}", game=view.game.title, server=server)
    parts = [head, results.result(view)]
    if ended.board is not None:
        link = _link(view, ended.board)
        parts.append(say("[The last board]({link})", link=link))
    return lines(parts)


def _link(view: MatchView, board: PostedMessage) -> str:
    return message_link(view.match.guild_id, board.channel_id, board.message_id)
