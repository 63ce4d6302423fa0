"""Tournaments, from the announcement to the podium."""

from __future__ import annotations

import asyncio
import random
import re
from typing import Any

import pytest

from bot.core.i18n.mentions import message_link
from bot.core.permissions.members import Members
from bot.core.workers.fair_queue import MAX_WAITING, Requester
from bot.features.tournaments import service, steps
from bot.features.tournaments.best_game import MIN_MOVES
from bot.features.tournaments.files import exported
from bot.features.tournaments.rules import pairing
from bot.features.tournaments.service import Tournaments
from bot.play.matches.service import Matches
from data.tournaments import tournaments
from data.tournaments.tournaments import State
from data.tournaments.values import Format
from engine.luck import commitment
from playground.events import ChannelUpdated
from playground.model import Message, Overwrite, Role
from playground.permissions import Permission
from playground.reply import Reply
from playground.uploads import Upload
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import delete_data, letters, may_manage, owners_letters
from tests.end_to_end.tournaments import (
    analysed,
    announcement,
    create,
    create_in,
    manager,
    named,
    open_matches,
    people,
    play_out,
    play_round,
    posts,
    sign_up,
    start,
    tournament_view,
)

CUP = {"game": "tablut", "name": "Winter Cup", "rounds": 2}


async def test_a_swiss_of_eight_over_two_rounds_is_played_to_its_podium(env: Environment) -> None:
    dice = random.Random(8)
    last_message = await start(env, 8, rounds=2)
    assert "**Round 1 of 2**" in announcement(env).text
    for number in (1, 2):
        post = posts(env, last_message)[-1]
        assert f"**Round {number} of 2**" in post.text
        assert post.text.count("match #") == 4
        await env.advance(seconds=31)
        assert "0 of 4 games decided" in posts(env, last_message)[-1].text
        await play_round(env, dice, moves=2 * MIN_MOVES if number == 1 else 6)
    assert (await tournament_view(env)).tournament.state is State.FINISHED
    rounds = [message for message in posts(env, last_message) if message.text.startswith("**Round")]
    assert ["4 of 4 games decided" in message.text for message in rounds] == [True] * 2
    for post in rounds:
        assert post.picture is not None
        assert re.search(r"Place 1: number 1 \(\w+\)\.", post.alt or "")
        assert "Standings: 1. <@" in post.text, "the picture has names for numbers"
    podium = posts(env, last_message)[-1]
    assert podium.text.startswith("### Winter Cup is over")
    assert "**1st:**" in podium.text
    assert podium.picture is not None
    assert "**Won by" in announcement(env).text
    assert "Best game" not in podium.text
    await analysed(env)
    (text,) = [line for line in podium.text.splitlines() if "Best game, by the analysis" in line]
    assert "nobody gave away more than 20 %" in text
    assert (
        f"[match #{(await tournament_view(env)).pairings[0].games[0].match_id}](https://discord.com"
        in text
    )
    assert podium.picture is not None


async def test_a_knockout_of_five_ends_with_a_final(env: Environment) -> None:
    dice = random.Random(5)
    message = await start(env, 5, format="knockout", game="tablan")
    await env.advance(seconds=31)
    standings = (await env.ben.slash("/tournament standings", channel="games")).text
    assert "In the bracket: <@" in standings
    assert "No results yet." in standings
    assert "won" not in standings
    assert "shared place" not in standings
    alt = posts(env, message)[0].alt or ""
    assert re.search(r"4 \(\w+\) plays against 5 \(\w+\)\.", alt), "before any game"
    played: dict[int, int] = {}
    while (await tournament_view(env)).tournament.state is State.RUNNING:
        played[(await tournament_view(env)).tournament.round] = len(await open_matches(env))
        await env.advance(seconds=31)
        await play_round(env, dice, moves=12)
    assert played == {1: 1, 2: 2, 3: 1}
    view = await tournament_view(env)
    assert (view.plan.format, view.tournament.state) == (Format.KNOCKOUT, State.FINISHED)
    headings = [m.text.splitlines()[0] for m in posts(env, message)[:3]]
    assert headings == ["**Quarter-final**", "**Semi-final**", "**Final**"]
    first = posts(env, message)[0]
    last = posts(env, message)[2]
    assert re.search(r"Quarter-final: [45] \(.* Semi-final: .* Final: ", last.alt or "")
    assert not [m for m in posts(env, message) if "Round 1" in f"{m.text} {m.alt}"]
    assert "has a bye" in first.text
    assert "In the bracket: <@" in first.text
    assert "#1 <@" not in first.text, "nobody has a number in the picture"
    assert "The knockout bracket" in (first.alt or "")
    await analysed(env)


