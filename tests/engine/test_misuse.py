"""Wrong use of the Python interface: an exception with a sentence, never a crash and never a silent acceptance."""

from __future__ import annotations

import json
import subprocess
import sys
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour import Journal, Refusal, Seeded, Sitting, State
from parlour.engine.build import load_interpreted
from parlour.engine.playout import play_by_heuristic, play_many, play_out
from parlour.engine.search import Search
from support.cases import Case, all_cases
from support.wait import WAIT

every_game = pytest.mark.parametrize("name", parlour.GAMES)


@every_game
def test_a_journal_that_is_not_emptied_says_so_and_writes_nowhere_else(name: str) -> None:
    state = parlour.game(name).new()
    journal = state.journal = Journal()
    for number in range(200):
        state.begin(Seeded(number))
        while not state.over and journal.size < 900:
            state.play(state.legal()[0])
        for _ in range(50):
            if not state.over:
                state.play(state.legal()[0])
    assert journal.size <= 1024
    with pytest.raises(OverflowError, match="emptied after each step"):
        journal.rows()
    with pytest.raises(OverflowError, match="emptied after each step"):
        parlour.game(name).view(state, 0).listen(journal)
    journal.clear()
    assert journal.rows() == []


@pytest.mark.parametrize(
    ("teller", "players", "listener", "listening"),
    [("tontine", 52, "heraldry", 4), ("sovereign", 4, "lost-heir", 4), ("masquerade", 8, "masquerade", 4)],
)
def test_a_view_listens_to_its_own_game_only(teller: str, players: int, listener: str, listening: int) -> None:
    game = parlour.game(teller)
    state = game.state_type(players, game.options_for(players))
    state.journal = Journal()
    state.begin(Seeded(1))
    other = parlour.game(listener)
    view = other.view_type(listening, 0, other.options_for(listening))
    with pytest.raises(TypeError, match="the journal of its own game"):
        view.listen(state.journal)


def test_a_view_listens_to_its_own_options_only() -> None:
    game = parlour.game("sovereign")
    state = game.state_type(4, game.options_for(4, {"small_coin": "penny"}))
    state.journal = Journal()
    state.begin(Seeded(1))
    with pytest.raises(TypeError, match="its own players and options"):
        game.view_type(4, 0, game.options_for(4)).listen(state.journal)


def test_a_journal_that_goes_from_state_to_state_says_whose_it_is() -> None:
    heraldry, sovereign = parlour.game("heraldry"), parlour.game("sovereign")
    journal = Journal()
    one, other = heraldry.new(4, chance=Seeded(1)), sovereign.new(4, chance=Seeded(1))
    one.journal = journal
    one.play(one.legal()[0])
    view = heraldry.view_type(4, 0, one.options)
    while one.unfinished:
        one.play(one.legal()[0])
    assert view.listen(journal)
    other.journal = journal
    with pytest.raises(ValueError, match="clear it first"):
        other.play(other.legal()[0])
    journal.clear()
    other.play(other.legal()[-1])
    assert journal.size
    with pytest.raises(TypeError, match="the journal of its own game"):
        view.listen(journal)
    assert sovereign.view_type(4, 0, other.options).listen(journal)


def test_playing_out_in_one_go_keeps_no_journal() -> None:
    state = parlour.game("heraldry").new()
    state.journal = Journal()
    with pytest.raises(ValueError, match="keeps no journal"):
        play_out(state, Seeded(), Seeded())


@every_game
@pytest.mark.parametrize("players", [-1, 0, 1, 53, 99, 10**6])
def test_a_number_of_players_that_no_sheet_has(name: str, players: int) -> None:
    game = parlour.game(name)
    options = game.options_for(game.sheet.usual)
    with pytest.raises(parlour.OptionError, match="players, not"):
        game.state_type(players, options)
    with pytest.raises(parlour.OptionError, match="players, not"):
        game.view_type(players, 0, options)


@every_game
@pytest.mark.parametrize("seat", [-2, 12, 99, 2**31 - 1])
def test_a_seat_that_is_not_there(name: str, seat: int) -> None:
    game = parlour.game(name)
    with pytest.raises(ValueError, match="A view is of a seat from 0 to"):
        game.view(game.new(), seat)
    with pytest.raises(ValueError, match="has no view here"):
        Sitting(name, seed=1).view(seat)


