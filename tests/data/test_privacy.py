"""A person's data can be exported completely, and anonymised without harming others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlalchemy import BigInteger, LargeBinary, Text, insert, select, update

from data import privacy
from data.challenges import challenges
from data.challenges.challenges import challenges as challenges_table
from data.challenges.challenges import invited
from data.ladders import ladder_challenges, ladders
from data.ladders.ladder_challenges import LadderChallenge
from data.matches import match_log, matches, offers, outbox
from data.matches.absences import vacations
from data.matches.match import Entry
from data.matches.match import matches as matches_table
from data.matches.watching import notes
from data.people import (
    audit,
    exclusions,
    limits,
    owner_orders,
    share_links,
    stored_settings,
    web_sessions,
)
from data.people.audit import audit as audit_table
from data.people.exclusions import blocks as blocks_table
from data.people.limits import Spent
from data.people.owner_orders import BotBlock, Order
from data.people.share_links import ShareLink
from data.people.web_sessions import WebSession
from data.puzzles import daily_puzzles, puzzles
from data.puzzles.imported_records import imports
from data.puzzles.puzzles import Puzzle
from data.ratings import results, scores
from data.sql.columns import Document
from data.store.store import Store, Transaction
from data.tournaments import tournament_entrants, tournament_rounds
from data.tournaments.tournament_rounds import Round
from data.tournaments.values import Game, Pairing
from tests.data import derived, people
from tests.data.people import ANN, BEN, CAROL, DAN, LADDER, NOW, SERVER, TOURNAMENT, after
from tests.data.schema import TABLES, columns_naming, everything

NOBODY = -(2**40)


async def fill_every_table(tx: Transaction) -> int:
    """Leave data of Ann's in every table; return the match she has finished."""
    number = await people.match(tx, (ANN, BEN))
    entry = Entry(ply=1, actor=0, notation="a1", made_at=NOW)
    reply = Entry(ply=2, actor=1, notation="b1", made_at=after(1))
    await match_log.append(tx, number, [entry, reply])
    await matches.finish(
        tx,
        number,
        ranks={0: 2, 1: 1},
        reason="resigned",
        at=after(2),
        ending="resigned",
        ended_by=ANN,
    )
    ended = await matches.get(tx, number)
    assert ended is not None
    result = await results.add(tx, ended, at=after(2), rated=True, times={0: (1, 60), 1: (1, 5)})
    await scores.add(tx, result)
    made = await people.challenge(tx)
    await challenges.mark_started(tx, made.id, number)
    await stored_settings.put_player(tx, ANN, {"theme": "night"}, at=NOW)
    await stored_settings.put_server(tx, SERVER, {"days": 5}, by=ANN, at=NOW)
    for user, blocked in ((ANN, CAROL), (BEN, ANN)):
        await tx.run(insert(blocks_table), {"user_id": user, "blocked_id": blocked, "since": NOW})
    await stored_settings.put_lesson_page(tx, ANN, "tablut", 3)
    assert await limits.take(tx, ANN, "copy", NOW, 9) is None
    await limits.keep_spent(
        tx, ANN, [Spent("made", 3, after(3600)), Spent("in-vain", 1, after(3600), opponent_id=BEN)]
    )
    await limits.keep_spent(tx, DAN, [Spent("in-vain", 1, after(3600), opponent_id=ANN)])
    await tx.run(
        insert(vacations), {"user_id": ANN, "starts_at": NOW, "ends_at": after(9), "over": False}
    )
    await add_daily_puzzle_data(tx)
    await exclusions.exclude(tx, SERVER, ANN, by=BEN, at=NOW)
    await exclusions.exclude(tx, SERVER, CAROL, by=ANN, at=NOW)
    await tx.run(
        insert(imports),
        {
            "user_id": ANN,
            "at": NOW,
            "record": "[Game nim]",
            "game": "nim",
            "over": True,
            "luck": {},
        },
    )
    for moderator in (ANN, CAROL):
        await audit.add(
            tx,
            guild_id=SERVER,
            at=NOW,
            user_id=moderator,
            action="ended",
            match_id=number,
            detail={"players": [ANN, BEN], "winners": [BEN], "reason": f"not {ANN}0"},
        )
    for giver, person in ((ANN, BEN), (None, ANN)):
        given = await owner_orders.add(
            tx, Order(0, NOW, giver, "block", person, None, {"reason": f"as <@{ANN}> said"}, NOW)
        )
        await owner_orders.answered(tx, given.id, f"<@{ANN}> has reported it.", due_at=None)
    for blocked, reason in ((ANN, ""), (BEN, f"reported by <@{ANN}>")):
        await owner_orders.block(tx, BotBlock(blocked, server=False, reason=reason, since=NOW))
    await web_sessions.add(
        tx,
        WebSession(
            0,
            ANN,
            "0a",
            opened=True,
            match_id=None,
            locale="de",
            device="Firefox",
            since=NOW,
            expires_at=after(9),
        ),
    )
    link = ShareLink(0, ANN, "0b", "match", number, None, "de", NOW)
    assert await share_links.add(tx, link) is not None
    await outbox.put(
        tx, match_id=number, kind="board", payload={"ply": 2, "after": ANN}, nonce="x", at=NOW
    )
    await add_tournament_data(tx, number)
    await add_ladder_data(tx, number)
    return number


