"""Moves that are typed, with what is suggested and what is refused."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from bot.words import present
from tests.end_to_end.harness import playable

if TYPE_CHECKING:
    from tests.end_to_end.harness import House


async def test_a_game_is_played_by_typing_what_is_suggested(house: House) -> None:
    dice = random.Random(4)
    board = await house.begin()
    for _ in range(12):
        board = house.board()
        mover = house.mover(board)
        legal = await house.legal()
        offered = await mover.autocomplete("/tablan move", "move", "")
        assert 1 <= len(offered) <= 25
        start = dice.choice(offered).value
        more = await mover.autocomplete("/tablan move", "move", start.upper())
        assert {s.value for s in more} <= set(legal)
        move = dice.choice(more).value
        ply = await house.ply()

        told = await mover.slash("/tablan move", move=move)

        assert told.ephemeral
        assert told.text.startswith("Played.")
        await house.settled()
        assert await house.ply() > ply
        shown = house.board()
        assert f"Turn {await house.ply()}" in shown.text
        assert [b for b in house.boards() if playable(b)] == [shown]


async def test_suggestions_are_legal_moves_when_they_fit(house: House) -> None:
    board = await house.begin()
    offered = await house.mover(board).autocomplete("/tablan move", "move", "")
    assert {s.value for s in offered} == set(await house.legal())


async def test_nobody_else_is_suggested_anything(house: House) -> None:
    board = await house.begin()
    assert await house.carol.autocomplete("/tablan move", "move", "") == []
    assert await house.carol.autocomplete("/tablan move", "move", "", match=1) == []
    assert await house.other(board).autocomplete("/tablan move", "move", "k") == []


async def test_spaces_and_capitals_do_not_matter(house: House) -> None:
    board = await house.begin()
    move = (await house.legal())[0]
    told = await house.mover(board).slash(
        "/tablan move", move=f" {move.upper()} ".replace("-", " - ")
    )
    assert told.text.startswith("Played.")


async def test_an_illegal_move_is_answered_with_its_rule_and_changes_nothing(
    house: House,
) -> None:
    board = await house.begin(rules="walker")
    ply, posts = await house.ply(), len(house.boards())

    mover = house.mover(board)
    seat = "a1" if "White" in board.text.split("as **")[1][:6] else "l4"
    told = await mover.slash("/tablan move", move=f"{seat}-{seat[0]}3")

    assert told.ephemeral
    assert "Rule W" in told.text
    assert seat in told.text
    assert await house.ply() == ply
    assert len(house.boards()) == posts
    rule = told.text.split("**Rule ")[1].split(".")[0]
    looked_up = await mover.slash("/tablan rules", number=rule)
    sentence = told.text.split("** ")[-1]
    assert sentence in looked_up.text


async def test_what_is_no_notation_is_answered_with_how_to_write(house: House) -> None:
    board = await house.begin()
    for typed in ("castle kingside", "z9-z8", "k1-", "*2", "🎲" * 30, "k1-l2" * 200):
        ply = await house.ply()
        told = await house.mover(board).slash("/tablan move", move=typed)
        assert told.ephemeral
        assert told.text
        assert "Something went wrong" not in told.text
        assert await house.ply() == ply


async def test_moving_out_of_turn_shows_whose_turn_it_is(house: House) -> None:
    board = await house.begin()
    told = await house.other(board).slash("/tablan move", move=(await house.legal())[0])
    assert told.ephemeral
    assert "not your turn" in told.text
    assert told.message is not None
    assert told.message.picture


async def test_moving_in_a_finished_match_is_refused(house: House) -> None:
    await house.begin()
    question = await house.ann.slash("/tablan resign")
    assert question.message is not None
    await house.ann.press(question.message, "Resign")
    await house.settled()
    told = await house.ann.slash("/tablan move", move="k1-l2", match=1)
    assert told.ephemeral
    assert "over" in told.text
    none = await house.ann.slash("/tablan move", move="k1-l2")
    assert "no open match" in none.text
    again = await house.ann.slash("/tablan resign", match=1)
    assert "over" in again.text


async def test_an_unknown_match_number_is_refused(house: House) -> None:
    for line in ("/tablan board", "/tablan resign"):
        told = await house.ann.slash(line, match=77)
        assert told.ephemeral
        assert "no match #77" in told.text
    told = await house.ann.slash("/tablan move", move="k1-l2", match=77)
    assert "no match #77" in told.text
    told = await house.ann.slash("/match verify", number=77)
    assert "no match #77" in told.text


async def test_a_stranger_may_look_at_a_match_but_not_touch_it(house: House) -> None:
    await house.begin()
    seen = await house.carol.slash("/tablan board", match=1)
    assert seen.ephemeral
    assert seen.message is not None
    assert seen.message.picture
    assert not seen.message.buttons
    assert "belongs to" in (await house.carol.slash("/tablan move", move="k1-l2", match=1)).text
    assert "do not play" in (await house.carol.slash("/tablan resign", match=1)).text


async def test_the_words_of_a_receipt_are_those_of_the_board(house: House) -> None:
    board = await house.begin()
    view = await house.bot.matches.view(1)
    move = view.game.legal_moves(view.state)[0]
    told = await house.mover(board).slash("/tablan move", move=view.game.write(move))
    assert view.game.tell(view.state, move) in told.text
    await house.settled()
    assert present.board(await house.bot.matches.view(1)).story
