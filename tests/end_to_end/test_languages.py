"""Who hears which language, and that nothing is said that no catalogue knows."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

import pytest

from bot.settings.chosen import PlayerSettings, ServerSettings
from engine import registry
from playground.errors import Impossible
from tests.tongues import Bracketed
from tests.words.reading import foreign

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playground.model import Message
    from playground.people import Person
    from playground.reply import Reply
    from tests.end_to_end.harness import House

FOREIGN = "ko"
"""A locale of Discord in which nobody has written anything: the bracketed language stands there."""

GAMES = sorted(registry.games())

TEXT_INPUT = 4

_SAID = {"content", "label", "description", "placeholder", "title"}


def said_in(body: Any) -> Iterator[str]:
    """Yield all words of a request that people read."""
    if isinstance(body, dict):
        for name, value in body.items():
            if name in _SAID and isinstance(value, str):
                yield value
            elif name == "choices":
                yield from (choice["name"] for choice in value)
            else:
                yield from said_in(value)
    elif isinstance(body, list):
        for value in body:
            yield from said_in(value)


def said(house: House) -> list[str]:
    """Return all that the bot has said so far, to anybody."""
    return [
        words
        for request in house.town.requests
        if "/commands" not in request.route
        for words in said_in(request.json)
    ]


def unknown(house: House) -> dict[str, list[str]]:
    """Return what was said that came from no catalogue, with the words at fault."""
    found = {words: foreign(words, KNOWN) for words in said(house)}
    return {words: left for words, left in found.items() if left}


KNOWN = frozenset(
    {
        *("python", "engine", "verify", "FILE"),  # how to check a seed
        *("in", "off", "twins", "a1", "m"),  # notation of moves
        *("nonsense", "none", "x"),  # what was typed
        "Game",  # how a record begins
        "½",  # of a point
        *("UTC", "Europe", "Stockholm"),
        *("Ann", "Ben", "Carol", "Dan"),  # what people are called in the description of a picture
        *("Deutsch", "English", "Français", "Svenska", "한국어", "ह", "न", "द"),
    }
)
"""What stands in no catalogue, for it is the same in all languages."""


def boards(house: House) -> list[Message]:
    """Return the messages with boards, oldest first."""
    found = [
        message
        for channel in house.town.world.channels.values()
        for message in channel.messages.values()
        if not message.deleted and not message.ephemeral and message.picture is not None
    ]
    return sorted(found, key=lambda message: message.id)


async def mover(house: House, number: int = 1) -> Person:
    """Return who is to move."""
    view = await house.bot.matches.view(number)
    assert view.to_move is not None
    return house.who(view.to_move.user_id)


async def everybody_is_foreign(house: House) -> None:
    """Let everybody, and the server, speak the bracketed language."""
    house.town.guild.locale = FOREIGN
    for person in house.people:
        person.locale = FOREIGN
    await house.start()
    house.bot.tongues.speak(FOREIGN, Bracketed())


async def begin(house: House, slug: str) -> Message:
    """Let Ann and Ben begin a match whatever the language."""
    offered = await house.challenge(slug)
    assert offered.message is not None
    accept = next(b for b in offered.message.buttons if (b.custom_id or "").endswith(":accept"))
    refused = await house.carol.press(offered.message, custom_id=accept.custom_id)
    assert refused.ephemeral
    await house.ben.press(offered.message, custom_id=accept.custom_id)
    await house.settled()
    return boards(house)[-1]


async def press_everything(house: House, person: Person, reply: Reply) -> None:
    """Press every button and choose the first entry of every menu of an answer."""
    message = reply.message
    if message is None:
        return
    wanted = [button.custom_id for button in message.buttons if button.custom_id]
    for custom_id in wanted:
        shown = next((b for b in message.buttons if b.custom_id == custom_id), None)
        if shown is None or shown.disabled or message.deleted:
            continue
        answered = await person.press(message, custom_id=custom_id)
        if answered.modal is not None:
            filled = {
                field.custom_id: "x" for field in answered.modal.fields if field.type == TEXT_INPUT
            }
            await person.submit(answered.modal, filled)
    for place in range(len(message.menus)):
        if place < len(message.menus) and message.menus[place].options:
            await person.choose(message, message.menus[place].options[0].value, menu=place)
    await house.settled()


@pytest.mark.parametrize("slug", GAMES)
async def test_a_match_says_nothing_that_is_in_no_catalogue(empty_house: House, slug: str) -> None:
    house = empty_house
    await everybody_is_foreign(house)
    board = await begin(house, slug)
    dice = random.Random(5)
    for _ in range(12):
        board = boards(house)[-1]
        if not house.choices(board):
            break
        player = await mover(house)
        other = house.ben if player is house.ann else house.ann
        value = dice.choice(house.choices(board))
        refused = house.start_pick(board, other, value)
        await refused.acknowledged()
        await house.turn_from(board, player, dice)
    player = await mover(house)
    other = house.ben if player is house.ann else house.ann
    moves = await house.legal()
    for typed in ("nonsense", "a1-a1", "a1", "off", "in", "b2", "e5-e6", f"{moves[0]}+9"):
        await player.slash(f"/{slug} move", move=typed)
        await house.settled()
        player = await mover(house)
        other = house.ben if player is house.ann else house.ann
    await other.slash(f"/{slug} move", move=moves[0])
    await player.autocomplete(f"/{slug} move", "move", "")
    await player.autocomplete(f"/{slug} move", "match", "")
    await player.autocomplete(f"/{slug} rules", "number", "")
    await press_everything(house, player, await player.slash(f"/{slug} rules"))
    await player.slash(f"/{slug} rules", number=registry.game(slug).rules[0].name)
    await player.slash(f"/{slug} rules", number="none")
    await player.slash(f"/{slug} games")
    await player.slash(f"/{slug} board")
    await house.carol.slash(f"/{slug} board")
    await house.carol.slash(f"/{slug} resign", match=1)
    await player.slash("/match verify", number=1)
    await press_everything(house, player, await player.slash(f"/{slug} resign"))
    await house.settled()
    await player.slash(f"/{slug} resign", match=1)
    await player.slash("/match verify", number=1)
    await player.slash("/match verify", number=99)
    await player.slash("/leaderboard")
    await house.settled()

    assert unknown(house) == {}


@pytest.mark.parametrize("slug", GAMES)
async def test_challenges_say_nothing_that_is_in_no_catalogue(
    empty_house: House, slug: str
) -> None:
    house = empty_house
    await everybody_is_foreign(house)
    game = registry.game(slug)
    chosen = {option.name: option.values[-1] for option in game.options}
    line = f"/{slug} challenge"
    asked = {**house.invited(2), **chosen, "seat": game.seat_names[0]}
    offered = await house.ann.slash(line, options=asked)
    await house.ann.slash(line, opponent=house.ann)
    await house.ann.slash(line, options=asked)
    await house.ann.slash(line)
    await press_everything(house, house.ben, await house.ben.slash(f"/{slug} seek"))
    await house.carol.slash(f"/{slug} seek")
    await house.ann.slash(f"/{slug} withdraw")
    assert offered.message is not None
    for person in (house.carol, house.ben, house.ben, house.ann):
        for reply in ("accept", "decline", "leave", "withdraw"):
            wanted = [b.custom_id or "" for b in offered.message.buttons]
            found = next((name for name in wanted if name.endswith(reply)), None)
            if found is not None:
                await person.press(offered.message, custom_id=found)
                await house.settled()
    await press_everything(
        house, house.dan, await house.dan.user_command("Challenge to a game…", on=house.ben)
    )
    await house.ben.slash("/block", user=house.ann)
    await house.challenge(slug, channel="general")

    assert unknown(house) == {}


@pytest.mark.parametrize("slug", [slug for slug in GAMES if registry.game(slug).agreed_draw])
async def test_offers_of_a_draw_say_nothing_that_is_in_no_catalogue(
    empty_house: House, slug: str
) -> None:
    house = empty_house
    await everybody_is_foreign(house)
    await begin(house, slug)
    for reply in ("no", "yes"):
        offered = await house.ann.slash(f"/{slug} draw")
        assert offered.message is not None
        button = next(
            b for b in offered.message.buttons if (b.custom_id or "").endswith(f":{reply}")
        )
        for person in (house.carol, house.ann, house.ben):
            if offered.message.buttons:
                await person.press(offered.message, custom_id=button.custom_id)
                await house.settled()
    await house.ann.slash(f"/{slug} board")

    assert unknown(house) == {}


async def test_no_command_says_anything_that_is_in_no_catalogue(empty_house: House) -> None:
    house = empty_house
    await everybody_is_foreign(house)
    for command in list(house.bot.tree.walk_commands()):
        if not hasattr(command, "parameters"):
            continue
        needed = {p.display_name: p.type.name for p in command.parameters if p.required}
        given = {
            name: {"user": house.ben, "integer": 1}.get(kind, "x") for name, kind in needed.items()
        }
        line = f"/{command.qualified_name}"
        try:
            reply = await house.ann.slash(line, options=given)
        except Impossible:
            continue  # not for Ann, or not with these values
        await press_everything(house, house.ann, reply)

    assert unknown(house) == {}


async def test_an_answer_for_one_is_in_their_language_and_a_board_in_the_servers(
    house: House,
) -> None:
    house.bot.tongues.speak(FOREIGN, Bracketed())
    house.ann.locale = FOREIGN
    alone = await house.ann.slash("/tablan games")
    offered = await house.challenge()
    to_ben = await house.ben.slash("/tablan games")

    assert "⟦" in alone.text
    assert "⟦" not in offered.text
    assert "⟦" not in to_ben.text


async def test_what_a_server_has_chosen_is_what_everybody_sees(house: House) -> None:
    house.bot.tongues.speak(FOREIGN, Bracketed())
    await house.bot.choices.set_server(
        house.town.guild.id, ServerSettings(language=FOREIGN), by=house.ann.id
    )
    board = await begin(house, "tablan")
    shown = await house.ann.slash("/tablan board")

    assert board.text.startswith("⟦")
    assert board.alt is not None
    assert "⟦" in board.alt
    assert "⟦" not in shown.text


async def test_a_player_hears_the_language_they_have_chosen(house: House) -> None:
    house.bot.tongues.speak(FOREIGN, Bracketed())
    await house.bot.choices.set_player(house.ben.id, PlayerSettings(language=FOREIGN))
    ours = await house.ben.slash("/tablan games")
    await house.bot.choices.set_player(house.ben.id, PlayerSettings(language="en-US"))
    house.ben.locale = FOREIGN
    english = await house.ben.slash("/tablan games")

    assert "⟦" in ours.text
    assert "⟦" not in english.text


async def test_a_press_in_the_channel_keeps_the_language_of_the_server(house: House) -> None:
    house.bot.tongues.speak(FOREIGN, Bracketed())
    for person in house.people:
        person.locale = FOREIGN
    board = await house.begin()
    reply = await house.turn(board, random.Random(1))

    assert "⟦" not in house.board().text
    value = house.choices(house.board())[-1]
    refused = await house.start_pick(house.board(), house.carol, value).acknowledged()
    assert refused.ephemeral
    assert "⟦" in refused.text
    assert reply.error is None
    assert re.search("⟦", house.board().text) is None
