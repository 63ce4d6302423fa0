"""Looking back: step by step, as films, as text, and what happened since your last turn."""

from __future__ import annotations

import io
import random
import re
from itertools import product

import pytest
from PIL import Image

from bot.core.interactions.dispatch import Dispatcher
from bot.core.permissions.members import Members
from bot.play.delivery.outbox_worker import OutboxWorker
from bot.play.matches.offers import Offers
from bot.play.matches.service import Matches
from bot.play.replays import animation
from bot.play.replays.replay import Replays
from engine import registry
from engine.game import CHANCE
from playground.model import Message
from playground.people import Person
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import change_matches, hide

GAMES = sorted(registry.games())


def frames_of(message: Message) -> tuple[int, int, tuple[int, int]]:
    """Open a message's film; return its frame count, bytes and dimensions."""
    (file,) = [a for a in message.attachments if a.filename.endswith(".gif")]
    with Image.open(io.BytesIO(file.data)) as film:
        assert film.format == "GIF"
        return getattr(film, "n_frames", 1), len(file.data), film.size


async def played(
    env: Environment, slug: str, *, plies: int, players: int = 2, **options: str
) -> None:
    await env.begin(slug, players=players, **options)
    await env.hurry(
        random.Random(4), lambda position: position.to_move is None or position.ply >= plies
    )


async def has_missed_something(env: Environment) -> bool:
    """Return whether others have made choices since the last turn of the player to move."""
    position = await env.position()
    decided = [position.game.actor(entry.before) for entry in position.tail]
    movers = [actor for actor in decided if actor is not CHANCE]
    return (
        position.to_move is not None
        and position.to_move.seat in movers[:-1]
        and (movers[-1] != position.to_move.seat)
    )


async def viewed(person: Person, **options: object) -> Message:
    reply = await person.slash("/match replay", options={"number": "1", **options})
    assert reply.ephemeral, reply.text
    return reply.shown


def labels(message: Message) -> dict[str | None, bool]:
    return {button.label: not button.disabled for button in message.buttons}


@pytest.mark.parametrize("slug", GAMES)
async def test_a_replay_has_buttons_to_step_and_a_menu_to_jump(env: Environment, slug: str) -> None:
    await played(env, slug, plies=12)
    moves = len((await env.app.get(Replays).of_match(1)).turns)
    message = await viewed(env.carol)
    assert f"Move {moves} of {moves}" in message.text
    assert labels(message)["Next ›"] is False
    assert labels(message)["Last »"] is False
    newest = message.alt
    assert newest
    await env.carol.press(message, "« First")
    assert f"Move 0 of {moves}" in message.text
    assert "The start." in message.text
    assert labels(message)["‹ Back"] is False
    assert message.alt != newest
    seen = {message.picture}
    stops = 0
    while labels(message)["Next ›"]:
        await env.carol.press(message, "Next ›")
        seen.add(message.picture)
        stops += 1
    assert f"Move {moves} of {moves}" in message.text
    assert message.alt == newest
    assert len(seen) > stops // 2
    await env.carol.press(message, "‹ Back")
    before = message.text
    await env.carol.press(message, "Last »")
    assert message.text != before
    menu = message.menus[0]
    await env.carol.choose(message, menu.options[0].value)
    assert f"{menu.options[0].label} of {moves}" in message.text


async def test_a_replay_works_after_a_restart_and_has_the_new_moves(env: Environment) -> None:
    await played(env, "tablut", plies=3)
    message = await viewed(env.ann, move=1)
    assert "Move 1 of 3" in message.text
    await env.turn(env.board(), random.Random(1))
    await env.turn(env.board(), random.Random(1))
    now = await env.ply()
    await env.restart()
    await env.ann.press(message, "Next ›")
    assert f"Move 2 of {now}" in message.text
    await env.ann.press(message, "Last »")
    assert f"Move {now} of {now}" in message.text
    assert labels(message)["Next ›"] is False


async def test_a_replay_position_beyond_a_takeback_shows_the_end(env: Environment) -> None:
    await played(env, "tablut", plies=2)
    message = await viewed(env.ann, move=0)
    position = await env.position()
    asker = position.player_at(position.game.actor(position.tail[-1].before)).user_id  # type: ignore[arg-type]
    made = await env.app.get(Offers).make(1, asker, "takeback")
    other = next(p.user_id for p in position.match.players if p.user_id != asker)
    await env.app.get(Offers).answer(made.offer.id, other, yes=True)
    env.app.get(OutboxWorker).wake(1)
    await env.settled()
    await env.ann.press(message, "Last »")
    assert "Move 1 of 1" in message.text


async def test_unknown_matches_are_refused_politely(env: Environment) -> None:
    unknown = {"99": "no match #99", "zwölf": "isn't a match number", "i7": "no record i7"}
    for command, (number, why) in product(("replay", "gif", "board", "export"), unknown.items()):
        assert why in (await env.ann.slash(f"/match {command}", number=number)).private