async def test_nine_play_thaayam_at_tables_of_three(env: Environment) -> None:
    dice = random.Random(9)
    message = await start(env, 9, game="thaayam", players=3, rounds=1)
    assert len(await open_matches(env)) == 3
    await env.advance(seconds=31)
    await play_round(env, dice, moves=9)
    assert (await tournament_view(env)).tournament.state is State.FINISHED
    standings = await env.ben.slash("/tournament standings", channel="games")
    assert len(named(standings.text)) == 9
    podium = posts(env, message)[-1]
    assert "**1st:**" in podium.text
    assert podium.picture is None
    assert "Standings: 1. <@" in podium.text
    await analysed(env)


async def test_standings_come_as_text_where_files_are_not_allowed(env: Environment) -> None:
    dice = random.Random(11)
    message = await start(env, 4, rounds=2, game="tablaaza")
    await env.advance(seconds=31)
    await play_out(env, (await open_matches(env))[0], dice)
    await env.settled()
    assert posts(env, message)[0].picture is not None
    env.forbid(Permission.ATTACH_FILES)
    env.expected |= {403}
    env.allow_pending = True  # the match's last board has no place either
    for match in await open_matches(env):
        position = await env.position(match)
        await env.app.get(Matches).resign(match, position.match.players[0].user_id)
    await env.settled()
    post = posts(env, message)[0]
    assert post.picture is None
    assert "Standings: 1. <@" in post.text


async def test_the_chosen_rules_are_shown_and_used(env: Environment) -> None:
    message = await start(env, 2, game="tablan", options="rules=bell", rounds=1)
    assert "Rules: Bell" in message.text
    (match,) = await open_matches(env)
    played = (await env.position(match)).match
    assert (played.options["rules"], played.options["course"]) == ("bell", "opposed")
    await env.advance(seconds=31)


async def test_a_player_signs_up_once_leaves_and_returns(env: Environment) -> None:
    message = await create(env)
    reply = (await env.ben.press(message, "Sign up")).private
    link = message_link(env.guild.id, env.channel().id, message.id)
    assert f"You're in **[Winter Cup]({link})**. I'll ping you when it starts." in reply
    assert "already in" in (await env.ben.press(message, "Sign up")).text
    await env.settled()
    assert "**1 player:**" in announcement(env).text
    question = await env.ben.press(message, "Leave")
    assert "You've left" in (await env.ben.press(question.shown, "Leave")).text
    assert "not in this tournament" in (await _left(env, message)).text
    assert "You're in" in (await env.ben.slash("/tournament join", channel="games")).text
    await env.settled()
    assert named(announcement(env).text) == {env.ann.id, env.ben.id}


async def _left(env: Environment, message: Message) -> Reply:
    question = await env.carol.press(message, "Leave")
    return await env.carol.press(question.shown, "Leave")


async def test_only_the_organiser_and_managers_run_a_tournament(env: Environment) -> None:
    message = await start(env, 4)
    for reply in (
        await env.ben.press(message, "Manage"),
        await env.ben.slash("/tournament pair", channel="games"),
        await env.ben.slash("/tournament end", channel="games"),
    ):
        assert "Only the organiser" in reply.text
    choices = await env.ann.press(message, "Manage")
    assert [button.label for button in choices.shown.buttons] == ["Adjourn"]
    max_ = manager(env)
    choices = await max_.press(message, "Manage")
    assert [button.label for button in choices.shown.buttons] == [
        "Next round",
        "Adjourn",
        "End it",
    ]
    may_manage(env, env.carol)
    refused = await env.carol.slash("/tournament pair", channel="games")
    assert "You play in **Winter Cup**" in refused.text
    question = await max_.press(choices.shown, "Next round")
    assert "Open games are drawn and unrated" in question.text
    await env.done(max_.press(question.shown, "Next round"))
    assert (await tournament_view(env)).tournament.round == 2
    told = [post.text for post in posts(env, message) if "ended round 1" in post.text]
    assert told[0].startswith(f"<@{max_.id}> ended round 1 of **Winter Cup**.")
    await env.advance(seconds=31)


