"""The way in: /play, the welcome, and the help."""

from __future__ import annotations

import pytest

from bot.features.guide.commands import CHALLENGE_PERSON
from bot.play.delivery import boards
from engine import registry
from playground.model import Message, Overwrite
from playground.permissions import Permission
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import answered, hangs, labels, unwelcomed, welcomes
from tests.routes import CALLBACK


def newest(env: Environment) -> Message:
    return max(
        (one for one in env.channel().messages.values() if not one.ephemeral),
        key=lambda one: one.id,
    )


async def test_a_game_against_the_computer_is_two_presses_away(env: Environment) -> None:
    opened = (await env.ann.slash("/play")).shown
    assert opened.ephemeral
    assert opened.picture
    await env.ann.choose(opened, "tablut", menu=0)
    assert "**Tablut**" in opened.text or "### Tablut" in opened.text
    await env.done(env.ann.press(opened, "Play the computer"))
    assert opened.buttons == []
    assert "Computer, level 1" in newest(env).text or env.board().picture


async def test_a_game_with_a_thread_has_one_post_however_slow_its_answer_is(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boards, "TIMEOUT", 3600.0)
    await env.change_settings(threads=True)
    opened = (await env.ann.slash("/play")).shown
    await env.ann.choose(opened, "tablut", menu=0)
    offered = (await env.challenge()).shown
    before = set(env.channel().messages)
    slow = env.faults.delay(CALLBACK, 1.0)
    pressed = env.ann.press(opened, "Play the computer")
    await hangs(slow)
    # What the bot does for another game meanwhile, it could have done for this one.
    await env.ben.press(offered, "Accept")
    await env.playground.wait_for(
        env.channel(), lambda found: found is offered and "is on in" in found.text
    )
    env.clock.advance(1.0)
    await env.done(pressed)
    (card,) = [one for one in env.channel().messages.values() if one.id not in before]
    assert f"{env.ann.mention} plays Computer, level 1." in card.text
    assert set(env.guild.threads) == {card.id, offered.id}


async def test_options_are_collapsed_and_take_effect(env: Environment) -> None:
    opened = (await env.ann.slash("/play")).shown
    await env.ann.choose(opened, "thaayam", menu=0)
    await env.ann.press(opened, "Options…")
    menus = len(opened.menus)
    await env.restart()
    await env.ann.choose(opened, "3", menu=3)
    await env.ann.choose(opened, "7", menu=5)
    await env.ann.choose(opened, "0", menu=6)
    await env.ann.press(opened, "Fewer options")
    assert len(opened.menus) == menus - 4
    await env.ann.choose(opened, env.ben, env.carol, menu=2)
    await env.done(env.ann.press(opened, "Challenge"))
    offered = newest(env)
    assert f"{env.ann.mention} challenges {env.ben.mention} and {env.carol.mention}" in offered.text
    assert "7 days per move · unrated" in offered.text
    await env.ben.press(offered, "Accept")
    await env.done(env.carol.press(offered, "Accept"))
    assert env.board().picture


async def test_a_menu_of_rule_sets_says_how_they_differ(env: Environment) -> None:
    opened = (await env.ann.slash("/play")).shown
    await env.ann.choose(opened, "tablan", menu=0)
    await env.ann.press(opened, "Options…")
    (rules,) = (menu for menu in opened.menus if menu.options and "walker" in menu.options[0].value)
    walker, bell = (one.description or "" for one in rules.options)
    assert "the same way" in walker
    assert "Head-on" in bell
    assert "starts with a 2" in bell


async def test_nothing_is_sent_before_it_is_chosen_to_the_end(env: Environment) -> None:
    opened = (await env.ann.slash("/play")).shown
    await env.ann.choose(opened, "thaayam", menu=0)
    await env.ann.choose(opened, env.ben, env.carol, env.dan, menu=2)
    assert f"Challenge {env.ben.mention}, {env.carol.mention} and {env.dan.mention} to Tha" in (
        opened.text
    )
    assert "3 days per move · Rated" in opened.text
    await env.restart()
    await env.ann.press(opened, "Back")
    assert labels(opened) == ["Play the computer", "Challenge anyone", "Options…"]
    await env.ann.press(opened, "Options…")
    assert "Play South" in {one.label for menu in opened.menus for one in menu.options}
    await env.ann.choose(opened, "7", menu=5)
    assert "-# Random side · 7 days per move · Rated" in opened.text
    assert "-# Computer 1 · Beginner · 2 players · Random side" in opened.text
    await env.done(env.ann.choose(opened, env.ben, env.carol, env.dan, menu=2))
    assert all(one.ephemeral for one in env.channel().messages.values())
    await env.done(env.ann.press(opened, "Challenge"))
    assert "7 days per move" in newest(env).text
    assert "challenges" in newest(env).text


