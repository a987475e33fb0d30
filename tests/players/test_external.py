"""External bots: real programs at a seat, correct and faulty ones; the sitting goes on, and nothing is left behind."""

from __future__ import annotations

import gc
import json
import os
import random
import re
import shlex
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour import Sitting, View
from parlour.players.bots import Bot, First, Random
from parlour.players.external import LINE, REPORTS, RESTARTS, External, own_luck
from support.cases import SHORT, World, case

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "mybot.py"
FAR = 20.0  # seconds: more than any bot needs that answers at all
NEAR = 0.4

# A bot that takes the last legal step and logs its input. At one second question it commits its fault instead.
BOT = r"""
import json, os, signal, subprocess, sys, time

fault, folder = sys.argv[1:]
once = os.path.join(folder, "once")
log = open(os.path.join(folder, f"{time.time_ns()}-{os.getpid()}.log"), "w")


def say(message):
    write(json.dumps(message) + "\n")


def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def halves(text):
    for part in (text[:9], text[9:20], text[20:]):
        write(part)
        time.sleep(0.02)


def child():
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])


def flood():
    while True:
        write('{"type": "step", "id": 0, "step": "' + 60000 * "x" + '"}\n')


def misbehave(number, right):
    answer = {"type": "step", "id": number, "step": right}
    whole = json.dumps(answer) + "\n"
    nested = lambda depth: '{"type": "step", "id": %d, "step": %s%s}\n' % (number, depth * "[", depth * "]")
    {
        "hang": lambda: time.sleep(60),
        "late": lambda: (time.sleep(1.2), write(whole), time.sleep(60)),
        "die": lambda: (print("first words\n\x1b[2Jlast words", file=sys.stderr, flush=True), os._exit(3)),
        "die halfway": lambda: (write(whole[:12]), os._exit(0)),
        "crash": lambda: os.kill(os.getpid(), signal.SIGKILL),
        "text": lambda: write("I \x1b[31mpass\n"),
        "empty line": lambda: write("\n"),
        "bytes": lambda: os.write(1, b"\xff\xfe\n"),
        "nan": lambda: say({**answer, "step": float("nan")}),
        "list": lambda: say([answer]),
        "nested": lambda: write(nested(20000)),
        "nested less": lambda: write(nested(700)),
        "digits": lambda: write('{"type": "step", "id": ' + 9000 * "1" + "}\n"),
        "true": lambda: say({**answer, "step": True}),
        "true id": lambda: say({**answer, "id": True}),
        "float": lambda: say({**answer, "step": float(right)}),
        "null": lambda: say({**answer, "step": None}),
        "no step": lambda: say({"type": "step", "id": number}),
        "old id": lambda: say({**answer, "id": number - 1}),
        "no id": lambda: say({"type": "step", "step": right}),
        "move": lambda: say({**answer, "type": "move"}),
        "long": lambda: (write(100000 * "x"), time.sleep(60)),
        "half": lambda: (write(whole[:12]), time.sleep(60)),
        "flood": flood,
        "close": lambda: (os.close(1), time.sleep(60)),
        "stubborn": lambda: (signal.signal(signal.SIGTERM, signal.SIG_IGN), child_noted(), time.sleep(60)),
        "illegal name": lambda: say({**answer, "step": "play M9"}),
        "illegal number": lambda: say({**answer, "step": 0}),
        "negative": lambda: say({**answer, "step": -1}),
        "beyond": lambda: say({**answer, "step": 10**30}),
        "control": lambda: say({**answer, "step": "play\x1b[2J\n" + 500 * "x"}),
        "halves": lambda: halves(whole),
        "noise": lambda: (sys.stderr.write(5000000 * "x"), say(answer)),
        "more": lambda: say({**answer, "why": "I like it", "sure": 0.5}),
        "by name": lambda: say({**answer, "step": dict(steps)[right]}),
        "twice": lambda: write(whole + whole),
    }[fault]()


def child_noted():
    open(os.path.join(folder, f"0-{child().pid}.log"), "w").close()


if fault == "silent":
    time.sleep(60)
if fault == "deaf":
    say({"type": "hello", "protocol": 1})
    time.sleep(60)
questions = 0
for line in sys.stdin:
    log.write(line)
    log.flush()
    message = json.loads(line)
    if message["type"] == "hello":
        hello = {"type": "hello", "protocol": 2 if fault == "protocol" else 1}
        say(hello | ({"name": "a\x1b[2J\u202eb" + 99 * "c"} if fault == "named" else {}))
    if message["type"] == "choose":
        questions += 1
        steps = message["steps"]
        if fault == "always":
            os._exit(1)
        if questions == 2 and not os.path.exists(once) and fault not in ("good", "named", "stays"):
            open(once, "w").close()
            misbehave(message["id"], steps[-1][0])
        else:
            say({"type": "step", "id": message["id"], "step": steps[-1][0]})
if fault == "stays":
    time.sleep(60)
"""