async def test_a_match_of_another_server_is_not_shown(env: Environment) -> None:
    await played(env, "tablut", plies=1)
    await change_matches(env, guild_id=5)
    for command in ("replay", "gif", "board", "export"):
        assert "no match #1 here" in (await env.carol.slash(f"/match {command}", number="1")).text
    assert "Move 1 of 1" in (await env.ann.slash("/match replay", number="#1")).text


async def test_matches_are_suggested_by_number_and_game(env: Environment) -> None:
    await played(env, "tablut", plies=1)
    offered = await env.ann.autocomplete("/match replay", "number", "tabl")
    assert [(one.name, one.value) for one in offered] == [("#1 Tablut · Ben", "1")]
    assert await env.carol.autocomplete("/match replay", "number", "") == []


async def test_every_command_suggests_matches_with_their_opponents(env: Environment) -> None:
    await env.begin_between([env.carol, env.ann, env.ben], "thaayam")
    await env.begin("tablut")
    for command in ("/match replay", "/match relocate", "/match verify"):
        labels = {one.name for one in await env.ann.autocomplete(command, "number", "")}
        assert any(one.startswith("#2 Tablut") and one.endswith(" · Ben") for one in labels), labels
        (found,) = (one for one in labels if one.startswith("#1 Thaayam"))
        assert {"Ben", "Carol"} <= set(re.findall(r"\w+", found.partition(" · ")[2]))
        assert "Ann" not in found
    (offered,) = await env.ann.autocomplete("/match replay", "number", "carol")
    assert offered.value == "1", "found by an opponent's name"
    (offered,) = await env.ann.autocomplete("/tablut resign", "match", "")
    assert re.fullmatch(r"#2 as \w+(, your turn)? · Ben", offered.name)


async def test_matches_are_suggested_without_names_that_nobody_knows(env: Environment) -> None:
    await played(env, "tablut", plies=1)
    env.app.get(Members)._names.clear()
    env.gateway.member_requests.unresponsive = True
    offered = await env.ann.autocomplete("/match replay", "number", "")
    assert [one.name for one in offered] == ["#1 Tablut"]


