"""What every surface says of matches that have ended, and what it should say.

Each function yields the surface's name, what it says, and what is right, in the same form. What is
right comes from `random_matches`, never from what is tested.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

from ai.analysis import analyse
from bot.core.i18n.catalogues import ENGLISH
from bot.core.i18n.mentions import mention
from bot.core.workers.fair_queue import Requester
from bot.core.workers.task_queue import TaskQueue
from bot.features.analysis import report as reports
from bot.features.analysis import service as analyses
from bot.features.challenges import text as challenges_text
from bot.features.leaderboards import profile_text
from bot.features.leaderboards import text as leaderboard_text
from bot.features.leaderboards.profiles import Profiles
from bot.features.leaderboards.service import Leaderboards
from bot.features.milestones.service import match_lines
from bot.features.records.import_export import ImportExport
from bot.features.settings.privacy import Privacy
from bot.features.watching import buttons
from bot.play.boards import board_message_views, board_text
from bot.play.controls.commands import open_games
from bot.play.controls.lookup import names_of
from bot.play.matches import match_names, match_text
from bot.play.matches.positions import Position
from bot.play.matches.verification import proof
from bot.play.ratings.service import changes_line, changes_of
from bot.play.replays.replay import replay_of_match, replay_of_record
from data.challenges import challenges
from data.ratings import milestones
from data.ratings import results as stored_results
from data.ratings.milestones import WIN
from engine import record, registry
from engine.phrase import capital, lines
from tests.bot.conftest import GUILD
from tests.bot.results.claims import (
    in_headline,
    in_sentence,
    named,
    on_board,
    places_on_board,
    score,
)
from tests.bot.results.random_matches import Ended, Table

Said = tuple[str, object, object]
"""The surface, what it says, and what is right."""
_SCORES: Final = re.compile(r"(\d+) won · (\d+) drawn · (\d+) lost")
_FINISHED: Final = re.compile(r"^#(\d+) [^:]+: (.+?), <t:")


# ---------------------------------------------------------------- one match


async def of_match(table: Table, ended: Ended) -> AsyncIterator[Said]:
    """Yield what a match's own messages, pictures, records and lists say."""
    position, users, first = await table.matches.position(ended.number), ended.users, ended.winners
    post = board_text.board(position)
    yield "last board", in_sentence(post.prompt, users), first
    yield "alt text of the last board", on_board(post.scene.alt, position), first
    yield "last board as text", on_board(post.scene.text, position), first
    result = str(board_message_views.result(post, position, "").rendered(ENGLISH))
    yield "result post", in_sentence(result.replace("\\n", "\n"), users), first
    async with table.store.read() as tx:
        challenge = await challenges.of_match(tx, ended.number)
    assert challenge is not None
    answered = challenges_text.text(challenge, result=match_text.result(position))
    yield "challenge", in_sentence(answered, users), first
    names = {user: f"Player {number}" for number, user in enumerate(users, 1)}
    yield "thread's name", in_headline(match_names.title(position, names), names), first
    followed = buttons.end_text(position, None, "Server")
    yield "message to followers", in_sentence(followed, users), first
    replay = replay_of_match(str(ended.number), position.match, ended.log)
    yield "end of the replay", on_board(replay.scene(replay.plies).alt, position), first
    async for one in _records(table, position, ended):
        yield one


async def _records(table: Table, position: Position, ended: Ended) -> AsyncIterator[Said]:
    replay = replay_of_match(str(ended.number), position.match, ended.log)
    exchange = ImportExport(
        table.store, TaskQueue(table.store, clock=table.clock), clock=table.clock
    )
    proven = await proof(table.store, ended.number)
    yield "verification", "⚠" in proven.words, False
    seats = {position.game.seat_names[p.seat]: p.user_id for p in position.match.players}
    users = ended.users
    for text in (proven.record, await exchange.export(replay, people=False)):
        assert text is not None
        headers = dict(re.findall(r'^\[(Result|Reason) "(.*)"\]$', text, re.MULTILINE))
        told = {
            seats[seat]: int(rank)
            for seat, rank in (part.split(":") for part in headers.get("Result", "").split())
        }
        yield "record", told or None, ended.ranks
        again = replay_of_record("i1", record.read(text))
        if ended.winners is not None:
            shown = {
                seats[capitalised.lower()]: player.rank
                for player in again.position.match.players
                for capitalised in [position.game.seat_names[player.seat]]
            }
            yield "imported record", shown, ended.ranks
            alt = again.scene(again.plies).alt
            places = {place for place, user in enumerate(users) if user in ended.winners}
            yield "end of an imported record", places_on_board(alt, again.position), places


