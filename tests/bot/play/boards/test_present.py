"""The texts of boards, results, challenges and rules, within Discord's limits."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest

from bot.core.computers import LEVELS, computers
from bot.core.i18n.catalogues import ENGLISH
from bot.core.i18n.mentions import message_link
from bot.core.interactions.layout import illegal
from bot.features.challenges import text as challenges_text
from bot.features.lessons.commands import rules_pages
from bot.play.boards import board_message_views as board_view
from bot.play.boards import board_text
from bot.play.matches import match_text
from bot.play.matches.luck import seal
from bot.play.matches.positions import TAIL, TOLD, Position
from data.matches.match import Player
from engine import registry
from engine.game import CHANCE, Actor
from engine.games.tablan.state import WHITE
from engine.menu import choices
from engine.phrase import capital
from engine.registry import AnyGame
from engine.replay import resume
from engine.rule import Document, Rule
from engine.turns import START
from tests import swap
from tests.bot.conftest import ANN, BEN, CAROL, CHANNEL, GUILD, Club
from tests.data.people import a_match
from tests.moves import play
from tests.toy import SLUG, dropped_in

GAMES = tuple(registry.games())
TABLES = [(slug, players) for slug, game in registry.games().items() for players in game.players]
DAN = 44
FAR = 999_999_999
"""A match number and a ply as large as they can get."""


@pytest.fixture
def toy() -> Iterator[AnyGame]:
    """Register the toy game, which takes three players."""
    with dropped_in() as game:
        yield game


def view_of(game: AnyGame, state: Any, *, players: int, plies: int = 0, **known: Any) -> Position:
    """Return a match of a game at a position."""
    users = (ANN, BEN, CAROL, DAN)
    seats = game.seats(players)
    match = a_match(
        id=known.pop("number", 7),
        game=game.slug,
        rules_version=game.rules_version,
        options=game.settle(known.pop("options", {})),
        guild_id=GUILD,
        channel_id=CHANNEL,
        commitment="c0ffee" + "0" * 58,
        plies=plies,
        players=tuple(map(Player, seats, users)),
        **known,
    )
    return Position(match, game, state, plies, ())


def ended(game: AnyGame, ranks: tuple[int, ...], reason: str = "all is done") -> Position:
    """Return a match that ended with these ranks."""
    position = view_of(
        game,
        game.initial(None, len(ranks) if len(ranks) in game.players else None),
        players=len(ranks),
        reason=reason,
        finished_at=datetime(2026, 1, 2, tzinfo=UTC),
    )
    players = tuple(
        dataclasses.replace(player, rank=rank)
        for player, rank in zip(position.match.players, ranks, strict=True)
    )
    return dataclasses.replace(position, match=dataclasses.replace(position.match, players=players))


def positions(game: AnyGame, players: int, seed: int, most: int = 400) -> Iterator[Any]:
    """Yield the positions of a random game in which a player decides."""
    dice = random.Random(seed)
    state = game.initial(None, players)
    for _ in range(most):
        if game.outcome(state) is not None:
            return
        if game.actor(state) is not CHANCE:
            yield state
        state = game.after(state, dice.choice(list(game.legal_moves(state))))


async def test_a_board_shows_players_recent_events_and_whose_turn_it_is(club: Club) -> None:
    position = await club.start(seat=0, rules="walker")
    post = board_text.board(position)
    mover = position.to_move
    assert mover is not None
    assert post.heading.startswith("### Tablan · match #1\n")
    assert f"White <@{ANN}> · Black <@{BEN}>" in post.heading
    assert "Rules: Walker" in post.heading
    assert post.story
    assert all(line.endswith(".") for line in post.story)
    assert post.prompt == (
        f"<@{mover.user_id}>, your turn (**{position.seat_names[mover.seat]}**).\n"
        f"-# Goal: {position.game.goal(position.state, WHITE)}"
    )
    assert post.pings == (mover.user_id,)
    assert post.menu
    assert not post.over
    assert post.ply == position.version
    assert "/tablan move" in post.footer
    assert "/tablan rules" in post.footer


async def test_a_button_describes_its_move(club: Club) -> None:
    position = await club.start(seat=0, rules="walker")
    post = board_text.board(position)
    buttons = [one for one in controls(post) if one["custom_id"].startswith("t:")]
    assert len(buttons) == len(post.menu)
    for option, button in zip(post.menu, buttons, strict=True):
        move = position.game.read(position.state, "".join(option.steps))
        assert button["label"].startswith(
            capital(position.game.move_label(position.state, move).text)
        )


async def test_an_earlier_turn_shows_the_reply_and_offers_nothing(club: Club) -> None:
    before = await club.start()
    mover = before.to_move
    assert mover is not None
    move = before.game.legal_moves(before.state)[0]
    after = await play(club.matches, 1, mover.user_id, before.game.write(move))
    played = next(p for p in after.tail if p.ply == before.ply + 1)
    post = board_text.answered(before, played)
    assert post.story[-1] == f"↳ {match_text.entry_line(before, played)}"
    assert post.menu == ()
    assert post.pings == ()
    assert post.prompt == ""
    assert post.scene == board_text.board(before).scene


async def test_a_resigned_match_says_so_below_its_own_picture(club: Club) -> None:
    before = await club.play_a_while(await club.start())
    mover = before.to_move
    assert mover is not None
    after = await club.matches.resign(1, mover.user_id)
    post = board_text.board(after)
    assert post.over
    assert post.menu == ()
    assert post.pings == ()
    assert "resigned" in post.prompt
    assert post.scene != board_text.board(before).scene
    winner = next(player for player in after.match.players if player.rank == 1)
    won, lost = (after.seat_names[seat] for seat in (winner.seat, mover.seat))
    assert post.scene.alt.startswith(f"{won} has won: {lost} resigned.")
    assert len(post.scene.alt) <= 1024
    assert "/match verify 1" in post.footer
    old = board_text.answered(await club.matches.position_at(1, before.ply), None)
    assert old.story[-1] == "↳ The match was given up here."
    assert old.scene == board_text.board(before).scene


def test_a_win_names_the_winner_first_and_everyone_once(toy: AnyGame) -> None:
    text = match_text.result(ended(toy, (2, 1)))
    assert text == f"**Green (<@{BEN}>) won** against <@{ANN}>: all is done."
    text = match_text.result(ended(toy, (2, 1, 3)))
    assert text.startswith(f"**Green (<@{BEN}>) won** against <@{ANN}> and <@{CAROL}>")


def test_shared_wins_and_draws_are_distinguished(toy: AnyGame) -> None:
    shared = match_text.result(ended(toy, (1, 2, 1)))
    assert "share first place" in shared
    assert f"ahead of <@{BEN}>" in shared
    drawn = match_text.result(ended(toy, (1, 1)))
    assert drawn == f"**A draw** between <@{ANN}> and <@{BEN}>: all is done."
    of_three = match_text.result(ended(toy, (1, 1, 1)))
    assert of_three.startswith("**A draw** between")
    assert all(f"<@{user}>" in of_three for user in (ANN, BEN, CAROL))


def test_a_result_for_four_names_four(toy: AnyGame) -> None:
    class Four(type(toy)):  # type: ignore[misc]
        seat_names = ("red", "green", "blue", "black")
        players = range(2, 5)

    text = match_text.result(ended(Four(), (3, 4, 1, 2)))
    assert text.startswith(f"**Blue (<@{CAROL}>) won**")
    assert all(f"<@{user}>" in text for user in (ANN, BEN, DAN))


def test_a_match_without_a_result_has_no_result(toy: AnyGame) -> None:
    assert match_text.result(view_of(toy, toy.initial(), players=2)) == ""


def test_only_unusual_options_and_rule_sets_are_shown(toy: AnyGame) -> None:
    line, game = match_text.options_line, registry.game("tablan")
    assert line(game, game.settle({"rules": "bell"})) == "Rules: Bell"
    odd = game.settle({"rules": "bell", "tie": "first-finisher"})
    assert line(game, odd) == "Rules: Bell · Tie: First-finisher"
    assert line(toy, {"track": "short"}) == ""
    assert line(toy, {"track": "long"}) == "Track: Long"
    with swap.dropped_in() as swapped:
        assert line(swapped, swapped.settle({})) == ""
        text = line(swapped, swapped.settle({"match": "true"}))
    assert text == "Two games with sides swapped, one result"


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("most", [600, 3500])
def test_rules_pages_fit_a_message_and_have_every_rule_once(slug: str, most: int) -> None:
    game = registry.game(slug)
    pages = rules_pages(game, most)
    assert all(0 < len(page) < 4000 for page in pages)
    assert all(len(page) <= most for page in pages)
    read = "\n".join([*pages, ""])
    for rule in game.rules:
        assert read.count(f"**{rule.name}** {rule.sentence}\n") == 1


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("most", [600, 3500])
def test_no_heading_of_the_rules_is_parted_from_its_first_rule(slug: str, most: int) -> None:
    game = registry.game(slug)
    read = "\n".join(rules_pages(game, most))
    for document in game.documents:
        own = [rule.number for rule in game.rules if rule.document == document.key]
        begun = [number for number, _ in document.headings]
        assert begun == [number for number in own if number in begun], "in the rules' order"
        assert begun[:1] in ([], own[:1]), "a rule stands under no heading"
        for number, heading in document.headings:
            assert f"### {heading}\n**{document.key}{number}** " in read
    for page in rules_pages(game, most):
        assert "### " not in page.splitlines()[-1]


@pytest.mark.parametrize(("chosen", "shown"), [("walker", "W"), ("bell", "B")])
def test_the_rules_of_a_match_are_those_that_it_is_played_by(chosen: str, shown: str) -> None:
    game = registry.game("tablan")
    read = "\n".join(rules_pages(game, options=game.settle({"rules": chosen})))
    for rule in game.rules:
        assert (f"**{rule.name}**" in read) is (rule.document == shown)
    other = registry.game("tablut")
    assert rules_pages(other, options=other.settle({})) == rules_pages(other)


def test_rules_from_several_documents_have_their_titles_as_headings(toy: AnyGame) -> None:
    class Long(type(toy)):  # type: ignore[misc]
        documents = (Document("X", "One"), Document("Y", "Two"))
        rules = tuple(
            Rule(key, str(number), "A rule of some length. " * 8)
            for key in "XY"
            for number in range(40)
        )

    pages = rules_pages(Long())
    assert len(pages) > 2
    assert all(len(page) < 4000 for page in pages)
    assert "".join(pages).index("**One**") < "".join(pages).index("**Two**")


async def test_a_challenge_shows_its_terms_and_its_outcome(club: Club, toy: AnyGame) -> None:
    offered = await club.challenges.offer(club.invitation(BEN, rules="bell", seat=1))
    phrase = challenges_text.text(offered)
    assert f"<@{ANN}> challenges <@{BEN}>." in phrase
    assert "Rules: Bell" in phrase
    assert "Black" in phrase
    assert f"sealed: #{offered.id} · {seal(offered.seed)}" in phrase
    declined = await club.challenges.decline(offered.id, BEN)
    assert f"**Declined** by <@{BEN}>." in challenges_text.text(declined)

    of_three = await club.challenges.offer(
        dataclasses.replace(club.invitation(BEN, CAROL), game=SLUG)
    )
    phrase = challenges_text.text(of_three)
    assert f"challenges <@{BEN}> and <@{CAROL}>." in phrase
    assert "Sides are random." in phrase
    challenge = dataclasses.replace(of_three, seat=1)
    phrase = challenges_text.text(challenge)
    assert f"<@{ANN}> wants to play Green. The other sides are random." in phrase
    joined, _ = await club.accept(of_three.id, CAROL, "c")
    assert f"Joined so far: <@{CAROL}>." in challenges_text.text(joined)
    withdrawn = await club.challenges.decline(of_three.id, ANN)
    assert "**Withdrawn.**" in challenges_text.text(withdrawn)


async def test_an_accepted_challenge_names_its_match(club: Club) -> None:
    offered = await club.challenges.offer(club.invitation(BEN))
    accepted, _ = await club.accept(offered.id, BEN, "b")
    phrase = challenges_text.text(accepted)
    assert "**Accepted.** Match #1 is on." in phrase


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_menus_stay_within_discords_limits_in_hundreds_of_positions(
    slug: str, players: int
) -> None:
    game = registry.game(slug)
    seen = 0
    for seed in count():
        for state in list(positions(game, players, seed))[seed % 2 :: 2]:
            seen += 1
            todo: list[tuple[str, ...]] = [()]
            while todo:
                offered = choices(game, state, todo.pop())
                assert 1 <= len(offered) <= 125
                assert len({choice.label for choice in offered}) == len(offered)
                for choice in offered:
                    value = board_view.STEP_MARK.join(choice.steps)
                    assert len(value) <= 100 - len(f"t:{FAR}:{FAR}:~0")
                    if choice.move is None:
                        todo.append(choice.steps)
        if seen >= 50:
            break


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_the_picture_marks_the_possible_next_steps(slug: str, players: int) -> None:
    game = registry.game(slug)
    for state in list(positions(game, players, 5))[::5]:
        bare = game.scene(state)
        partial = [c for c in choices(game, state) if c.move is None]
        chosen = [game.scene(state, (), choice.steps) for choice in partial]
        assert bare not in chosen
        assert len(set(chosen)) == len(partial)
        assert all(scene.board == bare.board for scene in chosen), "the board itself is unchanged"


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_menus_and_custom_ids_stay_within_limits_at_every_step(slug: str, players: int) -> None:
    game = registry.game(slug)
    for seed in range(2):
        for state in list(positions(game, players, seed))[seed::4]:
            position = view_of(game, state, players=players, plies=FAR, number=FAR)
            todo: list[tuple[str, ...]] = [()]
            completed = set()
            while todo:
                chosen = todo.pop()
                post = board_text.board(position, chosen=chosen)
                check_menu(post)
                if chosen:
                    assert game.steps_label(state, chosen).question in post.prompt
                for option in post.menu:
                    steps = option.steps
                    if any(game.steps(move) == steps for move in game.legal_moves(state)):
                        completed.add(steps)
                    else:
                        assert len(steps) > len(chosen)
                        todo.append(steps)
            effects = {game.steps(m): game.effect(state, m) for m in game.legal_moves(state)}
            assert {effects[steps] for steps in completed} == set(effects.values())


def controls(post: board_text.BoardPost) -> list[dict[str, Any]]:
    """Return a board's controls as sent to Discord."""
    (box,) = board_view.message(post).rendered(ENGLISH)
    return [one for part in box["components"] for one in part.get("components", ())]