async def test_progress_becomes_the_film(env: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.core.interactions.progress.EVERY", 0.01)
    await played(env, "tablut", plies=12)
    env.app.get(Dispatcher).acknowledge_after = 0.001
    asking = env.carol.slash("/match gif", number="1")
    line = await env.playground.wait_for(env.channel(), lambda m: "Making the GIF …" in m.text)
    reply = await asking
    await env.settled()
    assert reply.message is line
    assert "Making the GIF" not in reply.text
    frames, *_ = frames_of(line)
    assert frames > 1


async def test_a_film_of_a_long_match_skips_turns_and_says_so(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(animation, "MAX_WHOLE", 20)
    await played(env, "tablan", plies=90)
    replay = await env.app.get(Replays).of_match(1)
    assert len(replay.stops) > animation.MAX_WHOLE
    message = await viewed(env.carol, move=0)
    reply = await env.carol.press(message, "Show as GIF")
    frames, size, _ = frames_of(reply.shown)
    assert frames <= animation.MAX_WHOLE
    assert size <= animation.WHOLE_BYTES
    assert "some moves are left out" in reply.text
    assert len(message.menus[0].options) <= 25
    assert message.menus[0].options[-1].value == str(replay.plies)


@pytest.mark.parametrize("slug", GAMES)
async def test_a_match_can_be_seen_as_film_picture_or_text(env: Environment, slug: str) -> None:
    await played(env, slug, plies=30)
    film = await env.carol.slash("/match gif", number="1")
    assert film.ephemeral
    frames, size, pixels = frames_of(film.shown)
    assert 2 <= frames <= animation.MAX_WHOLE
    assert size <= animation.WHOLE_BYTES
    assert max(pixels) <= 1000
    assert "The start." in (film.shown.alt or "")
    moves = len((await env.app.get(Replays).of_match(1)).turns)
    picture = await env.carol.slash("/match board", number="1")
    assert picture.ephemeral
    assert picture.shown.picture
    assert not picture.shown.buttons
    reply = await env.carol.slash("/match board", options={"number": "1", "as": "text", "move": 0})
    assert reply.shown.picture is None
    position = await env.app.get(Matches).position_at(1, 0)
    scene = position.game.scene(position.state)
    assert "```" in reply.text
    assert scene.text.splitlines()[1].strip() in reply.text
    assert scene.alt in reply.text
    late = await env.carol.slash("/match board", options={"number": "1", "move": moves + 1})
    assert f"#1 has only {moves} move" in late.text


async def test_since_your_last_turn_is_a_short_private_film(env: Environment) -> None:
    await played(env, "thaayam", plies=60, players=4)
    while not await has_missed_something(env):
        await env.turn(env.board(), random.Random(4))
    board = env.board()
    mover = env.mover(board)
    reply = await mover.slash("/thaayam since")
    assert reply.ephemeral
    frames, size, _ = frames_of(reply.shown)
    assert 2 <= frames <= animation.MAX_SINCE
    assert size <= animation.SINCE_BYTES
    replay = await env.app.get(Replays).of_match(1)
    position = await env.position()
    player = position.player_of(mover.id)
    assert player is not None
    mine = [p.ply for p in replay.played if replay.game.actor(p.before) == player.seat]
    for played_since in replay.played[mine[-1] :]:
        if replay.game.actor(played_since.before) is not CHANCE:
            sentence = replay.game.tell(played_since.before, played_since.move)
            alt = reply.shown.alt or ""
            assert sentence in alt or "…" in alt
    pressed = await mover.slash("/thaayam since", match=1)
    assert frames_of(pressed.shown)[0] == frames


SINCE = {True: "The game so far", False: "Since your last turn"}
"""What a film is called: on a player's first turn, and later."""


async def film_board(env: Environment, *, first: bool) -> Message:
    """Play with four players until a board's player, on the first turn or later, has missed something."""
    dice = random.Random(4)
    for _ in range(200):
        board = env.board()
        position, replay = await env.position(), await env.app.get(Replays).of_match(1)
        chosen = {
            replay.game.actor(entry.before)
            for entry in replay.played
            if replay.game.only_move(entry.before) is None
        }
        assert position.to_move is not None
        if (position.to_move.seat not in chosen) is first and (
            any(a.filename.endswith(".gif") for a in board.attachments)
            or any(button.label in SINCE.values() for button in board.buttons)
        ):
            return board
        await env.turn(board, dice)
    raise AssertionError("nobody ever missed anything")


@pytest.mark.parametrize("first", [True, False])
async def test_a_board_has_a_film_if_more_was_missed_than_it_tells(
    env: Environment, *, first: bool
) -> None:
    await env.begin("thaayam", players=4)
    board = await film_board(env, first=first)
    frames, size, _ = frames_of(board)
    assert 2 <= frames <= animation.MAX_SINCE
    assert size <= animation.SINCE_BYTES
    assert f"-# {SINCE[first]}:" in board.text
    assert f"-# {SINCE[not first]}:" not in board.text
    assert all(button.label not in SINCE.values() for button in board.buttons)
    ply = await env.ply()
    while await env.ply() == ply:
        await env.turn(board, random.Random(1))
    assert f"{SINCE[first]}:" not in board.text


@pytest.mark.parametrize("first", [True, False])
async def test_players_without_automatic_films_get_a_button_for_one(
    env: Environment, *, first: bool
) -> None:
    for person in env.people:
        await env.change_player(person, clips=False)
    await env.begin("thaayam", players=4)
    board = await film_board(env, first=first)
    assert not any(a.filename.endswith(".gif") for a in board.attachments)
    mover = env.mover(board)
    await env.restart()
    reply = await mover.press(board, SINCE[first])
    assert reply.ephemeral
    assert frames_of(reply.shown)[0] >= 2
    assert ("### Match #1 so far" if first else "### Match #1 since your last") in reply.text
    assert env.board() is board


@pytest.mark.parametrize(("slug", "plies"), [("tablan", 60), ("tablut", 12)])
async def test_boards_for_two_that_tell_everything_have_no_film(
    env: Environment, slug: str, plies: int
) -> None:
    await played(env, slug, plies=plies)
    for board in env.boards():
        films = [file for file in board.attachments if file.filename.endswith(".gif")]
        shown = [one for one in SINCE.values() if one in board.text]
        assert bool(films) <= bool(shown)
        assert slug != "tablut" or not shown


async def test_who_moved_last_has_missed_nothing(env: Environment) -> None:
    await played(env, "tablut", plies=2)
    assert "/match gif" in (await env.carol.slash("/tablut since", match=1)).private
    reply = await env.other(env.board()).slash("/tablut since")
    assert "Nothing new" in reply.text
    assert re.search(r"\[#1\]\(https://", reply.text)


@pytest.mark.parametrize("slug", GAMES)
async def test_a_match_without_moves_can_be_replayed(env: Environment, slug: str) -> None:
    """Without throws a match begins with an empty log."""
    await env.begin(slug)
    message = await viewed(env.carol)
    assert "-# Move " in message.text
    for line in ("/match gif", "/match board", "/match export"):
        reply = await env.ann.slash(line, number="1")
        assert reply.shown.attachments, reply.text
    reply = await env.ann.slash("/match board", options={"number": "1", "as": "text"})
    assert "```" in reply.text
    for person in (env.ann, env.ben):
        since = (await person.slash(f"/{slug} since")).text
        # Only luck has happened, if anything, and nobody has had a turn.
        assert ("### Match #1 so far" in since) is registry.game(slug).has_luck
        assert ("Nothing has happened in match [#1](" in since) is not registry.game(slug).has_luck


async def test_a_match_in_a_hidden_channel_is_hidden(env: Environment) -> None:
    await played(env, "tablut", plies=1)
    hide(env, "games", env.carol)
    await env.settled()
    for command in ("replay", "gif", "board", "export"):
        reply = await env.carol.slash(f"/match {command}", channel="general", number="1")
        assert "There's no match #1 here." in reply.text
    reply = await env.dan.slash("/match replay", channel="general", number="1")
    assert "Move 1 of 1" in reply.text
