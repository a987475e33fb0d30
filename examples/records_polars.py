#!/usr/bin/env python3
"""Analyses records with polars: who wins, how long it takes, and which clauses of the sheet come up how often.

    pip install '.[examples]'
    parlour simulate lost-heir --sittings 50000 --seed 1 --bots thumb --records games.parquet
    python examples/records_polars.py games.parquet

The table has a row for each entry, and after the entries of a sitting one for each seat with its result
(docs/record.md#as-a-table).
"""

import json
import sys

import polars as pl

import parlour

QUANTILES = {"shortest": 0.0, "a quarter": 0.25, "half": 0.5, "three quarters": 0.75, "longest": 1.0}


def read(path):
    """The game of a table of records, the results (a row for each seat of each sitting), and the entries."""
    game = parlour.game(json.loads(pl.read_parquet_metadata(path)["parlour"])["game"])
    rows = pl.read_parquet(path)
    results = rows.filter(pl.col("nature") == "result")
    # a shared win counts in parts
    won = pl.col("won").cast(pl.Float64) / pl.col("won").sum().over("sitting")
    return game, results.with_columns(won), rows.filter(pl.col("nature") != "result")


def by_seat(seats):
    """What each seat won and scored."""
    count = pl.len().sqrt()
    return (
        seats.group_by("seat")
        .agg(
            (100 * pl.col("won").mean()).round(2).alias("wins %"),
            (196 * pl.col("won").std() / count).round(2).alias("± %"),
            pl.col("score").mean().round(2).alias("score"),
            (1.96 * pl.col("score").std() / count).round(2).alias("±"),
        )
        .sort("seat")
    )


def lengths(entries):
    """How many decisions a sitting takes."""
    decisions = entries.filter(pl.col("nature") == "decision").group_by("sitting").len("decisions")
    quantiles = [pl.col("decisions").quantile(at).cast(pl.Int64).alias(name) for name, at in QUANTILES.items()]
    return decisions.select(pl.col("decisions").mean().round(1).alias("mean"), *quantiles)


def clauses(game, entries, sittings):
    """How often a clause had a consequence, to a sitting, and what it is called."""
    named = [(clause.id, clause.title) for clause in game.sheet.clauses]
    titles = pl.DataFrame(named, schema=["clause", "title"], orient="row")
    return (
        entries.filter(pl.col("nature") == "consequence")
        .group_by("clause", "kind")
        .agg((pl.len() / sittings).round(3).alias("to a sitting"))
        .join(titles, on="clause")
        .sort("to a sitting", "clause", descending=[True, False])
    )


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    game, seats, entries = read(sys.argv[1])
    sittings = seats["sitting"].n_unique()
    pl.Config.set_tbl_formatting("ASCII_MARKDOWN").set_tbl_hide_column_data_types(True).set_tbl_hide_dataframe_shape(True)
    pl.Config.set_tbl_rows(100).set_tbl_width_chars(120).set_fmt_str_lengths(60)
    print(f"{game.title}, {sittings:,} sittings\n")
    for table in (by_seat(seats), lengths(entries), clauses(game, entries, sittings)):
        print(table, end="\n\n")


if __name__ == "__main__":
    main()
