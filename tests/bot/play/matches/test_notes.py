"""Private notes: visible to their owner alone, whatever else happens, on both databases."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from bot.core.errors import NoSuchMatch, NotForYou, Refusal
from bot.play.matches.notes import MAX_NOTE, Notes, mark, plain, quoted, with_note
from bot.play.matches.verification import proof
from data import privacy
from data.matches import matches, watching
from data.matches.watching import notes as notes_table
from tests.bot.conftest import ANN, BEN, CAROL, Club


def notebook(club: Club) -> Notes:
    """Return a process's use cases."""
    return Notes(club.store, club.matches)


async def read(club: Club, user: int) -> str:
    """Return the note a player sees on the match."""
    return await notebook(club).of(await club.matches.position(1), user)


async def test_each_player_has_their_own_note(club: Club) -> None:
    position = await club.start()
    await notebook(club).write(1, ANN, "Watch c4.", seen="")
    await notebook(club).write(1, BEN, "Ann is strong.", seen="")
    assert (await read(club, ANN), await read(club, BEN)) == ("Watch c4.", "Ann is strong.")
    assert await read(club, CAROL) == ""
    async with club.store.read() as tx:
        assert await watching.notes_of(tx, ANN, [1, 2]) == {1: "Watch c4."}
        assert await watching.notes_of(tx, CAROL, [1, 2]) == {}
        assert await matches.get(tx, 1) == position.match, "notes do not update the match"
    with pytest.raises(NotForYou):
        await notebook(club).write(1, CAROL, "mine", seen="")
    with pytest.raises(NoSuchMatch):
        await notebook(club).write(2, ANN, "mine", seen="")


async def test_a_note_is_stored_cleaned_if_it_is_short_and_removed_if_empty(club: Club) -> None:
    await club.start()
    typed, kept = "one\x00\r\ntwo\ttabs \ud800 शतरंज\u200dज", "one\ntwotabs  शतरंज\u200dज"
    assert await notebook(club).write(1, ANN, typed, seen="") == await read(club, ANN) == kept
    await notebook(club).write(1, ANN, "x" * MAX_NOTE, seen=mark(kept))
    with pytest.raises(Refusal, match=f"up to {MAX_NOTE} characters, and this one has 501"):
        await notebook(club).write(1, ANN, "y" * (MAX_NOTE + 1), seen=mark("x" * MAX_NOTE))
    assert await read(club, ANN) == "x" * MAX_NOTE
    assert await notebook(club).write(1, ANN, " \n ", seen=mark("x" * MAX_NOTE)) == ""
    assert await read(club, ANN) == ""
    async with club.store.read() as tx:
        assert not await tx.rows(select(notes_table))


async def test_notes_can_be_written_and_read_after_the_match(club: Club) -> None:
    position = await club.play_a_while(await club.start())
    await notebook(club).write(1, ANN, "before", seen="")
    await club.matches.resign(position.match.id, BEN)
    assert await read(club, ANN) == "before"
    await notebook(club).write(1, ANN, "after", seen=mark("before"))
    assert await read(club, ANN) == "after"
    assert "after" not in str((await proof(club.store, 1)).record)


async def test_editing_an_outdated_note_neither_replaces_nor_loses_text(club: Club) -> None:
    await club.start()
    await notebook(club).write(1, ANN, "first", seen="")
    with pytest.raises(Refusal) as refused:
        await notebook(club).write(1, ANN, "second", seen="")
    assert "> first" in refused.value.sentence
    assert "> second" in refused.value.sentence
    assert await read(club, ANN) == "first"
    # The same again, as when Discord sends a form twice.
    assert await notebook(club).write(1, ANN, "first", seen="") == "first"


async def test_of_two_simultaneous_notes_one_is_kept(clubs: tuple[Club, Club]) -> None:
    await clubs[0].start()
    written = await asyncio.gather(
        *(notebook(club).write(1, ANN, f"note {n}", seen="") for n, club in enumerate(clubs)),
        return_exceptions=True,
    )
    assert sum(isinstance(one, Refusal) for one in written) == 1, written
    assert [await read(clubs[0], ANN)] == [one for one in written if isinstance(one, str)]


async def test_a_note_submitted_after_its_writer_was_deleted_is_not_kept(
    clubs: tuple[Club, Club],
) -> None:
    club, other = clubs
    position = await club.play_a_while(await club.start())
    await club.matches.resign(position.match.id, BEN)

    async def erase() -> None:
        async with other.store.write() as tx:
            await privacy.erase(tx, ANN, -7)

    await asyncio.gather(
        notebook(club).write(1, ANN, "secret", seen=""), erase(), return_exceptions=True
    )
    async with club.store.read() as tx:
        assert not await tx.rows(select(notes_table))
    with pytest.raises(NotForYou):
        await notebook(club).write(1, ANN, "late", seen="")


def test_markup_in_notes_is_shown_as_typed() -> None:
    assert plain("<@33> @everyone **bold** c4-c5") == (r"\<\@33\> \@everyone \*\*bold\*\* c4\-c5")
    assert quoted("# one\n> two") == "> \\# one\n> \\> two"


def test_lists_show_the_beginning_of_a_note() -> None:
    assert with_note("#1 Tablan", "") == "#1 Tablan"
    assert with_note("#1 Tablan", "Watch c4") == "#1 Tablan\n-# Note: Watch c4"
    assert with_note("#1 Tablan", "Watch c4\nand d5") == "#1 Tablan\n-# Note: Watch c4…"
    assert with_note("#1", "x" * 41) == f"#1\n-# Note: {'x' * 40}…"
