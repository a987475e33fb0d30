"""The tables of the database, their versions, and connections to it."""

from __future__ import annotations

import re
from typing import Any, LiteralString

import psycopg

from ..schema import Newer
from ..store import StoreError

SCHEMA = 1
SESSION = {
    "synchronous_commit": "on",
    "default_transaction_isolation": "read\\ committed",
    "statement_timeout": "20s",
    "lock_timeout": "5s",
    "idle_in_transaction_session_timeout": "5s",
}
CONNECT_SECONDS = 3
SILENT_MILLISECONDS = 3000  # of a line on which the database acknowledges nothing, before it counts as cut

# By version, what it takes to come there from the one before. Names sort by bytes everywhere, so that locks are always
# taken in the same order; half-empty pages let a line be updated in place, as the log of its table grows.
MIGRATIONS: dict[int, tuple[LiteralString, ...]] = {
    1: (
        """
        CREATE TABLE parlour_nodes (
            id text COLLATE "C" PRIMARY KEY,
            address text NOT NULL,
            until timestamptz NOT NULL
        )""",
        """
        CREATE TABLE parlour_tables (
            name text COLLATE "C" PRIMARY KEY,
            owner text COLLATE "C",
            epoch bigint NOT NULL,
            length integer NOT NULL,
            secret bytea NOT NULL,
            phase text NOT NULL,
            open boolean NOT NULL,
            due boolean NOT NULL,
            touched bigint NOT NULL,
            deleted bigint,
            checksum bytea NOT NULL
        ) WITH (fillfactor = 50)""",
        "CREATE INDEX parlour_tables_due ON parlour_tables (name) WHERE due",
        "CREATE INDEX parlour_tables_open ON parlour_tables (name) WHERE open",
        "CREATE INDEX parlour_tables_deleted ON parlour_tables (name) WHERE deleted IS NOT NULL",
        "CREATE INDEX parlour_tables_owner ON parlour_tables (owner) WHERE owner IS NOT NULL",
        """
        CREATE TABLE parlour_log (
            name text COLLATE "C" NOT NULL,
            number integer NOT NULL,
            epoch bigint NOT NULL,
            entry bytea NOT NULL,
            action bytea,
            head bytea,
            checksum bytea NOT NULL,
            PRIMARY KEY (name, number)
        )""",
        """
        CREATE TABLE parlour_unrevealed (
            commitment text COLLATE "C" PRIMARY KEY,
            game text NOT NULL,
            opened text NOT NULL,
            gone bigint NOT NULL,
            why text NOT NULL
        )""",
    ),
}
META = 'CREATE TABLE IF NOT EXISTS parlour_meta (name text COLLATE "C" PRIMARY KEY, value bigint NOT NULL)'
URI = re.compile(r"postgres(ql)?://[^\s\"]*")  # it may hold a password
TRIES = 5  # to make the tables, where several processes do that at once


def connect(url: str) -> psycopg.Connection[Any]:
    """A connection on which each statement is a transaction of its own, and which notices a line that is cut."""
    try:
        return psycopg.connect(
            url,
            options=" ".join(f"-c {name}={value}" for name, value in SESSION.items()),
            autocommit=True,
            prepare_threshold=0,
            connect_timeout=CONNECT_SECONDS,
            keepalives_idle=2,
            keepalives_interval=1,
            keepalives_count=3,
            tcp_user_timeout=SILENT_MILLISECONDS,
            application_name="parlour",
        )
    except psycopg.Error as error:
        raise StoreError(f"The database cannot be reached: {first_line(error)}.") from None


def first_line(error: psycopg.Error) -> str:
    """What the database or the driver says, in one line without the address it was asked at, nor its advice."""
    lines = [line.strip() for line in str(error).splitlines()]
    said = [line for line in lines if line and not line.startswith("Is the server running")]
    line = said[-1] if said else type(error).__name__
    return URI.sub("…", line.rpartition(" failed: ")[2]).rstrip(".?")


def prepare(connection: psycopg.Connection[Any]) -> None:
    """Make the tables, or bring those of an older version up to this one."""
    for attempt in range(TRIES):
        try:
            with connection.transaction():
                _migrate(connection)
            return
        except (psycopg.errors.UniqueViolation, psycopg.errors.DuplicateTable, psycopg.errors.SerializationFailure):
            if attempt == TRIES - 1:  # others make the same tables, and are nearly done
                raise
        except psycopg.Error as error:
            raise StoreError(f"The tables of the database cannot be made: {first_line(error)}.") from None


def _migrate(connection: psycopg.Connection[Any]) -> None:
    connection.execute(META)
    connection.execute("INSERT INTO parlour_meta VALUES ('schema', 0) ON CONFLICT DO NOTHING")
    found = connection.execute("SELECT value FROM parlour_meta WHERE name = 'schema' FOR UPDATE").fetchone()
    version = found[0] if found else 0
    if version > SCHEMA:
        raise Newer(f"The tables were written by a newer parlour (schema {version}; this knows {SCHEMA}).")
    for later in range(version + 1, SCHEMA + 1):
        for statement in MIGRATIONS[later]:
            connection.execute(statement)
    if version < SCHEMA:
        connection.execute("UPDATE parlour_meta SET value = %s WHERE name = 'schema'", (SCHEMA,))
