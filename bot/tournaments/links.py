"""Where the boards of a tournament's games are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.matches.text import message_link
from data import boards, matches
from data.match import THREAD

if TYPE_CHECKING:
    from bot.tournaments.view import TournamentView
    from data.store import Transaction


async def of(
    tx: Transaction, seen: TournamentView, number: int | None, *, user_id: int | None = None
) -> dict[int, str]:
    """Return the addresses of boards by match, as far as there are any.

    Args:
        tx: the transaction.
        seen: the tournament.
        number: the round; ``None`` for all rounds of a player.
        user_id: that player.

    """
    found = {}
    for one in seen.tables:
        if one.round == number if number is not None else user_id in one.players:
            for game in one.games:
                link = None if game.match_id is None else await board(tx, game.match_id)
                if game.match_id is not None and link is not None:
                    found[game.match_id] = link
    return found


async def board(tx: Transaction, match_id: int) -> str | None:
    """Return the address of the last board of a match, if there is one."""
    shown, match = await boards.latest(tx, match_id), await matches.get(tx, match_id)
    assert match is not None
    if shown is not None:
        return message_link(match.guild_id, shown.channel_id, shown.message_id)
    if match.place == THREAD:
        return f"https://discord.com/channels/{match.guild_id}/{match.channel_id}"
    return None
