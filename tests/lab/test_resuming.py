"""The same result however a study is shared, interrupted and resumed."""

from __future__ import annotations

import os
import re
import shlex
import signal
import tempfile
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path

import pytest

import parlour
from parlour.cli.main import main
from parlour.lab import study
from support.cli import Cli, started
from support.studies import SMALL_STUDY, compiled_only, found
from support.wait import WAIT, wait_for_lines


@compiled_only
def test_the_command_in_a_result_repeats_it(cli: Cli) -> None:
    asked = ("--players", "3", "--set", "knight=5", "--skill", "thumb,first", "--bots", "random")
    for seed in ("7", "a study; of mine", "-x"):
        result = found(cli, *SMALL_STUDY[:-2], f"--seed={seed}", *asked)
        again = shlex.split(result["command"])
        assert again[:2] == ["parlour", "lab"] and found(cli, *again[2:]) == result


@compiled_only
def test_two_jobs_give_the_same_result(cli: Cli) -> None:
    assert found(cli, *SMALL_STUDY) == found(cli, *SMALL_STUDY, "--jobs", "2")


@compiled_only
def test_the_order_of_completion_changes_nothing() -> None:
    work = study.study_of("game", parlour.game("heraldry"), players=[4, 3], sittings=200)
    backwards = study.play_study(work, lambda function, tasks: map(function, reversed(list(tasks))))
    assert backwards == study.play_study(work, study.by_processes(1))


@compiled_only
def test_a_checkpoint_file_is_resumed_wherever_it_was_cut(tmp_path: Path, cli: Cli) -> None:
    file = tmp_path / "study.json"
    whole = found(cli, *SMALL_STUDY, "--out", str(file))
    data = file.read_bytes()
    for size in (0, 1, data.index(b"\n"), data.index(b"\n") + 1, len(data) // 2, len(data) - 1, len(data)):
        file.write_bytes(data[:size])
        assert found(cli, *SMALL_STUDY[:-2], "--seed", "7", "--out", str(file)) == whole
        assert sorted(file.read_bytes().splitlines()) == sorted(data.splitlines())
    assert found(cli, *SMALL_STUDY[:-2], "--out", str(file)) == whole  # the seed is in the file
    for size in (1, data.index(b","), data.index(b"\n")):
        file.write_bytes(data[:size])  # not even the seed was written: nothing to resume
        assert found(cli, *SMALL_STUDY[:-2], "--out", str(file))["seed"] != "7"


@cache
def checkpoint_lines() -> list[bytes]:
    """The lines of the checkpoint file of the small study, which is played once."""
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()):
        file = Path(folder) / "study.json"
        assert main(["lab", *SMALL_STUDY, "--out", str(file), "--json"]) == 0
        return file.read_bytes().splitlines()


@compiled_only
@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"nonsense\n", "is not the file of a study."),
        (b'{"tournament": 1}\n', "is not the file of a study."),
        (b"nonsense", "is not the file of a study."),
        (b'{"study": "of a painter"', "is not the file of a study."),
        (b"HEAD\n{}\n", "Line 2 of"),
        (b'HEAD\n{"row": 9, "block": 0, "sums": {}}\n', "Line 2 of"),
        (b'HEAD\n{"row": 0, "block": 0, "sums": {}}\n', "Line 2 of"),
        (b'HEAD\n{"row": 0, "block": "0", "sums": {"sittings": 1}}\n', "Line 2 of"),
        (b"OTHER\n", "belongs to another study, with command = "),
        (b'HEAD\nBLOCK "sittings": 0,', "Line 2 of"),
        (b'HEAD\nBLOCK "decisions": 0,', "Line 2 of"),
        (b'HEAD\nBLOCK "lead changes": -900,', "Line 2 of"),
        (b'HEAD\nBLOCK "luck plays": 1,', "Line 2 of"),
        (b'HEAD\nBLOCK "drama": 1' + b"0" * 400 + b",", "Line 2 of"),
        (b'HEAD\nBLOCK "drama": 1e308,', "Line 2 of"),
        (b'HEAD\nBLOCK "drama": NaN,', "Line 2 of"),
        (b'HEAD\nBLOCK "drama": true,', "Line 2 of"),
    ],
)
def test_another_file_is_refused_and_left_alone(data: bytes, says: str, tmp_path: Path, cli: Cli) -> None:
    file = tmp_path / "study.json"
    head, *blocks = checkpoint_lines()
    if b"BLOCK" in data:  # a real one, with another value for one of its sums
        before, name, value = re.fullmatch(rb"(.*\n)BLOCK (.*): (.*),", data, re.DOTALL).groups()  # type: ignore[union-attr]
        data = before + re.sub(name + rb": [^,}]*", name + b": " + value, blocks[0]) + b"\n"
    data = data.replace(b"HEAD", head).replace(b"OTHER", head.replace(b"--sittings 40", b"--sittings 200"))
    file.write_bytes(data)
    code, out, err = cli("lab", *SMALL_STUDY, "--out", str(file))
    assert code == 2 and not out and says in err and err.count("\n") == 1
    assert file.read_bytes() == data