@every_game
@pytest.mark.parametrize("step", [None, 1.5, "1", True, [1], b"1"])
def test_a_step_is_a_whole_number(name: str, step: Any) -> None:
    state = parlour.game(name).new(chance=Seeded(1))
    with pytest.raises(Refusal, match="A step is a whole number, not a"):
        state.play(step)


@every_game
@pytest.mark.parametrize("step", [-1, 4096, 2**31, 2**63, 10**30])
def test_a_step_that_no_game_has(name: str, step: int) -> None:
    state = parlour.game(name).new(chance=Seeded(1))
    with pytest.raises(Refusal, match="There is no step"):
        state.play(step)


def think_of(made_for: int, name: str, players: int) -> None:
    """Ask a search about a view of another number of players."""
    sitting = Sitting(name, players, seed=1)
    Search(Sitting(name, made_for, seed=1).view(0)).think(sitting.view(sitting.seat), 1, 1, 50)


def truth_of_another() -> None:
    """Give a search the state of a smaller game as the truth."""
    sitting = Sitting("lost-heir", seed=1)
    view = sitting.view(sitting.seat)
    Search(view).think(view, 1, 1, 50, parlour.game("heraldry").new(chance=Seeded(1)))


CRASHERS: list[Callable[[], object]] = [
    lambda: parlour.game("heraldry").view(parlour.game("heraldry").new(), 0).see(None),
    lambda: parlour.game("heraldry").view(parlour.game("tontine").new(4), 0),
    lambda: parlour.game("heraldry").view(parlour.game("heraldry").new(), 0).listen(None),
    lambda: Seeded(1).serve(None),
    lambda: Seeded(1).serve(parlour.game("tontine").new(chance=Seeded(1))),
    lambda: play_out(None, Seeded(), Seeded()),
    lambda: play_out(parlour.game("tontine").new(), None, Seeded()),
    lambda: play_many(None, 1, 1),
    lambda: State.play(None, 0),
    lambda: State.legal(None),
    lambda: State.copy(None),
    lambda: State.begin(None),
    lambda: type(parlour.game("heraldry").new()).__new__(type(parlour.game("heraldry").new())).begin(Seeded(1)),
    lambda: type(parlour.game("lost-heir").new()).__new__(type(parlour.game("lost-heir").new())).play(30),
    lambda: parlour.game("tontine").new().give(None),
    lambda: parlour.game("tontine").new().draw(-1),
    lambda: parlour.game("tontine").new().give([99]),
    lambda: Seeded(1).number_below(0),
    lambda: Seeded(1).number_below(-5),
    lambda: Sitting("heraldry", seed=1).view(0).sample(None),
    lambda: Sitting("heraldry", seed=1).view(0).heuristic(None),
    lambda: think_of(8, "masquerade", 4),
    lambda: think_of(4, "masquerade", 8),
    lambda: think_of(3, "lost-heir", 6),
    lambda: Search(Sitting("heraldry", seed=1).view(0)).think(None, 1, 1, 10),
    lambda: Search(Sitting("heraldry", seed=1).view(0)).think(Sitting("lost-heir", seed=1).view(0), 1, 1, 10),
    lambda: truth_of_another(),
    lambda: play_by_heuristic(parlour.game("masquerade").new(8), Sitting("masquerade", 4).view(0), Seeded(), Seeded()),
    lambda: play_by_heuristic(parlour.game("masquerade").new(4), None, Seeded(), Seeded()),
]


def test_misuse_that_could_crash_raises() -> None:
    """In a process of its own: a crash would take the tests with it. The last number printed is that of the crasher."""
    folders = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
    code = f"import sys; sys.path[:0] = {folders!r}\nimport test_misuse\ntest_misuse.crash()\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=WAIT)
    assert done.returncode == 0, done.stdout + done.stderr
    raised = [line.partition(" ")[2] for line in done.stdout.splitlines()]
    assert len(raised) == len(CRASHERS)
    assert set(raised) <= {"TypeError", "ValueError", "Refusal", "AttributeError", "AssertionError"}, done.stdout


def crash() -> None:
    """Try everything that could crash, and print which exception each raises."""
    for number, crasher in enumerate(CRASHERS):
        print(number, end=" ", flush=True)
        try:
            crasher()
            print("nothing", flush=True)
        except Exception as error:
            print(type(error).__name__, flush=True)


