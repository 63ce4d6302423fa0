"""Following matches and players: one notification per ended match, and its source."""

from __future__ import annotations

from data import posts
from data.matches import matches, watching
from data.matches.match import Match
from data.posts import Post
from data.store.store import Transaction
from tests.data import people
from tests.data.people import ANN, BEN, CAROL, DAN, NOW, SERVER, after


async def begin_match(tx: Transaction, guild_id: int | None = SERVER) -> Match:
    found = await matches.get(tx, await people.match(tx, (ANN, BEN), guild_id=guild_id))
    assert found is not None
    return found


async def due(tx: Transaction) -> tuple[Post, ...]:
    return await posts.due(tx, after(9), limit=9)


async def test_a_follower_of_a_match_and_both_its_players_gets_one_notification(
    tx: Transaction,
) -> None:
    match = await begin_match(tx)
    await watching.follow_match(tx, CAROL, match.id, NOW)
    for player in (ANN, BEN):
        await watching.follow_player(tx, CAROL, SERVER, player, NOW)
    await watching.tell_followers(tx, match, NOW)
    [post] = await due(tx)
    assert (post.kind, post.subject) == (watching.END_POST, match.id)
    assert (post.user_id, post.payload) == (CAROL, {})
    # Finished matches are no longer followed; players are.
    assert await watching.matches_of(tx, CAROL) == ()
    assert set(await watching.players_of(tx, CAROL, SERVER)) == {ANN, BEN}
    assert await watching.count_followed(tx, CAROL) == 2


async def test_players_get_no_notification_of_their_own_match_nor_followers_on_other_servers(
    tx: Transaction,
) -> None:
    match = await begin_match(tx)
    await watching.follow_player(tx, ANN, SERVER, BEN, NOW)
    await watching.follow_player(tx, CAROL, SERVER - 1, BEN, NOW)
    await watching.follow_player(tx, DAN, SERVER, CAROL, NOW)
    await watching.tell_followers(tx, match, NOW)
    assert await due(tx) == ()
    elsewhere = await begin_match(tx, guild_id=None)
    await watching.follow_match(tx, CAROL, elsewhere.id, NOW)
    await watching.tell_followers(tx, elsewhere, NOW)
    assert await due(tx) == ()


async def test_unfollowing_stops_notifications(tx: Transaction) -> None:
    match = await begin_match(tx)
    await watching.follow_match(tx, CAROL, match.id, NOW)
    await watching.follow_player(tx, CAROL, SERVER, ANN, NOW)
    assert await watching.followers_of_match(tx, match.id) == 1
    assert await watching.followers_of_player(tx, SERVER, ANN) == 1
    await watching.unfollow_match(tx, CAROL, match.id)
    await watching.unfollow_player(tx, CAROL, SERVER, ANN)
    assert await watching.count_followed(tx, CAROL) == 0
    await watching.tell_followers(tx, match, NOW)
    assert await due(tx) == ()


async def test_the_open_matches_of_a_server_are_paged_newest_first(tx: Transaction) -> None:
    numbers = [(await begin_match(tx)).id for _ in range(3)]
    await begin_match(tx, guild_id=SERVER - 1)
    await matches.finish(tx, numbers[1], ranks={}, reason="ended", at=NOW)
    assert await watching.open_in_server(tx, SERVER, limit=9) == (numbers[2], numbers[0])
    assert await watching.open_in_server(tx, SERVER, limit=1) == (numbers[2],)
    following = await watching.open_in_server(tx, SERVER, before=numbers[2], limit=9)
    assert following == (numbers[0],)


async def test_matches_excluded_from_a_page_make_room_for_others(tx: Transaction) -> None:
    older, newer = [(await begin_match(tx)).id for _ in range(2)]
    for people_there in ((ANN, DAN), (DAN, BEN), (CAROL, ANN, DAN)):
        await people.match(tx, people_there)
    without = frozenset({DAN, DAN - 1})
    found = await watching.open_in_server(tx, SERVER, limit=2, without=without)
    assert found == (newer, older)
    found = await watching.open_in_server(tx, SERVER, before=newer, limit=2, without=without)
    assert found == (older,)