def check_menu(post: board_text.BoardPost) -> None:
    """Check one board's choices against Discord's limits."""
    assert 1 <= len(post.menu) <= 125
    assert len({option.steps for option in post.menu}) == len(post.menu)
    assert len({option.label for option in post.menu}) == len(post.menu)
    for option in post.menu:
        assert 1 <= len(option.label) <= 80
        assert 1 <= len(board_view.STEP_MARK.join(option.steps)) <= 100
        assert len(option.note) <= 100
    for control in controls(post):
        assert len(control["custom_id"]) <= 100
        assert len(control.get("label", "")) <= 80
        assert len(control.get("placeholder", "")) <= 150


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_every_boards_alt_text_and_words_fit(slug: str, players: int) -> None:
    game = registry.game(slug)
    for state in list(positions(game, players, 9))[::10]:
        post = board_text.board(view_of(game, state, players=players))
        assert 0 < len(post.scene.alt) <= 1024
        (box,) = board_view.message(post).rendered(ENGLISH)
        texts = [part["content"] for part in box["components"] if "content" in part]
        assert 0 < sum(map(len, texts)) <= 4000


@pytest.mark.parametrize(
    ("log", "told"),
    [
        (
            "*1 k1-l2 *2 *2 *2 *2 *2 *2 *2 *1",
            (
                "**White**: k1 to l2 (2 points).",
                "7 throws brought nothing.",
                "Black threw 1 plain side: 2 points.",
            ),
        ),
        (
            "*1 k1-l2 *2 *2 *3 *1",
            (
                "**White**: k1 to l2 (2 points).",
                "White, Black and White threw nothing.",
                "Black threw 1 plain side: 2 points.",
            ),
        ),
        (
            "*2 *2 *2 *2 *2 *2 *2 *2 *1",
            (
                "8 throws did not start the game: only exactly 1 plain side does.",
                "White threw 1 plain side and starts the game with 2 points.",
            ),
        ),
        (
            "*2 *1",
            (
                "White threw 2 plain sides: only 1 starts, so Black throws next.",
                "Black threw 1 plain side and starts the game with 2 points.",
            ),
        ),
        (
            "*1 k1-l2 *1 l2-j2 *1 j2-h2 *1 h2-f2 *2 *1",
            (
                "**White**: k1 to l2 (2 points).",
                "**White**: l2 to j2 (2 points).",
                "**White**: j2 to h2 (2 points).",
                "**White**: h2 to f2 (2 points).",
                "White threw 2 plain sides: nothing, the sticks pass to Black.",
                "Black threw 1 plain side: 2 points.",
            ),
        ),
        (
            "*1 k1-l2 *1 l2-j2 *1 j2-h2 *1 h2-f2 *1 f2-d2 *1 d2-b2 *1 l1-k2 *2 *1",
            (
                "… 4 moves, and then:",
                "**White**: f2 to d2 (2 points).",
                "**White**: d2 to b2 (2 points).",
                "**White**: l1 to k2 (2 points).",
                "White threw 2 plain sides: nothing, the sticks pass to Black.",
                "Black threw 1 plain side: 2 points.",
            ),
        ),
    ],
)
def test_a_turn_tells_what_each_move_played_and_joins_the_throws_that_brought_nothing(
    log: str, told: tuple[str]
) -> None:
    assert story_of(*log.split()) == told


