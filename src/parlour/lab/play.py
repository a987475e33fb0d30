"""Playing a study: each block is a pure function of its task, so processes, clusters and resumed runs agree."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from hashlib import blake2b
from statistics import fmean
from typing import Any

from .._version import __version__
from ..engine.core import Journal, Seeded
from ..engine.game import Game
from ..engine.view import View
from ..games import game as game_of
from ..players.seats import Seating, bots_for
from ..sheets.model import Setting
from ..util import checkpoint
from ..util.pool import as_completed
from .observers import OBSERVERS, ChoiceSampler, Observer, Playout
from .plan import BlockTask, Study, code_hash
from .simulate import FAST_BOTS, seed_number

# How many sittings of a block pay for one deal or choice of an experiment.
SITTINGS_A_SKILL_DEAL = 10
SITTINGS_A_LUCK_DEAL = 10
SITTINGS_A_CHOICE = 20
REPLAYS = 4  # of a deal, to measure luck
SLIPS = 1 / 8  # of the choices are made at random: enough that repetitions of a deal hardly ever agree
WORLDS = 16  # in each half, to weigh a choice

LARGEST_SUM = 1e15  # more than any sum of a block

Sums = dict[str, float]


@dataclass(frozen=True)
class Block:
    """The sums of one block of a row."""

    row: int
    block: int
    sums: Sums

    def digest(self) -> str:
        """A hash of the sums, to tell whether the block comes out the same when it is played again."""
        return blake2b(json.dumps(self.sums, sort_keys=True).encode(), digest_size=8).hexdigest()


Save = Callable[[Sequence[Block]], None]
Distribute = Callable[[Callable[[BlockTask], Block], Iterable[BlockTask]], Iterator[Block]]


class OtherVersion(Exception):
    """A worker runs other code than the rest; the message is one sentence."""


# --- one block --------------------------------------------------------------------------------------------------------


class Lineup:
    """Bots in their seats, watched by observers: in one fast playout where all are simple, else each with its view."""

    def __init__(
        self, task: BlockTask, names: Sequence[str], observers: Sequence[Observer] = (), slips: float = 0.0
    ) -> None:
        game = game_of(task.game)
        state = game.state_type(task.players, task.options)
        self.playout = Playout(state, game.view_type(task.players, 0, task.options), observers)
        self.seating: Seating | None = None
        if set(names) <= set(FAST_BOTS):
            self.playout.set_play([seat for seat, name in enumerate(names) if name == "random"], slips)
        else:
            self.seating = Seating(game, task.players, task.options, names)

    def play(self, seed: int, number: int, again: int = 0) -> list[float]:
        """Play a sitting; each side's share of the win."""
        if self.seating is None:
            self.playout.play(seed, number, again)
        else:
            self.play_seated(self.seating, seed, number)
        return self.playout.win_shares()

    def play_seated(self, seating: Seating, seed: int, number: int) -> None:
        """Play a sitting decision by decision."""
        state, journal = self.playout.state, Journal()
        state.journal = journal
        seating.begin(seed, number)
        state.begin(Seeded(seed, 2 * number))
        self.playout.watch_begin()
        seating.tell(journal)
        while not state.over:
            self.playout.watch_decision()
            journal.clear()
            state.play(seating.choose(state))
            seating.tell(journal)
        self.playout.watch_end()
        state.journal = None


def play_block(task: BlockTask) -> Block:
    """Play one block of a row: its sittings, and its part of each experiment."""
    if task.code != code_hash(task.game):
        raise OtherVersion(
            f"A worker runs different code from the study; install the same parlour {__version__} there."
        )
    sides = count_sides(task.game, task.players, task.options)
    sums = watch(task, sides) | measure_skill(task, sides) | measure_luck(task) | weigh_choices(task)
    return Block(task.row, task.block, sums)


def count_sides(game: str, players: int, options: dict[str, Setting]) -> int:
    """How many sides can win: seats, or groups of partners."""
    return game_of(game).state_type(players, options).sides


