"""What a move's transaction reads for its board is used only if nothing else can have changed."""

from __future__ import annotations

from bot.play.matches import stored_messages
from bot.play.matches.positions import Position
from bot.play.matches.stored_messages import Alone, Done, Snapshot, Stored
from data.matches import boards, outbox
from data.matches.boards import PostedMessage, TurnCall
from tests.bot.conftest import Club


def listening(club: Club) -> Alone:
    """Return a match's lock that counts its announcements, as the outbox worker does."""
    alone = Alone()

    def count(_: int) -> None:
        alone.news += 1

    club.store.listen(outbox.TOPIC, count)
    return alone


async def moved(club: Club, position: Position, snapshot: Snapshot) -> Position:
    """Make the first legal move, and read the snapshot with it."""
    assert position.to_move is not None
    text = position.game.write(position.game.legal_moves(position.state)[0])
    return await club.matches.play(position, position.to_move, text, snapshot=snapshot)


async def used(alone: Alone, snapshot: Snapshot) -> Stored | None:
    """Return what is used of a snapshot by the next one who may write about the match."""
    async with alone:
        return snapshot.use()


async def stored(club: Club, position: Position) -> Stored | None:
    """Return what the store says now."""
    return await stored_messages.read(club.store, position.match.id, club.clock(), uncertain=())


async def test_a_move_reads_what_its_board_needs(club: Club) -> None:
    position = await club.start()
    alone = listening(club)
    snapshot = Snapshot(alone, club.clock())
    after = await moved(club, position, snapshot)

    found = await used(alone, snapshot)
    assert found is not None
    assert found == await stored(club, after)
    assert found.match is after.match
    assert [job.payload["ply"] for job in found.jobs][-1] == after.version


async def test_what_was_read_is_outdated_by_any_other_announcement(club: Club) -> None:
    position = await club.start()
    alone = listening(club)
    snapshot = Snapshot(alone, club.clock())
    after = await moved(club, position, snapshot)

    async with club.store.write() as tx:
        tx.announce(outbox.TOPIC, after.match.id)
    assert await used(alone, snapshot) is None


async def test_what_was_read_is_outdated_once_someone_else_has_written(club: Club) -> None:
    position = await club.start()
    alone = listening(club)
    snapshot = Snapshot(alone, club.clock())
    await moved(club, position, snapshot)

    async with alone:
        alone.done = Done()
    assert await used(alone, snapshot) is None


async def test_what_an_ending_delivery_records_later_is_added(club: Club) -> None:
    position = await club.start()
    number = position.match.id
    earlier = await stored(club, position)
    assert earlier is not None
    call, gone = TurnCall(8, 2, number, 0), TurnCall(7, 2, number, 0)
    async with club.store.write() as tx:
        await boards.put_call(tx, gone)
    board = PostedMessage(5, 2, number, position.version, live=True)
    alone = listening(club)

    async with alone:  # it has posted a board, and its player presses before that is recorded
        snapshot = Snapshot(alone, club.clock())
        after = await moved(club, position, snapshot)
        done = Done(jobs=[*earlier.jobs], shown=[board], called=[call], answered=[gone])
        await stored_messages.write(club.store, done, earlier, club.clock())
        alone.done = done

    found = await used(alone, snapshot)
    assert found is not None
    assert found == await stored(club, after)
    assert (found.live, found.calls) == ((board,), (call,))


async def test_what_was_read_is_of_no_use_after_a_delivery_that_failed(club: Club) -> None:
    position = await club.start()
    alone = listening(club)
    async with alone:
        snapshot = Snapshot(alone, club.clock())
        await moved(club, position, snapshot)
    assert await used(alone, snapshot) is None
