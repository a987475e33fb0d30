"""Records as a tidy table in a Parquet file: a row for each entry, a column for each of its fields."""

from __future__ import annotations

import json
from typing import IO, Any

from ..engine.core import State
from ..engine.game import MANY, TOLD, Field, Game
from ..engine.scribe import OWN_COLUMNS, RowScribe
from ..engine.text import NOTHING
from .record import compose, names_of, result_of

RESULT = "result"  # the kind and nature of the rows behind the entries of a sitting, one for each seat
SEAT, CLAUSE, SCORE, WON = ("seat", "seat"), ("clause", "clause"), ("score", "points"), ("won", "truth")
GROUP = 1 << 18  # rows in a group of the file, at least
Rolls = tuple[bytes, bytes, bytes]


class Layout:
    """The columns of a game's table: after the sitting, entry and kind the fields of its entries, by name and type.

    Fields with many items share one column for their type.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        told = zip(game.entries, game.recorded_fields, strict=True)
        fields = [self.key(field) for entry, written in told if entry.nature != TOLD for field in written]
        single = [field for field in fields if field[1] not in MANY and field != CLAUSE]
        many = [field for type_ in MANY for field in fields if field[1] == type_]
        columns = dict.fromkeys([SEAT, *single, CLAUSE, SCORE, WON, *many])
        self.places = {field: OWN_COLUMNS + at for at, field in enumerate(columns)}
        self.width = OWN_COLUMNS + len(columns)
        self.scores_from = min([self.places[field] for field in columns if field[1] == "scores"], default=self.width)
        self.kinds = [*[entry.kind for entry in game.entries], RESULT]
        self.natures = [*[entry.nature for entry in game.entries], RESULT]
        self.clauses = [*[entry.clause for entry in game.entries], ""]  # where an entry carries none

    @staticmethod
    def key(field: Field) -> tuple[str, str]:
        """The column of a field."""
        return (field.type if field.type in MANY else field.name, field.type)

    def names(self) -> dict[str, tuple[str, str]]:
        """The columns by name; one whose name is taken has its type in it too."""
        found: dict[str, tuple[str, str]] = {}
        for field in sorted(
            self.places, key=lambda field: (field not in (SEAT, CLAUSE, SCORE, WON), self.places[field])
        ):
            name = field[0] if field[0] not in {*found, "sitting", "entry", "nature", "kind"} else "_".join(field)
            found[name] = field
        return dict(sorted(found.items(), key=lambda item: self.places[item[1]]))


class Rows:
    """The rows of one table's sittings, to be put into a `Table`."""

    def __init__(self, game: Game) -> None:
        self.layout = Layout(game)
        columns = [
            None if entry.nature == TOLD else [(field.slot, self.layout.places[Layout.key(field)]) for field in written]
            for entry, written in zip(game.entries, game.recorded_fields, strict=True)
        ]
        self.scribe = RowScribe(columns, self.layout.width, self.layout.scores_from)

    def begin(self, state: State, number: int) -> None:
        """The entries that come now are of this sitting."""
        self.scribe.begin(number)

    def end(self, state: State) -> None:
        """It is over: a row for each seat says what it has and whether it has won."""
        result = result_of(state)
        kind = len(self.layout.kinds) - 1
        for seat in range(state.players):
            found = {SEAT: seat, SCORE: result["scores"][seat % state.sides], WON: int(seat in result["winners"])}
            self.scribe.add(kind, [(self.layout.places[field], value) for field, value in found.items()])

    def take(self) -> Rolls:
        """The rows of all sittings since the last call, and the items of those that have many."""
        return self.scribe.rows.take(), self.scribe.cards.take(), self.scribe.scores.take()