async def add_ladder_data(tx: Transaction, match: int) -> None:
    """Open a ladder for Ann on which she plays Ben, after he has challenged her."""
    terms = replace(LADDER, created_by=ANN)
    made = await people.new_ladder(tx, ANN, BEN, terms=terms)
    await ladders.record(tx, made.id, "defended", ANN, NOW, other=BEN, before=1, after=1)
    await ladders.record(tx, made.id, "won", BEN, NOW, other=ANN, before=2, after=1)
    for challenger, challenged in ((ANN, BEN), (BEN, ANN)):
        asked = LadderChallenge(
            0, made.id, challenger, challenged, b"secret", 1, NOW, NOW, after(60), after(60)
        )
        one = await ladder_challenges.add(tx, asked)
        await ladder_challenges.change(tx, one.id, match_id=match)


async def add_tournament_data(tx: Transaction, match: int) -> None:
    """Create a tournament of Ann's in which she takes Carol's place and plays."""
    terms = replace(TOURNAMENT, created_by=ANN)
    cup = await people.new_tournament(tx, CAROL, BEN, terms=terms)
    await tournament_entrants.enter(tx, cup.id, ANN, strength=1500.0, at=NOW, replaces=CAROL)
    await tournament_entrants.enter(tx, cup.id, people.DAN, strength=1500.0, at=NOW, replaces=ANN)
    pairing = Pairing(1, 1, (ANN, BEN), (Game((ANN, BEN), match_id=match),))
    await tournament_rounds.add(tx, Round(cup.id, 1, NOW), [pairing])


async def add_daily_puzzle_data(tx: Transaction) -> None:
    """Have Ann solve a puzzle posed by her server."""
    await puzzles.add(tx, Puzzle(0, "nim", {}, "3 heaps", "a1", {}, 1), NOW)
    await daily_puzzles.add(tx, SERVER, NOW.date(), puzzle_id=1, channel_id=7, at=NOW)
    daily = await daily_puzzles.of_day(tx, SERVER, NOW.date())
    assert daily is not None
    await daily_puzzles.record_answer(tx, daily, ANN, right=True, first=True, at=NOW)


