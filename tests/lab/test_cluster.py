"""Studies on a Dask cluster: the same result, workers and schedulers that die, and addresses that are refused."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from distributed import Client

import parlour
from parlour.lab import cluster, study
from support.cli import Cli, started
from support.studies import SMALL_STUDY, compiled_only, found, task_of
from support.wait import WAIT, wait_for_lines, wait_until


@contextmanager
def dask(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A scheduler or a worker, killed afterwards."""
    path = str(Path(parlour.__file__).parent.parent)
    environment = os.environ | {"PYTHONPATH": path, "DASK_DISTRIBUTED__WORKER__DAEMON": "False"}
    environment["DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES"] = "0"  # a task is given up after one death
    command = [sys.executable, "-m", "dask", *arguments]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def worker(address: str) -> Iterator[subprocess.Popen[bytes]]:
    arguments = ("--host", "127.0.0.1", "--nthreads", "1", "--no-dashboard", "--no-nanny")
    with dask("worker", address, *arguments) as process:
        yield process


def await_workers(address: str, count: int) -> None:
    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(count, timeout=WAIT)


@contextmanager
def scheduling(file: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A scheduler on this machine, and its address."""
    arguments = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show", "--scheduler-file", str(file))
    with dask("scheduler", *arguments) as process:
        wait_until(lambda: file.exists() and file.read_text().strip().endswith("}"), "the scheduler's file")
        yield json.loads(file.read_text())["address"], process


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler for all tests."""
    with scheduling(tmp_path_factory.mktemp("cluster") / "scheduler.json") as (address, _):
        yield address


@compiled_only
@pytest.mark.long  # so does one of which a worker dies
def test_a_cluster_of_two_workers_gives_the_same_result(scheduler: str, cli: Cli) -> None:
    with worker(scheduler), worker(scheduler):
        await_workers(scheduler, 2)
        assert found(cli, *SMALL_STUDY, "--cluster", scheduler) == found(cli, *SMALL_STUDY)


@compiled_only
def test_a_worker_that_dies_changes_nothing(scheduler: str, tmp_path: Path, cli: Cli) -> None:
    file, asked = tmp_path / "study.json", ["game", "heraldry", "--seed", "7", "--sittings", "8000", "--players", "4"]
    with worker(scheduler), worker(scheduler) as second:
        with started("lab", *asked, "--cluster", scheduler, "--out", str(file), "--json") as process:
            wait_for_lines(file, 11)
            second.kill()
            second.wait()
            assert file.read_bytes().count(b"\n") < 100  # it was not finished
            with worker(scheduler):  # and another one joins
                out, err = process.communicate(timeout=WAIT)
    assert process.returncode == 0, err
    assert json.loads(out) == found(cli, *asked, "--jobs", "2")


def test_a_cluster_yields_results_as_they_complete_and_reports_failures(
    scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait(seconds: float) -> float:  # defined here, so that the code is sent to the workers
        time.sleep(seconds)
        return seconds

    def halve(number: int) -> float:
        return 1 / number

    def die(number: int) -> None:
        os._exit(1)

    def open_nothing(number: int) -> None:
        raise OSError("no room")

    said: list[str] = []

    monkeypatch.setattr(cluster, "WINDOW", 3)
    monkeypatch.setattr(cluster, "ATTEMPTS", 2)
    with worker(scheduler), worker(scheduler), cluster.on_cluster(scheduler, said.append) as share:
        await_workers(scheduler, 2)
        done = list(share(wait, [2.0, 0.0, 0.0, 0.0, 0.0]))
        assert done[0] == 0.0 and sorted(done) == [0.0] * 4 + [2.0]
        with pytest.raises(cluster.ClusterError, match=r"^A worker .* failed: ZeroDivisionError: division by zero\.$"):
            list(share(halve, [0]))
        with pytest.raises(cluster.ClusterError, match=r"^A worker of the cluster failed: OSError: no room\.$"):
            list(share(open_nothing, [0]))
        with pytest.raises(cluster.ClusterError, match="killed every worker that tried it"):
            list(share(die, [0]))
    assert said == []


def test_waiting_for_a_worker_is_said_once(tmp_path: Path) -> None:
    said: list[str] = []

    def say(sentence: str) -> None:
        said.append(sentence)
        stack.enter_context(worker(address))  # only now one joins

    with scheduling(tmp_path / "scheduler.json") as (address, _), ExitStack() as stack:
        share = stack.enter_context(cluster.on_cluster(address, say))
        assert list(share(abs, [])) == [] and said == []  # nothing to do, nothing to wait for
        assert sorted(share(abs, [-1, -2])) == [1, 2]
    assert said == ["The cluster has no workers yet; waiting for one."]


@compiled_only
def test_a_scheduler_that_dies_is_reported_and_saved_blocks_are_resumed(tmp_path: Path, cli: Cli) -> None:
    file, asked = tmp_path / "study.json", ["game", "heraldry", "--seed", "7", "--sittings", "8000", "--players", "4"]
    with scheduling(tmp_path / "scheduler.json") as (address, scheduler), worker(address):
        await_workers(address, 1)
        with started("lab", *asked, "--cluster", address, "--out", str(file)) as process:
            wait_for_lines(file, 11)
            scheduler.kill()
            out, err = process.communicate(timeout=WAIT)
    assert (process.returncode, out) == (2, "")
    first, second = err.splitlines()
    assert first == f"parlour: Progress is saved in {file}. Run the same command to resume."
    assert second == "parlour: The scheduler has stopped. Start it again and run the same command."
    assert file.read_bytes().count(b"\n") > 10
    assert found(cli, *asked, "--out", str(file)) == found(cli, *asked)


def test_a_worker_with_other_code_is_refused() -> None:
    task = task_of("tontine", 5, {}, 1)
    with pytest.raises(study.OtherVersion, match=r"^A worker runs different code from the study; install "):
        study.play_block(replace(task, code="0"))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "localhost", "[::1]"])