def test_however_long_a_turn_was_the_board_says_why_it_is_the_same_players_turn_again() -> None:
    """North has no piece to move and passes between South's moves: that, too, was a turn."""
    log = ["c1+2", "*2", "*2", "e1+2", "*2", "*2", "e3+2", "*2", "*2", "e5+2", "*2", "*3"]
    start = "south:0,10,-,- north:-,-,-,- south 2"
    assert story_of(*log, game="thaayam", start=start) == (
        "**South**: moves c1 to e1 with 2.",
        "**South**: moves e1 to e3 with 2.",
        "**South**: moves e3 to e5 with 2.",
        "**South**: moves e5 to c5 with 2.",
        "North threw 2, no 1 to enter with; the turn passes to South.",
        "South threw 3.",
    )


def story_of(*log: str, game: str = "tablan", start: str = "") -> tuple[str, ...]:
    """Return the story of the last turn after a log, from a position or the first one."""
    rules = registry.game(game)
    state = rules.read_position(start) if start else rules.initial()
    played = tuple(resume(rules, state, log, 0))
    position = view_of(rules, played[-1].after, players=2, plies=len(log))
    return match_text.story(dataclasses.replace(position, tail=played))


def test_an_illegal_move_is_explained_with_squares_and_rule() -> None:
    text = illegal(Rule("W", "13", "A rule."), "That is not possible.", ("a1", "b2"))
    assert text == "That is not possible. (a1, b2)\n> **Rule W13.** A rule."
    assert "()" not in illegal(Rule("", "5", "A rule."), "No.", ())
    text = illegal(Rule("", "5", "A rule."), "From a1 it is too far.", ("a1", "b2"))
    assert text.startswith("From a1 it is too far. (b2)\n"), "no square is named twice"
    assert "(" not in illegal(Rule("", "5", "A rule."), "From a1 to b2.", ("a1", "b2"))


