"""Messages caused by clocks, other players and moderators are in the reader's language too."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from bot.core.i18n.catalogues import ENGLISH
from bot.core.i18n.locales import Locales
from bot.core.permissions.members import Members
from bot.play.pictures.rendering import BoardStyle, player_names
from bot.play.ratings.calculator import MAX_PER_WEEK
from bot.play.replays import animation
from bot.play.replays.replay import Replays
from engine.phrase import Tongue
from playground.app import GROUP
from playground.model import Message
from playground.people import Person
from tests.end_to_end.harness import Environment
from tests.end_to_end.languages import (
    FOREIGN,
    GAMES,
    begin_in_any_language,
    boards,
    mover,
    press_everything,
)
from tests.end_to_end.people import begin_and_play, may_manage
from tests.end_to_end.results import STRANGERS, league, result
from tests.pseudolocale import PseudoLocale

DIFFERENT = (GAMES[0], GAMES[-1])
"""A game without throws and one with them, for messages that say nothing else about a game.

What games themselves say is looked at in `test_all_texts_of_a_match_are_in_a_catalogue`.
"""


def button(message: Message, part: str) -> str:
    return next(b.custom_id for b in message.buttons if b.custom_id and part in b.custom_id)


async def play(env: Environment, turns: int, *, seed: int = 3) -> None:
    dice = random.Random(seed)
    for _ in range(turns):
        board = boards(env)[-1]
        if not env.choices(board):
            return
        await env.turn_from(board, await mover(env), dice)


async def other(env: Environment) -> Person:
    """Return the player of match 1, Ann or Ben, who is not to move."""
    return env.ben if await mover(env) is env.ann else env.ann


def film(message: Message) -> bytes:
    (found,) = [a.data for a in message.attachments if a.filename.endswith(".gif")]
    return found


@pytest.mark.pseudo_locale
@pytest.mark.parametrize("slug", DIFFERENT)
async def test_deadlines(env: Environment, slug: str) -> None:
    await begin_in_any_language(env, slug)
    await env.play_a_while()
    late = await mover(env)
    await late.slash("/me vacation", days=2)
    await late.slash("/me back")
    await other_commands(env, slug, late)
    await env.advance(days=2, hours=23)
    await late.slash(f"/{slug} mute")
    await env.advance(days=1)
    claimer = await other(env)
    claim = await claimer.slash(f"/{slug} claim")
    await press_everything(env, claimer, claim)
    await env.settled()
    await claimer.slash(f"/{slug} board", match=1)
    await claimer.slash(f"/{slug} claim", match=1)
    assert (await env.position()).match.finished


async def other_commands(env: Environment, slug: str, person: Person) -> None:
    await person.slash(f"/{slug} claim")
    await person.slash(f"/{slug} mute", match=77)
    await env.carol.slash(f"/{slug} since")
    await person.slash(f"/{slug} since", match=1)


@pytest.mark.pseudo_locale
@pytest.mark.parametrize("slug", DIFFERENT)
async def test_a_match_that_hardly_began_ends_on_time(env: Environment, slug: str) -> None:
    await begin_in_any_language(env, slug)
    await env.change_settings(forfeit="automatic")
    await env.advance(days=9)
    assert (await env.position()).match.ending == "aborted"


@pytest.mark.pseudo_locale
@pytest.mark.parametrize(
    ("slug", "reply"), [*((slug, "yes") for slug in DIFFERENT), (DIFFERENT[-1], "no")]
)
async def test_takebacks(env: Environment, slug: str, reply: str) -> None:
    await begin_in_any_language(env, slug)
    for _ in range(6):
        await play(env, 1)
        for person in (env.ann, env.ben):
            offer = await person.slash(f"/{slug} takeback", match=1)
            if offer.message is None or offer.message.ephemeral:
                continue
            wanted = [b.custom_id or "" for b in offer.message.buttons]
            for custom_id in sorted(wanted, reverse=reply == "yes"):
                for presser in (env.carol, person, *env.people):
                    if offer.message.buttons:
                        await env.done(presser.press(offer.message, custom_id=custom_id))


@pytest.mark.pseudo_locale
@pytest.mark.parametrize("slug", DIFFERENT)
async def test_rematches(env: Environment, slug: str) -> None:
    await begin_in_any_language(env, slug)
    await env.play_a_while()
    await press_everything(env, env.ann, await env.ann.slash(f"/{slug} resign", match=1))
    await env.settled()
    last = boards(env)[-1]
    again = button(last, ":")
    await env.carol.press(last, custom_id=again)
    reply = await env.ann.press(last, custom_id=again)
    await env.ann.press(last, custom_id=again)
    await env.carol.press(reply.shown, custom_id=button(reply.shown, "accept"))
    await env.done(env.ben.press(last, custom_id=again))
    await env.ben.press(last, custom_id=again)
    assert (await env.position(2)).match.id == 2


@pytest.mark.pseudo_locale
@pytest.mark.parametrize("slug", GAMES)
async def test_looking_back(env: Environment, slug: str) -> None:
    await begin_in_any_language(env, slug)
    await play(env, 9)
    await env.change_player(env.ann, clips=True, confirm=True)
    await play(env, 6)
    person = await mover(env)
    for line in (f"/{slug} since", f"/{slug} board"):
        await person.slash(line, match=1)
    await press_everything(env, person, await person.slash("/match replay", number="1"))
    await person.slash("/match gif", number="1")
    await person.slash("/match board", options={"number": "1", "as": "text"})
    await person.slash("/match board", number="1", move=999)
    exported = await person.slash("/match export", number="1")
    record = next(a.data for a in exported.shown.attachments).decode()
    brought = await person.slash("/match import", text=record)
    await press_everything(env, person, brought)
    await person.slash("/match import", text="x")
    await person.slash("/match import")
    await person.autocomplete("/match replay", "number", "")


@pytest.mark.pseudo_locale
async def test_ratings_profiles_and_rivals(env: Environment) -> None:
    await league(env, [*STRANGERS[:10], env.ann.id])
    for rank, game in ((1, "tablut"), (2, "tablan")):
        await result(env, [env.ann.id, env.ben.id], [1, rank], game=game)
    await result(env, [env.ann.id, env.ben.id], [2, 1], here=False)
    for scope in ("here", "everywhere"):
        reply = await env.ann.slash("/leaderboard", scope=scope)
        await press_everything(env, env.ann, reply)
        reply = await env.ann.slash("/leaderboard", game="tablan", scope=scope)
        await press_everything(env, env.ann, reply)
        for other in (env.ann, env.ben, env.dan):
            reply = await env.ann.slash("/profile", user=other, game="tablan", scope=scope)
            await press_everything(env, env.ann, reply)
    for person in (env.ben, env.carol):
        reply = await person.slash("/leaderboard", game="tablan")
        await press_everything(env, person, reply)
        await person.slash("/profile", user=env.ann, game="tablan")
    for person in (env.ann, env.ben, env.carol):
        await person.slash("/profile", game="thaayam")
        await press_everything(env, person, await person.slash("/rivals", user=env.ann))
        await person.slash("/rivals", user=env.ann, game="thaayam")
        await person.slash("/rivals", user=env.ben, game="tablut")
        await person.user_command("Profile", on=env.ann)
    await press_everything(env, env.ann, await env.ann.slash("/me settings"))
    await env.carol.slash("/profile", user=env.ann)
    await env.carol.slash("/profile", user=env.world.bot)
    await env.carol.slash("/rivals", user=env.world.bot)
    await env.advance(days=70)
    await env.carol.slash("/leaderboard", game="tablan")


@pytest.mark.pseudo_locale
@pytest.mark.parametrize("casual", [False, True])
async def test_rating_changes(env: Environment, *, casual: bool) -> None:
    for hours in range(MAX_PER_WEEK - 1):
        at = env.now() - timedelta(hours=hours + 1)
        await result(env, [env.ann.id, env.ben.id], [1, 2], at=at)
    for number in (MAX_PER_WEEK, MAX_PER_WEEK + 1):
        offered = await env.ann.slash("/tablan challenge", opponent=env.ben, casual=casual)
        await env.done(env.ben.press(offered.shown, custom_id=button(offered.shown, "accept")))
        await env.play_a_while(number)
        reply = await env.ann.slash("/tablan resign", match=number)
        await press_everything(env, env.ann, reply)
        await env.settled()


@pytest.mark.pseudo_locale
@pytest.mark.parametrize("how", ["void", "end"])
async def test_moderators_decisions(env: Environment, how: str) -> None:
    may_manage(env, env.carol)
    await begin_in_any_language(env, "tablut")
    await env.play_a_while()
    options = {"winner": env.ann} if how == "end" else {}
    reply = await env.carol.slash(f"/server {how}", match=1, options=options)
    await press_everything(env, env.carol, reply)
    await env.settled()
    await env.carol.slash("/server audit")
    await env.ann.slash("/match replay", number="1")
    await env.ann.slash("/tablut board", match=1)
    assert (await env.position()).match.finished


async def test_a_voided_result_is_shown_with_its_reason(env: Environment) -> None:
    """The reason the match had ended before is not the reason it no longer counts."""
    await env.begin("tablaaza")
    last = await env.hurry(random.Random(2), lambda position: position.to_move is None)
    assert "won" in last.text or "draw" in last.text
    may_manage(env, env.carol)
    reply = await env.carol.slash("/server void", match=1)
    form = await env.carol.press(reply.shown, "Void the match")
    await env.done(env.carol.submit(form.modal, {"reason": "they were one person"}))
    text = env.board().text
    assert "No result" in text
    assert "decided by a moderator (they were one person)" in text


async def style_of(env: Environment, locale: Tongue) -> BoardStyle:
    """Return the style of match 1's pictures in a language."""
    names = player_names(env.app.get(Members), await env.position(), locale)
    return BoardStyle(locale=locale, names=names)