async def fill_the_rest(tx: Transaction, match: int) -> None:
    """Name Ann in every further column that can hold an id, or a text with one."""
    t = TABLES
    await tx.run(update(t["matches"]).values(reason=f"decided by a moderator (<@{ANN}> left)"))
    await tx.run(update(t["tournaments"]).values(name=f"Cup of <@{ANN}>"))
    task = {"guild_id": 0, "urgent": False, "turn": 1, "place": 1}
    of_match = {"kind": "analysis", "name": "1", "match_id": match, "user_id": ANN}
    of_record = {"kind": "record", "name": "2", "match_id": None, "user_id": BEN}
    texts = {"asked": {"record": f"[Word <@{ANN}>]"}, "answer": {str(ANN): [ANN]}}
    rows: list[tuple[Any, dict[str, Any]]] = [
        (t["aborts"], {"user_id": ANN, "match_id": match, "at": NOW}),
        (t["attempts"], {"user_id": ANN, "puzzle_id": 1, "at": NOW}),
        (t["clocks"], {"match_id": match, "user_id": ANN, "ply": 1, "since": NOW, "muted": False}),
        (t["computer_tasks"], {**task, **of_match}),
        (t["computer_tasks"], {**task, **of_record, **texts}),
        (t["followed_matches"], {"user_id": ANN, "match_id": match, "since": NOW}),
        (t["notes"], {"user_id": ANN, "match_id": match, "text": "watch the corner"}),
        (t["notes"], {"user_id": BEN, "match_id": match, "text": f"ask <@{ANN}>, not {ANN}0"}),
        (t["hints"], {"match_id": match, "version": 1, "evaluation": {}}),
    ]
    for user, other in ((ANN, BEN), (BEN, ANN)):
        followed = {"user_id": user, "guild_id": SERVER, "player_id": other, "since": NOW}
        about = {"kind": "end", "subject": match, "part": 0, "user_id": user}
        counts = {"copies": 0, "wanted": 1, "done": 0, "created_at": NOW, "failures": 0}
        message = {**about, "payload": {"player": other, str(other): f"<@{other}>"}, **counts}
        rows += [(t["followed_players"], followed), (t["posts"], message)]
    mine = {"user_id": ANN, "game": "nim"}
    points = {"mu": 25.0, "sigma": 8.0, "games": 1, "won": 0, "drawn": 0, "lost": 1, "form": "l"}
    held = {"streak": 0, "best": 1500, "last_at": NOW, "opponents": 1, "established": False}
    season = {"season": 2026, "points": 1500, "opponents": 1, "ranked": False}
    changed = {"result_id": 1, "at": NOW, "rated": True, "mu": 25.0, "sigma": 8.0, "games": 1}
    rows += [
        (t["ratings"], {**mine, "scope": 0, **points, **held}),
        (t["season_ratings"], {**mine, "scope": 0, **points, **season}),
        (t["rating_changes"], {**mine, "scope": 0, **changed, "skipped": 0, "share": 1.0}),
        (t["milestones"], {**mine, "kind": "won", "rules": "", "result_id": 1, "amount": 1}),
        (t["imports"], {**mine, "user_id": BEN, "at": NOW, "record": f"<@{ANN}>", "over": True}),
    ]
    for table, values in rows:
        extra: dict[str, Any] = {"luck": {}} if table is t["imports"] else {}
        await tx.run(insert(table), {**values, **extra})
    ended = await matches.get(tx, match)
    assert ended is not None
    await offers.put(tx, ended, "draw", 0, refused=0)


PEOPLE = (*privacy.RENAMED, *privacy.COUNTED, *privacy.DELETED, *privacy.KEPT, *privacy.LIMITED)
"""Every column with a person's id."""

NO_PERSON: dict[str, set[str]] = {
    "numbers of our own": {
        *("id", "match_id", "challenge_id", "parent_id", "rematch_of", "ladder_id", "puzzle_id"),
        *("tournament_id", "daily_id", "result_id", "since_id", "subject"),
    },
    "ids of servers and what is in them": {
        *("guild_id", "channel_id", "message_id", "thread_id", "role_id", "scope")
    },
    "counts and hashes": {"seconds", "fingerprint", "version", "turn", "place"},
}
"""The names of all other columns of 64 bits, by what they hold."""