def test_links_work_for_servers_and_direct_messages() -> None:
    assert message_link(1, 2, 3) == "https://discord.com/channels/1/2/3"
    assert message_link(None, 2, 3) == "https://discord.com/channels/@me/2/3"


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_first_boards_say_how_their_player_wins_and_later_ones_do_not(
    slug: str, players: int
) -> None:
    game, luck = registry.game(slug), random.Random(7)
    begun = state = game.initial(None, players)
    log: list[str] = []
    choices_made = Counter[int]()
    deciders: list[Actor | None] = []
    while game.outcome(state) is None:
        moves = list(game.odds(state)) or list(game.legal_moves(state))
        actor = game.actor(state)
        if actor is not CHANCE:
            played = tuple(resume(game, begun, log))
            position = dataclasses.replace(
                view_of(game, state, players=players, plies=len(log)),
                tail=played[-TAIL:],
                before=START.after(game, played[:-TAIL]),
            )
            goal = f"-# Goal: {game.goal(state, actor)}"
            assert len(goal) <= 250
            new = actor not in deciders[-TOLD:]  # to this match, or after a long wait
            post = board_text.board(position)
            assert (goal in post.prompt) is new
            assert (f"/{slug} learn" in post.footer) is new, "where its lessons are"
            choices_made[actor] += game.only_move(state) is None
            if len(choices_made) == players and min(choices_made.values()) > 2:
                return
        chose = actor is not CHANCE and game.only_move(state) is None
        deciders.append(actor if chose else None)
        move = luck.choice(moves)
        log.append(game.write(move))
        state = game.after(state, move)
    pytest.fail("the game ended too soon")