def test_this_machine_is_trusted(host: str) -> None:
    cluster.check_address(f"tcp://{host}:8786", trusted=False)


@pytest.mark.parametrize("host", ["192.168.0.2", "example.org", "[2001:db8::1]", "0.0.0.0", "localhost.example.org"])
def test_other_machines_are_trusted_only_on_request(host: str) -> None:
    cluster.check_address(f"tcp://{host}:8786", trusted=True)
    with pytest.raises(cluster.ClusterError, match="--trust-network"):
        cluster.check_address(f"tcp://{host}:8786", trusted=False)


# --- misuse -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("tcp://127.0.0.1:9", "No scheduler answers at tcp://127.0.0.1:9; `dask scheduler` starts one."),
        ("tls://127.0.0.1:9", "A tls:// address needs certificates: set distributed.comm.tls in Dask's configuration."),
    ],
)
def test_a_cluster_that_does_not_answer_is_reported(
    address: str, says: str, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    assert cli("lab", "game", "heraldry", "--cluster", address) == (2, "", f"parlour: {says}\n")


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"])
def test_an_answer_that_is_not_a_scheduler_is_reported(
    answer: bytes, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reply() -> None:
        with suppress(OSError):  # until it is closed
            while True:
                held.append(listening.accept()[0])
                held[-1].sendall(answer)

    held: list[socket.socket] = []
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=reply, daemon=True).start()
        address = f"tcp://127.0.0.1:{listening.getsockname()[1]}"
        says = f"parlour: No scheduler answers at {address}; `dask scheduler` starts one.\n"
        assert cli("lab", "game", "heraldry", "--cluster", address) == (2, "", says)
        listening.shutdown(socket.SHUT_RDWR)
    for connection in held:
        connection.close()


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (TimeoutError("after 20 s"), "No scheduler answers at tcp://127.0.0.1:9; `dask scheduler` starts one."),
        (ValueError("Not\nso."), "The cluster at tcp://127.0.0.1:9 cannot be used: ValueError: Not so."),
    ],
)
def test_any_failure_of_the_client_is_one_sentence(
    error: Exception, says: str, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: Any, **options: Any) -> None:
        raise error

    async def knock(address: str) -> None:
        pass

    monkeypatch.setattr(cluster, "knock", knock)
    monkeypatch.setattr(import_module("distributed"), "Client", fail)
    assert cli("lab", "game", "heraldry", "--cluster", "tcp://127.0.0.1:9") == (2, "", f"parlour: {says}\n")