@compiled_only
def test_a_difference_is_shown_however_long_the_rest_is(tmp_path: Path, cli: Cli) -> None:
    file = tmp_path / "study.json"
    asked = [*SMALL_STUDY[:-1], "a seed of many words " * 5, "--out", str(file)]
    found(cli, *asked)
    code, out, err = cli("lab", *asked, "--sittings", "200")
    assert (code, out) == (2, "")
    one, other = re.fullmatch(r".* belongs to another study, with command = (.*), not (.*)\.\n", err).groups()  # type: ignore[union-attr]
    assert one.endswith('--sittings 40"') and other.endswith('--sittings 200"')
    file.write_bytes(re.sub(rb'"code": "\w+"', b'"code": "0"', file.read_bytes()))
    says = f"parlour: {file} was written by a different version of the code. Use a new file.\n"
    assert cli("lab", *asked) == (2, "", says)


@compiled_only
def test_an_interrupt_loses_no_saved_block(tmp_path: Path, cli: Cli) -> None:
    file, asked = (
        tmp_path / "study.json",
        ["game", "heraldry", "--seed", "7", "--sittings", "5000", "--players", "4,3"],
    )
    with started("lab", *asked, "--out", str(file), "--jobs", "2") as process:
        wait_for_lines(file, 6)
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=WAIT)
    assert (process.returncode, out) == (130, "")
    assert err == f"parlour: Progress is saved in {file}. Run the same command to resume.\nparlour: stopped.\n"
    assert 5 < file.read_bytes().count(b"\n") < 200
    assert found(cli, *asked, "--out", str(file)) == found(cli, *asked, "--jobs", "2")


KILLED = (
    "parlour: A worker process was stopped from outside (signal 9). Run the same command again; it resumes if its"
    " progress was saved in a file.\n"
)


@compiled_only
def test_a_killed_worker_is_reported_and_saved_blocks_are_resumed(tmp_path: Path, cli: Cli) -> None:
    file, asked = tmp_path / "study.json", ["game", "heraldry", "--seed", "7", "--sittings", "8000", "--players", "4"]
    with started("lab", *asked, "--out", str(file), "--jobs", "2") as process:
        wait_for_lines(file, 6)
        workers = [
            int(pid)
            for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text()
        ]
        assert len(workers) == 2
        os.kill(workers[0], signal.SIGKILL)
        out, err = process.communicate(timeout=WAIT)
    assert (process.returncode, out) == (2, "")
    assert err == f"parlour: Progress is saved in {file}. Run the same command to resume.\n{KILLED}"
    assert 5 < file.read_bytes().count(b"\n") < 100
    assert not Path(f"/proc/{workers[1]}").exists()  # the other worker has exited
    assert found(cli, *asked, "--out", str(file)) == found(cli, *asked)