def test_a_bare_state_cannot_be_played() -> None:
    assert play_many(State(4, {}), 1, 1) == 0


def test_only_the_seat_whose_turn_it_is_learns_why_not() -> None:
    sitting = Sitting("lost-heir", seed=1)
    other = (sitting.seat + 1) % 4
    for step in ("play N1", "nonsense", 0, 81):
        with pytest.raises(Refusal) as refused:
            sitting.play(step, seat=other)
        assert str(refused.value) == f"It is the turn of seat {sitting.seat}, not of seat {other}."


def test_a_record_of_an_unfinished_sitting_is_refused() -> None:
    with pytest.raises(Refusal, match="not over yet"):
        Sitting("heraldry", seed=1).record()


def test_a_copy_does_not_know_future_chance() -> None:
    state = parlour.game("tontine").new(chance=Seeded(1))
    copy = state.copy()
    copy.play(0)
    assert copy.awaits >= 0 and copy.chance is None and state.awaits < 0


def test_earlier_draws_do_not_shift_later_deals() -> None:
    def dealt(by_hand: bool) -> dict[str, list[int]]:
        state = parlour.game("lost-heir").new(4)
        chance = Seeded(5)
        if by_hand:
            state.give([dealer])  # the first entry, without asking this source for it
        else:
            chance.serve(state)
        chance.serve(state)
        return state.where()

    first = parlour.game("lost-heir").new(4)
    Seeded(5).serve(first)
    dealer = parlour.game("lost-heir").view(first, -1).fields()["dealer"]
    assert dealt(by_hand=True) == dealt(by_hand=False)


@every_game
def test_the_greatest_options_fit_their_numbers(name: str) -> None:
    # every mistake costs the greatest penalty there is, and nothing wraps round
    if name != "sovereign":
        options = {option.name: option.high for option in parlour.sheet(name).options if not option.values}
        options.pop("games", None)
        state = parlour.game(name).new(chance=Seeded(1), **options)
        for _ in range(2000):
            if not state.over:
                state.play(state.legal()[-1])
        assert state.over or state.moves == 2000
        if name == "tontine":
            assert sum(state.scores()) + state.where()["box"][0] == 12 * options["stake"]
        return
    limits = {"stake": 1000, "penalty": 1000, "round_limit": 1000, "games": 1000, "mistakes": "penalised"}
    state = parlour.game("sovereign").new(11, chance=Seeded(1), **limits)
    take = state.legal()[-3]
    assert parlour.game("sovereign").step_name(take) == "take surplus"
    for _ in range(2_500_000):
        state.play(take)
    assert state.where()["pools"][0] > 2**31
    assert sum(state.scores()) + sum(state.where()["pools"]) == 0


@pytest.mark.parametrize("case", all_cases(), ids=str)
def test_compiled_and_interpreted_show_and_refuse_alike(case: Case) -> None:
    plain = load_interpreted()

    def witness(package: Any) -> str:
        game = package.game(case.game.name)
        sitting = package.Sitting(case.game.name, case.players, seed=3, **case.options)
        luck = Seeded(9)
        seen: list[Any] = []
        for _ in range(60):
            if sitting.over:
                break
            seat = sitting.seat
            legal = sitting.legal()
            seen.append(sitting.view(seat).fields())
            refused = [step for step in range(game.steps) if step not in legal][:: max(1, game.steps // 5)]
            seen += [sitting.state.why_not(step) for step in refused]
            sitting.play(legal[luck.number_below(len(legal))])
        seen.append(sitting.told)
        return json.dumps(seen)

    assert witness(parlour) == witness(plain)


@pytest.mark.parametrize(
    "buffer", [bytes, lambda size: memoryview(bytearray(2 * size))[::2], lambda size: array("h", [0] * size)]
)
def test_an_observation_is_written_into_a_flat_writable_array_of_bytes(buffer: Callable[[int], Any]) -> None:
    game = parlour.game("heraldry")
    view = game.view(game.new(), 0)
    size = sum(rows * width for _, rows, width in view.layout())
    with pytest.raises(ValueError, match="a flat array of bytes that can be written to"):
        view.encode(buffer(size))
