"""``/rivals``: the head to head of two players, in words and with its buttons.

Their record over all servers is for these two alone.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace

from bot.core.errors import NotForYou
from bot.core.i18n.mentions import named
from bot.core.i18n.slash import slash
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.core.numbers import Id
from bot.core.permissions.members import Members
from bot.features.leaderboards import profile_text as words
from bot.features.leaderboards.profile_buttons import challenge_button, is_private, visible_matches
from bot.features.leaderboards.profiles import Profiles, Rivalry, Score
from bot.features.leaderboards.text import begin, scope
from engine import registry
from engine.phrase import Phrase, capital, glued, lines, plural, say


class RivalsButton(Button, prefix="rivals"):
    """Shows the head to head of two players in this server, or in all servers."""

    one: Id
    other: Id
    everywhere: bool
    game: str | None

    async def press(self, reply: Reply) -> None:
        """Show it in place of the current one, or privately."""
        layout, private = await rivals_layout(
            reply, self.one, self.other, self.game, everywhere=self.everywhere
        )
        if private and not reply.pressed_is_private:
            await reply.send(layout, public=False)
        else:
            await reply.replace(layout)


async def rivals_layout(
    reply: Reply, one: int, other: int, game: str | None, *, everywhere: bool
) -> tuple[Layout, bool]:
    """Return two players' head to head in one game or all, and whether only they may see it.

    Outside servers, all servers are combined.

    Raises:
        NotForYou: it is for the two alone, and the reader is neither.

    """
    home = reply.home
    everywhere = everywhere or home is None
    guild_id = None if everywhere else home
    private = everywhere or await is_private(reply, one, other)
    if private and reply.user_id not in {one, other}:
        raise NotForYou(say("Only these two can see their games."))
    found = await reply.get(Profiles).rivalry(one, other, guild_id, game=game)
    buttons = []
    if home is not None:
        elsewhere = RivalsButton(one, other, not everywhere, game)
        buttons.append(elsewhere.component(scope(everywhere=not everywhere)))
        buttons.append(challenge_button(other))
    if found is None:
        body = strangers(other, game, everywhere=everywhere)
    else:
        public = not private and not reply.pressed_is_private
        latest = await visible_matches(
            reply,
            found.latest,
            lambda known: reply.get(Profiles).earlier_meetings(
                known, one, other, guild_id, game=game
            ),
            public=public,
        )
        found = replace(found, latest=latest)
        departed = await reply.get(Members).departed(guild_id, found.people)
        body = lines(rivalry(found, departed))
    return text_layout(body, *buttons), private


def rivalry(between: Rivalry, departed: Container[int]) -> Iterator[str]:
    """Yield the head to head of two players, line by line."""
    one, other = named(between.one, departed), named(between.other, departed)
    yield say("### {player} against {other}", player=one, other=other)
    place = scope(everywhere=between.everywhere)
    games = [] if between.game is None else [words.title(between.game)]
    yield glued("-# ", lines((*games, place), " · "))
    yield score(one, other, between.score)
    if between.game is None and len(between.games) > 1:
        for slug, made in between.games:
            yield glued("**", words.title(slug), "** ", words.score(made))
    for slug, seat, made in between.sides:
        game = registry.games().get(slug)
        if game is not None:
            yield say(
                # Translators: side is like "White", record like "3 won · 1 drawn".
                "{game}, {player} as {side}: {record}",
                game=game.title,
                player=one,
                side=capital(game.seat_names[seat]),
                record=words.score(made),
            )
    yield from _notes(between)
    if between.streak:
        yield _streak(one if between.streak > 0 else other, abs(between.streak))
    for slug, percent in between.expected:
        yield say(
            "Expected in {game}, by rating: {player} {percent} %, {other} {rest} %.",
            game=words.title(slug),
            player=one,
            other=other,
            percent=percent,
            rest=100 - percent,
        )
    if between.latest:
        yield say("**Recent games**")
        for ended in between.latest:
            yield words.match(ended, departed)


def _notes(between: Rivalry) -> Iterator[str]:
    """Yield how the score is counted, if that needs to be said."""
    if between.sides and between.only_last is not None:
        yield glued(
            "-# ",
            plural(
                "By side: only their last match.",
                "By side: only their last {n} matches.",
                between.only_last,
            ),
        )
    if between.crowded:
        yield say("-# In games of three or four, only these two are compared.")


def score(one: str, other: str, score: Score) -> Phrase:
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
    person = named(other)
    if game is not None:
        return say(
            "You and {person} haven't finished a {game} game against each other. Start one with "
            "{command}.",
            person=person,
            game=words.title(game),
            command=begin(game),
        )
    start = glued("`", slash("play"), "`")
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