# A bot between us and another one, which writes the messages down as the page shows them.
BETWEEN = r"""
import json, subprocess, sys

log, *command = sys.argv[1:]
bot = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
with open(log, "w") as said:
    for line in sys.stdin:
        said.write("→ " + line)
        bot.stdin.write(line)
        if json.loads(line)["type"] in ("hello", "choose"):
            answer = bot.stdout.readline()
            said.write("← " + answer)
            print(answer, end="", flush=True)
"""


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path) -> Iterator[None]:
    """No process, thread or open file may be left after a test."""
    gc.collect()  # nothing of an earlier test may be closed during this one
    files, threads = len(os.listdir("/dev/fd")), threading.active_count()
    yield
    pids = [int(path.stem.partition("-")[2]) for path in tmp_path.glob("*-*.log")]
    until = time.monotonic() + 10  # init needs a moment to reap grandchildren
    while any(map(alive, pids)) and time.monotonic() < until:
        time.sleep(0.01)
    assert not any(map(alive, pids))
    assert (len(os.listdir("/dev/fd")), threading.active_count()) == (files, threads)


class Hurried(External):
    """Waits only briefly for the second answer, where the bots hang; everywhere else a slow machine is no fault."""

    def choose(self, view: View) -> int:
        self.seconds = NEAR if self._choices == 1 and not self.reports else FAR
        return super().choose(view)


def command(tmp_path: Path, fault: str) -> str:
    script = tmp_path / "bot.py"
    script.write_text(BOT, encoding="utf-8")
    return shlex.join([str(script), fault, str(tmp_path)])


def external(
    given: str, game: str, players: int = 4, seat: int = 0, kind: type[External] = External, **limits: float
) -> External:
    options = parlour.game(game).options_for(players, SHORT[game])
    limits = {"seconds": FAR, "hello_seconds": FAR} | limits
    return kind(given, parlour.game(game), players, options, seat, **limits)


def play(game: str, players: int, bots: dict[int, External], seed: int = 7, rest: Bot | None = None) -> Sitting:
    """A whole sitting; the seats without a bot take the first legal step."""
    sitting = Sitting(game, players, seed=seed, **SHORT[game])
    heard = dict.fromkeys(bots, 0)
    for bot in bots.values():
        bot.begin(seed, seed)
    while True:
        for seat, bot in bots.items():
            bot.hear(sitting.told[seat][heard[seat] :])
            heard[seat] = len(sitting.told[seat])
        if sitting.over:
            return sitting
        chooser = bots.get(sitting.seat, rest or First())
        sitting.play(chooser.choose(sitting.view(sitting.seat)), sitting.seat)


def read(tmp_path: Path) -> list[list[dict[str, Any]]]:
    """The messages that each process read, in the order in which the processes were started."""
    return [list(map(json.loads, path.read_text().splitlines())) for path in sorted(tmp_path.glob("[1-9]*-*.log"))]


def events(messages: list[dict[str, Any]]) -> list[list[Any]]:
    """All the events in some messages."""
    return [event for message in messages if message["type"] == "events" for event in message["events"]]


def sentence(report: str) -> str:
    """The fault in a report about the second choice."""
    found = re.fullmatch(r"seat 0, sitting 7, choice (\d+): exec:(.*?…) (.*); `first` chose\.", report)
    assert found and found[1] == "2", report
    assert len(report) < 300 and report.isprintable()
    return found[3]


# --- good bots --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", parlour.GAMES)
def test_the_example_plays_every_game_the_same_for_the_same_seed(game: str) -> None:
    players = parlour.game(game).sheet.players[0]
    logs = []
    for _ in range(2):
        bots = {seat: external(str(EXAMPLE), game, players, seat) for seat in range(2)}
        logs.append([play(game, players, bots, seed).log for seed in (7, 8)])
        for bot in bots.values():
            bot.close()
            assert (bot.name, bot.reports, bot.forfeits) == ("mybot", [], 0)
    assert logs[0] == logs[1]


