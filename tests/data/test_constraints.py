"""What tables accept is compared, too: NULL, keys, references, checks, defaults, uniqueness."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from sqlalchemy import (
    CheckConstraint,
    Column,
    Connection,
    Constraint,
    ForeignKeyConstraint,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from data.sql.columns import metadata
from data.store.differences import differences
from data.store.store import Store
from tests.data.schema import TABLES, AllIsWell


async def found(db: Store, change: Callable[[MetaData], object]) -> tuple[list[str], list[str]]:
    """Return what differs once the tables were made after a change, also if a newer version did."""
    changed = MetaData()
    for table in metadata.sorted_tables:
        table.to_metadata(changed)
    change(changed)
    lines: list[list[str]] = []

    def make(connection: Connection) -> None:
        metadata.drop_all(connection)
        changed.create_all(connection)
        lines.extend(differences(connection, newer=newer) for newer in (False, True))

    with suppress(AllIsWell):
        async with db.write() as tx:
            await tx.run_sync(make)
            raise AllIsWell
    own, newer = lines
    return own, newer


def of_kind(kind: type[Constraint], tables: MetaData) -> list[tuple[Table, Constraint]]:
    """Return all constraints of a kind, with their tables."""
    return [
        (table, one)
        for table in tables.tables.values()
        for one in list(table.constraints)
        if type(one) is kind
    ]


def drop_all(kind: type[Constraint]) -> Callable[[MetaData], object]:
    """Return a change that drops every constraint of a kind."""

    def change(tables: MetaData) -> None:
        for table, one in of_kind(kind, tables):
            table.constraints.remove(one)
            if isinstance(one, ForeignKeyConstraint):
                for element in one.elements:
                    element.parent.foreign_keys.discard(element)

    return change


def add(*columns: Column[object]) -> Callable[[MetaData], object]:
    """Return a change that adds columns to a table."""
    return lambda tables: Table(
        "moves", tables, *(column._copy() for column in columns), extend_existing=True
    )


async def test_unchanged_copies_do_not_differ(db: Store) -> None:
    assert await found(db, lambda _: None) == ([], [])


@pytest.mark.parametrize(
    ("kind", "one"),
    [
        (
            ForeignKeyConstraint,
            "no FOREIGN KEY (match_id) REFERENCES matches(id) ON DELETE CASCADE on moves",
        ),
        (UniqueConstraint, "no UNIQUE (match_id, user_id) on players"),
        (CheckConstraint, "no check ck_offers_kind on offers"),
    ],
)
async def test_each_missing_constraint_is_named(
    db: Store, kind: type[Constraint], one: str
) -> None:
    own, newer = await found(db, drop_all(kind))
    assert one in own
    assert len(set(own)) == len(of_kind(kind, metadata)) > 5
    assert newer == ([] if kind is CheckConstraint else own)


async def test_a_reference_that_keeps_rows_is_another(db: Store) -> None:
    def change(tables: MetaData) -> None:
        for _, one in of_kind(ForeignKeyConstraint, tables):
            assert isinstance(one, ForeignKeyConstraint)
            one.ondelete = None
            for element in one.elements:
                element.ondelete = None

    deleting = [
        one
        for _, one in of_kind(ForeignKeyConstraint, metadata)
        if isinstance(one, ForeignKeyConstraint) and one.ondelete
    ]
    own, newer = await found(db, change)
    assert len(own) == len(deleting)
    assert all("ON DELETE CASCADE" in line for line in own)
    assert newer == own


async def test_another_order_of_a_key_is_noticed(db: Store) -> None:
    def change(tables: MetaData) -> None:
        moves = tables.tables["moves"]
        moves.constraints.remove(moves.primary_key)
        moves.append_constraint(PrimaryKeyConstraint("ply", "match_id"))

    told = ["no PRIMARY KEY (match_id, ply) on moves"]
    assert await found(db, change) == (told, told)


async def test_each_column_that_accepts_more_or_less_is_named(db: Store) -> None:
    def change(tables: MetaData) -> None:
        for column in columns(tables):
            column.nullable = not column.nullable

    def columns(tables: MetaData) -> list[Column[object]]:
        return [
            column
            for table in tables.tables.values()
            for column in table.columns
            if not column.primary_key
        ]

    less = {f"{one} is NOT NULL" for one in columns(metadata) if one.nullable}
    more = {f"{one} can be NULL" for one in columns(metadata) if not one.nullable}
    own, newer = await found(db, change)
    assert set(own) == less | more
    assert set(newer) == less
    assert min(len(less), len(more)) > 50


async def test_each_missing_default_is_named(db: Store) -> None:
    def change(tables: MetaData) -> None:
        for table in tables.tables.values():
            for column in table.columns:
                column.server_default = None

    having = {
        f"{one} has no default"
        for table in TABLES.values()
        for one in table.columns
        if one.server_default is not None
    }
    own, newer = await found(db, change)
    assert set(own) == having
    assert newer == own
    assert len(having) > 20


async def test_each_index_of_another_kind_is_named(db: Store) -> None:
    def change(tables: MetaData) -> None:
        for table in tables.tables.values():
            for index in table.indexes:
                index.unique = not index.unique

    expected = {
        f"index {index.name} on {table} is {'not ' * bool(index.unique)}unique"
        for table in TABLES.values()
        for index in table.indexes
    }
    own, newer = await found(db, change)
    assert set(own) == expected
    assert newer == own


@pytest.mark.parametrize(
    ("values", "differs"),
    [
        ("('takeback', 'draw')", (False, False)),
        ("('draw', 'takeback', 'pause')", (True, False)),
        ("('draw')", (True, True)),
        ("('draw', 'take)back')", (True, True)),
    ],
)
async def test_values_of_a_check_are_compared(
    db: Store, values: str, differs: tuple[bool, bool]
) -> None:
    def change(tables: MetaData) -> None:
        for table, one in of_kind(CheckConstraint, tables):
            if one.name == "ck_offers_kind":
                table.constraints.remove(one)
                again = CheckConstraint(f"kind IN {values}", name=one.name)
                table.append_constraint(again)

    told = ["check ck_offers_kind on offers has other values"]
    own, newer = await found(db, change)
    assert (own, newer) == (told * differs[0], told * differs[1])


@pytest.mark.parametrize(
    "change",
    [
        add(Column("later", Text)),
        add(Column("later", Text, server_default="", nullable=False)),
        lambda tables: tables.tables["moves"].append_constraint(
            CheckConstraint("ply < 100000", name="ck_moves_later")
        ),
        lambda tables: Table("later", tables, Column("number", Integer, nullable=False)),
    ],
)
async def test_what_is_added_is_allowed(db: Store, change: Callable[[MetaData], object]) -> None:
    assert await found(db, change) == ([], [])


async def test_an_added_column_that_the_program_would_have_to_fill_is_refused(db: Store) -> None:
    added = add(Column("later", Text, nullable=False))
    told = ["unknown column moves.later without a default"]
    assert await found(db, added) == (told, told)


async def test_an_added_reference_that_names_no_column_is_allowed(db: Store) -> None:
    """SQLite then does not say which one it is."""

    def change(connection: Connection) -> list[str]:
        connection.execute(text("CREATE TABLE later (match_id BIGINT REFERENCES matches)"))
        return differences(connection)

    async with db.write() as tx:
        assert await tx.run_sync(change) == []


async def test_checks_added_to_an_existing_table_are_read(db: Store) -> None:
    """SQLite keeps them with the column, before columns that were added later."""

    def change(connection: Connection) -> list[str]:
        for column in ("CONSTRAINT ck_moves_a CHECK (a IN ('x)', 'y'))", "DEFAULT 'z'"):
            name = "a" if "CHECK" in column else "b"
            connection.execute(text(f"ALTER TABLE moves ADD COLUMN {name} TEXT {column}"))
        return differences(connection)

    async with db.write() as tx:
        assert await tx.run_sync(change) == []
