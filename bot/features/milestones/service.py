"""Finds the milestones of matches and players.

Those known when a match ends are stored in the transaction that ends it, the rest in that of its
analysis. None is marked as shown: a match tells what was new when it ended, however often its final
message is rewritten.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from bot.core.computers import STRONGEST, is_computer, is_person, level_of
from bot.core.hooks import milestones_of, on_match_analysed, on_match_ended
from bot.core.i18n.mentions import mention, timestamp
from bot.core.settings.service import of_player
from bot.play.boards.board_text import Told, about_end
from bot.play.matches.jobs import board_link
from bot.play.matches.positions import Position
from bot.play.matches.scoring import hardly_begun
from data.matches import matches
from data.matches.match import THREAD, Match, Player
from data.ratings import milestones, results
from data.ratings.milestones import CHAIN, COMEBACK, COMPUTER, WIN, Milestone
from data.ratings.rating import Result
from data.store.store import Store, Transaction
from engine import registry
from engine.phrase import Phrase, capital, concat, lines, plural, say

MIN_CHAIN: Final = 3
"""The minimum captures in a row for a milestone."""
_AHEAD: Final = 0.5
"""The minimum expected result of a winner at the end, if the others resigned."""
MAX_PERCENT: Final = 5
"""The maximum win chance, in percent, to come back from."""


@on_match_ended(order=20)
async def ended(tx: Transaction, match: Match, _: datetime) -> None:
    """Store the milestones evident from the result of a match ended by this transaction."""
    result = await results.of_match(tx, match.id)
    if result is None:
        return
    if match.ending is not None and await hardly_begun(tx, match):
        return  # the others left at once, as friends can; it counts as their loss alone
    if not any(is_computer(player.user_id) for player in match.players):
        await milestones.put(tx, _wins(result, match))
    elif (winner := _winner(match)) is not None and _unaided(match):
        await milestones.put(tx, [Milestone(winner.user_id, COMPUTER, result.game, "", result.id)])


def _wins(result: Result, match: Match) -> Iterator[Milestone]:
    winner = _winner(match)
    if winner is not None:
        yield Milestone(
            winner.user_id, WIN, result.game, rule_set(result.game, match.options), result.id
        )


def _winner(match: Match) -> Player | None:
    """Return the sole winner, if a person who played to the end."""
    first = [player for player in match.players if player.rank == 1]
    if len(first) != 1 or first[0].gave_up is not None or not is_person(first[0].user_id):
        return None
    return first[0]


def _unaided(match: Match) -> bool:
    """Return whether all others were computers of the highest level, and there was no help."""
    others = [player for player in match.players if not is_person(player.user_id)]
    return (
        len(others) == len(match.players) - 1
        and all(is_computer(one.user_id) and level_of(one.user_id) == STRONGEST for one in others)
        and not match.hints
        and not match.takebacks
    )


def rule_set(slug: str, options: Mapping[str, str]) -> str:
    """Return the rule set of a match; empty if its game has just one."""
    game = registry.games().get(slug)
    sets = () if game is None else tuple(option for option in game.options if option.presets)
    return " ".join(options.get(option.name, option.default) for option in sets)


@on_match_analysed(order=10)
async def analysed(
    tx: Transaction, match: Match, chains: Mapping[int, int], values: Sequence[Sequence[float]]
) -> None:
    """Store the milestones found by a match's analysis; see `bot.core.hooks.on_match_analysed`."""
    result = await results.of_match(tx, match.id)
    if result is None:
        return
    practice = any(is_computer(player.user_id) for player in match.players)
    found = [
        Milestone(player.user_id, CHAIN, match.game, "", result.id, chains[player.seat])
        for player in match.players
        if not practice and is_person(player.user_id) and chains.get(player.seat, 0) >= MIN_CHAIN
    ]
    winner = _winner(match)
    place = 0 if winner is None else match.players.index(winner)
    # A win on time is no comeback, nor is one because a player who was winning resigned.
    earned = match.ending is None or (match.ending == "resigned" and values[-1][place] > _AHEAD)
    if winner is not None and not practice and earned:
        chance = 100 * min(one[place] for one in values)
        if chance <= MAX_PERCENT:
            found.append(
                Milestone(winner.user_id, COMEBACK, match.game, "", result.id, round(chance))
            )
    await milestones.put(tx, found)