async def of_ratings(table: Table, ended: Ended) -> AsyncIterator[Said]:
    """Yield whether a rated match of two moves the winner up and the loser down."""
    position = await table.matches.position(ended.number)
    changed = await changes_of(table.store, position)
    if changed is None:
        none = ended.ranks is None or position.practice
        yield "rating changes", "none", "none" if none else "some"
        return
    text = changes_line(changed)
    for user in ended.people:
        found = re.search(rf"{mention(user)} \S+ → \S+ \(([+−±])\d+\)", text)
        outcome = ended.outcome(user)
        if found is not None and outcome == "won":
            yield "rating changes", found[1] in "+±" or f"{text} {outcome}", True
        if found is not None and outcome == "lost" and len(ended.users) == 2:
            yield "rating changes", found[1] in "−±" or f"{text} {outcome}", True


async def of_milestones(table: Table, ended: Ended) -> AsyncIterator[Said]:
    """Yield whether only winners reach the milestone of a first win."""
    async with table.store.read() as tx:
        found = [one for one in await milestones.of_match(tx, ended.number) if one.kind == WIN]
    for one in found:
        text = match_lines([one])
        assert "for the first time" in text
        yield "milestone", frozenset({one.user_id}), ended.winners
        yield "milestone", named(text, ended.users), ended.winners


def of_analysis(position: Position, ended: Ended) -> Iterator[Said]:
    """Yield what the analysis of a match says of each of its players."""
    assert ended.winners is not None
    players = len(ended.users)
    found = analyse(
        position.game.slug,
        ended.options,
        players,
        ended.log,
        result=analyses.result(position),
        seconds=0,
    )
    stored = reports.to_json(asdict(found), position.match)
    replay = replay_of_match(str(ended.number), position.match, ended.log)
    text = lines(reports.full_text(replay, reports.from_json(stored)))
    share = 1 / len(ended.winners)
    for user in ended.users:
        told = [line for line in text.split("\n") if mention(user) in line]
        right = ended.outcome(user)
        if user not in ended.gave_up or position.practice or len(ended.users) == 2:
            yield "analysis", *_explained(told[0], right)
        for line in told:
            if (end := re.search(r"(\d+) % in the end", line)) is not None:
                part = round(100 * share) if user in ended.winners else 0
                yield "analysis, win chance in the end", int(end[1]), part
    single = re.findall(r"cost \S+ (\d+) %|move \d+ \(−(\d+) %\)|cost more than (\d+) %", text)
    yield "analysis, percent", all(int(part) <= 100 for one in single for part in one if part), True
    boast = re.search(r"no mistake cost more than (\d+) %", text)
    yield "analysis, boast", boast is None or int(boast[1]) <= 10, True


def _explained(line: str, right: str) -> tuple[object, object]:
    says = {
        r" won (without|despite|with better)|^Luck was with": {"won"},
        r"came first, as others": {"won", "drawn"},
        r"lost to bad luck|made one mistake|made \d+ mistakes|no clear mistake": {"lost"},
        r"An even game|could have had more|held on": {"drawn"},
        r"^One move decided it": {"lost"},
        r"[Tt]he (early end|game ended early)": {"won", "drawn", "lost"},
    }
    fits = [outcomes for pattern, outcomes in says.items() if re.search(pattern, line)]
    assert len(fits) == 1, line
    return (line if right not in fits[0] else True), True


# ---------------------------------------------------------------- all matches of a player


def counted(ended: Sequence[Ended], user: int, **wanted: Any) -> tuple[int, int, int]:
    """Return how many matches with a result a player won, drew and lost."""
    found = Counter(
        one.outcome(user)
        for one in ended
        if one.ranks is not None
        and user in one.users
        and all(getattr(one, name) == value for name, value in wanted.items())
    )
    return found["won"], found["drawn"], found["lost"]


def against(ended: Sequence[Ended], user: int, other: int) -> tuple[int, int, int]:
    """Return how often a player ranked above another, level with them, and below."""
    found: Counter[int] = Counter()
    for one in ended:
        if one.ranks is not None and {user, other} <= set(one.users):
            mine, theirs = one.ranks[user], one.ranks[other]
            found[(mine > theirs) - (mine < theirs)] += 1
    return found[-1], found[0], found[1]


