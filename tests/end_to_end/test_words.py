"""Words that players add to their throws: by command or form, never in a game without throws."""

from __future__ import annotations

import re

import pytest

from engine.luck import MAX_WORD
from playground.errors import Impossible
from playground.model import Message
from playground.people import Person
from tests.end_to_end.harness import Environment, unlinked
from tests.end_to_end.people import labels
from tests.end_to_end.verification import verify_match

SEAL = re.compile(r"Fair throws, sealed: #(\d+) · ([0-9a-f]{8}\|\|[0-9a-f]{24}\|\|)$", re.MULTILINE)


async def typed(env: Environment, person: Person, message: Message, word: str) -> Message:
    more = await person.press(message, "More")
    form = await person.press(more.shown, "Add a word…")
    assert form.modal is not None
    (field,) = form.modal.fields
    answer = await person.submit(form.modal, {field.custom_id: word})
    assert answer.error is None, answer.text
    await env.settled()
    return message


async def test_words_are_shown_before_the_match_and_are_in_its_record(env: Environment) -> None:
    offered = await env.ann.slash("/tablan challenge", opponent=env.ben, word="three geese")
    sealed = SEAL.search(offered.text)
    assert sealed is not None
    fingerprint = sealed[2].replace("|", "")
    assert f"{env.ann.mention} `three geese`" in offered.text
    begun = await typed(env, env.ben, offered.shown, "  a   mill ")
    await env.settled()
    assert "Match #1" in unlinked(begun.text)
    assert f"{env.ben.mention} `a mill`" in begun.text
    assert sealed[2] in begun.text
    proof = await env.carol.slash("/match verify", number=1)
    for text in (fingerprint, "three geese", "a mill"):
        assert text in proof.text
    await env.done(env.ann.press((await env.ann.slash("/tablan resign", match=1)).shown, "Resign"))
    record = await verify_match(env)
    assert re.search(rf'\[Commitment "{fingerprint}[0-9a-f]{{32}}"\]', record), (
        "the full commitment"
    )
    assert f'[Challenge "{sealed[1]}"]' in record
    assert re.search(r'\[Word "(white|black)=three geese"\]', record)
    assert re.search(r'\[Word "(white|black)=a mill"\]', record)


async def test_the_challenger_can_add_a_word_under_the_fingerprint(env: Environment) -> None:
    offered = (await env.challenge()).shown
    seal = SEAL.findall(offered.text)
    waiting = await typed(env, env.ann, offered, "after seeing it")
    assert f"{env.ann.mention} `after seeing it`" in waiting.text
    changed = await typed(env, env.ann, offered, "another")
    assert "after seeing it" not in changed.text
    assert SEAL.findall(changed.text) == seal
    await env.done(env.ben.press(offered, "Accept"))
    assert env.board().text


async def test_accepting_without_a_word_takes_one_press(env: Environment) -> None:
    await env.begin()
    await env.done(env.ann.press((await env.ann.slash("/tablan resign", match=1)).shown, "Resign"))
    assert "[Word " not in await verify_match(env)


async def test_a_word_that_comes_too_late_is_answered_politely(env: Environment) -> None:
    offered = (await env.challenge()).shown
    old = offered.snapshot()
    more = (await env.ben.press(offered, "More")).shown
    form = await env.ben.press(more, "Add a word…")
    assert form.modal is not None
    await env.done(env.ben.press(offered, "Accept"))
    assert "It's match #1 now" in (await env.ben.submit(form.modal, {"word": "late"})).private
    assert "It's match #1 now" in (await env.ann.press(old, "More", stale=True)).private


async def test_a_stranger_cannot_open_the_form(env: Environment) -> None:
    offered = (await env.challenge()).shown
    refused = await env.carol.press(offered, "More")
    assert refused.modal is None
    assert refused.ephemeral
    assert f"for {env.ben.mention}" in refused.text


async def test_a_word_cannot_imitate_the_bot(env: Environment) -> None:
    word = f"`**x** {env.dan.mention}`"[:MAX_WORD]
    offered = await env.ann.slash("/tablan challenge", opponent=env.ben, word=word)
    assert f"`{word.replace('`', '')}`" in offered.text
    assert offered.shown.pinged == (env.ben.user,)


async def test_open_challenges_and_groups_accept_words_too(env: Environment) -> None:
    offered = (await env.ann.slash("/thaayam challenge", players=3, word="one")).shown
    await typed(env, env.ben, offered, "two")
    begun = await typed(env, env.carol, offered, "three")
    await env.settled()
    assert "Match #1" in unlinked(begun.text)
    proof = await env.dan.slash("/match verify", number=1)
    assert all(word in proof.text for word in ("one", "two", "three"))


async def test_practice_accepts_a_word(quick: Environment) -> None:
    begun = await quick.ann.slash("/tablan practice", level=1, word="alone")
    assert f"{quick.ann.mention} `alone`" in begun.text
    assert "before you accept" not in begun.text


@pytest.mark.parametrize("slug", ["tablut", "tablaaza"])
async def test_a_game_without_luck_shows_no_words(env: Environment, slug: str) -> None:
    offered = (await env.challenge(slug)).shown
    assert labels(offered) == ["Accept", "Decline", "More", "How to play"]
    assert not re.search(r"[0-9a-f]{64}", offered.text)
    await env.done(env.ben.press(offered, "Accept"))
    await env.done(env.ann.press((await env.ann.slash(f"/{slug} resign", match=1)).shown, "Resign"))
    assert "verify" not in env.board().text
    record = await verify_match(env)
    assert not re.search(r"\[(Seed|Commitment|Word|Order|Challenge|Drawn) ", record)
    with pytest.raises(Impossible):
        await env.ann.slash(f"/{slug} challenge", opponent=env.ben, word="nothing")