def test_the_example_is_short_and_better_than_random() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) < 40
    assert os.access(EXAMPLE, os.X_OK)
    bot, rest = external(str(EXAMPLE), "lost-heir"), Random()
    rest.begin(1, 1)
    wins = sum(0 in play("lost-heir", 4, {0: bot}, seed, rest).winners() for seed in range(60))
    bot.close()
    assert wins > 20  # a random bot would win 15


def test_one_process_plays_many_sittings_and_is_told_everything_its_seat_is_told(tmp_path: Path) -> None:
    bot = external(command(tmp_path, "good"), "masquerade")
    sittings = [play("masquerade", 4, {0: bot}, seed) for seed in (7, 8)]
    bot.close()
    (messages,) = read(tmp_path)
    game = parlour.game("masquerade")
    assert messages[0] == {
        "type": "hello",
        "protocol": 1,
        "parlour": parlour.__version__,
        "game": "masquerade",
        "rules": game.rules,
        "players": 4,
        "options": sittings[0].options,
        "seat": 0,
        "steps": game.steps,
        "environment": "masquerade_v2",
        "width": 238,
        "seconds": FAR,
    }
    assert messages[-1] == {"type": "bye"}
    at = [number for number, message in enumerate(messages) if message["type"] == "begin"] + [len(messages) - 1]
    for number, sitting in enumerate(sittings):
        first, *rest = messages[at[number] : at[number + 1]]
        seed = 7 + number
        assert first == {"type": "begin", "sitting": seed, "seed": own_luck(seed, seed, 0)}
        assert events(rest) == sitting.told[0]
        asked = [message for message in rest if message["type"] == "choose"]
        assert len(asked) == sum(len(move.steps) for move in sitting.moves if move.seat == 0)
        assert all(message["view"]["seat"] == 0 == message["view"]["to_act"] for message in asked)
        assert all(game.step_names[step] == name for message in asked for step, name in message["steps"])
    ids = [message["id"] for message in messages if message["type"] == "choose"]
    assert ids == sorted(set(ids))


@pytest.mark.parametrize("fault", ["halves", "noise", "more", "by name"])
def test_unusual_but_valid_answers_are_accepted(tmp_path: Path, fault: str) -> None:
    bot = external(command(tmp_path, fault), "heraldry")
    sitting = play("heraldry", 4, {0: bot})
    bot.close()
    good = external(command(tmp_path, "good"), "heraldry")
    assert play("heraldry", 4, {0: good}).log == sitting.log
    good.close()
    assert bot.reports == [] and bot.forfeits == 0 and len(read(tmp_path)) == 2


def test_a_name_is_shown_without_control_characters(tmp_path: Path) -> None:
    bot = external(command(tmp_path, "named"), "masquerade")
    play("masquerade", 4, {0: bot})
    bot.close()
    assert bot.name.startswith("a [2J b") and bot.name.isprintable() and len(bot.name) == 40


# --- faults -----------------------------------------------------------------------------------------------------------

