"""Moderators void and end matches and close challenges; each action is logged and announced."""

from __future__ import annotations

import pytest

from bot.core.settings.service import SettingsStore
from bot.play.delivery.outbox_worker import OutboxWorker
from bot.play.matches.service import Matches
from data.matches import matches
from data.people import audit
from data.ratings import scores
from playground.permissions import Permission
from tests.data import derived
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import decided, may_manage
from tests.routes import POST


async def table(env: Environment) -> list[tuple[int, int, int, int]]:
    """Return each player's wins in the server, and check them against the matches."""
    async with env.store.write() as tx:
        kept = await derived.everything(tx)
        await scores.rebuild(tx)
        assert await derived.everything(tx) == kept
        found = []
        for user in (env.ben.id, env.ann.id):
            rows = await scores.of_player(tx, env.playground.guild.id, user)
            total = [sum(getattr(row, name) for row in rows) for name in ("won", "drawn", "lost")]
            found.append((user, total[0], total[1], total[2]))
    return [row for row in found if any(row[1:])]


def channel_text(env: Environment) -> str:
    """Return all messages in the channel."""
    messages = env.playground.channel("games").messages.values()
    return "\n".join(m.text for m in messages if not m.ephemeral and not m.deleted)


async def test_only_current_managers_can_decide(
    env: Environment,
) -> None:
    await env.begin()
    may_manage(env, env.carol)
    reply = await env.carol.slash("/server void", channel="games", match=1)
    assert reply.message is not None
    may_manage(env, env.carol, allowed=False)
    refused = await env.carol.press(reply.message, "Void the match")
    assert refused.modal is None
    assert not (await env.app.get(Matches).view(1)).match.finished

    may_manage(env, env.carol)
    form = await env.carol.press(reply.message, "Void the match")
    may_manage(env, env.carol, allowed=False)
    late = await env.carol.submit(form.modal, {"reason": "x"})
    assert "Manage Server" in late.text + "".join(m.text for m in late.followups)
    assert not (await env.app.get(Matches).view(1)).match.finished


async def test_an_ongoing_match_is_voided_and_its_players_are_told_why(env: Environment) -> None:
    await env.begin()
    done = await decided(env, "void", "wrong channel", match=1)
    assert "voided match #1" in done.text
    view = await env.app.get(Matches).view(1)
    assert (view.match.ending, view.match.ended_by) == ("voided", env.carol.id)
    assert [p.rank for p in view.match.players] == [None, None]
    messages = env.playground.channel("games").messages.values()
    notice = next(m for m in messages if "voided match" in m.text and m.pinged)
    assert "wrong channel" in notice.text
    assert set(notice.pinged) == {env.ann.user, env.ben.user}
    assert await table(env) == []
    assert [button.label for button in env.board().buttons] == ["Rematch", "Replay", "Try moves"]
    assert not env.board().menus


async def test_voiding_a_finished_match_reverts_what_it_counted_for(
    env: Environment,
) -> None:
    for number in (1, 2):
        await env.begin()
        await env.app.get(Matches).resign(number, env.ann.id)
        env.app.get(OutboxWorker).wake(number)
    await env.settled()
    before = await table(env)
    await decided(env, "void", match=1)
    after = await table(env)
    assert sum(won + drawn + lost for _, won, drawn, lost in before) - sum(
        won + drawn + lost for _, won, drawn, lost in after
    ) in {0, 2}
    view = await env.app.get(Matches).view(1)
    assert view.match.ending == "voided"
    assert [p.rank for p in view.match.players] == [None, None]


async def test_voiding_a_finished_match_takes_its_result_back_wherever_it_was_told(
    env: Environment,
) -> None:
    await env.change_settings(threads=True)
    await env.begin_by_challenge("tablut")
    await env.play_a_while()
    await env.app.get(Matches).resign(1, env.ann.id)
    await env.settled()
    async with env.store.write() as tx:  # as once the turning point has been added
        match = (await env.app.get(Matches).view_in(tx, 1)).match
        await matches.show_turning_point(tx, match, env.now())
    await env.settled()
    games, thread = env.playground.channel("games"), env.board().channel
    told = [m for m in games.messages.values() if "won** against" in m.text]
    assert len(told) == 2, "the challenge and the result"
    assert "has won" in (env.board().alt or "") or "have won" in (env.board().alt or "")
    await decided(env, "void", match=1)
    for message in (*told, env.board()):
        assert "won**" not in message.text
        assert "**No result** between" in message.text
        assert " won: " not in (message.alt or "")
    assert thread.name == "No result · Tablut · Ann vs Ben"


