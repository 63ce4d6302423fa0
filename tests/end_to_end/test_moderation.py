"""Moderators void and end matches and close challenges; each action is logged and announced."""

from __future__ import annotations

from typing import Any

import pytest

from bot.play.matches.service import Matches
from data.matches import matches
from data.people import audit
from data.ratings import scores
from playground.errors import Impossible
from playground.permissions import Permission
from tests.data import derived
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import change_matches, decided, may_manage, versus
from tests.routes import POST


async def table(env: Environment) -> list[tuple[int, int, int, int]]:
    """Return each player's wins in the server, and check them against the matches."""
    async with env.store.write() as tx:
        kept = await derived.everything(tx)
        await scores.rebuild(tx)
        assert await derived.everything(tx) == kept
        found = []
        for user in (env.ben.id, env.ann.id):
            rows = await scores.of_player(tx, env.guild.id, user)
            total = [sum(getattr(row, name) for row in rows) for name in ("won", "drawn", "lost")]
            found.append((user, total[0], total[1], total[2]))
    return [row for row in found if any(row[1:])]


def channel_text(env: Environment) -> str:
    messages = env.channel().messages.values()
    return "\n".join(m.text for m in messages if not m.ephemeral and not m.deleted)


VOID = ("void", "Void the match")
BAR = ("rated", "Bar")


def options(env: Environment, command: str) -> dict[str, Any]:
    return {"match": 1} if command == "void" else {"user": env.ben, "allowed": False}


async def decisions(env: Environment) -> int:
    return await env.read(audit.count, env.guild.id)


@pytest.mark.parametrize(("command", "label"), [VOID, BAR])
async def test_only_current_managers_can_decide_and_cancelling_changes_nothing(
    env: Environment, command: str, label: str
) -> None:
    await env.begin()
    line, given = f"/server {command}", options(env, command)
    with pytest.raises(Impossible):
        await env.ann.slash(line, options=given)
    may_manage(env, env.carol)
    reply = (await env.carol.slash(line, options=given)).shown
    may_manage(env, env.carol, allowed=False)
    refused = await env.carol.press(reply, label)
    assert refused.modal is None
    may_manage(env, env.carol)
    form = await env.carol.press(reply, label)
    may_manage(env, env.carol, allowed=False)
    late = await env.carol.submit(form.modal, {"reason": "x"})
    assert "Manage Server" in late.text + "".join(m.text for m in late.followups)
    may_manage(env, env.carol)
    await env.carol.press(reply, "Cancel")
    assert reply.text == "Nothing changed."
    assert await decisions(env) == 0
    assert not (await env.position()).match.finished


@pytest.mark.parametrize(("command", "label"), [VOID, BAR])
async def test_of_two_same_decisions_one_counts(env: Environment, command: str, label: str) -> None:
    await env.begin()
    forms = []
    for person in (env.carol, env.dan):
        may_manage(env, person)
        given = options(env, command)
        answer = (await person.slash(f"/server {command}", options=given)).shown
        forms.append((person, (await person.press(answer, label)).modal))
    texts = []
    for reply in [person.submit(modal, {"reason": "x"}) for person, modal in forms]:
        done = await reply
        texts.append(done.text + "".join(m.text for m in done.followups))
    for words in ("Done.", "already"):
        assert sum(words in text for text in texts) == 1, texts
    await env.settled()
    assert await decisions(env) == 1


async def test_an_ongoing_match_is_voided_and_its_players_are_told_why(env: Environment) -> None:
    await env.begin()
    done = await decided(env, "void", "wrong channel", match=1)
    assert "voided match #1" in done.text
    position = await env.position()
    assert (position.match.ending, position.match.ended_by) == ("voided", env.carol.id)
    assert [p.rank for p in position.match.players] == [None, None]
    messages = env.channel().messages.values()
    notice = next(m for m in messages if "voided match" in m.text and m.pinged)
    assert "wrong channel" in notice.text
    assert set(notice.pinged) == {env.ann.user, env.ben.user}
    assert await table(env) == []
    assert [button.label for button in env.board().buttons] == ["Rematch", "Replay", "Try moves"]
    assert not env.board().menus


