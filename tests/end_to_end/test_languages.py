"""The language each reader gets; every text comes from a catalogue."""

from __future__ import annotations

import random
import re

import pytest

from bot.core.i18n.locales import Locales
from bot.core.interactions.tree import Tree
from engine import registry
from playground.errors import Impossible
from tests.end_to_end.harness import Environment
from tests.end_to_end.languages import (
    FOREIGN,
    GAMES,
    begin_in_any_language,
    boards,
    mover,
    press_everything,
)
from tests.end_to_end.people import practise
from tests.pseudolocale import PseudoLocale


@pytest.mark.pseudo_locale
@pytest.mark.parametrize("slug", GAMES)
async def test_all_texts_of_a_match_are_in_a_catalogue(env: Environment, slug: str) -> None:
    board = await begin_in_any_language(env, slug)
    dice = random.Random(5)
    for _ in range(12):
        board = boards(env)[-1]
        if not env.choices(board):
            break
        player = await mover(env)
        other = env.ben if player is env.ann else env.ann
        value = dice.choice(env.choices(board))
        refused = env.start_pick(board, other, value)
        await refused
        await env.turn_from(board, player, dice)
    player = await mover(env)
    other = env.ben if player is env.ann else env.ann
    moves = await env.legal()
    for typed in ("nonsense", "a1-a1", "a1", "off", "in", "b2", "e5-e6", f"{moves[0]}+9"):
        await env.done(player.slash(f"/{slug} move", move=typed))
        player = await mover(env)
        other = env.ben if player is env.ann else env.ann
    await other.slash(f"/{slug} move", move=moves[0])
    await player.autocomplete(f"/{slug} move", "move", "")
    await player.autocomplete(f"/{slug} move", "match", "")
    await player.autocomplete(f"/{slug} rules", "number", "")
    await press_everything(env, player, await player.slash(f"/{slug} rules"))
    await player.slash(f"/{slug} rules", number=registry.game(slug).rules[0].name)
    await player.slash(f"/{slug} rules", number="none")
    await player.slash(f"/{slug} games")
    await player.slash(f"/{slug} board")
    await env.carol.slash(f"/{slug} board")
    await env.carol.slash(f"/{slug} resign", match=1)
    await player.slash("/match verify", number=1)
    await press_everything(env, player, await player.slash(f"/{slug} resign"))
    await env.settled()
    await player.slash(f"/{slug} resign", match=1)
    await player.slash("/match verify", number=1)
    await player.slash("/match verify", number=99)
    await env.done(player.slash("/leaderboard"))


@pytest.mark.pseudo_locale
@pytest.mark.parametrize("slug", GAMES)
async def test_texts_of_challenges_are_in_a_catalogue(env: Environment, slug: str) -> None:
    game = registry.game(slug)
    chosen = {option.name: option.values[-1] for option in game.options}
    line = f"/{slug} challenge"
    asked = {**env.invited(2), **chosen, "seat": game.seat_names[0]}
    offered = await env.ann.slash(line, options=asked)
    await env.ann.slash(line, opponent=env.ann)
    await env.ann.slash(line, options=asked)
    await env.ann.slash(line)
    await press_everything(env, env.ben, await env.ben.slash(f"/{slug} seek"))
    await env.carol.slash(f"/{slug} seek")
    await env.ann.slash(f"/{slug} withdraw")
    for person in (env.carol, env.ben, env.ben, env.ann):
        for reply in ("accept", "decline", "leave", "withdraw"):
            wanted = [b.custom_id or "" for b in offered.shown.buttons]
            found = next((name for name in wanted if name.endswith(reply)), None)
            if found is not None:
                await env.done(person.press(offered.shown, custom_id=found))
    await press_everything(
        env, env.dan, await env.dan.user_command("Challenge to a game…", on=env.ben)
    )
    await env.ben.slash("/block", user=env.ann)
    await env.challenge(slug, channel="general")


