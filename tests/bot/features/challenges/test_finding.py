"""Finding a game: whom a player may ask for what, how often, and for how long."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import update

from bot.core.errors import BadOpponent, ChallengeGone, MatchOver, NotForYou, TooMany, Unwelcome
from bot.core.settings.service import SettingsStore
from bot.features.challenges import text as challenges_text
from bot.features.challenges.blocks import MAX_BLOCKED, Blocks
from bot.features.challenges.limits import MAX_OPEN, MAX_OPEN_TO_ONE, MAX_PER_HOUR, MAX_UNSUCCESSFUL
from bot.features.challenges.service import GRACE, OPEN_FOR, Expiry
from bot.play.matches.positions import Position
from data import posts
from data.challenges import challenges
from data.challenges.challenges import Challenge, Invitation, State, invited
from data.matches.match import players
from data.posts import Post
from data.time_per_move import columns
from tests.bot.conftest import ANN, BEN, CAROL, CHANNEL, GUILD, Club
from tests.bot.features.ladder.club import TERMS, LadderClub
from tests.bot.features.tournaments.club import Cups
from tests.bot.records import everywhere

DAN = 44


def asks(club: Club, who: int, *opponents: int, game: str = "tablan", **more: int) -> Invitation:
    """Return a player's challenge."""
    plain = replace(club.invitation(*opponents), challenger_id=who, game=game)
    return replace(plain, **more)  # type: ignore[arg-type]


def blocks(club: Club) -> Blocks:
    """Return a club's blocks."""
    return Blocks(club.store, clock=club.clock)


async def again(club: Club, position: Position, who: int) -> tuple[Challenge, Position | None]:
    """Press Rematch as a player."""
    challenge = await club.challenges.ask_rematch(position.match, who)
    begun = challenge.match_id
    return challenge, None if begun is None else await club.matches.position(begun)


async def test_open_places_need_a_valid_number_of_players(club: Club) -> None:
    for opponents, places, why in (
        ((), 3, "for 2 players, not 3"),
        ((BEN,), 1, "not 1"),
        ((BEN, CAROL), None, "not 3"),
    ):
        with pytest.raises(BadOpponent, match=why):
            await club.challenges.offer(replace(club.invitation(*opponents), places=places))
    many = asks(club, ANN, BEN, CAROL, DAN, game="thaayam", places=3)
    with pytest.raises(BadOpponent, match="there are 4"):
        await club.challenges.offer(many)
    named = await club.challenges.offer(replace(club.invitation(BEN), places=2))
    assert named.places is None


async def test_named_and_open_places_can_be_mixed_and_left_again(club: Club) -> None:
    offered = await club.challenges.offer(asks(club, ANN, BEN, game="thaayam", places=3))
    joined, _ = await club.accept(offered.id, CAROL, "c")
    assert joined.free == 0
    with pytest.raises(NotForYou, match="/thaayam seek"):
        await club.challenges.accept(offered.id, DAN, "d")
    with pytest.raises(NotForYou, match="press Leave"):
        await club.challenges.decline(offered.id, CAROL)
    with pytest.raises(NotForYou, match="withdraw it"):
        await club.challenges.leave(offered.id, ANN)
    with pytest.raises(NotForYou, match="not in this challenge"):
        await club.challenges.leave(offered.id, DAN)
    assert (await club.challenges.leave(offered.id, CAROL)).free == 1
    await club.challenges.accept(offered.id, DAN, "d")
    _, position = await club.accept(offered.id, BEN, "b")
    assert position is not None
    assert {player.user_id for player in position.match.players} == {ANN, BEN, DAN}
    with pytest.raises(ChallengeGone, match="match #1"):
        await club.challenges.leave(offered.id, DAN)


async def test_only_the_challenger_can_withdraw_a_challenge(club: Club) -> None:
    offered = await club.challenges.offer(club.invitation())
    with pytest.raises(NotForYou, match=f"Only <@{ANN}>"):
        await club.challenges.withdraw(offered.id, BEN)
    with pytest.raises(NotForYou, match="no need to decline"):
        await club.challenges.decline(offered.id, BEN)
    assert (await club.challenges.withdraw(offered.id, ANN)).state is State.WITHDRAWN
    with pytest.raises(ChallengeGone, match="withdrawn"):
        await club.challenges.withdraw(offered.id, ANN)