@about_end(order=20)
async def _reached_in(store: Store, position: Position, told: Told) -> str:
    """Return what was new in a match, without players who hide their profile."""
    # A thread's result is posted, which lists them; they are listed only once.
    if told == "asked" or (told == "board" and position.match.channel_kind == THREAD):
        return ""
    async with store.read() as tx:
        found = await milestones.of_match(tx, position.match.id)
        shown = [one for one in found if (await of_player(tx, one.user_id)).profile]
    return match_lines(shown)


@milestones_of(order=10)
async def reached(
    tx: Transaction, user_id: int, guild_id: int | None
) -> Sequence[tuple[Match, Phrase]]:
    """Return the milestones a player reached in a server or anywhere, newest first."""
    found = []
    for milestone in await milestones.of_player(tx, user_id):
        number = await results.match_of(tx, milestone.result_id)
        match = None if number is None else await matches.get(tx, number)
        if match is None or match.finished_at is None or guild_id not in {None, match.guild_id}:
            continue
        line = _profile_line(milestone, match.finished_at, await board_link(tx, match))
        found.append((match, line))
    return found


def match_lines(found: Iterable[Milestone]) -> Phrase:
    """Return the milestones of a match, a small line each."""
    return lines(
        # Translators: milestone is a sentence about something a player did for the first time.
        concat("-# ", say("Milestone: {milestone}", milestone=_of_match(milestone)))
        for milestone in found
    )


def _of_match(milestone: Milestone) -> Phrase:
    facts = {"player": mention(milestone.user_id), "game": _game(milestone)}
    if milestone.kind == CHAIN:
        return plural(
            "{player} made {n} capture in a row, a personal best.",
            "{player} made {n} captures in a row, a personal best.",
            milestone.amount,
            player=facts["player"],
        )
    if milestone.kind == COMEBACK:
        return say(
            "{player} won from a {percent} % win chance.",
            player=facts["player"],
            percent=_percent(milestone),
        )
    if milestone.kind == COMPUTER:
        return say(
            "{player} beat the level {level} computer for the first time.",
            player=facts["player"],
            level=STRONGEST,
        )
    return say("{player} won {game} for the first time.", **facts)


def _profile_line(milestone: Milestone, at: datetime, link: str | None) -> Phrase:
    """Return a milestone as a line of a profile, with a link to the match's final board."""
    facts = {"game": _game(milestone), "when": timestamp(at, "D")}
    if milestone.kind == CHAIN:
        line: Phrase = plural(
            "Most captures in a row in {game}: {n} ({when})",
            "Most captures in a row in {game}: {n} ({when})",
            milestone.amount,
            **facts,
        )
    elif milestone.kind == COMEBACK:
        line = say(
            "Won {game} from a {percent} % win chance ({when})",
            percent=_percent(milestone),
            **facts,
        )
    elif milestone.kind == COMPUTER:
        line = say(
            "First win against the level {level} computer in {game} ({when})",
            level=STRONGEST,
            **facts,
        )
    else:
        line = say("First win in {game} ({when})", **facts)
    if link is None:
        return line
    return concat(line, " · ", say("[board]({link})", link=link))


def _percent(milestone: Milestone) -> int:
    """Return a chance in percent, at least 1: no win comes from a chance of zero."""
    return max(1, milestone.amount)


def _game(milestone: Milestone) -> str:
    """Return a game's title, with the rule set where there are several."""
    game = registry.games().get(milestone.game)
    if game is None:
        return milestone.game
    known = {value: value for option in game.options if option.presets for value in option.values}
    if milestone.rules not in known:
        return game.title
    # Translators: a game and its rule set: "Tablan (Bell)".
    return say("{game} ({rules})", game=game.title, rules=capital(known[milestone.rules]))