NO_TEXT_OF_PEOPLE: dict[str, set[str]] = {
    "names, states and notation of the program's own": {
        *("action", "agreed", "day", "digest", "ending", "form", "game", "gave_up_how", "how"),
        *("kind", "leave_reason", "notation", "outcome", "path", "position", "role", "rules"),
        *("solution", "stage", "state", "verdict", "version"),
        *("owner_orders.what",),
        *("commitment", "drawn_for", "matches.place", "computer_tasks.name", "outbox.nonce"),
    },
    "what the rules, the rating or a computer found, without ids of people": {
        *("analyses.found", "imports.found", "evaluation", "options", "points", "plan"),
        *("tournament_games.seats", "tournament_imports.pairings"),  # places, numbers of players
    },
    "processes, shards and the program's own notes": {
        *("processes.id", "shards.owner", "shards.wanted_by", "shards.handled"),
        *("key_values.key", "key_values.value"),
    },
    "answers of Discord": {"outbox.blocked", "locale"},
    "what a browser says of itself": {"device"},
    "choices among what is on offer, and ids of channels and roles": {
        *("people.settings", "servers.settings")
    },
    "words that are part of a proof, which would fail without them": {
        *("word", "challenger_word", "challenged_word", "imports.luck")
    },
    "secrets and their hashes": {"seed", "secret_hash"},
}
"""All other columns with a text or document: no id of a person, or one that has to stay."""


def test_it_is_known_of_every_column_whether_it_can_name_a_person() -> None:
    numbers = {name for names in NO_PERSON.values() for name in names}
    texts = {name for names in NO_TEXT_OF_PEOPLE.values() for name in names}
    used = set()
    for table in TABLES.values():
        for column in table.c:
            names = {column.name, f"{table.name}.{column.name}"}
            if isinstance(column.type, BigInteger):
                assert (column in PEOPLE) is not bool(names & numbers), column
                used |= names & numbers
            elif isinstance(column.type, Text | Document | LargeBinary):
                assert (column in privacy.DOCUMENTS) is not bool(names & texts), column
                used |= names & texts
    assert used == numbers | texts, "each of these is a column"


async def test_every_column_that_can_name_a_person_is_cleared_when_they_delete_their_data(
    tx: Transaction,
) -> None:
    await fill_the_rest(tx, await fill_every_table(tx))
    named = {f"{one.table.name}.{one.name}" for one in (*PEOPLE, *privacy.DOCUMENTS)}
    assert await columns_naming(tx, ANN) == named, "this test covers all of them"
    await privacy.erase(tx, ANN, NOBODY)
    kept = {f"{one.table.name}.{one.name}" for one in (*privacy.KEPT, *privacy.LIMITED)}
    assert await columns_naming(tx, ANN) == kept
    (note,) = await tx.scalars(select(notes.c.text))
    assert note == f"ask <@{NOBODY}>, not {ANN}0"


NOT_EXPORTED = {
    "blocks.blocked_id": "whom others block is their secret",
    "followed_players.player_id": "whom others follow is theirs",
    "spent_limits.opponent_id": "how often others challenged somebody counts for them",
    "rivals.rival_id": "the opponents' side of the same figures",
}


async def test_every_row_with_a_persons_id_is_in_their_export(db: Store) -> None:
    async with db.write() as tx:
        number = await fill_every_table(tx)
        await fill_the_rest(tx, number)
        found = await everything(tx, ANN)
        exported = [row.items() for rows in found.values() for row in rows if len(row) > 1]
        for column in PEOPLE:
            if f"{column.table.name}.{column.name}" in NOT_EXPORTED:
                continue
            for row in await tx.rows(select(column.table).where(column == ANN)):
                values = {name: value for name, value in row._mapping.items() if value is not None}
                whole = (all(values.get(name) == value for name, value in one) for one in exported)
                assert any(whole), (column, values)
    assert [row["text"] for row in found["notes"]] == ["watch the corner"]
    assert [row["kind"] for row in found["offers"]] == ["draw"]
    assert [row["version"] for row in found["hints"]] == [1]
    assert [row["user_id"] for row in found["kept_others_out_of_rated_play"]] == [CAROL]
    assert [row["reason"] for row in found["matches_ended"]] == [
        f"decided by a moderator (<@{ANN}> left)"
    ]
    text = str(found)
    assert "ask <@" not in text, "others' notes are theirs"
    assert people.SEED.hex() not in text
    assert str(people.SEED) not in text