async def test_managers_run_a_deleted_organisers_tournament(env: Environment) -> None:
    env.allow_pending = True
    post, dice = await create(env, rounds=2, verdict="draw"), random.Random(4)
    other = await create(env, name="Summer Cup")
    await sign_up(env, post, 5, first=1)
    await delete_data(env, env.ann)
    may_manage(env, env.carol)
    for message in (post, other):
        assert "Someone who manages the server starts it." in message.text
        assert "former player" not in message.text
    choices = await env.carol.press(other, "Manage")
    question = await env.carol.press(choices.shown, "End it")
    await env.done(env.carol.press(question.shown, "End it"))
    assert "**Cancelled.**" in other.text
    reply = await env.carol.slash("/tournament start", channel="games")
    assert "has started" in reply.text
    await env.settled()
    await play_round(env, dice)
    await env.advance(seconds=31)
    assert (await tournament_view(env)).tournament.round == 2, "it continues automatically"


async def test_the_owner_is_told_of_a_deleted_channel_if_the_organiser_is_gone(
    env: Environment,
) -> None:
    env.expected |= {404}
    await create_in(env.ann, "elsewhere", **CUP)
    await env.settled()
    env.world.remove_channel(env.channel("elsewhere"))
    await delete_data(env, env.ann)
    await env.settled()
    (message,) = owners_letters(env)
    assert "The channel of **Winter Cup** was deleted" in message.text


async def test_buttons_adjourn_resume_and_end_a_tournament(env: Environment) -> None:
    post = await start(env, 4)
    await env.advance(seconds=31)
    for press, text, state in (
        ("Adjourn", "is adjourned", State.ADJOURNED),
        ("Go on", "goes on", State.RUNNING),
        ("End it", "has ended", State.CANCELLED),
    ):
        person = manager(env) if press == "End it" else env.ann
        choices = await person.press(announcement(env), "Manage")
        reply = await person.press(choices.shown, press)
        if press != "Go on":
            reply = await person.press(reply.shown, press)
        await env.settled()
        assert text in choices.shown.text
        assert (await tournament_view(env)).tournament.state is state
    assert [message.text.split("\n")[0] for message in posts(env, post)][-3:] == [
        "**Winter Cup** is adjourned. Open games go on, the next round waits.",
        "**Winter Cup** goes on.",
        "**Winter Cup** is cancelled. Games in progress go on as ordinary games.",
    ]
    assert "**Cancelled.**" in announcement(env).text
    assert not announcement(env).buttons or "Sign up" not in str(announcement(env).buttons)


@pytest.mark.parametrize("threads", [False, True])
async def test_all_about_a_tournament_can_be_looked_up_and_leads_to_its_boards(
    env: Environment, *, threads: bool
) -> None:
    await env.change_settings(threads=threads)
    message = await start(env, 4)
    await env.advance(seconds=6)
    (text,) = [one.text for one in posts(env, message) if "Round 1" in one.text]
    pairings = (await env.ben.slash("/tournament pairings", channel="games")).private
    for shown in (text, pairings):
        assert shown.count("](https://discord.com/channels/") == 2
    own = await env.ben.slash("/tournament games", channel="games")
    assert own.text.count("match #") == 1
    listed = await env.carol.slash("/tournament list", channel="games")
    assert "**Winter Cup**" in listed.text
    assert "round 1" in listed.text
    standings = await env.dan.slash("/tournament standings", channel="games")
    assert len(named(standings.text)) == 4
    assert "No results yet." in standings.text
    assert "shared place" not in standings.text
    assert standings.shown.picture is not None
    turned = await env.dan.press(standings.shown, "Pairings")
    assert "**Round 1" in turned.shown.text
    await env.advance(seconds=31)


async def test_after_its_thread_is_deleted_a_tournament_returns_to_the_channel(
    env: Environment,
) -> None:
    env.expected |= {404}
    dice = random.Random(3)
    message = await start(env, 4, rounds=2)
    await env.advance(seconds=31)
    env.world.remove_channel(env.guild.threads[message.id])
    await play_round(env, dice)
    await env.advance(seconds=31)
    channel = env.channel("games")
    assert [m for m in channel.messages.values() if m.text.startswith("**Round 2 of 2**")]


