"""The throws of ladder games: what they are made of is shown with the challenge, and proved after."""

from __future__ import annotations

import re

from bot.play.matches.service import Matches
from tests.end_to_end.harness import Environment
from tests.end_to_end.ladders import call, challenge, ladder
from tests.end_to_end.people import form_of, submit
from tests.end_to_end.verification import verify_match

SEAL = re.compile(r"Fair throws, sealed: ladder challenge (\d+) · ([0-9a-f]{32})$", re.MULTILINE)


async def test_the_challenge_shows_fingerprint_and_words_and_the_record_proves_them(
    env: Environment,
) -> None:
    await ladder(env, 2, game="tablan")
    await challenge(env, env.ben, env.ann)
    made = call(env, title="Tablan")
    sealed = SEAL.search(made.text)
    assert sealed is not None, made.text
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
    for text in (sealed[2], f"ladder challenge {sealed[1]}", "three geese", "a mill"):
        assert text in during.text
    await env.play_a_while(1, moves=8)  # so that other draws cannot equal all throws by chance
    await env.app.get(Matches).resign(1, env.ann.id)
    await env.settled()
    record = await verify_match(env)
    assert re.search(rf'\[Commitment "{sealed[2]}[0-9a-f]{{32}}"\]', record)
    assert f'[Challenge "ladder challenge {sealed[1]}"]' in record
    assert re.search(r'\[Word "(white|black)=three geese"\]', record)
    assert re.search(r'\[Word "(white|black)=a mill"\]', record)
    assert "[Drawn " in record, "at their first meeting, sides are drawn"


async def test_a_ladder_of_a_game_without_throws_shows_none_of_this(env: Environment) -> None:
    await ladder(env, 2)
    await challenge(env, env.ben, env.ann)
    assert "sealed" not in call(env).text
    assert "Add a word…" not in [button.label for button in call(env).buttons]
