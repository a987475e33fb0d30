"""The statements that change tables: each is one transaction, and writes only for the owner of the present epoch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, LiteralString, NamedTuple

from ..schema import entry_text, line_checksum, row_checksum
from ..store import Batch, Summary

KEY = 0  # in the place of the number that a file of SQLite gives a line


class Append(NamedTuple):
    """Rows for the end of a log, by the owner of an epoch."""

    epoch: int
    batch: Batch


# The rows of many tables at once. A table whose name does not come back belongs to another process by now, or is gone:
# nothing of it was written. Locks are taken in the order of names, whatever the plan of the rest.
ROWS: LiteralString = """
    logged AS (
        INSERT INTO parlour_log (name, number, epoch, entry, action, head, checksum)
        SELECT r.name, r.number, won.epoch, r.entry, r.action, r.head, r.checksum
        FROM unnest(%s::text[], %s::int[], %s::bytea[], %s::bytea[], %s::bytea[], %s::bytea[])
            AS r (name, number, entry, action, head, checksum)
        JOIN won ON won.name = r.name
    )
    SELECT name FROM won"""
APPEND: LiteralString = """
    WITH want AS (
        SELECT * FROM unnest(%s::text[], %s::bigint[], %s::int[], %s::int[], %s::text[], %s::bool[], %s::bool[],
                             %s::bigint[], %s::bytea[])
            AS w (name, epoch, length, grown, phase, open, due, touched, checksum)
    ), held AS MATERIALIZED (
        SELECT t.name FROM parlour_tables t
        JOIN want w ON t.name = w.name AND t.epoch = w.epoch AND t.length = w.length
        WHERE t.deleted IS NULL
        ORDER BY t.name FOR UPDATE OF t
    ), won AS (
        UPDATE parlour_tables t
        SET length = w.grown, phase = w.phase, open = w.open, due = w.due, touched = w.touched, checksum = w.checksum
        FROM want w JOIN held ON held.name = w.name
        WHERE t.name = w.name AND t.epoch = w.epoch AND t.length = w.length AND t.deleted IS NULL
        RETURNING t.name, t.epoch
    ),"""
OPEN: LiteralString = """
    WITH want AS (
        SELECT * FROM unnest(%s::text[], %s::bytea[], %s::int[], %s::text[], %s::bool[], %s::bool[], %s::bigint[],
                             %s::bytea[])
            AS w (name, secret, grown, phase, open, due, touched, checksum)
    ), won AS (
        INSERT INTO parlour_tables (name, owner, epoch, length, secret, phase, open, due, touched, checksum)
        SELECT name, %s, 1, grown, secret, phase, open, due, touched, checksum FROM want ORDER BY name
        ON CONFLICT DO NOTHING
        RETURNING name, epoch
    ),"""
CLAIM: LiteralString = """
    UPDATE parlour_tables t SET owner = %(node)s, epoch = t.epoch + 1
    FROM (
        SELECT name FROM parlour_tables free
        WHERE name = ANY(%(names)s) AND deleted IS NULL AND (
            %(force)s OR owner IS NULL OR owner = %(node)s
            OR NOT EXISTS (SELECT 1 FROM parlour_nodes n WHERE n.id = free.owner AND n.until > clock_timestamp())
        )
        ORDER BY name FOR UPDATE SKIP LOCKED
    ) AS free
    WHERE t.name = free.name
    RETURNING t.name, t.epoch"""
CLAIM_ONE: LiteralString = CLAIM.replace("SKIP LOCKED", "")  # it waits for whoever is writing just now
# A table that was claimed again in the meantime has another epoch.
RELEASE: LiteralString = """
    UPDATE parlour_tables t SET owner = NULL FROM unnest(%s::text[], %s::bigint[]) AS w (name, epoch)
    WHERE t.name = w.name AND t.epoch = w.epoch AND t.owner = %s"""
OWNER: LiteralString = """
    SELECT t.owner, n.address FROM parlour_tables t
    LEFT JOIN parlour_nodes n ON n.id = t.owner AND n.until > clock_timestamp()
    WHERE t.name = %s AND t.deleted IS NULL"""
LINE: LiteralString = """
    SELECT 0, convert_to(name, 'UTF8'), secret, convert_to(phase, 'UTF8'), open::int, due::int, touched, deleted,
           length, checksum
    FROM parlour_tables"""
LOG: LiteralString = (
    "SELECT number, entry, action, head, checksum, epoch FROM parlour_log WHERE name = %s ORDER BY number"
)
SET_LINE: LiteralString = """
    UPDATE parlour_tables SET (deleted, touched, checksum) = (%s, %s, %s)
    WHERE name = %s AND length = %s AND touched = %s AND deleted IS NOT DISTINCT FROM %s"""
# An owner that lives may have people at a table, whatever its stamp says.
FREE: LiteralString = """
    (owner IS NULL OR owner = %s
     OR NOT EXISTS (SELECT 1 FROM parlour_nodes n WHERE n.id = owner AND n.until > clock_timestamp()))"""
DELETE: LiteralString = """
    WITH want AS (
        SELECT * FROM unnest(%s::text[], %s::int[]) AS w (name, length)
    ), gone AS (
        DELETE FROM parlour_tables t USING want w WHERE t.name = w.name AND t.length = w.length RETURNING t.name
    ), emptied AS (
        DELETE FROM parlour_log l USING gone WHERE l.name = gone.name
    ), noted AS (
        INSERT INTO parlour_unrevealed
        SELECT u.commitment, u.game, u.opened, u.gone, u.why
        FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::bigint[], %s::text[])
            AS u (name, commitment, game, opened, gone, why)
        JOIN gone ON gone.name = u.name
        ON CONFLICT DO NOTHING
    )
    SELECT name FROM gone"""


def columns(rows: Sequence[Sequence[Any]], width: int) -> list[list[Any]]:
    """The same values by column."""
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]


def rows_of(batches: Sequence[Batch]) -> list[list[Any]]:
    """The rows of some batches, by column."""
    values = []
    for summary, rows in batches:
        name = summary.name.encode()
        for number, entry, action, head in rows:
            text = entry_text(entry)
            checksum = row_checksum(name, number, text, action, head)
            values.append((summary.name, number, text, action, head, checksum))
    return columns(values, 6)


def checksum_of(summary: Summary, deleted: int | None, size: int) -> bytes:
    """The checksum of the line of a table."""
    return line_checksum(KEY, summary, deleted, size)


def append_values(appends: Sequence[Append]) -> list[Any]:
    """What APPEND and ROWS take."""
    lines = []
    for epoch, (summary, rows) in appends:
        size = rows[0].number + len(rows)
        name, _, phase, is_open, due, touched = summary
        checksum = checksum_of(summary, None, size)
        lines.append((name, epoch, rows[0].number, size, phase, is_open, due, touched, checksum))
    return [*columns(lines, 9), *rows_of([each.batch for each in appends])]


def open_values(batches: Sequence[Batch], node: str) -> list[Any]:
    """What OPEN and ROWS take."""
    lines = []
    for summary, rows in batches:
        name, secret, phase, is_open, due, touched = summary
        checksum = checksum_of(summary, None, len(rows))
        lines.append((name, secret, len(rows), phase, is_open, due, touched, checksum))
    return [*columns(lines, 8), node, *rows_of(batches)]