async def test_deletion_leaves_only_what_others_have_decided_about_the_person(
    tx: Transaction,
) -> None:
    number = await fill_every_table(tx)
    played = await privacy.erase(tx, ANN, NOBODY)
    assert played == (number,)
    assert await columns_naming(tx, ANN) == {
        "blocks.blocked_id",
        "bot_blocks.blocked_id",
        "excluded_players.user_id",
        "hourly_uses.user_id",
        "spent_limits.user_id",
    }
    await limits.forget_hours(tx, after(3600))
    await limits.forget(tx, after(3600))
    assert await columns_naming(tx, ANN) == {
        "blocks.blocked_id",
        "bot_blocks.blocked_id",
        "excluded_players.user_id",
    }
    lines = await audit.page(tx, SERVER, limit=9, offset=0)
    assert [line.user_id for line in lines] == [CAROL, NOBODY]
    assert lines[0].detail["players"] == [NOBODY, BEN]
    assert lines[0].detail["reason"] == f"not {ANN}0"
    (job,) = await outbox.pending(tx)
    assert job.payload == {"ply": 2, "after": NOBODY}
    assert (await everything(tx, ANN))["matches"] == []


async def test_a_word_for_a_tournament_is_exported_and_goes_with_the_persons_data(
    db: Store,
) -> None:
    async with db.write() as tx:
        await fill_every_table(tx)
        for user in (ANN, BEN):
            await tournament_entrants.set_word(tx, 1, user, f"geese of {user}")
        entered = (await everything(tx, ANN))["tournaments_entered"]
        assert f"geese of {ANN}" in {one["word"] for one in entered}
        assert f"geese of {BEN}" not in {one["word"] for one in entered}
        await privacy.erase(tx, ANN, NOBODY)
        words = await tournament_entrants.words(tx, 1, [NOBODY, BEN])
    assert words == {NOBODY: "", BEN: f"geese of {BEN}"}


async def test_a_mention_in_a_moderators_text_is_anonymised_too(db: Store) -> None:
    words = f"decided by a moderator (<@{ANN}> left, not <@{ANN}0>)"
    async with db.write() as tx:
        number = await fill_every_table(tx)
        await tx.run(update(matches_table).values(reason=words))
        await tx.run(update(audit_table).values(detail={"reason": words}))
        await privacy.erase(tx, ANN, NOBODY)
        match = await matches.get(tx, number)
        assert match is not None
        text = f"decided by a moderator (<@{NOBODY}> left, not <@{ANN}0>)"
        assert match.reason == text
        lines = await audit.page(tx, SERVER, limit=9, offset=0)
        assert {line.detail["reason"] for line in lines} == {text}


async def test_the_opponents_result_is_kept(tx: Transaction) -> None:
    number = await fill_every_table(tx)
    before = await scores.of_player(tx, SERVER, BEN)
    assert [(row.won, row.lost) for row in before] == [(1, 0)]
    await privacy.erase(tx, ANN, NOBODY)
    assert await scores.of_player(tx, SERVER, BEN) == before
    assert await scores.of_player(tx, SERVER, ANN) == ()
    for scope in (0, SERVER):
        (met,) = await scores.head_to_head(tx, scope, BEN, NOBODY)
        assert (met.games, met.won) == (1, 1)
    kept = await derived.everything(tx)
    await scores.rebuild(tx)
    assert await derived.everything(tx) == kept
    match = await matches.get(tx, number)
    assert match is not None
    assert [(p.user_id, p.rank) for p in match.players] == [(NOBODY, 2), (BEN, 1)]
    assert match.ended_by == NOBODY
    assert len(await match_log.read(tx, number)) == 2