async def test_anyone_can_accept_an_open_challenge(env: Environment) -> None:
    opened = (await env.ann.slash("/play")).shown
    await env.ann.choose(opened, "tablan", menu=0)
    await env.done(env.ann.press(opened, "Challenge anyone"))
    await env.done(env.carol.press(newest(env), "Accept"))
    assert env.board().picture


async def test_challenging_the_bot_offers_the_computer(env: Environment) -> None:
    bot = env.world.bot
    by_menu = (await env.ann.user_command(CHALLENGE_PERSON, on=bot)).shown
    by_command = (await env.ann.slash("/tablut challenge", opponent=bot)).shown
    opened = (await env.ann.slash("/play")).shown
    await env.ann.choose(opened, bot, menu=2)
    for message in (by_menu, by_command, opened):
        assert message.ephemeral
        assert "I'd love to" in message.text
        assert "Play the computer" in labels(message)
    assert "### Tablut" in by_command.text
    await env.done(env.ann.press(by_command, "Play the computer"))
    assert env.board().picture


async def test_impossible_challenges_are_refused_before_posting(env: Environment) -> None:
    reply = await env.ann.user_command(CHALLENGE_PERSON, on=env.ann)
    assert "can't challenge yourself" in reply.text
    reply = await env.ann.user_command(CHALLENGE_PERSON, on=env.ben, channel="quiet")
    assert "**Attach Files**" in reply.text
    opened = (await env.ann.slash("/play")).shown
    assert "can't challenge yourself" in (await env.ann.choose(opened, env.ann, menu=2)).text
    opened = (await env.ann.slash("/play", channel="quiet")).shown
    assert "**Attach Files**" in (await env.ann.press(opened, "Challenge anyone")).text
    opened = (await env.ann.user_command(CHALLENGE_PERSON, on=env.ben)).shown
    games = env.channel()
    games.overwrites[env.ben.id] = Overwrite(1, deny=Permission.VIEW_CHANNEL)
    await env.restart()  # a playground sends such changes only at the start
    assert "can't see this channel" in (await env.ann.press(opened, "Challenge")).text
    env.world.remove_member(env.guild, env.ben.user)
    env.expected.add(404)
    assert "isn't on this server" in (await env.ann.press(opened, "Challenge")).text


async def test_in_direct_messages_the_computer_is_offered(env: Environment) -> None:
    opened = (await env.ann.slash("/play", channel=env.ann.dm)).shown
    assert "Challenge anyone" not in labels(opened)
    await env.done(env.ann.press(opened, "Play the computer"))


async def test_a_server_is_welcomed_once(env: Environment) -> None:
    await unwelcomed(env)
    await env.start()
    await env.settled()
    found = welcomes(env)
    assert len(found) == 1
    assert labels(found[0]) == ["Play the computer", "Challenge a friend", "Learn", "Set up here"]
    assert len(found[0].attachments) == 1
    assert all(game.title in (found[0].alt or "") for game in registry.games().values())
    lines = found[0].text.splitlines()
    games = [f"**{game.title}** · {game.summary}" for game in registry.games().values()]
    assert lines[1 : len(games) + 1] == games
    assert "Play a friend or the computer" in "".join(lines[len(games) + 1 :])
    assert "Manage Server" in (await env.ben.press(found[0], "Set up here")).private
    lessons = await env.ben.press(found[0], "Learn")
    assert "1 of" in (await env.ben.press(lessons.shown, "Tablut")).text
    opened = await env.ben.press(found[0], "Play the computer")
    await env.ben.press(opened.shown, "Play the computer")
    await env.restart()
    await env.settled()
    assert welcomes(env) == found


async def test_mentioning_the_bot_shows_what_it_does(env: Environment) -> None:
    games = env.channel()
    bot = env.world.bot
    for words in (f"what can {bot.mention} do?", bot.mention):
        env.ann.says(words)
        await answered(env, games)
    assert len([m for m in games.messages.values() if "turn by turn" in m.text]) == 1
    env.ann.says("hello", channel=env.ann.dm)
    await answered(env, env.ann.dm)
    message = max(env.ann.dm.messages.values(), key=lambda one: one.id)
    assert labels(message) == ["Play the computer", "Learn"]


async def test_the_help_leads_everywhere(env: Environment) -> None:
    message = (await env.ann.slash("/help")).shown
    assert {"Play the computer", "Challenge a friend", "Learn", "My settings"} <= set(
        labels(message)
    )
    assert len(message.text) < 400
