"""A player gets a copy of their data, or has it deleted; opponents keep theirs."""

from __future__ import annotations

import pytest

from bot.core.settings.service import SettingsStore
from bot.features.challenges.limits import MAX_UNSUCCESSFUL
from bot.play.matches import erasure
from data.challenges import challenges
from playground.errors import Impossible
from playground.people import Person
from tests.data.schema import columns_naming, everything
from tests.end_to_end.harness import Environment, unlinked
from tests.end_to_end.people import asked, data_copy, delete_data
from tests.routes import EDIT


async def left(env: Environment, person: Person) -> set[str]:
    found = await env.read(everything, person.id)
    return {name for name, rows in found.items() if rows}


async def test_exports_are_the_same_in_direct_messages(env: Environment) -> None:
    await env.begin("tablut")
    mover = env.mover(env.board())
    move = (await env.legal())[0]
    await env.done(mover.slash("/tablut move", options={"move": move}))
    mine = await data_copy(env, mover)
    direct = env.world.dm_channel(mover.user, env.world.bot)
    changing = {"exported_at": "", "hourly_uses": []}  # each copy is counted
    assert {**await data_copy(env, mover, direct), **changing} == {**mine, **changing}
    assert [row["notation"] for row in mine["moves"]] == [move]
    assert mine["user_id"] == mover.id
    other = await data_copy(env, env.ann if mover is env.ben else env.ben)
    assert other["moves"] == []


async def test_cancelling_either_confirmation_deletes_nothing(env: Environment) -> None:
    await env.begin()
    question = await asked(env.ann)
    await env.ann.press(question, custom_id="erase:sure")
    await env.ann.press(question, custom_id="erase:no")
    assert "stays as it is" in question.text
    assert not (await env.position()).match.finished
    with pytest.raises(Impossible):
        await env.ben.press(question, custom_id="erase:now", stale=True)


async def test_deletion_resigns_ongoing_matches_and_empties_the_seat(env: Environment) -> None:
    await env.begin_by_challenge("tablut")
    await env.begin("tablan")
    message = await delete_data(env, env.ann)
    assert "You resigned 2 matches" in message.text
    for number in (1, 2):
        position = await env.position(number)
        assert position.match.finished
        users = {player.user_id for player in position.match.players}
        assert env.ann.id not in users
        assert env.ben.id in users
        assert min(users) < 0
        board = env.board(number)
        assert not board.menus
        assert [button.label for button in board.buttons] == ["Rematch", "Replay", "Try moves"]
        assert str(env.ann.id) not in board.text
    assert await left(env, env.ann) == {"spent_limits"}
    await env.advance(hours=1)
    assert await left(env, env.ann) == set()


async def test_of_very_many_matches_some_are_given_up_before_the_rest_is_deleted(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasure, "MAX_AT_ONCE", 1)
    for _ in range(3):
        await env.begin("tablan")
    assert "You resigned 3 matches" in (await delete_data(env, env.ann)).text
    assert await left(env, env.ann) <= {"spent_limits"}
    for number in (1, 2, 3):
        assert str(env.ann.id) not in env.board(number).text


async def test_throws_still_verify_after_a_deletion(env: Environment) -> None:
    await env.begin("tablan", seat="black")
    await delete_data(env, env.ann)
    reply = await env.ben.slash("/match verify", options={"number": 1})
    assert "✓" in reply.text


async def test_deletion_closes_challenges_in_their_messages_too(env: Environment) -> None:
    offered = (await env.challenge()).shown
    message = await delete_data(env, env.ann)
    assert "1 challenge was closed" in message.text
    assert not offered.buttons
    closed = await env.read(challenges.get, 1)
    assert closed is not None
    assert closed.challenger_id < 0


async def test_deletion_frees_an_open_place_in_the_message_too(env: Environment) -> None:
    offered = (await env.ann.slash("/thaayam challenge", players=3)).shown
    await env.ben.press(offered, "Accept")
    assert f"Joined so far: {env.ben.mention}." in offered.text
    await env.begin("tablut")  # so that deleting takes more than one transaction
    message = await delete_data(env, env.ben)
    assert "You resigned 1 match" in message.text
    assert "closed" not in message.text
    assert env.ben.mention not in offered.text
    assert "Joined so far" not in offered.text
    assert "2 seats are free." in offered.text
    for person in (env.carol, env.dan):
        accepted = await person.press(offered, "Accept")
    await env.settled()
    assert "Match #2 is on" in unlinked(accepted.text)


async def test_a_freed_place_is_shown_once_discord_accepts_the_edit(env: Environment) -> None:
    offered = (await env.ann.slash("/thaayam challenge", players=3)).shown
    await env.ben.press(offered, "Accept")
    env.expected.add(503)
    failed = env.faults.respond(EDIT, status=503)
    await delete_data(env, env.ben)
    assert failed.hits == 1
    assert env.ben.mention in offered.text
    await env.restart()
    await env.advance(minutes=2)
    assert env.ben.mention not in offered.text
    assert "2 seats are free." in offered.text
    edits = len(env.requests_to(EDIT))
    await env.restart()
    await env.advance(days=2)
    assert len(env.requests_to(EDIT)) == edits


async def test_a_returning_player_starts_afresh_and_can_delete_again(env: Environment) -> None:
    settings = (await env.ann.slash("/me settings")).shown
    await env.ann.press(settings, custom_id="set:me:confirm:yes")
    await env.begin("tablut")
    await delete_data(env, env.ann)
    assert not (await env.app.get(SettingsStore).player(env.ann.id)).confirm
    await env.restart()
    await env.begin("tablut")
    mine = await data_copy(env, env.ann)
    assert [row["id"] for row in mine["matches"]] == [2]
    await delete_data(env, env.ann)
    strangers = {
        player.user_id
        for number in (1, 2)
        for player in (await env.position(number)).match.players
        if player.user_id < 0
    }
    assert len(strangers) == 2


async def test_the_last_confirmation_works_after_a_restart_and_twice(env: Environment) -> None:
    await env.begin_by_challenge("tablut")
    question = await asked(env.ann)
    await env.ann.press(question, custom_id="erase:sure")
    await env.restart()
    once = env.ann.press(question, custom_id="erase:now")
    twice = env.ann.press(question, custom_id="erase:now")
    await once
    await twice
    await env.settled()
    assert await left(env, env.ann) == {"spent_limits"}
    await env.advance(hours=1)
    assert await left(env, env.ann) == set()


async def test_deletion_resets_no_limit_and_after_a_day_nothing_is_left(env: Environment) -> None:
    for _ in range(MAX_UNSUCCESSFUL):
        await env.challenge()
        await env.done(env.ann.slash("/tablan withdraw"))
    assert "a lot today" in (await env.challenge()).text
    await data_copy(env, env.ann)
    await delete_data(env, env.ann)
    assert "a lot today" in (await env.challenge()).text
    await env.restart()
    assert "a lot today" in (await env.challenge()).text
    kept = await data_copy(env, env.ann)
    assert {name for name, rows in kept.items() if rows} == {
        *("user_id", "exported_at", "hourly_uses", "spent_limits")
    }
    assert [row["number"] for row in kept["hourly_uses"]] == [4]
    assert env.ben.id in {row["opponent_id"] for row in kept["spent_limits"]}
    await env.advance(days=1)
    assert await env.read(columns_naming, env.ann.id) == set()
    offered = (await env.challenge()).shown
    assert "a lot today" not in offered.text
    assert offered.buttons