async def of_profile(table: Table, ended: Sequence[Ended], user: int) -> AsyncIterator[Said]:
    """Yield what a player's profile says."""
    profiles = Profiles(table.store, clock=table.clock)
    by_number = {one.number: one for one in ended}
    for slug, game in registry.games().items():
        profile = await profiles.read(user, GUILD, game=slug, whole=True)
        if profile is None or profile.chosen is None:
            yield f"profile, {slug}", (0, 0, 0), counted(ended, user, game=slug)
            continue
        head = lines(profile_text.heading(profile, frozenset()))
        (line,) = (one for one in head.split("\n") if one.startswith(f"**{game.title}**"))
        yield f"profile, {slug}", score(line), counted(ended, user, game=slug)
        details = lines(profile_text.details(profile, frozenset()))
        sides = re.findall(r"^As ([^:]+): (.*)$", details, re.MULTILINE)
        for side, made in sides:
            told = Counter(
                one.outcome(user)
                for one in ended
                if one.ranks is not None
                and one.game == slug
                and user in one.users
                and capital(_seat_name(one, user)) == side
            )
            yield (
                f"profile, {slug} as {side}",
                score(made),
                (told["won"], told["drawn"], told["lost"]),
            )
        for found in re.finditer(r"^(<@\d+>|Computer[^·]*) · (.*)$", details, re.MULTILINE):
            (other,) = (one for one in _everyone(ended) if mention(one) == found[1].strip())
            yield "profile, opponents", score(found[2]), against(ended, user, other)
        for line in details.split("\n"):
            if (told_line := _FINISHED.match(line)) is not None:
                one = by_number[int(told_line[1])]
                yield "profile, recent games", told_line[2], _said_of(one, user)


def _said_of(one: Ended, user: int, rival: int | None = None) -> object:
    """Return the words for a match's result in lists."""
    ranks, winners = one.ranks, one.winners
    assert ranks is not None
    assert winners is not None
    others = [other for other in one.users if other != user]
    everyone, first = _together(others), _together(u for u in others if u in winners)
    if winners == {user}:
        return f"won against {everyone}"
    if len(winners) == len(one.users):
        return f"drawn against {everyone}"
    if len(one.users) == 2:
        return f"lost against {everyone}"
    if rival is not None and winners != {rival}:
        word = {-1: "ahead of", 0: "level with", 1: "behind"}[
            (ranks[user] > ranks[rival]) - (ranks[user] < ranks[rival])
        ]
        all_first = _together(u for u in one.users if u in winners)
        return f"{word} {mention(rival)} in a game won by {all_first}"
    if user in winners:
        return f"shared first place with {first} in a game of {len(one.users)}"
    return f"lost to {first} in a game of {len(one.users)}"


def _together(users: Any) -> str:
    *before, last = [str(mention(user)) for user in users] or [""]
    return f"{', '.join(before)} and {last}" if before else last


def _everyone(ended: Sequence[Ended]) -> set[int]:
    return {user for one in ended for user in one.users}


def _seat_name(one: Ended, user: int) -> str:
    game = registry.game(one.game)
    return game.seat_names[game.seats(len(one.users))[one.users.index(user)]]


async def of_rivals(
    table: Table, ended: Sequence[Ended], user: int, other: int
) -> AsyncIterator[Said]:
    """Yield what the head to head of two players says."""
    found = await Profiles(table.store, clock=table.clock).rivalry(user, other, GUILD)
    won, drawn, lost = against(ended, user, other)
    if found is None:
        yield "rivals", (0, 0, 0), (won, drawn, lost)
        return
    text = lines(profile_text.rivalry(found, frozenset()))
    points = re.search(r"\*\*(\S+) : (\S+)\*\* after (\d+) match", text)
    assert points is not None, text
    told = (*map(_figure, points.groups()[:2]), int(points[3]))
    yield "rivals, points", told, (won + drawn / 2, lost + drawn / 2, won + drawn + lost)
    if won != lost:
        leader = re.search(r": (\S+) leads", text)
        yield "rivals, leader", leader and leader[1], mention(user if won > lost else other)
    met = [one for one in ended if one.ranks is not None and {user, other} <= set(one.users)]
    by_number = {one.number: one for one in met}
    for line in text.split("\n"):
        if (recent := _FINISHED.match(line)) is not None:
            right = _said_of(by_number[int(recent[1])], user, other)
            yield "rivals, recent games", recent[2], right
    yield "rivals, streak", _streak_said(text), _streak(met, user, other)