async def test_an_export_has_all_of_a_persons_data_and_none_of_others(db: Store) -> None:
    async with db.write() as tx:
        number = await fill_every_table(tx)
        found = await everything(tx, ANN)
    assert [row["id"] for row in found["matches"]] == [number]
    assert [row["notation"] for row in found["moves"]] == ["a1"]
    assert [row["word"] for row in found["seats"]] == ["word 0"] or len(found["seats"]) == 1
    assert found["settings"][0]["settings"] == {"theme": "night"}
    assert [row["blocked_id"] for row in found["blocks"]] == [CAROL]
    assert {row["scope"]: row["seconds"] for row in found["records"]} == {0: 60, SERVER: 60}
    assert [row["rival_id"] for row in found["opponents"]] == [BEN, BEN]
    assert len(found["moderation"]) == 2
    assert len(found["tournaments_entered"]) == 1
    assert len(found["tournament_places_taken_over"]) == 1
    assert {row["action"]: row.get("opponent_id") for row in found["spent_limits"]} == {
        "made": 0,
        "in-vain": BEN,
    }
    for name in (
        "challenges",
        "invitations",
        "vacations",
        "imports",
        "lessons",
        "server_settings_changed",
        "ladders_made",
        "ladder_places",
        "tournaments_made",
        "tournament_pairings",
        "kept_out_of_rated_play",
        "hourly_uses",
    ):
        assert len(found[name]) == 1, name
    assert all(
        "seed" not in row
        for row in (*found["matches"], *found["challenges"], *found["tournaments_made"])
    )


async def test_a_person_without_data_gets_an_empty_export_and_can_be_deleted(
    tx: Transaction,
) -> None:
    await fill_every_table(tx)
    assert not any((await everything(tx, 77)).values())
    assert await privacy.erase(tx, 77, NOBODY - 1) == ()


async def test_open_challenges_are_closed_and_announced_the_persons_own_as_withdrawn(
    db: Store,
) -> None:
    received: list[int] = []
    async with db.write() as tx:
        own = await people.challenge(tx)
        challenge = await people.challenge(tx, ANN, challenger=BEN)
        others = await people.challenge(tx, CAROL, challenger=BEN)
    db.listen(challenges.CHANGED, received.append)
    async with db.write() as tx:
        closed = await privacy.close_challenges(tx, ANN, after(1))
        states = [await challenges.get(tx, c.id) for c in (own, challenge, others)]
    assert [s.state.value for s in states if s] == ["withdrawn", "declined", "open"]
    assert received == [own.id, challenge.id]
    assert closed == (own.id, challenge.id)


async def test_an_open_place_taken_by_a_deleted_person_becomes_free_again(tx: Transaction) -> None:
    made = await people.challenge(tx, BEN, challenger=CAROL)
    await tx.run(update(challenges_table).values(places=2))
    values = {"challenge_id": made.id, "user_id": ANN, "place": 2, "joined": 1, "word": "s"}
    await tx.run(insert(invited), values)
    assert await privacy.close_challenges(tx, ANN, after(1)) == ()
    challenge = await challenges.get(tx, made.id)
    assert challenge is not None
    assert challenge.state.value == "open"
    assert [one.user_id for one in challenge.invited] == [CAROL, BEN]


async def test_a_match_is_voided_only_once(tx: Transaction) -> None:
    number = await fill_every_table(tx)
    voided = await matches.void(tx, number, reason="why", by=CAROL)
    assert voided is not None
    assert (voided.ending, voided.ended_by, voided.reason) == ("voided", CAROL, "why")
    assert [player.rank for player in voided.players] == [None, None]
    assert await matches.void(tx, number, reason="why", by=CAROL) is None
    assert await matches.void(tx, 99, reason="why", by=CAROL) is None
    going_on = await people.match(tx)
    assert await matches.void(tx, going_on, reason="why", by=CAROL) is None
