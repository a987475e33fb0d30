"""Playing in the terminal: whole sittings, refusals, explanations, undo, saving and resuming."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import parlour
from parlour import Sitting
from parlour.cli.main import main
from parlour.play.terminal import Quit, Terminal


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "data"
    monkeypatch.setenv("PARLOUR_DATA", str(home))
    return home


class Person:
    """A person at the terminal who types the answers of a function and remembers everything shown."""

    def __init__(self, sitting: Sitting, data: Path, answers: Callable[[Person], Iterator[str]], seat: int = 0) -> None:
        self.shown: list[str] = []
        self.sitting = sitting
        self.answers = answers(self)
        self.terminal = Terminal(sitting, seat, data / "save.json", self.read, self.shown.append)

    def read(self, prompt: str) -> str:
        answer = next(self.answers, None)
        if answer is None:
            raise EOFError
        self.shown.append(prompt + answer)
        return answer

    def text(self) -> str:
        return "\n".join(self.shown)


def by_name(person: Person) -> Iterator[str]:
    """Types the names of random steps."""
    luck = random.Random(1)
    while True:
        yield luck.choice(person.sitting.names())


def by_number(person: Person) -> Iterator[str]:
    """Types the numbers of random choices."""
    luck = random.Random(2)
    while True:
        yield str(luck.randint(1, len(person.sitting.legal())))


@pytest.mark.parametrize("answers", [by_name, by_number])
@pytest.mark.parametrize("name", parlour.GAMES)
def test_a_whole_sitting_can_be_played(name: str, answers: Callable[[Person], Iterator[str]], data: Path) -> None:
    person = Person(Sitting(name, seed=2), data, answers, seat=1)
    person.terminal.run()
    assert "Final score" in person.text()
    (record,) = (data / "records").iterdir()
    assert parlour.check(json.loads(record.read_text(encoding="utf-8"))) is None
    assert not (data / "save.json").exists()


@pytest.mark.parametrize("name", parlour.GAMES)
def test_every_event_is_shown_with_its_clause(name: str, data: Path) -> None:
    person = Person(Sitting(name, seed=4), data, by_number)
    person.terminal.run()
    lines = person.text().replace("\n    ", " ").split("\n")
    said = [line for line in lines if line.startswith("  ") and line.endswith(")")]
    ids = {clause.id for clause in parlour.sheet(name).clauses}
    assert said and all(line.rsplit("(", 1)[1][:-1] in ids for line in said)


def scripted(*lines: str) -> Callable[[Person], Iterator[str]]:
    return lambda person: iter(lines)


def test_a_refusal_names_the_clause_and_changes_nothing(data: Path) -> None:
    person = Person(Sitting("lost-heir", seed=1), data, scripted("bid 99", "trump N", "nonsense", ""))
    with pytest.raises(Quit):
        person.terminal.run()
    text = person.text()
    assert "is not one of the choices" in text and "(HEIR-6)" in text and "“nonsense”" in text
    assert not [move for move in person.sitting.moves if move.seat == 0]


def test_the_second_line_of_a_reading_stands_further_in_than_the_first(data: Path) -> None:
    person = Person(Sitting("masquerade", seed=2), data, scripted("? 16"))
    with pytest.raises(Quit):
        person.terminal.run()
    at = next(at for at, line in enumerate(person.shown) if line.startswith("  Reading: "))
    assert person.shown[at + 1].startswith("    ") and person.shown[at + 1].strip()


def test_a_question_mark_explains_clauses_and_cards(data: Path) -> None:
    lines = ("?", "? 16", "? MASQ-2", "? D8", "? MASQ-99", "!", "l")
    person = Person(Sitting("masquerade", seed=5, rules=1), data, scripted(*lines))
    with pytest.raises(Quit):
        person.terminal.run()
    text = person.text()
    for expected in ("MASQ-7  Following", "MASQ-16  Next in rank  [damaged", "MASQ-2  ", "D8: Beggar, Mendicant"):
        assert expected in text
    assert "You do not hold D8. (MASQ-5)" in text
    assert "save and quit" in text


def test_undo_goes_back_to_the_last_decision_with_the_same_chance(data: Path) -> None:
    sitting = Sitting("masquerade", seed=5)

    def answers(person: Person) -> Iterator[str]:
        yield "1"
        before = [list(entry) for entry in sitting.log]
        yield "u"
        assert len(sitting.log) < len(before)
        yield "1"
        assert sitting.log == before
        while True:
            yield "1"

    Person(sitting, data, answers).terminal.run()
    (record,) = (data / "records").iterdir()
    assert json.loads(record.read_text(encoding="utf-8"))["undone"] == 1


def test_a_move_of_several_steps_can_be_typed_in_one_line_or_many_and_taken_back(data: Path) -> None:
    sitting = Sitting("heraldry", players=2, seed=0, capture="choice")
    seen = []

    def answers(person: Person) -> Iterator[str]:
        while True:
            steps = person.sitting.names()
            if person.sitting.prefix and not seen:
                seen.append(list(person.sitting.prefix))
                yield "b"
                assert person.sitting.prefix == []
                # the same steps again, in one line
                names = [person.sitting.game.step_name(step).split()[-1] for step in seen[0]]
                yield " ".join([names[0], "takes", *names[1:], "and", steps[0].split()[-1]])
            else:
                yield steps[0]

    Person(sitting, data, answers).terminal.run()
    assert seen


def test_words_after_a_finished_move_are_ignored_and_not_looked_up_in_another_hand(data: Path) -> None:
    sitting = Sitting("sovereign", seed=11, change="may", mistakes="penalised")
    person = Person(sitting, data, scripted("leave SH FL HC CR HS 6D"))
    with pytest.raises(Quit):
        person.terminal.run()
    assert "“SH” is ignored" in person.text()
    assert "Which one" not in person.text()


def test_several_moves_of_one_turn_can_be_typed_in_one_line(data: Path) -> None:
    sitting = Sitting("sovereign", seed=11, rules=1)
    person = Person(sitting, data, scripted("throw HC take surplus"))
    with pytest.raises(Quit):
        person.terminal.run()
    assert [move.steps for move in sitting.moves if move.seat == 0] == [(14,), (19,)]


def test_quitting_saves_and_the_same_command_resumes(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def say(*lines: str) -> None:
        answers = iter(lines)
        monkeypatch.setattr("builtins.input", lambda prompt="": next(answers))

    say("1", "1", "q")
    assert main(["play", "heraldry", "--seed", "3", "--bots", "random"]) == 0
    save = data / "unfinished" / "heraldry.json"
    left = Sitting.load(save.read_text(encoding="utf-8"))
    assert len([move for move in left.moves if move.seat == 0]) == 2
    say("q")
    assert main(["play", "heraldry"]) == 0
    assert "Resuming your unfinished sitting" in capsys.readouterr().out
    assert Sitting.load(save.read_text(encoding="utf-8")).log == left.log
    say("q")
    assert main(["play", "heraldry", "--new"]) == 0
    (aside,) = [path for path in save.parent.iterdir() if path != save]
    assert f"--resume {aside}" in capsys.readouterr().out
    say("q")
    assert main(["play", "heraldry", "--resume", str(aside)]) == 0
    assert main(["play", "tontine", "--resume", str(aside)]) == 2
    assert "not of Tontine" in capsys.readouterr().err


def test_a_sitting_left_before_the_first_own_decision_is_saved(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def leave(terminal: Terminal) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Terminal, "bot_step", leave)
    begun = Sitting("heraldry", 4, seed="3")
    other = (begun.seat + 1) % 4
    assert main(["play", "heraldry", "--players", "4", "--seed", "3", "--seat", str(other)]) == 0
    assert "Saved." in capsys.readouterr().out
    save = data / "unfinished" / "heraldry.json"
    assert Sitting.load(save.read_text(encoding="utf-8")).log == begun.log


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"parlour_save": 9}', '{"parlour_save": 1, "game": "whist"}'])
def test_a_damaged_save_is_refused_in_one_sentence(text: str, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save = data / "unfinished" / "heraldry.json"
    save.parent.mkdir(parents=True)
    save.write_text(text, encoding="utf-8")
    assert main(["play", "heraldry"]) == 2
    err = capsys.readouterr().err
    assert "not a saved sitting" in err and err.count("\n") == 1
    assert save.read_text(encoding="utf-8") == text


def test_play_without_a_game_offers_all_games(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = iter(["9", "5", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(answers))
    assert main(["play"]) == 0
    out = capsys.readouterr().out
    assert all(parlour.sheet(name).title in out for name in parlour.GAMES)
    assert "Type a number from 1 to 5" in out and "Tontine · 12 players" in out


@pytest.mark.parametrize(
    ("arguments", "typed", "players", "sides"),
    [
        (["lost-heir", "partners"], [], 4, "two"),
        (["lost-heir", "three", "pairs"], [], 6, "three"),
        (["lost-heir", "Alone"], [], 4, "each"),
        ([], ["2", "2"], 4, "two"),
        ([], ["lost-heir", ""], 4, "each"),
    ],
)
def test_partnership_is_one_plain_word_away(
    arguments: list[str],
    typed: list[str],
    players: int,
    sides: str,
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answers = iter([*typed, "q"])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(answers))
    assert main(["play", *arguments]) == 0
    said = " ".join(capsys.readouterr().out.split())
    left = Sitting.load((data / "unfinished" / "lost-heir.json").read_text(encoding="utf-8"))
    assert (left.players, left.options["sides"]) == (players, sides)
    assert ("To change it: parlour play lost-heir partners." in said) == (sides == "each")


def test_readings_are_told_at_the_start_and_by_a_key(data: Path) -> None:
    plain = Person(Sitting("sovereign", seed=1), data, scripted("r"))
    other = Person(Sitting("sovereign", seed=1, change="must", mistakes="penalised"), data, scripted("R"))
    for person in (plain, other):
        with pytest.raises(Quit):
            person.terminal.run()
    started, told = (" ".join(text.split()) for text in plain.text().split("> r\n"))
    assert "Doubtful words are read in the usual way. Type r for the readings." in started
    readings, sizes = told.split("Length and stakes:")
    assert "The smallest coin: Sixpence [small_coin=sixpence]; otherwise: Penny (SOV-1)" in readings
    assert "Stake, in counters: 1 [stake=1] (SOV-2)" in sizes and "[stake=" not in readings
    assert "penalty" not in told and "Price of a mistake, in counters: 1 [penalty=1]" in other.text()
    said = " ".join(other.text().split())
    assert "Not as usual here: When you can give change: You must; Mistakes: Can be made, at a price." in said


def test_after_undo_an_external_bot_is_told_everything_again(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.jsonl"
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        f"    open({str(log)!r}, 'a').write(line)\n"
        "    said = json.loads(line)\n"
        "    if said['type'] == 'hello':\n"
        "        print(json.dumps({'type': 'hello', 'protocol': 1}), flush=True)\n"
        "    if said['type'] == 'choose':\n"
        "        answer = {'type': 'step', 'id': said['id'], 'step': said['steps'][0][0]}\n"
        "        print(json.dumps(answer), flush=True)\n",
        encoding="utf-8",
    )
    answers = iter(["bid 1", "u", "bid 2", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(answers))
    # with this seed you bid first, and the external bot after you
    assert main(["play", "lost-heir", "--seed", "3", "--bots", f"first,exec:{bot},first,first"]) == 0
    said = [json.loads(line) for line in log.read_text(encoding="utf-8").split("\n") if line]
    bids: list[list[list[object]]] = []
    for message in said:
        if message["type"] == "begin":
            bids.append([])
        elif message["type"] == "events":
            bids[-1] += [entry[:3] for entry in message["events"] if entry[:2] == ["bid", 0]]
    assert bids == [[["bid", 0, 1]], [["bid", 0, 2]]]


def test_a_hint_gives_the_reason_first_and_why_gives_the_figures(data: Path) -> None:
    def answers(person: Person) -> Iterator[str]:
        while len(person.sitting.legal()) == 1:
            yield ""
        yield "why"
        yield "h"
        yield "why"
        yield person.sitting.names()[0]
        while len(person.sitting.legal()) == 1:
            yield ""
        yield "why"

    person = Person(Sitting("masquerade", 4, seed=4), data, answers)
    with pytest.raises(Quit):
        person.terminal.run()
    early, hint, figures, late = [at for at, line in enumerate(person.shown) if line in ("> why", "> h")]
    assert "Ask for a hint first" in person.shown[early + 1] and "Ask for a hint first" in person.shown[late + 1]
    reason = " ".join(person.shown[hint + 1 : figures])  # it may take two lines
    assert "[" in reason and "MASQ-" in reason and "%" not in reason
    assert "chance to win" in person.shown[figures + 1] and "±" in person.shown[figures + 1]
