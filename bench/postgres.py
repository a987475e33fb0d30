"""Tables in PostgreSQL: appends beside pgbench with the same statement, beside SQLite, and how quickly tables move.

    python bench/postgres.py [--seconds 5] [--json FILE]

It starts a cluster of its own in a temporary folder. P1 is `pgbench` with one client, P its best with 4 to 64 clients;
each appends one row to a table and updates its line. The store is asked by one thread that keeps 1 to 256 appends under
way.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import psycopg
from machine import cpu_model

from parlour.server.postgres.store import PostgresStore
from parlour.server.rows import LogRow
from parlour.server.sqlite import SqliteStore
from parlour.server.store import Batch, Store, Summary
from support.postgres import Postgres, program

TABLES = 1000
ENTRY: list[Any] = ["play", 1, "N4", "HEIR-10"]
SCRIPT = f"""
\\set number random(0, {TABLES - 1})
WITH grown AS (
    UPDATE parlour_tables SET length = length + 1, touched = touched + 1 WHERE name = 'table ' || :number AND epoch = 1
    RETURNING name, length
)
INSERT INTO parlour_log (name, number, epoch, entry, head, checksum)
SELECT name, length - 1, 1, '["play",1,"N4","HEIR-10"]', decode(repeat('ab', 32), 'hex'), '12345678' FROM grown;
"""


def opened(store: Store) -> list[int]:
    """Tables with one row each; their lengths."""
    asked = [store.append(batch(number, 0)) for number in range(TABLES)]
    for each in asked:
        each.result()
    return [1] * TABLES


def batch(number: int, row: int) -> Batch:
    summary = Summary(f"table {number}", bytes(32), "playing", False, True, 1000)
    return Batch(summary, [LogRow(row, ENTRY, None, bytes(32))])


def appends(store: Store, lengths: list[int], under_way: int, seconds: float) -> tuple[float, float]:
    """Appends a second, and processor time of this process for each in microseconds."""
    count, waiting = 0, list[Future[None]]()
    end, cpu = time.monotonic() + seconds, processor_seconds()
    while time.monotonic() < end:
        for number in range(under_way):
            at = (count + number) % TABLES
            waiting.append(store.append(batch(at, lengths[at])))
            lengths[at] += 1
        for each in waiting:
            each.result()
        count += under_way
        waiting.clear()
    taken = time.monotonic() - end + seconds
    return count / taken, 1e6 * (processor_seconds() - cpu) / count


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def server_seconds(cluster: Postgres) -> float:
    """Processor time of PostgreSQL, all processes of it that live."""
    total = 0.0
    pids = subprocess.run(["pgrep", "-P", str(cluster.process.pid)], capture_output=True, text=True).stdout.split()
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        total += (int(fields[11]) + int(fields[12])) / 100
    return total


def pgbench(cluster: Postgres, url: str, clients: int, seconds: float) -> tuple[float, float]:
    """Transactions a second, and their mean latency in milliseconds."""
    script = cluster.folder / "append.sql"
    script.write_text(SCRIPT)
    database = url.split("?")[0].rsplit("/", 1)[1]
    how = ["-n", "-M", "prepared", "-c", str(clients), "-j", "1", "-T", str(max(1, round(seconds))), "-f", str(script)]
    command = [program("pgbench"), "-h", str(cluster.folder), "-U", "parlour", *how, database]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rate, latency = re.search(r"tps = ([\d.]+)", said), re.search(r"latency average = ([\d.]+)", said)
    assert rate and latency, said
    return float(rate[1]), float(latency[1])


def measure(seconds: float) -> dict[str, Any]:
    found: dict[str, Any] = {"machine": cpu_model(), "tables": TABLES}
    with Postgres(max_connections=100) as cluster, tempfile.TemporaryDirectory() as folder:
        url = cluster.database()
        with closing(PostgresStore(url)) as store:
            opened(store)
        found["pgbench"] = {clients: pgbench(cluster, url, clients, seconds) for clients in (1, 4, 16, 64)}
        p1, best = found["pgbench"][1][0], max(rate for rate, _ in found["pgbench"].values())
        print(f"pgbench: P1 {p1:,.0f}/s ({found['pgbench'][1][1]:.2f} ms), P {best:,.0f}/s", flush=True)
        url = cluster.database()
        with closing(PostgresStore(url)) as store:
            lengths = opened(store)
            for under_way in (1, 16, 64, 256):
                before = server_seconds(cluster)
                rate, cpu = appends(store, lengths, under_way, seconds)
                theirs = 1e6 * (server_seconds(cluster) - before) / (rate * seconds)
                found[f"postgres {under_way}"] = {"rate": rate, "cpu": cpu, "server": theirs, "of P": rate / best}
                print(
                    f"PostgreSQL, {under_way:3} under way: {rate:8,.0f}/s, {rate / p1:5.2f} P1, {rate / best:5.2f} P;"
                    f" {cpu:5.0f} µs here, {theirs:5.0f} µs there",
                    flush=True,
                )
            names = [f"table {number}" for number in range(TABLES)]
            began = time.monotonic()
            assert len(store.claim(names)) == TABLES
            found["claim"] = time.monotonic() - began
            print(f"{TABLES:,} tables claimed in {1000 * found['claim']:.0f} ms", flush=True)
            with psycopg.connect(url) as connection:
                size = "pg_total_relation_size('parlour_log')::float / sum(length)"
                (found["bytes"],) = connection.execute(f"SELECT {size} FROM parlour_tables").fetchone() or (0.0,)
            print(f"{found['bytes']:.0f} bytes a row in the database", flush=True)
        with closing(SqliteStore(Path(folder) / "tables.db")) as file:
            lengths = opened(file)
            for under_way in (16, 64, 256):
                rate, cpu = appends(file, lengths, under_way, seconds)
                found[f"sqlite {under_way}"] = {"rate": rate, "cpu": cpu}
                print(f"SQLite, {under_way:3} under way: {rate:12,.0f}/s; {cpu:5.0f} µs", flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--json")
    asked = parser.parse_args()
    found = measure(asked.seconds)
    if asked.json:
        Path(asked.json).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