async def test_an_expired_challenge_is_gone_even_before_it_is_closed(club: Club) -> None:
    offered = await club.challenges.offer(club.invitation(BEN))
    assert offered.expires_at == offered.created_at + OPEN_FOR
    club.wait(days=6, hours=23)
    assert await club.challenges.made_by(ANN) == (offered,)
    club.wait(hours=1)
    club.forget()
    with pytest.raises(ChallengeGone, match="has expired"):
        await club.challenges.accept(offered.id, BEN, "b")
    assert await club.challenges.made_by(ANN) == ()
    assert await club.challenges.open_to(BEN, GUILD, everywhere) == ()
    await club.challenges.offer(club.invitation(BEN))


async def test_a_challenge_to_hours_per_move_is_open_for_a_day(club: Club) -> None:
    hours = replace(club.invitation(BEN), **columns(timedelta(hours=12)))
    offered = await club.challenges.offer(hours)
    assert offered.expires_at == offered.created_at + timedelta(days=1)
    club.wait(days=1)
    with pytest.raises(ChallengeGone, match="has expired"):
        await club.challenges.accept(offered.id, BEN, "b")
    day = replace(club.invitation(BEN), **columns(timedelta(days=1)))
    offered = await club.challenges.offer(day)
    assert offered.expires_at == offered.created_at + OPEN_FOR


async def test_open_challenges_from_one_person_to_another_are_limited(club: Club) -> None:
    for number, game in zip(range(MAX_OPEN_TO_ONE), ("tablan", "tablut", "thaayam"), strict=True):
        await club.challenges.offer(asks(club, ANN, BEN, game=game))
        assert len(await club.challenges.made_by(ANN)) == number + 1
    club.forget()
    with pytest.raises(TooMany, match=f"{MAX_OPEN_TO_ONE} open challenges to <@{BEN}>") as refused:
        await club.challenges.offer(asks(club, ANN, BEN, game="tablaaza"))
    assert refused.value.withdrawable == 3
    await club.challenges.offer(asks(club, CAROL, BEN))
    await club.challenges.withdraw(3, ANN)
    await club.challenges.offer(asks(club, ANN, BEN, game="tablaaza"))


async def test_open_challenges_per_person_are_limited(club: Club) -> None:
    for number in range(MAX_OPEN):
        await club.challenges.offer(club.invitation(100 + number))
    with pytest.raises(TooMany, match="`/tablan withdraw`"):
        await club.challenges.offer(club.invitation(BEN))
    club.wait(days=7)
    await club.challenges.offer(club.invitation(BEN))


async def test_challenges_per_hour_are_limited(club: Club) -> None:
    for number in range(MAX_PER_HOUR):
        offered = await club.challenges.offer(club.invitation(100 + number))
        await club.challenges.withdraw(offered.id, ANN)
        club.wait(seconds=1)
    first = int(club.clock().timestamp()) - MAX_PER_HOUR
    club.forget()
    with pytest.raises(TooMany, match=f"<t:{first + 3600}:R>"):
        await club.challenges.offer(club.invitation(BEN))
    club.wait(hours=1, seconds=-MAX_PER_HOUR)
    await club.challenges.offer(club.invitation(BEN))


async def test_a_player_cannot_be_pestered_with_challenges_by_the_same_person(club: Club) -> None:
    for _ in range(MAX_UNSUCCESSFUL):
        offered = await club.challenges.offer(club.invitation(BEN))
        await club.challenges.withdraw(offered.id, ANN)
        club.wait(minutes=1)
    for game in ("tablan", "tablut", "tablaaza"):
        with pytest.raises(TooMany, match=f"You've challenged <@{BEN}> a lot today"):
            await club.challenges.offer(asks(club, ANN, BEN, game=game))
    await club.challenges.offer(club.invitation(CAROL))
    club.wait(days=1)
    await club.challenges.offer(club.invitation(BEN))


async def test_a_blocked_player_cannot_challenge_accept_or_ask_for_a_rematch(club: Club) -> None:
    position = await club.start()
    await club.matches.resign(position.match.id, ANN)
    position = await club.matches.position(position.match.id)
    await blocks(club).add(BEN, ANN)
    club.forget()
    refusal = f"<@{BEN}> isn't taking challenges right now"
    with pytest.raises(Unwelcome, match=refusal):
        await club.challenges.offer(club.invitation(BEN))
    with pytest.raises(Unwelcome, match=refusal):
        await again(club, position, ANN)
    offered = await club.challenges.offer(asks(club, BEN))
    with pytest.raises(Unwelcome, match="You can't join this challenge right now"):
        await club.challenges.accept(offered.id, ANN, "a")
    assert (await club.challenges.get(offered.id)).state is State.OPEN
    assert await club.challenges.open_to(ANN, GUILD, everywhere) == ()
    assert [one.id for one in await club.challenges.open_to(CAROL, GUILD, everywhere)] == [
        offered.id
    ]
    with pytest.raises(Unwelcome, match=f"You've blocked <@{ANN}>"):
        await club.challenges.offer(asks(club, BEN, ANN))
    await blocks(club).remove(BEN, ANN)
    await club.challenges.offer(club.invitation(BEN))


