"""Players can refuse challenges, from everyone or from some."""

from __future__ import annotations

import random

import pytest

from playground.model import Message
from playground.reply import Reply
from tests.end_to_end.harness import Environment, receipt
from tests.end_to_end.people import finish, labels


async def test_blocked_players_cannot_challenge_or_accept(env: Environment) -> None:
    board = await env.begin()
    assert "They aren't told" in (await env.ben.slash("/block", user=env.ann)).private
    await env.restart()
    refused = await env.challenge()
    assert refused.ephemeral
    assert f"{env.ben.mention} isn't taking challenges right now" in refused.text
    assert refused.shown.pinged == ()
    open_one = await env.ben.slash("/tablan challenge")
    late = (await env.ann.press(open_one.shown, "Accept")).private
    assert "You can't join this challenge right now" in late
    assert "Nobody here is looking" in (await env.ann.slash("/tablan seek")).text
    assert "`/unblock`" in (await env.ben.slash("/tablan challenge", opponent=env.ann)).text
    move = (await env.legal())[0]
    played = await env.mover(board).slash("/tablan move", move=move)
    assert "Played" in receipt(played)
    await env.settled()


async def test_blocking_withdraws_only_ones_own_challenge(env: Environment) -> None:
    theirs = await env.challenge()
    mine = await env.done(env.ben.slash("/tablut challenge", opponent=env.ann))
    before = theirs.shown.revision
    await env.done(env.ben.slash("/block", user=env.ann))
    assert mine.shown.buttons == []
    assert "**Withdrawn.**" in mine.shown.text
    assert theirs.shown.revision == before, "nothing disappears when the block is made"
    accepted = (await env.ben.press(theirs.shown, "Accept")).private
    assert f"You've blocked {env.ann.mention}" in accepted


async def takes_none(env: Environment) -> None:
    await env.change_player(env.ben, challenges=False)


async def blocks_ann(env: Environment) -> None:
    await env.change_player(env.ben, challenges=True)
    await env.done(env.ben.slash("/block", user=env.ann))


def visible(reply: Reply) -> tuple[str, bool, list[str]]:
    buttons = [] if reply.message is None else labels(reply.message)
    return reply.text, reply.ephemeral, buttons


async def tries(env: Environment, last: Message, open_one: Message) -> list[object]:
    """Try everything that needs Ben as Ann, and return all that she sees."""
    ann, ben = env.ann, env.ben
    results: list[object] = [
        visible(await ann.slash("/tablan challenge", opponent=ben)),
        visible(await ann.slash("/thaayam challenge", opponent=env.carol, opponent2=ben)),
        visible(await ann.press(last, "Rematch")),
        visible(await ann.press(open_one, "Accept")),
        visible(await ann.slash("/tablan seek")),
        visible(await ann.slash("/seek")),
        visible(await ann.slash("/blocked")),
        visible(await ann.slash("/tablut games")),
    ]
    picked = await ann.user_command("Challenge to a game…", on=ben)
    results.append(visible(picked))
    await ann.choose(picked.shown, "tablan")
    results.append(visible(await ann.press(picked.shown, "Challenge")))
    for line, option in (("/tablan withdraw", ""), ("/match replay", "number")):
        if option:
            found = await ann.autocomplete(line, option, "")
            results.append([(choice.name, choice.value) for choice in found])
        else:
            results.append(visible(await ann.slash(line)))
    channel = env.channel()
    results.append([(m.text, labels(m)) for m in ann.sees(channel) if not m.ephemeral])
    return results


async def test_a_block_looks_like_taking_no_challenges(env: Environment) -> None:
    await env.begin("tablut")
    last = await finish(env, env.ann, "tablut")
    await env.begin("tablut")
    open_one = (await env.ben.slash("/tablan challenge")).shown
    await env.challenge("tablaaza")
    await takes_none(env)
    expected = await tries(env, last, open_one)
    await blocks_ann(env)
    assert await tries(env, last, open_one) == expected
    assert "n't taking challenges" in str(expected)


@pytest.mark.parametrize("kind", ["draw", "takeback"])
async def test_an_offer_to_a_blocker_looks_like_any_other(env: Environment, kind: str) -> None:
    results = []
    for number in (1, 2):
        await env.begin("tablut")
        if number == 2:
            await env.ben.slash("/block", user=env.ann)
        while env.mover(env.board(number)) is not env.ann:
            await env.turn(env.board(number), random.Random(1))
        await env.turn(env.board(number), random.Random(1))
        while env.mover(env.board(number)) is env.ann:
            await env.turn(env.board(number), random.Random(1))
        offer = await env.ann.slash(f"/tablut {kind}", match=number)
        assert (offer.shown.pinged == ()) is (number == 2)
        text, *rest = visible(offer)
        results.append((text.replace(f"#{number}", "#1").splitlines()[0], *rest))
        await env.ben.press(offer.shown, "Play on")
    assert results[0] == results[1]


async def test_blocks_are_listed_and_undone_by_command_and_by_button(env: Environment) -> None:
    assert "haven't blocked anyone" in (await env.ann.slash("/blocked")).text
    for person in (env.ben, env.carol):
        await env.ann.slash("/block", user=person)
    listed = await env.ann.slash("/block")
    assert listed.ephemeral
    assert f"1. {env.ben.mention}" in listed.text
    assert listed.shown.pinged == ()
    reply = await env.ann.slash("/unblock", user=env.carol)
    assert f"{env.carol.mention} can challenge you again" in reply.text
    assert "isn't blocked" in (await env.ann.slash("/unblock", user=env.carol)).text
    await env.restart()
    assert labels(listed.shown) == ["Unblock", "Unblock"]
    assert "haven't blocked anyone" in (await env.ann.press(listed.shown, "Unblock")).text


async def test_a_long_list_of_blocks_has_pages_without_oneself_and_bots(env: Environment) -> None:
    for number in range(12):
        guest = env.playground.add_person(f"Guest {number}")
        await env.ann.slash("/block", user=guest)
    listed = await env.ann.slash("/blocked")
    second = await env.ann.press(listed.shown, "Page 2")
    assert labels(second.shown) == ["Unblock", "Unblock", "Page 1"]
    assert "yourself" in (await env.ann.slash("/block", user=env.ann)).text
    assert "is a bot" in (await env.ann.slash("/block", user=env.world.bot)).text