async def test_a_deleted_channel_adjourns_a_tournament_until_it_resumes_in_another(
    env: Environment,
) -> None:
    env.expected |= {404}
    env.allow_pending = True
    dice = random.Random(2)
    for person in people(env, 4):
        person.place = env.channel("elsewhere")
    options = {"game": "tablut", "name": "Winter Cup", "rounds": 2}
    await create_in(env.ann, "elsewhere", **options)
    await env.settled()
    for person in people(env, 4):
        await person.slash("/tournament join", channel="elsewhere")
    await env.done(env.ann.slash("/tournament start", channel="elsewhere"))
    env.world.remove_channel(env.channel("elsewhere"))
    await play_round(env, dice)
    await env.settled()
    assert (await tournament_view(env)).tournament.state is State.ADJOURNED
    messages = [letter for letter in letters(env, env.ann) if "Winter Cup" in letter.text]
    assert len(messages) == 1
    # It resumes only where one could be created.
    env.world.add_thread(env.channel("games"), "our corner", env.ann.user)
    await env.change_settings(channels=(env.channel("games").id,))
    for channel, text in (
        ("our corner", "Its channel is gone. Start it in another channel, not in a thread."),
        ("general", "games are played in"),
        ("games", "goes on"),
    ):
        assert text in (await env.ann.slash("/tournament start", channel=channel)).text
    await env.settled()
    assert (await tournament_view(env)).tournament.state is State.RUNNING
    assert announcement(env).buttons


async def test_a_monthly_one_without_its_channel_ends_and_its_organiser_is_told(
    env: Environment,
) -> None:
    env.expected |= {404}
    options = CUP | {"starts_in": 3, "monthly": True}
    made = await create_in(env.ann, "elsewhere", **options)
    assert "open for sign-ups" in made
    assert "Manage" not in made, "it starts by itself"
    await env.settled()
    env.world.remove_channel(env.channel("elsewhere"))
    await env.advance(days=120)
    found = await env.app.get(Tournaments).of_server(env.guild.id)
    assert [one.state for one in found] == [State.CANCELLED] * 2
    (message,) = letters(env, env.ann)
    assert "**Winter Cup** was deleted, so it stops repeating every month" in message.text


@pytest.mark.parametrize("paired", [False, True])
async def test_who_has_just_left_the_server_does_not_play(
    env: Environment, monkeypatch: pytest.MonkeyPatch, *, paired: bool
) -> None:
    message, pair = await create(env), steps.next_round
    await sign_up(env, message, 4)

    async def next_round(*args: Any) -> Any:
        if paired:
            env.ben.leaves_server()
        return await pair(*args)

    monkeypatch.setattr(steps, "next_round", next_round)
    everyone = [person.id for person in people(env, 4)]
    assert not await env.app.get(Members).departed(env.guild.id, everyone)
    if not paired:
        env.ben.leaves_server()
    await env.ann.slash("/tournament start", channel="games")
    await env.advance(seconds=31)
    view = await tournament_view(env)
    matches = [
        game.match_id for one in view.pairings for game in one.games if env.ben.id in one.players
    ]
    assert matches == [None] * paired