async def test_blocking_withdraws_ones_own_challenges_and_ends_no_match(club: Club) -> None:
    position = await club.start()
    mine = await club.challenges.offer(asks(club, BEN, ANN))
    theirs = await club.challenges.offer(asks(club, ANN, BEN))
    shared = await club.challenges.offer(asks(club, BEN, game="thaayam", places=3))
    await club.challenges.accept(shared.id, ANN, "a")
    other = await club.challenges.offer(asks(club, BEN, CAROL))
    await blocks(club).add(BEN, ANN)
    for closed in (mine, shared):
        assert (await club.challenges.get(closed.id)).state is State.WITHDRAWN
    assert (await club.challenges.get(theirs.id)).state is State.OPEN
    with pytest.raises(Unwelcome, match=f"You've blocked <@{ANN}>"):
        await club.challenges.accept(theirs.id, BEN, "b")
    assert (await club.challenges.get(other.id)).state is State.OPEN
    assert (await club.matches.position(position.match.id)).to_move is not None
    await blocks(club).add(BEN, ANN)
    assert await blocks(club).of(BEN) == (ANN,)


@pytest.mark.parametrize("maker", [ANN, CAROL])
async def test_blocking_a_fellow_participant_makes_the_blocker_leave(
    club: Club, maker: int
) -> None:
    shared = await club.challenges.offer(asks(club, maker, game="thaayam", places=4))
    for user in {ANN, BEN} - {maker}:
        await club.challenges.accept(shared.id, user, "x")
    await blocks(club).add(BEN, ANN)
    now = await club.challenges.get(shared.id)
    assert now.state is State.OPEN
    assert now.of(BEN) is None
    assert now.of(ANN) is not None
    with pytest.raises(Unwelcome, match="You've blocked"):
        await club.challenges.accept(shared.id, BEN, "b")


async def test_of_two_mutually_blocked_players_each_is_told_of_their_own_block(club: Club) -> None:
    for one, other in ((ANN, BEN), (BEN, ANN)):
        await blocks(club).add(one, other)
    for one, other in ((ANN, BEN), (BEN, ANN)):
        with pytest.raises(Unwelcome, match=f"You've blocked <@{other}>"):
            await club.challenges.offer(asks(club, one, other))


async def test_players_who_take_no_challenges_cannot_make_any(club: Club) -> None:
    await club.matches.deadlines.players.change_player(BEN, {"challenges": False})
    with pytest.raises(Unwelcome, match="/me settings"):
        await club.challenges.offer(asks(club, BEN, ANN))


async def test_players_cannot_block_themselves_or_everyone_or_unblock_a_stranger(
    club: Club,
) -> None:
    with pytest.raises(BadOpponent, match="yourself"):
        await blocks(club).add(ANN, ANN)
    with pytest.raises(BadOpponent, match="isn't blocked"):
        await blocks(club).remove(ANN, BEN)
    for number in range(MAX_BLOCKED):
        await blocks(club).add(ANN, 1000 + number)
    with pytest.raises(BadOpponent, match="/unblock"):
        await blocks(club).add(ANN, BEN)


async def test_a_rematch_swaps_the_sides_and_keeps_the_rest(club: Club) -> None:
    before = await club.begin_match(BEN, seat=1, options={"rules": "bell"}, days=5)
    with pytest.raises(MatchOver, match="isn't over yet"):
        await again(club, before, ANN)
    position = await club.matches.resign(1, ANN)
    challenge, begun = await again(club, position, BEN)
    assert begun is None
    assert (challenge.rematch_of, challenge.challenger_id) == (1, BEN)
    with pytest.raises(ChallengeGone, match=f"Waiting for <@{ANN}>"):
        await again(club, position, BEN)
    with pytest.raises(NotForYou, match="/tablan challenge"):
        await again(club, position, CAROL)
    club.forget()
    _, begun = await again(club, position, ANN)
    assert begun is not None
    seats = {player.user_id: player.seat for player in begun.match.players}
    assert seats == {ANN: 0, BEN: 1}
    assert (begun.match.options, begun.match.days) == (position.match.options, 5)
    with pytest.raises(MatchOver, match="match #2") as refused:
        await again(club, position, ANN)
    assert refused.value.match_id == 2


