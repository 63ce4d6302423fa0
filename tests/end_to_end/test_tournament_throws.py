"""The throws of a tournament's games: sealed before sign-up, mixed with words, and proved after."""

from __future__ import annotations

import random
import re

from bot.features.tournaments.files import exported
from bot.features.tournaments.service import Tournaments
from bot.play.matches.service import Matches
from data.matches import matches
from data.tournaments.tournaments import State
from engine.__main__ import main
from playground.model import Message
from playground.people import Person
from tests.bot.features.tournaments.club import MANAGER
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import form_of, submit
from tests.end_to_end.tournaments import (
    analysed,
    announcement,
    create,
    open_matches,
    people,
    play_out,
    posts,
    start,
    tournament_view,
)
from tests.end_to_end.verification import verify_match

SEAL = re.compile(
    r"Fair draw and throws, sealed: #1 · ([0-9a-f]{8}\|\|[0-9a-f]{24}\|\|)$", re.MULTILINE
)
OF_ROUND = re.compile(
    r"Fair throws, sealed: tournament 1, round (\d) · ([0-9a-f]{8}\|\|[0-9a-f]{24}\|\|)$",
    re.MULTILINE,
)


async def add_word(
    env: Environment, person: Person, word: str, *, below: Message | None = None
) -> str:
    """Add a word to one's games, below the announcement or another message; return the answer."""
    form = await form_of(person, below or announcement(env))
    return (await submit(env, person, form, word)).text


async def resigned(env: Environment, number: int) -> None:
    """Resign a match as the player to move."""
    position = await env.position(number)
    assert position.to_move is not None
    await env.app.get(Matches).resign(number, position.to_move.user_id)
    await env.settled()


async def test_the_first_announcement_and_the_players_words_prove_every_throw(
    env: Environment,
) -> None:
    message = await create(env, game="tablan", rounds=1)
    sealed = SEAL.search(message.text)
    assert sealed is not None, message.text
    fingerprint = sealed[1].replace("|", "")
    players, joined = people(env, 4), {}
    for person in players:
        joined[person] = (await person.press(message, "Sign up")).shown
        assert "Add a word…" in [button.label for button in joined[person].buttons]
    await env.settled()
    assert "`three geese` goes into the throws of each game" in await add_word(
        env, env.ann, " three  geese"
    )
    stranger = env.playground.add_person("Sue")
    stranger.place = env.channel("games")
    refused = await stranger.press(announcement(env), "Add a word…")
    assert refused.modal is None
    assert "not in this tournament" in refused.text
    await env.done(env.ann.slash("/tournament start", channel="games"))
    assert OF_ROUND.findall(posts(env, message)[-1].text) == [("1", sealed[1])]
    await add_word(env, env.ann, "too late for this round", below=joined[env.ann])
    assert "You add no word" in await add_word(env, env.ben, "", below=joined[env.ben])
    async with env.store.read() as tx:
        first, second = [await matches.get(tx, one) for one in await open_matches(env)]
    assert first is not None
    assert second is not None
    if env.ann.id not in {player.user_id for player in first.players}:
        first, second = second, first
    during = await env.dan.slash("/match verify", number=first.id)
    for text in (fingerprint, "tournament 1, round 1, table", "game 1", "three geese"):
        assert text in during.text
    await resigned(env, first.id)
    early = await env.dan.slash("/match verify", number=first.id)
    assert "✓" in early.text
    assert "once the tournament is over" in early.text
    path = env.folder / "early.txt"
    path.write_bytes(early.shown.attachments[0].data)
    assert main(["verify", str(path), sealed[1]]) == 1, "that follows once it is over"
    await resigned(env, second.id)
    await env.advance(minutes=2)
    assert (await tournament_view(env)).tournament.state is State.FINISHED
    for match in (first, second):
        record = await verify_match(env, match.id)
        assert f'[TournamentCommitment "{fingerprint}' in record
        assert "[TournamentSeed " in record
        assert "[Drawn " not in record, "the pairing gives the sides"
        assert ("three geese" in record) == (match is first)
        assert "too late" not in record
        path.write_text(record, "utf-8")
        assert main(["verify", str(path), sealed[1]]) == 0
        assert main(["verify", str(path), "0" * 32]) == 1


async def test_a_further_game_of_a_pairing_has_throws_of_its_own(env: Environment) -> None:
    await start(env, 2, game="tablan", format="knockout", best_of=3)
    await env.advance(seconds=31)
    games = await open_matches(env)
    assert len(games) == 2
    for number, loser in zip(games, (env.ann, env.ben), strict=True):
        await env.play_a_while(number)
        await env.app.get(Matches).resign(number, loser.id)
    await add_word(env, env.ben, "decider")
    (decider,) = await open_matches(env)
    async with env.store.read() as tx:
        found = [await matches.get(tx, number) for number in (*games, decider)]
    assert [one.drawn_for for one in found if one is not None] == [
        f"tournament 1, round 1, table 1, game {number}" for number in (1, 2, 3)
    ]
    assert len({one.seed for one in found if one is not None}) == 3
    await play_out(env, decider, random.Random(3), moves=12)
    await env.settled()
    await analysed(env)
    for number in (*games, decider):
        assert ("decider" in await verify_match(env, number)) == (number == decider)


async def test_the_seed_stays_secret_while_a_game_goes_on_after_the_end(env: Environment) -> None:
    message = await start(env, 4, game="tablan", rounds=2)
    first, second = await open_matches(env)
    await play_out(env, first, random.Random(1), moves=12)
    await env.settled()
    await env.app.get(Tournaments).end(1, env.guild.id, by=MANAGER)
    await env.settled()
    view = await tournament_view(env)
    assert not view.tournament.state.open
    seed = view.tournament.seed.hex()
    for file in exported(view).values():
        assert seed not in file.decode()
    shown = [announcement(env).text, *(post.text for post in posts(env, message))]
    proofs = [(await env.dan.slash("/match verify", number=one)) for one in (first, second)]
    assert seed not in "".join([*shown, *(one.text for one in proofs)])
    assert proofs[0].message is not None
    assert "[TournamentSeed " not in proofs[0].message.attachments[0].data.decode()
    await resigned(env, second)
    await analysed(env)
    for number in (first, second):
        assert seed in await verify_match(env, number)
    assert seed in exported(await tournament_view(env))["tournament-1.json"].decode()


async def test_a_tournament_without_throws_seals_its_draw_alone(env: Environment) -> None:
    message = await start(env, 2, rounds=1)
    assert re.search(
        r"Fair draw, sealed: #1 · [0-9a-f]{8}\|\|[0-9a-f]{24}\|\|$", message.text, re.MULTILINE
    )
    assert "Add a word…" not in [button.label for button in message.buttons]
    assert "sealed" not in posts(env, message)[-1].text
    await env.advance(seconds=31)