async def test_voiding_takes_a_result_back_wherever_it_was_told(env: Environment) -> None:
    await env.change_settings(threads=True)
    await env.begin_by_challenge("tablut")
    await env.play_a_while()
    await env.resign(env.ann)
    assert sum(sum(row[1:]) for row in await table(env)) == 2
    async with env.store.write() as tx:  # as once the turning point has been added
        match = (await env.app.get(Matches).position_in(tx, 1)).match
        await matches.show_turning_point(tx, match, env.now())
    await env.settled()
    games, thread = env.channel(), env.board().channel
    told = [m for m in games.messages.values() if "won** against" in m.text]
    assert len(told) == 2, "the challenge and the result"
    assert "has won" in (env.board().alt or "") or "have won" in (env.board().alt or "")
    await decided(env, "void", match=1)
    assert await table(env) == []
    match = (await env.position()).match
    assert (match.ending, [player.rank for player in match.players]) == ("voided", [None, None])
    for message in (*told, env.board()):
        assert "won**" not in message.text
        assert "**No result** between" in message.text
        assert " won: " not in (message.alt or "")
    assert thread.name == f"No result · {await versus(env)} · Tablut #1"


async def test_a_match_can_be_ended_as_won_or_drawn(env: Environment) -> None:
    await env.begin()
    await env.begin()
    done = await decided(env, "end", "adjudicated", match=1, winner=env.ben)
    assert "won by" in done.text
    done = await decided(env, "end", match=2, draw=True)
    assert "as a draw" in done.text
    assert await table(env) == [
        (env.ben.id, 1, 1, 0),
        (env.ann.id, 0, 1, 1),
    ]
    assert "adjudicated" in channel_text(env)
    reply = await env.carol.slash("/server end", match=1, winner=env.ann)
    assert "already over" in reply.text


@pytest.mark.parametrize(
    ("options", "answer"),
    [
        ({}, "Pick a winner"),
        ({"winner": "Carol"}, "Only players"),
        ({"winner": "Ann", "draw": True}, "not both"),
    ],
)
async def test_an_impossible_result_is_refused(
    env: Environment, options: dict[str, object], answer: str
) -> None:
    await env.begin()
    may_manage(env, env.carol)
    given = {k: env.playground.person(v) if isinstance(v, str) else v for k, v in options.items()}
    reply = await env.carol.slash("/server end", options={"match": 1, **given})
    assert answer in reply.text
    assert not (await env.position()).match.finished


async def test_a_manager_decides_no_match_of_their_own(env: Environment) -> None:
    await env.begin()
    for person in (env.ann, env.ben):
        may_manage(env, person)
        for line, options in (("void", {}), ("end", {"winner": person}), ("end", {"draw": True})):
            reply = await person.slash(f"/server {line}", options={"match": 1, **options})
            assert "You play in match #1, so another moderator has to decide it" in reply.text
    assert not (await env.position()).match.finished
    await decided(env, "end", match=1, winner=env.ann)
    reply = await env.ben.slash("/server void", options={"match": 1})
    assert "another moderator" in reply.text


async def test_a_match_of_another_server_is_unknown(env: Environment) -> None:
    await env.begin()
    await change_matches(env, guild_id=77)
    env.app.get(Matches).positions.forget(1)
    may_manage(env, env.carol)
    for line, options in (("void", {}), ("end", {"draw": True})):
        reply = await env.carol.slash(f"/server {line}", options={"match": 1, **options})
        assert "no match #1 on this server" in reply.text


async def test_questions_and_forms_opened_before_a_restart_still_work(env: Environment) -> None:
    await env.begin()
    may_manage(env, env.carol)
    reply = (await env.carol.slash("/server end", match=1, winner=env.ann)).shown
    await env.restart()
    form = await env.carol.press(reply, "End the match")
    await env.restart()
    await env.done(env.carol.submit(form.modal, {"reason": "late"}))
    assert (await env.position()).match.ending == "ended"