async def test_an_expired_or_declined_rematch_can_be_requested_again(club: Club) -> None:
    await club.start()
    position = await club.matches.resign(1, ANN)
    await again(club, position, ANN)
    club.wait(days=7)
    challenge, begun = await again(club, position, BEN)
    assert begun is None
    await club.challenges.decline(challenge.id, ANN)
    with pytest.raises(TooMany):
        await again(club, position, BEN)
    club.wait(hours=1)
    assert (await again(club, position, BEN))[1] is None


async def test_the_lobby_shows_only_challenges_the_reader_could_accept(club: Club) -> None:
    offer = club.challenges.offer
    anyone = await offer(asks(club, ANN))
    named = await offer(asks(club, CAROL, BEN, game="tablut"))
    await offer(asks(club, ANN, CAROL))
    await offer(asks(club, BEN))
    await offer(asks(club, DAN, guild_id=GUILD + 1))
    await offer(asks(club, DAN, channel_id=CHANNEL + 1))
    full = await offer(asks(club, DAN, game="thaayam", places=3))
    await club.challenges.accept(full.id, BEN, "b")

    async def readable(channels: Iterable[int]) -> set[int]:
        return {CHANNEL} & {*channels}

    found = await club.challenges.open_to(BEN, GUILD, readable)
    assert [one.id for one in found] == [named.id, anyone.id]
    found = await club.challenges.open_to(BEN, GUILD, readable, game="tablan")
    assert [one.id for one in found] == [anyone.id]
    found = await club.challenges.open_to(ANN, GUILD, readable, game="thaayam")
    assert [one.id for one in found] == [full.id]


async def test_deleted_players_break_nothing(club: Club) -> None:
    await club.start()
    position = await club.matches.resign(1, ANN)
    offered = await club.challenges.offer(asks(club, ANN))
    named = await club.challenges.offer(asks(club, CAROL, ANN, game="thaayam", places=3))
    async with club.store.write() as tx:
        for column in (players.c.user_id, challenges.challenges.c.challenger_id, invited.c.user_id):
            await tx.run(update(column.table).where(column == ANN).values({column.name: -7}))
    club.forget()
    position = await club.matches.position(position.match.id)
    with pytest.raises(BadOpponent, match="no longer plays"):
        await again(club, position, BEN)
    with pytest.raises(ChallengeGone, match="no longer here"):
        await club.challenges.accept(offered.id, BEN, "b")
    assert [one.id for one in await club.challenges.open_to(BEN, GUILD, everywhere)] == [named.id]
    for one in (offered.id, named.id):
        challenge = await club.challenges.get(one)
        phrase = challenges_text.text(challenge)
        assert "a former player" in phrase
        assert "-7" not in phrase


async def test_a_challenge_describes_its_open_places(club: Club) -> None:
    anyone = await club.challenges.offer(asks(club, ANN, game="thaayam", places=4, days=1, seat=0))
    phrase = challenges_text.text(anyone)
    assert f"<@{ANN}> is looking for 3 opponents. The first to accept play." in phrase
    assert "1 day per move" in phrase
    assert "3 seats are free." in phrase
    assert "The other sides are random." in phrase
    assert f"<t:{int((anyone.created_at + OPEN_FOR).timestamp())}:f>" in phrase
    listed = challenges_text.line(anyone, 2)
    assert listed.startswith("**2.** Thaayam")
    assert f"<t:{int(anyone.created_at.timestamp())}:R>" in listed
    assert f"<#{CHANNEL}>" in listed


@pytest.mark.parametrize("unrated", [False, True])
async def test_the_rematch_of_a_cup_game_that_could_not_be_rated_is_what_its_cup_asks_for(
    club: Club, *, unrated: bool
) -> None:
    cups = Cups(club.store, club.hands)
    settings = SettingsStore(club.store, clock=club.clock)
    await settings.change_server(GUILD, {"rated": False}, by=CAROL)
    (game,) = await cups.open_games(await cups.begin(ANN, BEN, unrated=unrated))
    position = await cups.matches.resign(game.match_id or 0, ANN)
    assert position.match.unrated
    asked = await cups.challenges.ask_rematch(position.match, ANN)
    assert asked.unrated is unrated


