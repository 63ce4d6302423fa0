"""The words of a profile, and of the head to head of two players."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Final

from bot.core.i18n.mentions import duration, mention, mention_all, slash, timestamp
from bot.features.leaderboards.profiles import EndedMatch, GameProfile, Profile, Rivalry, Score
from bot.features.leaderboards.text import (
    begin,
    figure,
    missing_for_rank,
    scope,
    season_title,
    signs,
)
from engine import registry
from engine.phrase import Phrase, capital, concat, lines, listed, plural, say
from engine.registry import title

MAX_SHOWN_MILESTONES: Final = 3
"""Milestones shown in a profile; the rest are behind a button."""


def heading(profile: Profile, departed: Container[int]) -> Iterator[str]:
    """Yield the first lines: the player's name, and their rating in each game."""
    yield concat("### ", mention(profile.user_id, departed))
    yield concat("-# ", scope(everywhere=profile.everywhere))
    for game in profile.games:
        yield _game(game)
    if len(profile.games) > 1:
        yield _favourites(profile.games)
    yield from signs(game.standing for game in profile.games if game.standing is not None)
    yield from map(season_title, profile.titles)
    yield from profile.places


def _favourites(games: Sequence[GameProfile]) -> Phrase:
    most = max(game.score.games for game in games)
    titles = [title(game.slug) for game in games if game.score.games == most]
    if len(titles) == 1:
        return plural(
            "Favourite game: {game} ({n} match)",
            "Favourite game: {game} ({n} matches)",
            most,
            game=titles[0],
        )
    return plural(
        "Favourite games: {games} ({n} match each)",
        "Favourite games: {games} ({n} matches each)",
        most,
        games=listed(titles),
    )


def score(score: Score) -> Phrase:
    """Return a score in words."""
    return say(
        # Translators: numbers of matches.
        "{won} won · {drawn} drawn · {lost} lost",
        won=score.won,
        drawn=score.drawn,
        lost=score.lost,
    )


def _game(game: GameProfile) -> Phrase:
    parts: list[str] = []
    one = game.standing
    if one is not None:
        parts.append(concat("**", figure(one), "**"))
        if one.rank is None:
            parts.append(say("unranked, {lacking} to go", lacking=missing_for_rank(one)))
        else:
            parts.append(say("place {place} of {listed}", place=one.rank, listed=one.total))
        if one.percent_behind is not None:
            parts.append(say("ahead of {percent} %", percent=one.percent_behind))
    parts.append(score(game.score))
    return concat("**", title(game.slug), "** ", lines(parts, " · "))


def details(profile: Profile, departed: Container[int]) -> Iterator[str]:
    """Yield the lines about the chosen game, the opponents and the latest matches."""
    game = profile.chosen
    if game is not None:
        yield from _more(game)
    if profile.rivals:
        yield say("**Opponents**")
        for user_id, made in profile.rivals:
            yield concat(mention(user_id, departed), " · ", score(made))
    if profile.milestones:
        yield say("**Milestones**")
        yield from (line for _, line in profile.milestones[:MAX_SHOWN_MILESTONES])
    if profile.latest:
        yield say("**Recent games**")
        for ended in profile.latest:
            yield match(ended, departed)
    if profile.everywhere and not profile.whole:
        yield say("-# Opponents on other servers stay private.")


def _more(game: GameProfile) -> Iterator[str]:
    yield concat("**", title(game.slug), "**")
    known = registry.games().get(game.slug)
    for seat, made in game.sides:
        if known is not None:
            side = capital(known.seat_names[seat])
            # Translators: side is like "White", record like "3 won · 1 drawn · 2 lost".
            yield say("As {side}: {record}", side=side, record=score(made))
    if game.standing is not None:
        sentence = streaks(game.standing.rating.streak, game.standing.rating.best)
        if sentence:
            yield sentence
    if game.seconds_per_move is not None:
        yield say("Average time per move: {time}", time=duration(game.seconds_per_move))


def streaks(now: int, best: int) -> str:
    """Return the current streak of rated games, negative if lost, and the best one."""
    if now > 0:
        return say("Rated winning streak: {n} (best {best})", n=now, best=best)
    lost = [say("Rated losing streak: {n}", n=-now)] if now else []
    won = [say("Best rated winning streak: {best}", best=best)] if best else []
    return lines((*lost, *won), " · ")


def match(ended: EndedMatch, departed: Container[int]) -> Phrase:
    """Return a finished match as a line, with a link to its final board."""
    sentence = say(
        # Translators: result is like "won against Ann and Ben"; when is like "2 days ago".
        "{number} {game}: {result}, {when}",
        number=f"#{ended.match.id}",
        game=title(ended.match.game),
        result=_result(ended, departed),
        when=timestamp(ended.at, "R"),
    )
    if ended.link is None:
        return sentence
    return concat(sentence, " · ", say("[board]({link})", link=ended.link))


def _result(ended: EndedMatch, departed: Container[int]) -> Phrase:
    """Return a match's result for a player; where several played, it says who won."""
    others, winners = mention_all(ended.opponents, departed), set(ended.winners)
    first = not winners <= set(ended.opponents)
    if first and len(winners) == 1:
        # Translators: the result of a match for a player.
        return say("won against {others}", others=others)
    if winners.issuperset(ended.opponents) and first:
        # Translators: the result of a match for a player.
        return say("drawn against {others}", others=others)
    if len(ended.opponents) == 1:
        # Translators: the result of a match for a player.
        return say("lost against {others}", others=others)
    if ended.rival is not None and winners != {ended.rival}:
        return _compared(ended, departed)
    facts = {
        "winners": mention_all((one for one in ended.opponents if one in winners), departed),
        "players": len(ended.opponents) + 1,
    }
    if first:
        # Translators: the result of a match for a player; players is 3 or 4.
        return say("shared first place with {winners} in a game of {players}", **facts)
    # Translators: the result of a match for a player; players is 3 or 4.
    return say("lost to {winners} in a game of {players}", **facts)


