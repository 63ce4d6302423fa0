"""What the clock, other players and moderators bring about is said in the reader's language too."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from bot.pictures import clip
from bot.pictures.looks import Look
from bot.ratings.book import MOST_A_WEEK
from bot.settings.chosen import PlayerSettings
from bot.words.catalogues import ENGLISH
from engine import registry
from playground.town import GROUP
from tests.end_to_end.harness import playable
from tests.end_to_end.seasons import STRANGERS, league, result
from tests.end_to_end.test_languages import (
    FOREIGN,
    GAMES,
    begin,
    boards,
    everybody_is_foreign,
    mover,
    press_everything,
    unknown,
)
from tests.end_to_end.test_server_settings import may_manage
from tests.tongues import Bracketed

if TYPE_CHECKING:
    from playground.model import Message
    from playground.people import Person
    from playground.reply import Reply
    from tests.end_to_end.harness import House


def button(message: Message, part: str) -> str:
    """Return the address of the button whose address has a part."""
    return next(b.custom_id for b in message.buttons if b.custom_id and part in b.custom_id)


async def play(house: House, turns: int, *, seed: int = 3) -> None:
    """Let whoever is to move choose so many times what the newest board offers."""
    dice = random.Random(seed)
    for _ in range(turns):
        board = boards(house)[-1]
        if not house.choices(board):
            return
        await house.turn_from(board, await mover(house), dice)


async def other(house: House) -> Person:
    """Return who is not to move in match 1, between Ann and Ben."""
    return house.ben if await mover(house) is house.ann else house.ann


def film(message: Message) -> bytes:
    """Return the film of a message."""
    (found,) = [a.data for a in message.attachments if a.filename.endswith(".gif")]
    return found


def of(reply: Reply) -> Message:
    """Return the message of an answer."""
    assert reply.message is not None, reply.text
    return reply.message


@pytest.mark.parametrize("slug", GAMES)
async def test_what_the_clock_brings_about(empty_house: House, slug: str) -> None:
    house = empty_house
    await everybody_is_foreign(house)
    await begin(house, slug)
    await house.play_a_while()
    late = await mover(house)
    await late.slash("/me vacation", days=2)
    await late.slash("/me back")
    await other_commands(house, slug, late)
    await house.let(days=2, hours=23)
    await late.slash(f"/{slug} mute")
    await house.let(days=1)
    claimer = await other(house)
    claim = await claimer.slash(f"/{slug} claim")
    await press_everything(house, claimer, claim)
    await house.settled()
    await claimer.slash(f"/{slug} board", match=1)
    await claimer.slash(f"/{slug} claim", match=1)

    assert (await house.bot.matches.view(1)).match.finished
    assert unknown(house) == {}


async def other_commands(house: House, slug: str, person: Person) -> None:
    """Try what is not possible now."""
    await person.slash(f"/{slug} claim")
    await person.slash(f"/{slug} mute", match=77)
    await house.carol.slash(f"/{slug} since")
    await person.slash(f"/{slug} since", match=1)


@pytest.mark.parametrize("slug", GAMES)
async def test_a_match_that_hardly_began_and_ends_by_the_clock(
    empty_house: House, slug: str
) -> None:
    house = empty_house
    await everybody_is_foreign(house)
    await begin(house, slug)
    await house.choose(forfeit="automatic")
    await house.let(days=9)

    assert (await house.bot.matches.view(1)).match.ending == "aborted"
    assert unknown(house) == {}


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("reply", ["yes", "no"])
async def test_takebacks(empty_house: House, slug: str, reply: str) -> None:
    house = empty_house
    await everybody_is_foreign(house)
    await begin(house, slug)
    for _ in range(12):
        await play(house, 1)
        for person in (house.ann, house.ben):
            offer = await person.slash(f"/{slug} takeback", match=1)
            if offer.message is None or offer.message.ephemeral:
                continue
            wanted = [b.custom_id or "" for b in offer.message.buttons]
            for custom_id in sorted(wanted, reverse=reply == "yes"):
                for presser in (house.carol, person, *house.people):
                    if offer.message.buttons:
                        await presser.press(offer.message, custom_id=custom_id)
                        await house.settled()

    assert unknown(house) == {}


@pytest.mark.parametrize("slug", GAMES)
async def test_rematches(empty_house: House, slug: str) -> None:
    house = empty_house
    await everybody_is_foreign(house)
    await begin(house, slug)
    await house.play_a_while()
    await press_everything(house, house.ann, await house.ann.slash(f"/{slug} resign", match=1))
    await house.settled()
    last = boards(house)[-1]
    again = button(last, ":")
    await house.carol.press(last, custom_id=again)
    asked = await house.ann.press(last, custom_id=again)
    await house.ann.press(last, custom_id=again)
    await house.carol.press(of(asked), custom_id=button(of(asked), "accept"))
    await house.ben.press(last, custom_id=again)
    await house.settled()
    await house.ben.press(last, custom_id=again)

    assert (await house.bot.matches.view(2)).match.id == 2
    assert unknown(house) == {}


@pytest.mark.parametrize("slug", GAMES)
async def test_looking_back(empty_house: House, slug: str) -> None:
    house = empty_house
    await everybody_is_foreign(house)
    await begin(house, slug)
    await play(house, 9)
    await house.bot.choices.set_player(house.ann.id, PlayerSettings(clips=True, confirm=True))
    await play(house, 6)
    person = await mover(house)
    for line in (f"/{slug} since", f"/{slug} board"):
        await person.slash(line, match=1)
    await press_everything(house, person, await person.slash("/match replay", number="1"))
    await person.slash("/match gif", number="1")
    await person.slash("/match board", options={"number": "1", "as": "text"})
    await person.slash("/match board", number="1", ply=999)
    exported = await person.slash("/match export", number="1")
    record = next(a.data for a in of(exported).attachments).decode()
    brought = await person.slash("/match import", text=record)
    await press_everything(house, person, brought)
    await person.slash("/match import", text="x")
    await person.slash("/match import")
    await person.autocomplete("/match replay", "number", "")

    assert unknown(house) == {}


async def test_ratings_profiles_and_rivals(empty_house: House) -> None:
    house = empty_house
    await everybody_is_foreign(house)
    await league(house, [*STRANGERS[:12], house.ann.id])
    for rank, game in ((1, "tablut"), (2, "tablan")):
        await result(house, [house.ann.id, house.ben.id], [1, rank], game=game)
    await result(house, [house.ann.id, house.ben.id], [2, 1], here=False)
    for person in (house.ann, house.ben, house.carol):
        for scope in ("here", "everywhere"):
            told = await person.slash("/leaderboard", scope=scope)
            await press_everything(house, person, told)
            told = await person.slash("/leaderboard", game="tablan", scope=scope)
            await press_everything(house, person, told)
            for other in (house.ann, house.ben, house.dan):
                told = await person.slash("/profile", user=other, game="tablan", scope=scope)
                await press_everything(house, person, told)
        await person.slash("/profile", game="thaayam")
        await press_everything(house, person, await person.slash("/rivals", user=house.ann))
        await person.slash("/rivals", user=house.ann, game="thaayam")
        await person.slash("/rivals", user=house.ben, game="tablut")
        await person.user_command("Profile", on=house.ann)
    await press_everything(house, house.ann, await house.ann.slash("/me settings"))
    await house.carol.slash("/profile", user=house.ann)
    await house.carol.slash("/profile", user=house.town.world.bot)
    await house.carol.slash("/rivals", user=house.town.world.bot)
    await house.let(days=70)
    await house.carol.slash("/leaderboard", game="tablan")

    assert unknown(house) == {}


@pytest.mark.parametrize("casual", [False, True])
async def test_what_a_match_did_to_ratings(empty_house: House, *, casual: bool) -> None:
    house = empty_house
    await everybody_is_foreign(house)
    for hours in range(MOST_A_WEEK - 1):
        at = house.now() - timedelta(hours=hours + 1)
        await result(house, [house.ann.id, house.ben.id], [1, 2], at=at)
    for number in (MOST_A_WEEK, MOST_A_WEEK + 1):
        offered = await house.ann.slash("/tablan challenge", opponent=house.ben, casual=casual)
        await house.ben.press(of(offered), custom_id=button(of(offered), "accept"))
        await house.settled()
        await house.play_a_while(number)
        asked = await house.ann.slash("/tablan resign", match=number)
        await press_everything(house, house.ann, asked)
        await house.settled()

    assert unknown(house) == {}


@pytest.mark.parametrize("how", ["void", "end"])
async def test_what_moderators_decide(empty_house: House, how: str) -> None:
    house = empty_house
    await everybody_is_foreign(house)
    may_manage(house, house.carol)
    await begin(house, "tablut")
    await house.play_a_while()
    options = {"winner": house.ann} if how == "end" else {}
    asked = await house.carol.slash(f"/server {how}", match=1, options=options)
    await press_everything(house, house.carol, asked)
    await house.settled()
    await house.carol.slash("/server audit")
    await house.ann.slash("/match replay", number="1")
    await house.ann.slash("/tablut board", match=1)

    assert (await house.bot.matches.view(1)).match.finished
    assert unknown(house) == {}


async def test_a_result_that_was_taken_back_is_told_with_the_reason_of_that(house: House) -> None:
    """Why the match had ended before is no reason why nothing is counted."""
    await house.begin("dash" if "dash" in registry.games() else "tablut")
    last = await house.play_until(random.Random(2), lambda board: not playable(board))
    assert "won" in last.text or "draw" in last.text
    may_manage(house, house.carol)
    asked = await house.carol.slash("/server void", match=1)
    form = await house.carol.press(of(asked), "Void the match")
    await house.carol.submit(form.modal, {"reason": "they were one person"})
    await house.settled()

    told = house.board().text
    assert "No result" in told
    assert "decided by a moderator (they were one person)" in told


async def test_films_and_replays_are_written_in_the_language_of_who_sees_them(
    house: House,
) -> None:
    german = house.bot.tongues.of_locale("de")
    house.dan.locale = "de"
    await house.begin("thaayam")
    await house.play_a_while()
    reel = await house.bot.reels.of_match(1)
    for line in ("/match gif", "/match replay"):
        english = of(await house.carol.slash(line, number="1")).attachments[0].data
        shown = of(await house.dan.slash(line, number="1")).attachments[0].data
        assert english != shown
    wanted = await clip.painted(
        house.studio, clip.whole(reel), most_bytes=clip.WHOLE_BYTES, look=Look(tongue=german)
    )
    assert film(of(await house.dan.slash("/match gif", number="1"))) == wanted


async def test_a_film_beside_a_board_is_written_in_the_language_of_the_server(
    house: House,
) -> None:
    german = house.bot.tongues.of_locale("de")
    for person in house.people:
        await house.bot.choices.set_player(person.id, PlayerSettings(clips=True, turned=False))
    await house.begin("thaayam", players=3)
    await house.choose(language="de")
    dice = random.Random(3)
    for _ in range(60):
        board = boards(house)[-1]
        if any(a.filename.endswith(".gif") for a in board.attachments):
            break
        await house.turn_from(board, await mover(house), dice)
    view = await house.bot.matches.view(1)
    assert view.to_move is not None
    shown = clip.since(await house.bot.reels.of_match(1), view.to_move.seat)
    assert shown is not None
    painted = {
        tongue: await clip.painted(
            house.studio, shown, most_bytes=clip.SINCE_BYTES, look=Look(tongue=tongue)
        )
        for tongue in (german, ENGLISH)
    }
    assert painted[german] != painted[ENGLISH]
    assert film(boards(house)[-1]) == painted[german]


async def test_in_a_group_words_and_picture_are_in_one_language(house: House) -> None:
    """Nobody knows the language of the place: it is that of whoever brings the board there."""
    house.bot.tongues.speak(FOREIGN, Bracketed())
    house.ann.locale = house.ben.locale = "de"
    offered = await house.challenge("thaayam", channel=GROUP)
    await house.ben.press(of(offered), custom_id=button(of(offered), "accept"))
    await house.settled()
    board = boards(house)[-1]
    view = await house.bot.matches.view(1)
    german = house.bot.tongues.of_locale("de")
    scene = view.game.scene(view.state, [(p.before, p.move) for p in view.last_turn])
    assert board.picture == await house.studio.picture(scene, Look(tongue=german))
    assert board.picture != await house.studio.picture(scene)


async def test_who_is_told_alone_is_told_in_their_own_language(house: House) -> None:
    house.bot.tongues.speak(FOREIGN, Bracketed())
    first = await house.begin("tablut", channel=GROUP)
    called = house.mover(first)
    await house.bot.choices.set_player(called.id, PlayerSettings(language=FOREIGN))
    await house.let(days=2, hours=23)
    told = [message.text for message in called.sees(called.direct)]
    assert "⟦" in told[-1]