HANGS = {
    "hang": "did not answer within 0.4 s",
    "late": "did not answer within 0.4 s",
    "half": "did not answer within 0.4 s",
    "stubborn": "did not answer within 0.4 s",
}
FAULTS = HANGS | {
    "die": "ended with exit code 3: [2Jlast words",
    "die halfway": "ended with exit code 0",
    "crash": "was ended by signal 9",
    "close": "closed its output",
    "text": "wrote a line that is not JSON: I  [31mpass",
    "empty line": "wrote a line that is not JSON: ",
    "bytes": "wrote a line that is not JSON: ��",
    "nan": 'wrote a line that is not JSON: {"type": "step", "id": 2, "step": NaN}',
    "nested": "wrote a line that is not JSON: .*…",
    "nested less": 'answered a "step" that is neither a number nor a name',
    "digits": "wrote a line that is not JSON: .*…",
    "list": "wrote a line that is not a JSON object: .*",
    "true": 'answered a "step" that is neither a number nor a name',
    "float": 'answered a "step" that is neither a number nor a name',
    "null": 'answered a "step" that is neither a number nor a name',
    "no step": 'answered a "step" that is neither a number nor a name',
    "true id": 'answered without "id": 2: {"type": "step", "id": true, .*',
    "old id": 'answered without "id": 2: {"type": "step", "id": 1, .*',
    "no id": 'answered without "id": 2: {"type": "step", "step": .*',
    "move": 'answered without "type": "step": {"type": "move", .*',
    "long": f"wrote a line of more than {LINE // 1024} KiB",
    "flood": 'answered without "id": 2: {"type": "step", "id": 0, .*',
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_costs_the_choice_and_a_new_process_catches_up(tmp_path: Path, fault: str) -> None:
    bot = external(command(tmp_path, fault), "masquerade", kind=Hurried if fault in HANGS else External)
    sitting = play("masquerade", 4, {0: bot})
    bot.close()
    assert parlour.check(sitting.record()) is None
    assert bot.forfeits == 1 == len(bot.reports)
    shape = FAULTS[fault]
    said = sentence(bot.reports[0])
    assert said == shape.strip() or re.fullmatch(re.escape(shape).replace(r"\.\*", ".*"), said), said
    before, after = read(tmp_path)
    assert after[:2] == before[:2]  # hello, and the same sitting with the same seed
    assert after[2]["type"] == "events" and after[2]["events"][: len(events(before))] == events(before)
    assert events(after) == sitting.told[0]
    assert next(message["id"] for message in after if message["type"] == "choose") == 3


ILLEGAL = {
    "illegal name": "'play M9'",
    "illegal number": "'play M1'",
    "negative": "-1",
    "beyond": "1000000000000000000000000000000",
    "control": r"'play\x1b[2J\n" + 46 * "x",
}


@pytest.mark.parametrize("fault", ILLEGAL)
def test_an_illegal_step_costs_the_choice_only(tmp_path: Path, fault: str) -> None:
    bot = external(command(tmp_path, fault), "masquerade")
    play("masquerade", 4, {0: bot})
    bot.close()
    assert [sentence(report) for report in bot.reports] == [f"answered an illegal step {ILLEGAL[fault]}"]
    assert len(read(tmp_path)) == 1 == bot.forfeits


def test_a_second_answer_is_never_taken_for_the_next_question(tmp_path: Path) -> None:
    bot = external(command(tmp_path, "twice"), "masquerade")
    play("masquerade", 4, {0: bot})
    bot.close()
    assert bot.forfeits == 1 and "choice 3: " in bot.reports[0] and 'answered without "id": 3' in bot.reports[0]


def test_a_bot_that_always_fails_is_restarted_a_few_times_in_each_sitting(tmp_path: Path) -> None:
    bot = external(command(tmp_path, "always"), "masquerade")
    sittings = [play("masquerade", 4, {0: bot}, seed) for seed in (7, 8)]
    bot.close()
    first = [play("masquerade", 4, {}, seed).log for seed in (7, 8)]
    assert [sitting.log for sitting in sittings] == first  # `first` made every choice
    assert bot.forfeits == sum(len(move.steps) for sitting in sittings for move in sitting.moves if move.seat == 0)
    assert len(read(tmp_path)) == 1 + RESTARTS + RESTARTS == len(bot.reports)
    last = [number for number, report in enumerate(bot.reports) if report.endswith("plays the rest of the sitting.")]
    assert last == [RESTARTS, 2 * RESTARTS]
    assert all("ended with exit code 1; `first` chose" in report for report in bot.reports)


def test_the_reports_are_bounded_and_the_count_is_not(tmp_path: Path) -> None:
    bot = external("no-such-program-anywhere", "masquerade")
    sittings = [play("masquerade", 4, {0: bot}, seed) for seed in range(12)]
    bot.close()
    assert len(bot.reports) == REPORTS
    assert bot.forfeits == sum(len(move.steps) for sitting in sittings for move in sitting.moves if move.seat == 0)
    assert "could not be started: exec: finds no program 'no-such-program-anywhere'" in bot.reports[0]


@pytest.mark.parametrize(
    ("fault", "said"),
    [("silent", "did not answer within 0.1 s"), ("protocol", 'answered without "protocol": 1: {"type": "hello", ')],
)
def test_a_bot_that_does_not_say_hello_does_not_play(tmp_path: Path, fault: str, said: str) -> None:
    bot = external(command(tmp_path, fault), "masquerade", hello_seconds=0.1 if fault == "silent" else FAR)
    play("masquerade", 4, {0: bot})
    bot.close()
    assert said in bot.reports[0]


def test_a_bot_that_never_reads_does_not_block_the_sitting(tmp_path: Path) -> None:
    bot = external(command(tmp_path, "deaf"), "heraldry", seconds=NEAR)
    bot.begin(7, 7)
    sitting = Sitting("heraldry", 4, seed=7, listeners=range(4))
    view = sitting.view(sitting.seat)
    for _ in range(2):
        bot.hear([["discard", 0, 1000 * "S9"]] * 4000)
        assert bot.choose(view) == view.legal()[0]
    bot.close()
    assert len(bot.reports) == 2 and all("did not answer within 0.4 s" in report for report in bot.reports)


def test_a_program_that_cannot_be_executed_forfeits(tmp_path: Path) -> None:
    script = tmp_path / "nothing"
    script.write_text("neither a program nor a script\n")
    script.chmod(0o755)
    External.check(str(script))
    bot = external(str(script), "masquerade")
    play("masquerade", 4, {0: bot})
    bot.close()
    assert "could not be started: [Errno 8]" in bot.reports[0]


def test_a_bot_that_does_not_exit_is_killed(tmp_path: Path) -> None:
    bot = external(command(tmp_path, "stays"), "masquerade")
    play("masquerade", 4, {0: bot})
    bot.close()
    bot.close()
    assert bot.reports == []


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", ["", "  ", "'./bot.py", "no-such-program-anywhere", "./none.py", ".", "a\0b", "text"])
def test_a_command_that_cannot_be_run_is_one_sentence(
    wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "text").write_text("not executable")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"^exec: [^\n\0]*\.$"):
        External.check("./text" if wrong == "text" else wrong)