async def test_films_and_replays_are_in_the_viewers_language(env: Environment) -> None:
    german = env.app.get(Locales).of_locale("de")
    env.dan.locale = "de"
    await begin_and_play(env, "thaayam")
    replay = await env.app.get(Replays).of_match(1)
    for line in ("/match gif", "/match replay"):
        english = (await env.carol.slash(line, number="1")).shown.attachments[0].data
        shown = (await env.dan.slash(line, number="1")).shown.attachments[0].data
        assert english != shown
    wanted = await env.renderer.animation(
        animation.whole(replay),
        most_bytes=animation.WHOLE_BYTES,
        style=await style_of(env, german),
    )
    assert film((await env.dan.slash("/match gif", number="1")).shown) == wanted


async def test_a_film_beside_a_board_is_in_the_servers_language(env: Environment) -> None:
    german = env.app.get(Locales).of_locale("de")
    for person in env.people:
        await env.change_player(person, clips=True, turned=False)
    await env.begin("thaayam", players=3)
    await env.change_settings(language="de")
    dice = random.Random(3)
    for _ in range(60):
        board = boards(env)[-1]
        if any(a.filename.endswith(".gif") for a in board.attachments):
            break
        await env.turn_from(board, await mover(env), dice)
    position = await env.position()
    assert position.to_move is not None
    shown = animation.since(await env.app.get(Replays).of_match(1), position.to_move.seat)
    assert shown is not None
    painted = {
        locale: await env.renderer.animation(
            shown, most_bytes=animation.SINCE_BYTES, style=await style_of(env, locale)
        )
        for locale in (german, ENGLISH)
    }
    assert painted[german] != painted[ENGLISH]
    assert film(boards(env)[-1]) == painted[german]


async def test_in_a_group_words_and_picture_are_in_one_language(env: Environment) -> None:
    """The place has no known language: use that of the person who brings up the board."""
    env.app.get(Locales).add(FOREIGN, PseudoLocale())
    env.ann.locale = env.ben.locale = "de"
    offered = await env.challenge("thaayam", channel=GROUP)
    await env.done(env.ben.press(offered.shown, custom_id=button(offered.shown, "accept")))
    board = boards(env)[-1]
    position = await env.position()
    german = env.app.get(Locales).of_locale("de")
    scene = position.game.scene(position.state, [(p.before, p.move) for p in position.last_turn])
    assert board.picture == await env.renderer.picture(scene, await style_of(env, german))
    assert board.picture != await env.renderer.picture(scene)


async def test_private_messages_are_in_the_readers_language(env: Environment) -> None:
    env.app.get(Locales).add(FOREIGN, PseudoLocale())
    first = await env.begin("tablut", channel=GROUP)
    called = env.mover(first)
    await env.change_player(called, language=FOREIGN)
    await env.advance(days=2, hours=23)
    texts = [message.text for message in called.sees(called.dm)]
    assert "⟦" in texts[-1]