async def test_a_void_match_cannot_be_voided_again(env: Environment) -> None:
    await env.begin()
    await decided(env, "void", match=1)
    again = await decided(env, "void", match=1)
    assert "already void" in again.text + "".join(m.text for m in again.followups)
    async with env.store.read() as tx:
        assert await audit.count(tx, env.playground.guild.id) == 1


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
    reply = await env.carol.slash("/server end", channel="games", options={"match": 1, **given})
    assert answer in reply.text
    assert not (await env.app.get(Matches).view(1)).match.finished


async def test_a_manager_decides_no_match_of_their_own(env: Environment) -> None:
    await env.begin()
    for person in (env.ann, env.ben):
        may_manage(env, person)
        for line, options in (("void", {}), ("end", {"winner": person}), ("end", {"draw": True})):
            reply = await person.slash(
                f"/server {line}", channel="games", options={"match": 1, **options}
            )
            assert "You play in match #1, so another moderator has to decide it" in reply.text
    assert not (await env.app.get(Matches).view(1)).match.finished
    await decided(env, "end", match=1, winner=env.ann)
    reply = await env.ben.slash("/server void", channel="games", options={"match": 1})
    assert "another moderator" in reply.text


async def test_a_finished_matchs_result_cannot_be_changed(env: Environment) -> None:
    await env.begin()
    await decided(env, "end", match=1, winner=env.ben)
    reply = await env.carol.slash("/server end", channel="games", match=1, winner=env.ann)
    assert "already over" in reply.text


async def test_a_match_of_another_server_is_unknown(env: Environment) -> None:
    await env.begin()
    async with env.store.write() as tx:
        from sqlalchemy import update  # noqa: PLC0415 - no use case moves a match

        from data.matches.match import matches as match_table  # noqa: PLC0415

        await tx.run(update(match_table).values(guild_id=77))
    env.app.get(Matches).positions.forget(1)
    may_manage(env, env.carol)
    for line, options in (("void", {}), ("end", {"draw": True})):
        reply = await env.carol.slash(
            f"/server {line}", channel="games", options={"match": 1, **options}
        )
        assert "no match #1 on this server" in reply.text


async def test_two_simultaneous_moderators_void_once(env: Environment) -> None:
    await env.begin()
    forms = []
    for person in (env.carol, env.dan):
        may_manage(env, person)
        answer = await person.slash("/server void", channel="games", match=1)
        assert answer.message is not None
        forms.append((person, (await person.press(answer.message, "Void the match")).modal))
    sent = [person.submit(modal, {"reason": "x"}) for person, modal in forms]
    for reply in sent:
        await reply
    await env.settled()
    async with env.store.read() as tx:
        assert await audit.count(tx, env.playground.guild.id) == 1


async def test_questions_and_forms_opened_before_a_restart_still_work(env: Environment) -> None:
    await env.begin()
    may_manage(env, env.carol)
    reply = await env.carol.slash("/server end", channel="games", match=1, winner=env.ann)
    assert reply.message is not None
    await env.restart()
    form = await env.carol.press(reply.message, "End the match")
    await env.restart()
    await env.carol.submit(form.modal, {"reason": "late"})
    await env.settled()
    assert (await env.app.get(Matches).view(1)).match.ending == "ended"


async def test_a_challenge_is_closed_and_loses_its_buttons(env: Environment) -> None:
    offered = (await env.challenge()).message
    assert offered is not None
    done = await decided(env, "clear", "spam", challenge=1)
    assert "closed challenge 1" in done.text
    assert not offered.buttons
    again = await env.carol.slash("/server clear", channel="games", challenge=1)
    assert "no longer open" in again.text
    unknown = await env.carol.slash("/server clear", channel="games", challenge=99)
    assert "no challenge 99" in unknown.text