def _compared(ended: EndedMatch, departed: Container[int]) -> Phrase:
    """Return how a player fared against a rival in a match of several, and who won it."""
    assert ended.rival is not None
    facts = {
        "rival": mention(ended.rival, departed),
        "winners": mention_all(ended.winners, departed),
    }
    if ended.outcome == "won":
        # Translators: a player's result against one other, in a match of several.
        return say("ahead of {rival} in a game won by {winners}", **facts)
    if ended.outcome == "drawn":
        # Translators: a player's result against one other, in a match of several.
        return say("level with {rival} in a game won by {winners}", **facts)
    # Translators: a player's result against one other, in a match of several.
    return say("behind {rival} in a game won by {winners}", **facts)


def milestones(user_id: int, reached: Iterable[Phrase], *, everywhere: bool) -> Iterator[str]:
    """Yield all milestones of a player."""
    yield say("### Milestones of {player}", player=mention(user_id))
    yield concat("-# ", scope(everywhere=everywhere))
    yield from reached


def nothing(user_id: int, reader: int, *, everywhere: bool, game: str | None = None) -> Phrase:
    """Return that a player has not finished a match yet, or none in one game."""
    if user_id == reader:
        if game is not None:
            return say(
                "You haven't finished a {game} game yet. Start one with {command}.",
                game=title(game),
                command=begin(game),
            )
        start = concat("`", slash("play"), "`")
        return say("You haven't finished a game yet. Start one with {command}.", command=start)
    person = mention(user_id)
    if game is not None:
        return say("{person} hasn't finished a {game} game yet.", person=person, game=title(game))
    if everywhere:
        return say("{person} hasn't finished a game yet.", person=person)
    return say("{person} hasn't finished a game here yet.", person=person)


def rivalry(between: Rivalry, departed: Container[int]) -> Iterator[str]:
    """Yield the head to head of two players, line by line."""
    one, other = mention(between.one, departed), mention(between.other, departed)
    yield say("### {player} against {other}", player=one, other=other)
    place = scope(everywhere=between.everywhere)
    games = [] if between.game is None else [title(between.game)]
    yield concat("-# ", lines((*games, place), " · "))
    yield lead(one, other, between.score)
    if between.game is None and len(between.games) > 1:
        for slug, made in between.games:
            yield concat("**", title(slug), "** ", score(made))
    for slug, seat, made in between.sides:
        game = registry.games().get(slug)
        if game is not None:
            yield say(
                # Translators: side is like "White", record like "3 won · 1 drawn".
                "{game}, {player} as {side}: {record}",
                game=game.title,
                player=one,
                side=capital(game.seat_names[seat]),
                record=score(made),
            )
    yield from _notes(between)
    if between.streak:
        yield _streak(one if between.streak > 0 else other, abs(between.streak))
    for slug, percent in between.expected:
        yield say(
            "Expected in {game}, by rating: {player} {percent} %, {other} {rest} %.",
            game=title(slug),
            player=one,
            other=other,
            percent=percent,
            rest=100 - percent,
        )
    if between.latest:
        yield say("**Recent games**")
        for ended in between.latest:
            yield match(ended, departed)


def _notes(between: Rivalry) -> Iterator[str]:
    """Yield how the score is counted, if that needs to be said."""
    if between.sides and between.only_last is not None:
        yield concat(
            "-# ",
            plural(
                "By side: only their last match.",
                "By side: only their last {n} matches.",
                between.only_last,
            ),
        )
    if between.crowded:
        yield say("-# In games of three or four, only these two are compared.")


def lead(one: str, other: str, score: Score) -> Phrase:
    """Return the overall score of two players."""
    if score.won == score.lost:
        return plural(
            "**{score}** after {n} match: {player} and {other} are level.",
            "**{score}** after {n} matches: {player} and {other} are level.",
            score.games,
            score=_score(score),
            player=one,
            other=other,
        )
    return plural(
        "**{score}** after {n} match: {player} leads.",
        "**{score}** after {n} matches: {player} leads.",
        score.games,
        score=_score(score),
        player=one if score.won > score.lost else other,
    )


def _score(score: Score) -> str:
    """Return a score in points, half a point each for a draw."""
    return f"{_points(score.won, score.drawn)} : {_points(score.lost, score.drawn)}"


def _points(won: int, drawn: int) -> str:
    half = "½" if drawn % 2 else ""
    whole = won + drawn // 2
    return half if half and not whole else f"{whole}{half}"


def _streak(player: str, times: int) -> Phrase:
    return plural(
        "{player} came out ahead in the last match.",
        "{player} came out ahead in each of the last {n} matches.",
        times,
        player=player,
    )


def strangers(other: int, game: str | None, *, everywhere: bool) -> Phrase:
    """Return that two players have not finished a match against each other."""
    person = mention(other)
    if game is not None:
        return say(
            "You and {person} haven't finished a {game} game against each other. Start one with "
            "{command}.",
            person=person,
            game=title(game),
            command=begin(game),
        )
    start = concat("`", slash("play"), "`")
    if everywhere:
        return say(
            "You and {person} haven't finished a game yet. Start one with {command}.",
            person=person,
            command=start,
        )
    return say(
        "You and {person} haven't finished a game here yet. Start one with {command}.",
        person=person,
        command=start,
    )
