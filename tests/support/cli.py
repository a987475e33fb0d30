"""The command line for tests: run in this process for its output, or started as a process of its own."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from parlour.cli.main import main

Cli = Callable[..., tuple[int, str, str]]  # arguments to exit code, output, errors


def command_line(capsys: pytest.CaptureFixture[str]) -> Cli:
    """`parlour`, run in this process."""

    def run(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(arguments)
        except SystemExit as exit:
            code = int(exit.code or 0)
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


@contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """`parlour` as a process of its own that obeys SIGINT; it is killed if it still runs at the end.

    A background job of a script ignores SIGINT, and so would every process that it starts.
    """
    command = [sys.executable, "-m", "parlour", *arguments]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, before)
    with process:
        try:
            yield process
        finally:
            process.kill()