async def test_cancelling_changes_nothing(env: Environment) -> None:
    await env.begin()
    may_manage(env, env.carol)
    reply = await env.carol.slash("/server void", channel="games", match=1)
    assert reply.message is not None
    await env.carol.press(reply.message, "Cancel")
    assert "Nothing changed" in reply.message.text
    assert not (await env.app.get(Matches).view(1)).match.finished


async def test_every_decision_is_in_the_list_and_the_log_channel(env: Environment) -> None:
    may_manage(env, env.carol)
    empty = await env.carol.slash("/server audit", channel="games")
    assert "No moderator" in empty.text
    quiet = env.playground.channel("quiet")
    await env.app.get(SettingsStore).change_server(
        env.playground.guild.id, {"log_channel": quiet.id}, by=env.carol.id
    )
    for number in range(1, 12):
        await env.begin()
        await decided(env, "void", f"reason {number}", match=number)
    assert sum("voided match" in m.text for m in quiet.messages.values()) == 11

    listed = await env.carol.slash("/server audit", channel="games")
    assert "reason 11" in listed.text
    assert "reason 1\n" not in listed.text + "\n"
    assert listed.message is not None
    await env.carol.press(listed.message, "Page 2")
    assert "reason 1" in listed.message.text
    assert "reason 11" not in listed.message.text


async def test_a_log_channel_the_bot_cannot_use_is_reported(env: Environment) -> None:
    env.expected |= {403}
    quiet = env.playground.channel("quiet")
    await env.app.get(SettingsStore).change_server(
        env.playground.guild.id, {"log_channel": quiet.id}, by=env.carol.id
    )
    env.forbid(Permission.SEND_MESSAGES, "quiet")
    await env.begin()
    done = await decided(env, "void", match=1)
    assert any("couldn't post this" in m.text for m in done.followups)
    async with env.store.read() as tx:
        assert await audit.count(tx, env.playground.guild.id) == 1


async def test_a_line_that_the_log_channel_missed_comes_there_later_once(env: Environment) -> None:
    env.expected |= {500}
    quiet = env.playground.channel("quiet")
    await env.change_settings(log_channel=quiet.id)
    await env.begin()
    env.playground.faults.respond(
        POST, status=500, times=None, when=lambda request: str(quiet.id) in request.path
    )
    await decided(env, "void", match=1)
    await env.restart()
    await env.advance(minutes=30)
    assert not quiet.messages
    env.playground.faults.clear()
    await env.advance(hours=1)
    assert [m.text for m in quiet.messages.values() if "voided match #1" in m.text]
    assert len(quiet.messages) == 1


async def test_a_moderator_is_told_that_the_log_channel_is_gone(env: Environment) -> None:
    quiet = env.playground.channel("quiet")
    await env.change_settings(log_channel=quiet.id)
    await env.begin()
    env.expected |= {404}
    env.playground.world.remove_channel(quiet)
    while env.bot.get_channel(quiet.id) is not None:
        await env.bot.wait_for("guild_channel_delete")
    done = await decided(env, "void", match=1)
    assert any("couldn't post this" in m.text for m in done.followups)


async def test_matches_and_challenges_are_only_suggested_to_managers(env: Environment) -> None:
    await env.begin()
    await env.challenge()
    may_manage(env, env.carol)
    found = await env.carol.autocomplete("/server void", "match", "", channel="games")
    assert [one.value for one in found] == [1]
    found = await env.carol.autocomplete("/server clear", "challenge", "2", channel="games")
    assert [one.value for one in found] == [2]


async def test_a_reason_hides_and_reverses_nothing(env: Environment) -> None:
    await env.begin()
    await decided(env, "void", "they\u202e agreed\u3164\u2028now" + "\u0335" * 99, match=1)
    assert "decided by a moderator (they agreed now\u0335\u0335\u0335\u0335)" in channel_text(env)