@pytest.mark.pseudo_locale
@pytest.mark.parametrize("slug", [slug for slug in GAMES if registry.game(slug).agreed_draw])
async def test_texts_of_draw_offers_are_in_a_catalogue(env: Environment, slug: str) -> None:
    await begin_in_any_language(env, slug)
    for reply in ("no", "yes"):
        offered = await env.ann.slash(f"/{slug} draw")
        again = await env.ann.slash(f"/{slug} draw")
        assert again.ephemeral
        button = next(b for b in offered.shown.buttons if (b.custom_id or "").endswith(f":{reply}"))
        for person in (env.carol, env.ann, env.ben):
            if offered.shown.buttons:
                await env.done(person.press(offered.shown, custom_id=button.custom_id))
        if reply == "no":
            await env.ann.slash(f"/{slug} draw")
            await env.play_a_while()
    await env.ann.slash(f"/{slug} board")


@pytest.mark.pseudo_locale
async def test_all_texts_of_commands_are_in_a_catalogue(env: Environment) -> None:
    for command in list(env.app.get(Tree).walk_commands()):
        if not hasattr(command, "parameters"):
            continue
        needed = {p.display_name: p.type.name for p in command.parameters if p.required}
        given = {
            name: {"user": env.ben, "integer": 1}.get(kind, "x") for name, kind in needed.items()
        }
        line = f"/{command.qualified_name}"
        try:
            reply = await env.ann.slash(line, options=given)
        except Impossible:
            continue  # not for Ann, or not with these values
        await press_everything(env, env.ann, reply)


async def test_private_answers_are_in_the_readers_language(env: Environment) -> None:
    env.app.get(Locales).add(FOREIGN, PseudoLocale())
    env.ann.locale = FOREIGN
    alone = await env.ann.slash("/tablan games")
    offered = await env.challenge()
    to_ben = await env.ben.slash("/tablan games")
    assert "⟦" in alone.text
    assert "⟦" not in offered.text
    assert "⟦" not in to_ben.text


async def test_public_messages_are_in_the_servers_chosen_language(env: Environment) -> None:
    env.app.get(Locales).add(FOREIGN, PseudoLocale())
    await env.change_settings(language=FOREIGN)
    board = await begin_in_any_language(env, "tablan")
    reply = await env.ann.slash("/tablan board")
    assert board.text.removeprefix("### ").startswith("⟦")
    assert board.alt is not None
    assert "⟦" in board.alt
    assert "⟦" not in reply.text


async def test_a_player_gets_the_language_they_chose(env: Environment) -> None:
    env.app.get(Locales).add(FOREIGN, PseudoLocale())
    await env.change_player(env.ben, language=FOREIGN)
    ours = await env.ben.slash("/tablan games")
    await env.change_player(env.ben, language="en-US")
    env.ben.locale = FOREIGN
    english = await env.ben.slash("/tablan games")
    assert ours.text.startswith("⟦")
    assert "/tablan challenge" in ours.text, "an English client shows English commands"
    assert english.text.startswith("You have no")
    assert "`/⟦tablan⟧ ⟦challenge⟧`" in english.text


async def test_a_press_in_the_channel_keeps_the_language_of_the_server(env: Environment) -> None:
    env.app.get(Locales).add(FOREIGN, PseudoLocale())
    for person in env.people:
        person.locale = FOREIGN
    board = await env.begin()
    reply = await env.turn(board, random.Random(1))
    assert "⟦" not in env.board().text
    value = env.choices(env.board())[-1]
    assert "⟦" in (await env.start_pick(env.board(), env.carol, value)).private
    assert reply.error is None
    assert re.search("⟦", env.board().text) is None


async def test_who_plays_the_computer_alone_gets_boards_in_their_language(
    quick: Environment,
) -> None:
    env = quick
    env.app.get(Locales).add(FOREIGN, PseudoLocale())
    env.ann.locale = FOREIGN
    await practise(env)
    assert env.guild.locale != FOREIGN
    assert "⟦" in boards(env)[-1].text
    assert "⟦" in (boards(env)[-1].alt or "")
    ply = await env.ply()
    while await env.ply() == ply:
        await env.turn_from(boards(env)[-1], env.ann, random.Random(1))
    assert "⟦" in boards(env)[-1].text
    await env.change_player(env.ann, language="en-US")
    ply = await env.ply()
    while await env.ply() == ply:
        await env.turn_from(boards(env)[-1], env.ann, random.Random(1))
    assert "⟦" not in boards(env)[-1].text