async def test_a_challenge_is_closed_and_loses_its_buttons(env: Environment) -> None:
    offered = (await env.challenge()).shown
    done = await decided(env, "clear", "spam", challenge=1)
    assert "closed challenge 1" in done.text
    assert not offered.buttons
    again = await env.carol.slash("/server clear", challenge=1)
    assert "no longer open" in again.text
    unknown = await env.carol.slash("/server clear", challenge=99)
    assert "no challenge 99" in unknown.text


async def test_every_decision_is_in_the_list_and_the_log_channel(env: Environment) -> None:
    may_manage(env, env.carol)
    assert "No moderator" in (await env.carol.slash("/server audit")).text
    quiet = env.channel("quiet")
    await env.change_settings(log_channel=quiet.id)
    for number in range(1, 12):
        await env.begin()
        await decided(env, "void", f"reason {number}", match=number)
    assert sum("voided match" in m.text for m in quiet.messages.values()) == 11
    listed = (await env.carol.slash("/server audit")).shown
    assert "reason 11" in listed.text
    assert "reason 1\n" not in listed.text + "\n"
    await env.carol.press(listed, "Page 2")
    assert "reason 1" in listed.text
    assert "reason 11" not in listed.text


@pytest.mark.parametrize("gone", [False, True])
async def test_an_unusable_log_channel_is_reported(env: Environment, *, gone: bool) -> None:
    quiet = env.channel("quiet")
    await env.change_settings(log_channel=quiet.id)
    await env.begin()
    env.expected |= {404 if gone else 403}
    if gone:
        env.world.remove_channel(quiet)
        while env.bot.get_channel(quiet.id) is not None:
            await env.bot.wait_for("guild_channel_delete")
    else:
        env.forbid(Permission.SEND_MESSAGES, "quiet")
    done = await decided(env, "void", match=1)
    assert any("couldn't post this" in m.text for m in done.followups)
    assert await decisions(env) == 1


async def test_a_line_that_the_log_channel_missed_comes_there_later_once(env: Environment) -> None:
    env.expected |= {500}
    quiet = env.channel("quiet")
    await env.change_settings(log_channel=quiet.id)
    await env.begin()
    env.faults.respond(
        POST, status=500, times=None, when=lambda request: str(quiet.id) in request.path
    )
    await decided(env, "void", match=1)
    await env.restart()
    await env.advance(minutes=30)
    assert not quiet.messages
    env.faults.clear()
    await env.advance(hours=1)
    assert [m.text for m in quiet.messages.values() if "voided match #1" in m.text]
    assert len(quiet.messages) == 1


async def test_matches_and_challenges_are_only_suggested_to_managers(env: Environment) -> None:
    await env.begin()
    await env.challenge()
    may_manage(env, env.carol)
    await env.carol.autocomplete("/server void", "match", "")  # names are asked for
    await env.settled()
    found = await env.carol.autocomplete("/server void", "match", "ann")
    assert [one.value for one in found] == [1]
    assert found[0].name == f"#1 · {(await versus(env)).replace('vs', '–')} · Tablan"
    assert await env.carol.autocomplete("/server void", "match", "carol") == []
    await decided(env, "void", match=1)
    assert len(await env.carol.autocomplete("/server void", "match", "")) == 1
    assert await env.carol.autocomplete("/server end", "match", "") == [], "it is over"
    found = await env.carol.autocomplete("/server clear", "challenge", "2")
    assert [one.value for one in found] == [2]


async def test_a_reason_hides_and_reverses_nothing(env: Environment) -> None:
    await env.begin()
    await decided(env, "void", "they\u202e agreed\u3164\u2028now" + "\u0335" * 99, match=1)
    assert "decided by a moderator (they agreed now\u0335\u0335\u0335\u0335)" in channel_text(env)