class Table:
    """A Parquet file that grows by the rows of sittings. `beside` stands in its metadata, with the head of a record."""

    def __init__(self, file: IO[bytes], game: Game, state: State, **beside: Any) -> None:
        import pyarrow
        from pyarrow import parquet

        self.arrow = pyarrow
        self.layout = Layout(game)
        head = {
            name: value for name, value in compose(game, state, [], **beside).items() if name not in ("log", RESULT)
        }
        words = pyarrow.dictionary(pyarrow.int64(), pyarrow.string())
        whole = pyarrow.int64()
        kinds: dict[str, Any] = {
            "cards": pyarrow.list_(words),
            "scores": pyarrow.list_(whole),
            "truth": pyarrow.bool_(),
        }
        types = {
            name: kinds.get(field[1]) or (words if names_of(game, field[1]) else whole)
            for name, field in self.layout.names().items()
        }
        every = {"sitting": whole, "entry": whole, "nature": words, "kind": words}
        self.schema = pyarrow.schema(list((every | types).items()))
        # without Arrow's own schema every reader takes words for text
        self.writer = parquet.ParquetWriter(file, self.schema, compression="zstd", store_schema=False)
        self.writer.add_key_value_metadata({"parlour": json.dumps(head, ensure_ascii=False)})
        self.waiting: list[Rolls] = []
        self.rows = 0  # of those that wait

    def write(self, rolls: Rolls) -> None:
        """Add rows."""
        self.waiting.append(rolls)
        self.rows += len(rolls[0]) // (8 * self.layout.width)
        if self.rows >= GROUP:
            self._flush()

    def close(self) -> None:
        """Write the end of the file."""
        self._flush()
        self.writer.close()

    def _flush(self) -> None:
        if self.waiting:
            batch = self._batch(*[b"".join(rolls) for rolls in zip(*self.waiting, strict=True)])
            self.writer.write_batch(batch, row_group_size=self.rows)
            self.waiting, self.rows = [], 0

    def _batch(self, *rolls: bytes) -> Any:
        """The columns of some rows."""
        from pyarrow import compute

        arrow, layout = self.arrow, self.layout
        rows, cards, scores = (memoryview(roll).cast("q") for roll in rolls)

        def column(at: int) -> Any:
            values = self._numbers(rows[at :: layout.width])
            return compute.if_else(compute.equal(values, NOTHING), None, values)

        def words(numbers: Any, names: list[Any]) -> Any:
            each = list(dict.fromkeys(str(name) for name in names))
            if len(each) < len(names):
                numbers = arrow.array([each.index(name) for name in names], arrow.int64()).take(numbers)
            return arrow.DictionaryArray.from_arrays(numbers, arrow.array(each, arrow.string()))

        def lists(counts: Any, items: Any) -> Any:
            ends = compute.cumulative_sum(compute.fill_null(counts, 0)).cast(arrow.int32())
            begins = arrow.concat_arrays([arrow.array([0], arrow.int32()), ends])
            return arrow.ListArray.from_arrays(begins, items, mask=compute.is_null(counts))

        kinds = column(2)
        found = [column(0), column(1), words(kinds, layout.natures), words(kinds, layout.kinds)]
        for field, at in layout.places.items():
            values = column(at)
            names = names_of(layout.game, field[1])
            if field[1] == "cards":
                values = lists(values, words(self._numbers(cards), names))
            elif field[1] == "scores":
                values = lists(values, self._numbers(scores))
            elif field == WON:
                values = values.cast(arrow.bool_())
            elif field == CLAUSE:
                usual = arrow.array([names.index(id_) if id_ else None for id_ in layout.clauses], arrow.int64())
                values = words(compute.coalesce(values, usual.take(kinds)), names)
            elif names:
                values = words(values, names)
            found.append(values)
        return arrow.RecordBatch.from_arrays(found, schema=self.schema)

    def _numbers(self, view: memoryview) -> Any:
        """Numbers that may lie apart, as an array."""
        data = self.arrow.py_buffer(view.tobytes())
        return self.arrow.Array.from_buffers(self.arrow.int64(), len(view), [None, data])