def _streak_said(text: str) -> tuple[str, int] | None:
    found = re.search(
        r"^(\S+) came out ahead in (the last match|each of the last (\d+))", text, re.MULTILINE
    )
    return None if found is None else (found[1], int(found[3] or 1))


def _streak(met: Sequence[Ended], user: int, other: int) -> tuple[str, int] | None:
    ahead, length = 0, 0
    for one in reversed(met):
        assert one.ranks is not None
        sign = (one.ranks[user] < one.ranks[other]) - (one.ranks[user] > one.ranks[other])
        if not sign or (ahead and sign != ahead):
            break
        ahead, length = sign, length + 1
    return (str(mention(user if ahead > 0 else other)), length) if length else None


def _figure(text: str) -> float:
    return float(text.replace("½", "") or 0) + 0.5 * ("½" in text)


async def of_leaderboards(table: Table, ended: Sequence[Ended]) -> AsyncIterator[Said]:
    """Yield what the leaderboards say of rated matches."""
    rated = [one for one in ended if await _rated(table, one)]
    for slug, game in registry.games().items():
        board = await Leaderboards(table.store, clock=table.clock).read(GUILD, slug, reader=0)
        text = lines(leaderboard_text.table(board, game, 0))
        for line in text.split("\n"):
            for user in named(line, _everyone(rated)):
                yield "leaderboard", score(line), counted(rated, user, game=slug)
        sides = re.search(r"Wins by side in (\d+) rated games?: (.*), (\d+) drawn", text)
        if sides is not None:
            yield "leaderboard, sides", *_by_side(sides, rated, slug)
        for rating in (one.rating for one in board.standings):
            met = [one for one in rated if one.game == slug and rating.user_id in one.users]
            form = "".join(one.outcome(rating.user_id)[0] for one in met)
            yield "leaderboard's picture", rating.form, form[-len(rating.form) :]


def _by_side(sides: re.Match[str], rated: Sequence[Ended], slug: str) -> tuple[object, object]:
    here = [one for one in rated if one.game == slug and len(set(_swapped(one))) == 0]
    won: Counter[str] = Counter()
    for one in here:
        assert one.winners is not None
        if len(one.winners) == 1:
            won[capital(_seat_name(one, next(iter(one.winners))))] += 1
    drawn = sum(len(one.winners or ()) > 1 for one in here)
    told = dict(re.findall(r"(\w+) (\d+)", sides[2]))
    names = [capital(name) for name in registry.game(slug).seat_names]
    return (
        (int(sides[1]), {name: int(told[name]) for name in names}, int(sides[3])),
        (len(here), {name: won[name] for name in names}, drawn),
    )


def _swapped(one: Ended) -> Iterator[str]:
    """Yield that both sides were played by both, so that sides do not count."""
    if one.options.get("match") == "true":
        yield "two games"


async def _rated(table: Table, one: Ended) -> bool:
    async with table.store.read() as tx:
        found = await stored_results.of_match(tx, one.number)
    return found is not None and found.rated


async def of_lists(table: Table, user: int) -> AsyncIterator[Said]:
    """Yield what the lists of a player's games say once all are over."""
    text, _ = await open_games(table.store, user, "", 0)
    yield "list of open games", "You have no games going" in text, True
    yield "matches of a player", await table.matches.of_player(user), ()
    async with table.store.read() as tx:
        offered = {int(name) for name, _ in await names_of(tx, user, GUILD, over=True)}
    with_result = {one.number for one in table.over if user in one.users and one.ranks is not None}
    yield "matches to analyse", offered <= with_result, True


async def of_export(table: Table, ended: Sequence[Ended], user: int) -> AsyncIterator[Said]:
    """Yield what the copy of a player's data says."""
    _, copy = await Privacy(table.store, table.clock).export(Requester(GUILD, user), 10_000_000)
    found = json.loads(copy)
    told = {row["match_id"]: row.get("rank") for row in found["seats"]}
    right = {
        one.number: None if one.ranks is None else one.ranks[user]
        for one in ended
        if user in one.users
    }
    yield "copy of one's data", told, right
