"""A real PostgreSQL for tests: a cluster of its own in a temporary folder, reached by a socket there."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from glob import glob
from pathlib import Path
from typing import Any

import psycopg

from support.wait import WAIT

SETTINGS = {
    "listen_addresses": "",
    "max_connections": 60,
    "shared_buffers": "64MB",
    "max_wal_size": "2GB",
    "logging_collector": "off",
    "log_min_messages": "error",
    "timezone": "UTC",
}


def program(name: str) -> str:
    """A program of PostgreSQL; Debian keeps them off the path."""
    found = shutil.which(name) or max(glob(f"/usr/lib/postgresql/*/bin/{name}"), default="")
    assert found, f"{name} is not installed"
    return found


def ordinary_user() -> dict[str, Any]:
    """PostgreSQL refuses to run as root: who runs it instead, for `subprocess`."""
    if os.geteuid():
        return {}
    names = {each.pw_name for each in pwd.getpwall()}
    user = "postgres" if "postgres" in names else "nobody"
    return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}


class Postgres:
    """A running cluster; `url` is that of a fresh database."""

    def __init__(self, **settings: Any) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
        self.as_user = ordinary_user()
        if self.as_user:
            shutil.chown(self.folder, self.as_user["user"], self.as_user["group"])
        self.data = self.folder / "data"
        options = ["-D", str(self.data), "-U", "parlour", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        self._run([program("initdb"), *options], check=True)
        self.settings = SETTINGS | settings
        self.databases = 0
        self.start()

    def _run(self, command: list[str], **more: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, **self.as_user, **more)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = [part for name, value in self.settings.items() for part in ("-c", f"{name}={value}")]
        command = [program("postgres"), "-D", str(self.data), "-k", str(self.folder), *settings]
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, **self.as_user)
        end = time.monotonic() + WAIT
        while True:
            try:
                psycopg.connect(self.address("postgres"), connect_timeout=2).close()
                return
            except psycopg.Error:
                assert time.monotonic() < end and self.process.poll() is None, (self.folder / "log").read_text()
                time.sleep(0.02)

    def address(self, database: str) -> str:
        """The address of a database."""
        return f"postgresql://parlour@/{database}?host={self.folder}"

    def database(self) -> str:
        """A fresh database; its address."""
        self.databases += 1
        name = f"tables{self.databases}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type]
        return self.address(name)

    def restart(self) -> None:
        """Stop it at once, as a crash would, and start it again."""
        self.stop(signal.SIGQUIT)
        self.start()

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it: SIGQUIT at once, SIGINT after rolling back what goes on."""
        self.process.send_signal(how)
        self.process.wait(WAIT)

    def __enter__(self) -> Postgres:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)