def test_a_command_gets_no_shell_and_none_of_our_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_DATA", "here")
    code = (
        "import json, os, sys; print(json.dumps({'type': 'hello', 'protocol': 1,"
        " 'name': ' '.join([*sys.argv[1:], *(n for n in os.environ if n.startswith('PARLOUR'))])}), flush=True);"
        " sys.stdin.read()"
    )
    bot = external(shlex.join([sys.executable, "-c", code, "$HOME;", "two words"]), "tontine", seconds=NEAR)
    bot.begin(7, 7)
    sitting = Sitting("tontine", 4, seed=7)
    bot.choose(sitting.view(sitting.seat))
    bot.close()
    assert bot.name == "$HOME; two words"


# --- nothing hidden ---------------------------------------------------------------------------------------------------


def twins(game: str, luck: random.Random) -> tuple[World, World]:
    """Two worlds with different cards that the seat to decide cannot tell apart."""
    one, other = World(case(game, 4, {})), World(case(game, 4, {}))
    while one.state.awaits >= 0:
        items = luck.sample(one.state.possible(), one.state.wanted())
        one.give(items)
        if one.state.awaits < 0:  # the deal itself
            at, to = luck.sample(range(len(items)), 2)
            items[at], items[to] = items[to], items[at]
        other.give(items)
    return one, other


@pytest.mark.parametrize("game", ["masquerade", "lost-heir", "sovereign", "heraldry"])
def test_messages_are_identical_in_two_worlds_that_the_seat_cannot_tell_apart(game: str, tmp_path: Path) -> None:
    luck = random.Random(game)
    while True:
        one, other = twins(game, luck)
        seat = one.state.seat
        if one.told[seat] == other.told[seat] and one.state.where() != other.state.where():
            break
    for world in (one, other):
        bot = external(command(tmp_path, "good"), game, 4, seat)
        bot.begin(7, 7)
        bot.hear(world.told[seat])
        bot.choose(world.views[seat].see(world.state))
        bot.close()
        assert bot.reports == []
    sent, again = [path.read_bytes() for path in sorted(tmp_path.glob("*-*.log"))]
    assert sent == again and b"null" in sent


def test_the_luck_of_a_bot_is_its_own() -> None:
    given = {own_luck(seed, number, seat) for seed in range(5) for number in range(5) for seat in range(5)}
    assert len(given) == 125 and max(given) < 2**48


def test_the_documentation_shows_the_real_messages(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "external.md").read_text(encoding="utf-8")
    shown, *_ = re.findall(r"^```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    between, log = tmp_path / "between.py", tmp_path / "said"
    between.write_text(BETWEEN, encoding="utf-8")
    bot = external(shlex.join(map(str, [between, log, EXAMPLE])), "masquerade", seconds=5.0)
    play("masquerade", 4, {0: bot})
    bot.close()
    pattern = ""
    for line in shown.splitlines():
        pattern += r"(?:.*\n)*?" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + r"\n"
    assert re.fullmatch(pattern, log.read_text(encoding="utf-8"))
