"""Ladders: each promise of docs/ladder.md."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from bot.core.errors import Refusal
from bot.core.i18n.mentions import message_link
from bot.core.permissions.members import Members
from bot.features.challenges.blocks import Blocks
from bot.features.ladder.challenges import MAX_ACTS, LadderChallenges
from bot.features.ladder.service import Ladders
from bot.play.matches import endings
from bot.play.matches.erasure import Erasure
from data.ladders import ladders
from data.store.store import Store
from playground.events import ChannelUpdated
from playground.model import Overwrite
from playground.permissions import Permission
from tests.end_to_end.harness import Environment, unlinked
from tests.end_to_end.ladders import (
    call,
    challenge,
    ladder,
    ladder_view,
    opened,
    order,
    play,
    post,
    posts,
    resign_ladder_match,
)
from tests.end_to_end.people import (
    LATE,
    confirm,
    delete_data,
    form_of,
    letters,
    may_manage,
    messages_with,
    owners_letters,
    submit,
)
from tests.end_to_end.verification import verify_match


async def test_new_players_start_at_the_bottom(env: Environment) -> None:
    message = await opened(env)
    assert "Nobody is on it yet" in message.text
    assert "at the top" in (await env.ben.press(message, "Join")).text
    assert "at place 2" in (await env.ann.press(message, "Join")).text
    assert "already on" in (await env.ann.press(message, "Join")).text
    await env.settled()
    assert await order(env) == "BA"
    assert f"**1.** {env.ben.mention}\n**2.** {env.ann.mention}" in post(env).text


async def test_a_winning_challenger_takes_the_place_and_those_between_move_down(
    env: Environment,
) -> None:
    await ladder(env, 4)
    number = await play(env, env.dan, env.ann)
    assert f"{env.ann.mention} · playing {env.dan.mention}" in post(env).text
    assert f"match #{number}" in unlinked(call(env).text)
    await resign_ladder_match(env, number, env.ann)
    assert await order(env) == "DABC"
    messages = posts(
        env, f"{env.dan.mention} beat {env.ann.mention} and takes place 1 on the Tablut"
    )
    assert len(messages) == 1
    ladder_link = message_link(env.guild.id, env.channel().id, post(env).id)
    assert f"[Tablut ladder]({ladder_link})" in messages[0].text
    assert "beat" in call(env).text
    assert f"**1.** {env.dan.mention}\n**2.** {env.ann.mention}\n" in post(env).text
    assert not call(env).buttons


async def test_an_unanswered_challenge_is_reminded_of_and_costs_the_place(env: Environment) -> None:
    await ladder(env, 3)
    await challenge(env, env.carol, env.ann)
    assert "by <t:" in call(env).text
    await env.advance(days=2, hours=1)
    assert posts(env, f"{env.ann.mention}, {env.carol.mention} is waiting for your answer")
    assert await order(env) == "ABC"
    await env.advance(hours=23)
    assert await order(env) == "CAB"
    reason = f"takes place 1 on the Tablut ladder: {env.ann.mention} didn't answer in time"
    assert posts(env, f"{env.carol.mention} {reason}")
    assert not call(env).buttons
    assert (await ladder_view(env)).challenges == ()


async def test_declining_is_free_once_and_then_costs_the_place(env: Environment) -> None:
    await ladder(env, 3)
    await challenge(env, env.carol, env.ann)
    assert call(env).pinged == (env.ann.user,)
    question = await env.ann.press(call(env), "Decline")
    assert "You keep your place" in question.text
    assert "keeps their place" in (await confirm(env, env.ann, question, "Decline")).text
    assert await order(env) == "ABC"
    (message,) = posts(env, f"{env.carol.mention}, {env.ann.mention} passes this time")
    assert message.pinged == (env.carol.user,), "Ann knows"
    assert "can meet again" in (await challenge(env, env.carol, env.ann)).text
    await challenge(env, env.ben, env.ann)
    question = await env.ann.press(call(env), "Decline")
    assert "takes your place" in question.text
    await confirm(env, env.ann, question, "Decline")
    assert await order(env) == "BAC"


async def test_reminders_about_a_blocked_challenger_do_not_ping(env: Environment) -> None:
    await ladder(env, 2)
    await challenge(env, env.ben, env.ann)
    await env.ann.slash("/block", user=env.ben)
    await env.advance(days=2, hours=1)
    (message,) = posts(env, f"{env.ann.mention}, {env.ben.mention} is waiting for your answer")
    assert message.pinged == ()


async def test_only_the_challenged_player_can_answer_and_only_the_challenger_withdraw(
    env: Environment,
) -> None:
    await ladder(env, 3)
    await challenge(env, env.ben, env.ann)
    for button in ("Accept", "Decline"):
        assert f"Only {env.ann.mention}" in (await env.carol.press(call(env), button)).text
        assert f"Only {env.ann.mention}" in (await env.ben.press(call(env), button)).text
    assert f"Only {env.ben.mention}" in (await env.ann.press(call(env), "Withdraw")).text
    assert "Withdrawn" in (await env.ben.press(call(env), "Withdraw")).text
    await env.settled()
    assert await order(env) == "ABC"
    assert "can meet again" in (await challenge(env, env.ben, env.ann)).text


async def test_players_too_far_above_or_below_cannot_be_challenged(env: Environment) -> None:
    await ladder(env, 6, reach=2)
    far = "isn't within reach. You can challenge up to 2 places"
    assert far in (await challenge(env, env.dan, env.ann)).text
    assert far in (await challenge(env, env.ann, env.dan)).text
    assert "yourself" in (await challenge(env, env.ann, env.ann)).text
    menu = await env.dan.slash("/ladder challenge")
    labels = [choice.label for choice in menu.shown.menus[0].options]
    assert labels == ["Place 3: Carol", "Place 2: Ben"]
    picked = await env.dan.choose(menu.shown, str(env.ben.id))
    assert f"Challenge sent. {env.ben.mention} can answer until" in picked.text
    await env.settled()
    assert f"{env.dan.mention} challenges {env.ben.mention}" in call(env).text
    asked = rf"{env.ben.mention}, answer by .*, or {env.dan.mention} takes your place\."
    assert re.search(asked, call(env).text), "who is asked, and by whom"
    assert "Beat one of the 2 players above you and take their place" in post(env).text
    assert "still open" in (await env.dan.press(post(env), "Challenge")).text


async def test_a_second_challenge_waits_until_the_first_is_over(env: Environment) -> None:
    await ladder(env, 4)
    number = await play(env, env.dan, env.ann)
    first = call(env)
    await challenge(env, env.carol, env.ann)
    await challenge(env, env.ben, env.ann)
    await env.advance(seconds=1)
    assert call(env) is first, "nobody is pinged before it is their turn"
    assert f"{env.ann.mention} · playing {env.dan.mention} · 2 in line" in post(env).text
    assert "2 players are in line" in (await env.ann.press(post(env), "My place")).text
    mine = await env.ben.press(post(env), "My place")
    assert "2 challenges for this place come first" in mine.text
    assert "is in line" in (await env.ben.press(post(env), "Challenge")).text
    await env.stop()
    await env.start()
    # Dan wins, so those in line play him for the place.
    await resign_ladder_match(env, number, env.ann)
    assert await order(env) == "DABC"
    assert f"{env.carol.mention} challenges {env.dan.mention}." in call(env).text
    assert "30 days each for the whole game" in call(env).text
    assert call(env).pinged == (env.dan.user,)
    question = await env.dan.press(call(env), "Decline")
    assert "takes your place" in question.text, "nobody passes on those who waited"
    assert "Withdrawn" in (await env.ben.press(mine.shown, "Withdraw")).text
    await env.settled()
    assert "in line" not in post(env).text


async def test_a_challenge_in_line_lapses_if_the_challenger_is_above_by_then(
    env: Environment,
) -> None:
    await ladder(env, 4)
    number = await play(env, env.dan, env.ben)
    await challenge(env, env.carol, env.ben)
    async with env.store.write() as tx:
        await ladders.move(tx, 1, env.carol.id, before=3, after=1)
    await resign_ladder_match(env, number, env.dan)
    assert await order(env) == "CABD"
    (message,) = posts(env, f"{env.carol.mention}, your challenge to {env.ben.mention}")
    assert message.pinged == (env.carol.user,)
    assert (await ladder_view(env)).challenges == ()


async def test_running_out_of_time_loses_without_a_claim(env: Environment) -> None:
    await ladder(env, 2, days=1)
    number = await play(env, env.ben, env.ann)
    await env.play_a_while(number)
    late = (await env.position(number)).to_move
    assert late is not None
    await env.advance(days=1, minutes=1)
    assert (await env.position(number)).match.finished
    assert not messages_with(env, LATE), "nobody is asked to abort so that nothing is counted"
    assert await order(env) == ("BA" if late.user_id == env.ann.id else "AB")
    assert (await ladder_view(env)).challenges == ()


async def test_no_one_loses_a_place_while_on_vacation(env: Environment) -> None:
    await ladder(env, 3)
    await env.done(env.ann.slash("/me vacation", days=10))
    assert "is on vacation" in (await challenge(env, env.ben, env.ann)).text
    await challenge(env, env.carol, env.ben)
    await env.ben.slash("/me vacation", days=10)
    await env.advance(days=10, hours=23)
    assert await order(env) == "ABC"
    assert posts(env, f"{env.ben.mention}, {env.carol.mention} is waiting for your answer")
    await env.advance(hours=1)
    assert await order(env) == "ACB"


async def test_inactive_players_slide_one_place_a_week_and_are_removed_eventually(
    env: Environment,
) -> None:
    await ladder(env, 3, idle_days=30, pause_days=0)
    await env.advance(days=20)
    await resign_ladder_match(env, await play(env, env.carol, env.ben), env.carol)
    await env.advance(days=11)
    # Ben and Carol have played, Ann has not: only she slides.
    assert await order(env) == "BAC"
    assert "slid to place 2: no games" in post(env).text
    await env.advance(days=7)
    assert await order(env) == "BCA"
    reply = await env.ann.press(post(env), "My place")
    assert "Place **3** of 3 · best 1" in reply.text
    assert "1 → 2 → 3" in reply.text


async def test_leaving_closes_the_open_challenges_to_the_player(env: Environment) -> None:
    await ladder(env, 4)
    await challenge(env, env.dan, env.ann)
    assert (
        "You've left"
        in (await confirm(env, env.ann, await env.ann.press(post(env), "Leave"), "Leave")).text
    )
    assert await order(env) == "DBC"
    assert posts(
        env, f"{env.ann.mention} has left the Tablut ladder, and {env.dan.mention} moves up"
    )
    assert "at place 4" in (await env.ann.press(post(env), "Join")).text


async def test_a_game_in_progress_continues_when_a_player_leaves_the_ladder(
    env: Environment,
) -> None:
    await ladder(env, 3)
    number = await play(env, env.carol, env.ann)
    await env.app.get(Ladders).leave(1, env.guild.id, env.carol.id)
    await env.settled()
    assert await order(env) == "AB"
    await resign_ladder_match(env, number, env.ann)
    assert await order(env) == "AB"


async def test_players_who_leave_the_server_are_removed(env: Environment) -> None:
    await ladder(env, 3)
    env.world.remove_member(env.guild, env.ann.user)
    await env.advance(days=1, minutes=1)
    assert await order(env) == "BC"


async def test_who_has_just_left_the_server_is_neither_challenged_nor_accepted(
    env: Environment,
) -> None:
    await ladder(env, 4)
    await challenge(env, env.ben, env.ann)
    everyone = [person.id for person in env.people]
    assert not await env.app.get(Members).departed(env.guild.id, everyone)
    env.ben.leaves_server()
    env.carol.leaves_server()
    assert "isn't on this server" in (await challenge(env, env.dan, env.carol)).text
    await env.done(env.ann.press(call(env), "Accept"))
    assert await order(env) == "AD"


async def test_deleted_players_leave_and_become_former_players(env: Environment) -> None:
    await ladder(env, 3)
    await resign_ladder_match(env, await play(env, env.carol, env.ben), env.ben)
    await challenge(env, env.ben, env.carol)
    await env.app.get(Erasure).erase(env.carol.id)
    await env.settled()
    assert await order(env) == "AB"
    reply = await env.ann.slash("/ladder history")
    assert "a former player" in reply.text
    assert str(env.carol.id) not in reply.text


async def test_blocking_neither_wins_nor_saves_a_place(env: Environment) -> None:
    await ladder(env, 3)
    blocks = env.app.get(Blocks)
    # Blocking the challenged player does not win their place.
    await challenge(env, env.carol, env.ann)
    await blocks.add(env.carol.id, env.ann.id)
    await env.advance(days=3, hours=1)
    assert await order(env) == "ABC"
    # Blocking the challenger does not save one's own.
    await challenge(env, env.ben, env.ann)
    await blocks.add(env.ann.id, env.ben.id)
    assert "You've blocked" in (await env.ann.press(call(env), "Accept")).text
    await env.advance(days=3, hours=1)
    assert await order(env) == "BAC"


async def test_a_result_is_processed_after_a_kill(env: Environment) -> None:
    await ladder(env, 2)
    number = await play(env, env.ben, env.ann)
    await env.play_a_while(number)
    position = await env.position(number)
    loser = next(p for p in position.match.players if p.user_id == env.ann.id)
    await env.stop()
    store = await Store.open(env.database)
    async with store.write() as tx:
        await endings.end(
            tx, position, endings.lost(position, loser, "resigned"), by=None, at=env.now()
        )
    await store.close()
    await env.start()
    await env.settled()
    assert await order(env) == "BA"
    assert len(posts(env, f"{env.ben.mention} beat {env.ann.mention}")) == 1


async def test_the_bots_downtime_costs_no_one_a_place(env: Environment) -> None:
    await ladder(env, 2)
    await challenge(env, env.ben, env.ann)
    await env.stop()
    env.clock.advance(timedelta(days=5).total_seconds())
    await env.start()
    await env.settled()
    assert await order(env) == "AB"
    assert posts(env, f"{env.ann.mention}, {env.ben.mention} is waiting for your answer")
    await env.advance(days=1, minutes=1)
    assert await order(env) == "BA"


async def test_a_deleted_post_comes_back_with_the_next_change(env: Environment) -> None:
    env.expected |= {404}
    message = await ladder(env, 2)
    env.playground.messages.delete(message)
    await env.done(env.carol.slash("/ladder join"))
    assert post(env) is not message
    assert f"**3.** {env.carol.mention}" in post(env).text


async def test_a_ladder_without_its_channel_pauses_and_resumes_in_another(env: Environment) -> None:
    env.expected |= {404}
    there = env.channel("elsewhere")
    there.overwrites[env.ann.id] = Overwrite(1, allow=Permission.MANAGE_GUILD)
    for person in env.people:
        person.place = there
    await env.ann.slash("/ladder open", options={"game": "tablut"})
    for person in env.people[:3]:
        await person.slash("/ladder join")
    await challenge(env, env.carol, env.ann)
    env.world.remove_channel(there)
    await env.advance(days=40)
    assert await order(env) == "ABC"
    assert "the ladder is paused" in letters(env, env.ann)[-1].text
    for person in env.people:
        person.place = env.channel("games")
    assert "it's paused" in (await challenge(env, env.ben, env.ann)).text
    with pytest.raises(Refusal, match="it's paused"):
        await env.app.get(LadderChallenges).accept(1, env.guild.id, env.ann.id)
    may_manage(env, env.ann)
    reply = await env.ann.slash("/ladder open", options={"game": "tablut"})
    assert "goes on in" in reply.text
    await env.advance(days=2, hours=23)
    assert await order(env) == "ABC"
    await env.advance(hours=2)
    assert await order(env) == "CAB"


async def test_the_owner_is_told_of_a_deleted_channel_if_the_opener_deleted_their_data(
    env: Environment,
) -> None:
    env.expected |= {404}
    there = env.channel("elsewhere")
    there.overwrites[env.ann.id] = Overwrite(1, allow=Permission.MANAGE_GUILD)
    await env.done(env.ann.slash("/ladder open", channel=there, options={"game": "tablut"}))
    await delete_data(env, env.ann)
    env.world.remove_channel(there)
    await env.done(env.ben.slash("/ladder join"))
    (message,) = owners_letters(env)
    assert "the ladder is paused" in message.text


async def test_no_one_loses_a_place_if_the_bot_may_not_post(env: Environment) -> None:
    env.expected |= {403}
    await ladder(env, 2, answer_days=1)
    env.forbid(Permission.SEND_MESSAGES)
    await challenge(env, env.ben, env.ann)
    assert "Send Messages" in owners_letters(env)[-1].text
    await env.advance(days=1, hours=6)
    assert await order(env) == "AB"
    env.allow(Permission.SEND_MESSAGES)
    await env.advance(hours=1)
    assert "challenges" in call(env).text
    await env.done(env.ann.press(call(env), "Accept"))


async def test_only_managers_can_open_close_and_remove(env: Environment) -> None:
    await ladder(env, 3)
    for path, options in (
        ("/ladder open", {"game": "tablan"}),
        ("/ladder close", {}),
        ("/ladder remove", {"player": env.ann}),
    ):
        reply = await env.ben.slash(path, options=options)
        assert "Manage Server" in reply.text, path
    for path, options in (
        ("/ladder open", {"game": "tablut"}),
        ("/ladder close", {}),
        ("/ladder remove", {"player": env.ben}),
    ):
        reply = await env.ann.slash(path, options=options)
        assert "You're on the Tablut ladder, so someone else" in reply.text, path
    may_manage(env, env.dan)
    reply = await env.dan.slash("/ladder remove", options={"player": env.ben})
    assert "is off the" in reply.text
    assert await order(env) == "AC"
    assert (
        "is closed"
        in (await confirm(env, env.dan, await env.dan.slash("/ladder close"), "Close it")).text
    )
    assert "**Closed.**" in post(env).text
    assert not post(env).buttons
    assert "no such ladder here yet" in (await env.ben.slash("/ladder show")).text


async def test_the_profile_shows_the_current_and_best_place(env: Environment) -> None:
    await ladder(env, 2)
    await resign_ladder_match(env, await play(env, env.ben, env.ann), env.ann)
    reply = await env.ann.slash("/profile")
    assert "**Tablut ladder:** place 2, best 1" in reply.text


async def test_a_ladder_is_hidden_from_those_who_cannot_read_its_channel(env: Environment) -> None:
    await ladder(env, 2)
    hidden = env.channel("games").overwrites.setdefault(env.carol.id, Overwrite(1))
    hidden.deny |= Permission.VIEW_CHANNEL
    env.world.emit(ChannelUpdated(env.channel("games")))
    reply = await env.carol.slash("/ladder show", channel="elsewhere")
    assert "no such ladder" in reply.text


async def test_long_ladders_have_pages(env: Environment) -> None:
    message = await opened(env)
    async with env.store.write() as tx:
        for place in range(1, 61):
            await ladders.enter(
                tx,
                1,
                1000 + place,
                place=place,
                at=env.now(),
                slide_at=env.now() + timedelta(days=30),
            )
    await env.done(env.ben.press(message, "Join"))
    assert "**25.**" in post(env).text
    assert "**26.**" not in post(env).text
    page = await env.ben.press(post(env), "Whole ladder")
    page = await env.ben.press(page.shown, "Page 2")
    page = await env.ben.press(page.shown, "Page 3")
    assert f"**61.** {env.ben.mention}" in page.text


async def test_a_ladder_is_shown_in_the_servers_language(env: Environment) -> None:
    await env.change_settings(language="de")
    may_manage(env, env.ann)
    await env.done(env.ann.slash("/ladder open", options={"game": "tablut"}))
    (message,) = posts(env, "### Rangleiter: Tablut")
    assert [button.label for button in message.buttons][:2] == ["Mitmachen", "Herausfordern"]


async def test_joining_and_leaving_repeatedly_is_limited(env: Environment) -> None:
    message = await opened(env)
    service, guild = env.app.get(Ladders), env.guild.id
    for _ in range(MAX_ACTS):
        await service.join(1, guild, env.ben.id)
        await service.leave(1, guild, env.ben.id)
    await env.settled()
    assert "limit of 10 an hour" in (await env.ben.press(message, "Join")).text


SEAL = re.compile(
    r"Fair throws, sealed: ladder challenge (\d+) · ([0-9a-f]{8}\|\|[0-9a-f]{24}\|\|)$",
    re.MULTILINE,
)


async def test_the_challenge_shows_fingerprint_and_words_and_the_record_proves_them(
    env: Environment,
) -> None:
    await ladder(env, 2, game="tablan")
    await challenge(env, env.ben, env.ann)
    made = call(env, title="Tablan")
    sealed = SEAL.search(made.text)
    assert sealed is not None, made.text
    fingerprint = sealed[2].replace("|", "")
    await submit(env, env.ben, await form_of(env.ben, made), "geese")
    await submit(env, env.ben, await form_of(env.ben, made), " three   geese ")
    made = call(env, title="Tablan")
    assert f"{env.ben.mention} `three geese`" in made.text
    assert SEAL.search(made.text), "adding a word changes no seed"
    stranger = await env.carol.press(made, "Add a word…")
    assert stranger.modal is None
    assert "for someone else" in stranger.text
    late = await form_of(env.ben, made)
    answer = await form_of(env.ann, made)
    assert answer.modal is not None
    assert answer.modal.title == "Accept with a word"
    await submit(env, env.ann, answer, "a mill")
    made = call(env, title="Tablan")
    assert f"{env.ann.mention} `a mill`" in made.text
    assert sealed[0] in made.text
    assert not made.buttons
    assert "accepted: match #1" in (await submit(env, env.ben, late, "too late")).text
    during = await env.carol.slash("/match verify", number=1)
    for text in (fingerprint, f"ladder challenge {sealed[1]}", "three geese", "a mill"):
        assert text in during.text
    await env.play_a_while(1, moves=8)  # so that other draws cannot equal all throws by chance
    await env.resign(env.ann)
    record = await verify_match(env)
    assert re.search(rf'\[Commitment "{fingerprint}[0-9a-f]{{32}}"\]', record)
    assert f'[Challenge "ladder challenge {sealed[1]}"]' in record
    assert re.search(r'\[Word "(white|black)=three geese"\]', record)
    assert re.search(r'\[Word "(white|black)=a mill"\]', record)
    assert "[Drawn " in record, "at their first meeting, sides are drawn"


async def test_a_ladder_of_a_game_without_throws_shows_none_of_this(env: Environment) -> None:
    await ladder(env, 2)
    await challenge(env, env.ben, env.ann)
    assert "sealed" not in call(env).text
    assert "Add a word…" not in [button.label for button in call(env).buttons]