@pytest.mark.parametrize("unrated", [False, True])
async def test_the_rematch_of_a_game_that_could_not_be_rated_is_what_its_ladder_asks_for(
    club: Club, *, unrated: bool
) -> None:
    club = LadderClub(club.store, club.hands)
    settings = SettingsStore(club.store, clock=club.clock)
    await settings.change_server(GUILD, {"rated": False}, by=CAROL)
    await club.ladders.open(replace(TERMS, unrated=unrated))
    for user in (ANN, BEN):
        await club.ladders.join(1, GUILD, user)
    position = await club.matches.resign(await club.begin(BEN, ANN), ANN)
    assert position.match.unrated
    asked = await club.challenges.ask_rematch(position.match, ANN)
    assert asked.unrated is unrated


async def wanted(club: Club, challenge_id: int) -> Post | None:
    """Return the post that redraws a challenge's message."""
    return await club.read(posts.find, challenges.POST, challenge_id)


async def test_an_expired_challenge_is_closed_and_redrawn_at_once(club: Club) -> None:
    made = await club.challenges.offer(club.invitation(BEN))
    await club.challenges.set_message(made.id, 501)
    expiry = Expiry(club.store)
    await expiry.due(club.clock())
    assert await wanted(club, made.id) is None
    club.wait(seconds=OPEN_FOR.total_seconds())
    await expiry.due(club.clock())
    assert (await club.challenges.get(made.id)).state is State.EXPIRED
    post = await wanted(club, made.id)
    assert post is not None
    assert post.try_at == club.clock()


async def test_a_change_is_redrawn_later_unless_the_press_has_shown_it(club: Club) -> None:
    made = await club.challenges.offer(club.invitation(BEN))
    await club.challenges.set_message(made.id, 501)
    changed = await club.challenges.accept(made.id, BEN)
    post = await wanted(club, made.id)
    assert post is not None
    assert post.try_at == club.clock() + GRACE
    await club.challenges.shown(changed, in_place=True)
    assert await wanted(club, made.id) is None


async def test_a_challenge_waits_for_a_challenger_who_has_left_to_come_back(club: Club) -> None:
    named = await club.challenges.offer(club.invitation(BEN))
    await club.challenges.offer(club.invitation())
    club.gone.add(ANN)
    for number in (1, 2):
        with pytest.raises(ChallengeGone, match="challenger is no longer here"):
            await club.challenges.accept(number, BEN)
    assert await club.challenges.open_to(BEN, GUILD, everywhere) == ()
    assert (await club.challenges.get(named.id)).state is State.OPEN
    club.gone.clear()
    assert len(await club.challenges.open_to(BEN, GUILD, everywhere)) == 2
    for number in (1, 2):
        assert (await club.challenges.accept(number, BEN)).state is State.STARTED
    club.gone.add(ANN)
    with pytest.raises(ChallengeGone, match="match #1 now"):
        await club.challenges.accept(1, BEN)


async def test_a_player_who_joined_and_left_the_server_loses_their_place(club: Club) -> None:
    invitation = replace(club.invitation(BEN), game="thaayam", places=4)
    made = await club.challenges.offer(invitation)
    await club.challenges.accept(made.id, BEN)
    await club.challenges.accept(made.id, CAROL)
    club.gone |= {BEN, CAROL}
    joined = await club.challenges.accept(made.id, DAN)
    assert joined.state is State.OPEN
    assert [(one.user_id, one.joined is not None) for one in joined.invited] == [
        (ANN, True),
        (BEN, False),
        (DAN, True),
    ]
    club.gone.clear()
    await club.challenges.accept(made.id, BEN)
    begun = await club.challenges.accept(made.id, CAROL)
    assert begun.state is State.STARTED


async def test_a_rematch_is_refused_while_an_opponent_is_not_on_the_server(club: Club) -> None:
    position = await club.start()
    await club.matches.resign(position.match.id, ANN)
    match = (await club.matches.position(position.match.id)).match
    club.gone.add(BEN)
    with pytest.raises(BadOpponent, match=f"<@{BEN}> isn't on this server"):
        await club.challenges.ask_rematch(match, ANN)
    club.gone = {ANN}
    with pytest.raises(BadOpponent, match=f"<@{ANN}> isn't on this server"):
        await club.challenges.ask_rematch(match, BEN)
    club.gone.clear()
    assert (await club.challenges.ask_rematch(match, ANN)).state is State.OPEN
    assert (await club.challenges.ask_rematch(match, BEN)).state is State.STARTED
    club.gone.add(BEN)
    with pytest.raises(MatchOver, match="already started: match #2"):
        await club.challenges.ask_rematch(match, ANN)