def test_the_goal_is_told_anew_to_both_when_they_have_swapped_sides_in_the_second_game() -> None:
    game = registry.game("tablut")
    begun = state = game.initial({"match": "true"})
    log: list[str] = []
    goals: list[tuple[int, str]] = []
    swaps = 0
    luck = random.Random(1)
    while swaps == 0 or len(log) < swaps + 4:
        position = dataclasses.replace(
            view_of(game, state, players=2, plies=len(log)),
            tail=tuple(resume(game, begun, log))[-TAIL:],
        )
        assert position.to_move is not None
        prompt = board_text.board(position).prompt
        if "Goal:" in prompt:
            goals.append((position.to_move.seat, prompt.split("Goal: ")[1]))
        move = luck.choice(list(game.legal_moves(state)))
        log.append(game.write(move))
        before, state = state, game.after(state, move)
        if game.stage(before) != game.stage(state):
            swaps = len(log)
    edge, take = goals[0][1], goals[1][1]
    assert edge.startswith("Bring your king")
    assert take.startswith("Take the king")
    assert goals == [(0, edge), (1, take), (1, edge), (0, take)]


@pytest.mark.parametrize("level", LEVELS)
def test_boards_against_the_weakest_computer_always_say_the_goal(level: int) -> None:
    game = registry.game("tablut")
    begun = state = game.initial()
    moves = ("e7-c7", "a4-a3", "c7-c6", "a3-a2")
    for move in moves:
        state = game.apply(state, game.read(state, move))
    known = view_of(game, state, players=2, plies=4)
    ann, computer = known.match.players
    computer = dataclasses.replace(computer, user_id=computers(level, 1)[0])
    match = dataclasses.replace(known.match, players=(ann, computer))
    tail = tuple(resume(game, begun, moves))
    position = dataclasses.replace(known, match=match, tail=tail)
    assert ("Goal: Bring your king" in board_text.board(position).prompt) is (level == 1)


def test_both_sides_of_tablut_have_their_own_goal_and_a_board_asked_for_always_says_it() -> None:
    game = registry.game("tablut")
    state = game.initial()
    for move in ("e7-c7", "a4-a3", "c7-c6"):
        state = game.apply(state, game.read(state, move))
    position = view_of(game, state, players=2, plies=3)
    assert "Goal: Take the king before he reaches the edge" in board_text.prompt_for(position, BEN)
    assert "Goal: Take the king before he reaches the edge" in board_text.prompt_for(position, DAN)
    assert "Goal: Bring your king" in board_text.prompt_for(position, ANN)  # while Ben is to move
    assert "Goal:" not in board_text.prompt(position)
    assert "Goal:" not in board_text.prompt_for(ended(game, (1, 2)), ANN)