def sum_names(players: int, sides: int) -> set[str]:
    """The names of the sums of a block."""
    watched = {name for observer in OBSERVERS for name in observer(players, players // sides).names()}
    luck = {"luck deals", "luck plays", "luck by deal", "luck by play"}
    return watched | {"skill deals", "stronger won", "weight", "weighed"} | luck


def experiment(task: BlockTask, name: str, sittings_each: int) -> tuple[int, range]:
    """The seed of an experiment, and the numbers of this block's deals in it."""
    count = max(1, task.size // sittings_each)
    return seed_number(f"{task.seed} {name}"), range(task.block * count, (task.block + 1) * count)


def watch(task: BlockTask, sides: int) -> Sums:
    """Play the sittings themselves, and watch them."""
    observers = [observer(task.players, task.players // sides) for observer in OBSERVERS]
    lineup = Lineup(task, bots_for(task.bots.table, task.players), observers)
    seed = seed_number(task.seed)
    for number in range(task.block * task.size, (task.block + 1) * task.size):
        lineup.play(seed, number)
    return {name: value for observer in observers for name, value in observer.totals().items()}


def measure_skill(task: BlockTask, sides: int) -> Sums:
    """Play each deal twice, so that every side is held once by the stronger bot and once by the weaker."""
    seed, numbers = experiment(task, "skill", SITTINGS_A_SKILL_DEAL)
    won = 0.0
    for first in (0, 1):
        held = [(seat % sides + first) % 2 == 0 for seat in range(task.players)]
        lineup = Lineup(task, [task.bots.stronger if strong else task.bots.weaker for strong in held])
        for number in numbers:
            shares = lineup.play(seed, number)
            won += sum(share for share, strong in zip(shares, held[:sides], strict=True) if strong)
    return {"skill deals": len(numbers), "stronger won": won}


def measure_luck(task: BlockTask) -> Sums:
    """Play each deal several times, by players who slip differently each time."""
    seed, numbers = experiment(task, "luck", SITTINGS_A_LUCK_DEAL)
    lineup = Lineup(task, ["thumb"] * task.players, slips=SLIPS)
    by_deal = by_play = 0.0
    for number in numbers:
        plays = [lineup.play(seed, number, again) for again in range(REPLAYS)]
        by_deal += sum(sum(results) ** 2 for results in zip(*plays, strict=True))
        by_play += sum(share * share for play in plays for share in play)
    return {
        "luck deals": len(numbers),
        "luck plays": len(numbers) * REPLAYS,
        "luck by deal": by_deal,
        "luck by play": by_play,
    }


def weigh_choices(task: BlockTask) -> Sums:
    """Evaluate one choice of each sitting by playouts in worlds sampled from what its seat knows, in two halves.

    The step that is best in one half is judged by the other, so that luck in the first counts for nothing. Several
    steps that are equally good are all judged, so that the order of steps does not matter.
    """
    seed, numbers = experiment(task, "choices", SITTINGS_A_CHOICE)
    game = game_of(task.game)
    sampler = ChoiceSampler(task.players)
    watched = Lineup(task, ["thumb"] * task.players, [sampler])
    unwatched = Lineup(task, ["thumb"] * task.players)
    luck = Seeded()
    weight, weighed = 0.0, 0
    for number in numbers:
        sampler.restart(seed, (1 << 32) + number)
        watched.play(seed, number)
        if sampler.choice < 0:
            continue  # there was nothing to decide
        view = view_at(game, task, seed, number, sampler)
        luck.restart(seed, (2 << 32) + number)
        halves = []
        for half in (0, 1):
            worlds = range(2 * WORLDS * number + half * WORLDS, 2 * WORLDS * number + (half + 1) * WORLDS)
            shares = [unwatched.playout.evaluate_steps(view.sample(luck), seed, (3 << 32) + world) for world in worlds]
            halves.append([sum(step) / WORLDS for step in zip(*shares, strict=True)])
        for chosen, judged in (halves, halves[::-1]):
            best = [value for value, looked in zip(judged, chosen, strict=True) if looked == max(chosen)]
            weight += (fmean(best) - fmean(judged)) / 2
        weighed += 1
    return {"weight": weight, "weighed": weighed}


def view_at(game: Game, task: BlockTask, seed: int, number: int, sampled: ChoiceSampler) -> View:
    """What the seat of a sampled choice knows when it chooses: the sitting is played again, and told to that seat."""
    state, journal = game.state_type(task.players, task.options), Journal()
    views = [game.view_type(task.players, seat, task.options) for seat in range(task.players)]
    view, luck, left = game.view_type(task.players, sampled.seat, task.options), Seeded(), sampled.choice
    view.track_beliefs()
    state.journal = journal
    state.begin(Seeded(seed, 2 * number))
    while True:
        view.listen(journal)
        journal.clear()
        left -= len(state.legal()) > 1
        if not left:
            return view.see(state)
        state.play(views[state.seat].see(state).heuristic(luck))


# --- the whole study --------------------------------------------------------------------------------------------------


def play_study(
    study: Study,
    distribute: Distribute,
    done: Sequence[Block] = (),
    save: Save | None = None,
) -> list[Block]:
    """All blocks in order; those in `done` are not played again, and `save` is called with each of the others.

    `distribute` has processes or a cluster run the tasks, and yields their results in any order.
    """
    found = {(block.row, block.block): block for block in done}
    missing = (task for task in study.tasks() if (task.row, task.block) not in found)
    for block in distribute(play_block, missing):
        found[block.row, block.block] = block
        if save is not None:
            save([block])
    return [found[task.row, task.block] for task in study.tasks()]


def by_processes(jobs: int) -> Distribute:
    """Distributes tasks among processes of this machine."""
    return lambda function, tasks: as_completed(function, tasks, jobs)


def open_checkpoint(path: str | None, study: Study) -> AbstractContextManager[tuple[list[Block], Save]]:
    """The blocks stored in a file, and how to append more; ValueError, with a sentence, where it is another study's."""

    names = [sum_names(row.players, count_sides(study.game, row.players, row.options)) for row in study.rows]

    def read(data: Any) -> Block | None:
        try:
            block = Block(**data)
            inside = block.row in range(len(study.rows)) and block.block in range(study.blocks)
            whole = inside and set(block.sums) == names[block.row] and are_possible(block.sums, study.size)
        except (TypeError, AttributeError):
            return None
        return block if whole else None

    return checkpoint.open_checkpoint(path, "study", study.head(), read, asdict)


def are_possible(sums: Sums, size: int) -> bool:
    """Whether a block of this many sittings can have these sums: a file may be damaged."""
    counted = {"sittings": size, "skill deals": max(1, size // SITTINGS_A_SKILL_DEAL)}
    counted["luck deals"] = max(1, size // SITTINGS_A_LUCK_DEAL)
    counted["luck plays"] = REPLAYS * counted["luck deals"]
    return (
        all(type(value) in (int, float) and abs(value) < LARGEST_SUM for value in sums.values())
        and all(value >= 0 for name, value in sums.items() if name != "weight")
        and all(sums[name] == count for name, count in counted.items())
        and all(sums[name] >= size for name in ("decisions", "deals", "branching"))
    )