async def test_a_managers_posts_per_hour_are_limited(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MAX_RUN", 1)
    message = await start(env, 4, rounds=3)
    for action in ("pair", "adjourn"):
        reply = await manager(env).slash(f"/tournament {action}", channel="games")
        done = await env.done(
            manager(env).press(reply.shown, custom_id=reply.shown.buttons[0].custom_id)
        )
    assert "limit of 1 an hour" in done.text
    assert (await tournament_view(env)).tournament.state is not State.ADJOURNED
    await env.advance(seconds=31)
    assert not [post for post in posts(env, message) if "adjourned" in post.text]


@pytest.mark.parametrize("away", [False, True])
async def test_a_deleted_role_closes_sign_up_until_the_organiser_opens_it_to_everyone(
    env: Environment, *, away: bool
) -> None:
    world, guild = env.world, env.guild
    role = Role(world.ids.next(), "Club")
    guild.roles[role.id] = role
    guild.members[env.ben.id].role_ids.append(role.id)
    if not away:
        await env.restart()  # so that the bot knows it
    message = await create(env)
    async with env.store.write() as tx:
        made = await tournaments.lock(tx, 1)
        assert made is not None
        await tournaments.change(tx, made, role_id=role.id)
    if not away:
        assert "for <@&" in (await env.carol.press(message, "Sign up")).text
        assert "You're in" in (await env.ben.press(message, "Sign up")).text
    world.delete_role(guild, role.id)
    await env.settled()
    assert (
        "has been deleted, so nobody can sign up"
        in (await env.carol.press(message, "Sign up")).text
    )
    await env.settled()
    assert "for a role that was deleted" in announcement(env).text
    (told,) = [post for post in posts(env, message) if "the role that" in post.text]
    assert told.text.startswith(f"<@{env.ann.id}>, the role that **Winter Cup** was for")
    choices = await env.ann.press(message, "Manage")
    assert (
        "is open to everyone now" in (await env.ann.press(choices.shown, "Open to everyone")).text
    )
    assert "You're in" in (await env.carol.press(message, "Sign up")).text
    await env.settled()
    assert "for a role" not in announcement(env).text


async def test_wins_need_no_claim_in_a_tournament(env: Environment) -> None:
    await start(env, 4, time="1", rounds=2)
    (first, other) = await open_matches(env)
    await env.play_a_while(first)
    await env.play_a_while(other)
    await env.advance(days=1, hours=1)
    assert (await tournament_view(env)).tournament.round == 2
    ended = await env.position(first)
    assert ended.match.ending == "forfeited"
    assert all(one.leave_reason is None for one in (await tournament_view(env)).everyone)


async def test_an_early_resignation_is_a_win_by_forfeit_in_thread_and_bracket(
    env: Environment,
) -> None:
    """Not a game without a result in one of them, and the loser is told before."""
    await env.change_settings(threads=True)
    message = await start(env, 2, format="knockout")
    await env.advance(seconds=31)
    (match,) = await open_matches(env)
    ann, ben = env.ann, env.ben
    question = await ann.slash("/tablut resign", match=match, channel=env.board(match).channel)
    assert "it isn't rated, but you lose it by forfeit" in question.text
    told = await env.done(ann.press(question.shown, "Resign"))
    await env.advance(seconds=31)
    thread, last = env.board(match).channel, env.board(match).text
    for text in (told.text, last):
        assert f"({ben.mention}) won by forfeit** against {ann.mention}: " in text
        assert "resigned before everyone had two turns. This game isn't rated." in text
        assert "No result" not in text
    assert thread.name == "Ben beat Ann by forfeit · Tablut #1"
    rounds = [one.text for one in posts(env, message) if "**Final**" in one.text]
    assert any("(forfeit)" in text for text in rounds)
    view = await tournament_view(env)
    assert view.placed(1) == []  # nobody met at the board


async def test_incompatible_options_are_refused(env: Environment) -> None:
    for wrong, text in (
        ({"groups": 2}, "don't go together"),
        ({"best_of": 3}, "don't go together"),
        ({"format": "knockout", "best_of": 2}, "don't go together"),
        ({"players": 3}, "can't be played at tables of 3"),
        ({"game": "thaayam", "players": 4, "most": 2}, "A table needs 3 players"),
        ({"monthly": True}, "set the days until it starts"),
        ({"least_rating": 1700, "most_rating": 1600}, "above the highest"),
        ({"verdict": "manager"}, "need the permission **Manage Server**"),
    ):
        options = {"game": "tablut", "name": "Cup", **wrong}
        assert text in await create_in(env.ann, "games", **options), wrong
    may_manage(env, env.ann)
    await create(env, verdict="manager")


async def test_a_tournament_is_hidden_from_those_who_cannot_read_its_channel(
    env: Environment,
) -> None:
    await create(env)
    hidden = env.channel("games").overwrites.setdefault(env.ben.id, Overwrite(1))
    hidden.deny |= Permission.VIEW_CHANNEL
    env.world.emit(ChannelUpdated(env.channel("games")))
    listed = await env.ben.slash("/tournament list", channel="elsewhere")
    assert "No tournaments here yet" in listed.text
    joined = await env.ben.slash("/tournament join", channel="elsewhere", options={"tournament": 1})
    assert "no such tournament" in joined.text
    seen_by_all = await env.carol.slash("/tournament list", channel="elsewhere")
    assert "**Winter Cup**" in seen_by_all.text


async def test_a_tournament_is_shown_in_the_servers_language(env: Environment) -> None:
    await env.change_settings(language="de")
    options = {"game": "tablut", "name": "Winter Cup", "rounds": 1}
    posted = await create_in(env.ann, "games", **options)
    assert "Start it there under **Verwalten**" in posted, "as the button says there"
    for person in people(env, 4):
        await person.slash("/tournament join", channel="games")
    await env.settled()
    message = announcement(env)
    assert "Schweizer System" in message.text
    assert [button.label for button in message.buttons][:2] == ["Anmelden", "Aussteigen"]
    await env.ann.slash("/tournament start", channel="games")
    await env.advance(seconds=31)
    assert posts(env, message)[-1].text.startswith("**Runde 1 von 1**")


async def test_at_the_end_of_a_round_the_computer_judges_open_games(env: Environment) -> None:
    message = await start(env, 4, time="14", round_days=7, rounds=2, verdict="computer")
    choices = await manager(env).press(message, "Manage")
    question = await manager(env).press(choices.shown, "Next round")
    assert "The computer judges open games, which can take a few minutes" in question.text
    (first, other) = await open_matches(env)
    await env.play_a_while(first)
    await env.advance(days=7, minutes=1)
    view = await tournament_view(env)
    assert view.tournament.round == 2
    how = {game.match_id: game.how for one in view.of_round(1) for game in one.games}
    assert how == {first: "adjudicated", other: "forfeit"}
    assert (await env.position(first)).match.ending == "adjudicated"
    await env.advance(minutes=1)


async def test_looking_at_tournaments_too_fast_is_refused(env: Environment) -> None:
    message = await start(env, 4, rounds=2)
    await env.advance(seconds=31)
    service, carol = env.app.get(Tournaments), Requester(env.guild.id, env.carol.id)

    async def look() -> None:
        async with service.turns.take(carol):
            await asyncio.Event().wait()

    looks = [asyncio.create_task(look()) for _ in range(MAX_WAITING)]
    await asyncio.sleep(0)
    for button in ("Standings", "Pairings", "Leave"):
        pressed = await env.carol.press(message, button)
        assert "requests waiting" in pressed.text
    for name in ("standings", "pairings", "games", "export", "leave"):
        typed = await env.carol.slash(f"/tournament {name}", channel="games")
        assert "requests waiting" in typed.text
    for look_ in looks:
        look_.cancel()
    await asyncio.wait(looks)
    again = await env.carol.press(message, "Standings")
    assert "requests waiting" not in again.text


async def test_a_tournament_is_exported_to_files_that_managers_can_import(env: Environment) -> None:
    dice = random.Random(6)
    await start(env, 4, rounds=1, game="tablaaza")
    await env.advance(seconds=31)
    before = exported(await tournament_view(env))
    assert pairing.from_json(before["tournament-1.json"].decode()).seed == ""
    await play_round(env, dice)
    await analysed(env)
    sent = (await env.carol.slash("/tournament export", channel="games")).shown.attachments
    files = exported(await tournament_view(env))
    assert {file.filename: file.data for file in sent} == files
    found = pairing.from_json(files["tournament-1.json"].decode())
    assert found.wrong_round() is None
    assert found.commitment == commitment(bytes.fromhex(found.seed))
    report = Upload("cup.trf", "text/plain", files["tournament-1.trf"])
    options: dict[str, Any] = {"file": report, "game": "tablaaza", "name": "Old Cup"}
    reply = await env.ben.slash("/tournament import", channel="games", options=options)
    assert "Manage Server" in reply.text
    may_manage(env, env.ben)
    wrong = Upload("cup.trf", "text/plain", b"001    1      Somebody" + b" " * 80)
    refused = await env.ben.slash(
        "/tournament import", channel="games", options=options | {"file": wrong}
    )
    assert "Line 1:" in refused.text
    reply = await env.ben.slash("/tournament import", channel="games", options=options)
    assert "Imported **Old Cup** with 4 players. Rounds: 1." in reply.text
    await env.settled()
    message = announcement(env, "Old Cup")
    assert "Played elsewhere, and imported from a file." in message.text
    assert "Seed of the draw" not in message.text
    assert message.id not in env.guild.threads
    standings = await env.carol.press(message, "Standings")
    assert named(standings.shown.text) == {person.id for person in people(env, 4)}
    winner = next(one.user_id for one in (await tournament_view(env, 2)).everyone if one.place == 1)
    profile = await env.carol.slash("/profile", channel="games", user=env.person(winner).user)
    assert "Old Cup" not in profile.text
    assert "Won **Winter Cup**" in profile.text
    record_ = Upload("cup.json", "application/json", files["tournament-1.json"])
    again = await env.ben.slash(
        "/tournament import", channel="games", options={"file": record_, "game": "tablaaza"}
    )
    assert "Imported **Winter Cup**" in again.text
    assert "Every round's pairings match its seed." in again.text
    await env.settled()
