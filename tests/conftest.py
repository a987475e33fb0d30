"""The header says what is tested, compiled or interpreted; tests marked `long` run only with --long."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

pytest.register_assert_rewrite("support")  # so that a failure there says what was compared

from parlour.engine import build  # noqa: E402
from support import effort  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from support.cli import Cli
    from support.server import Server


SLOW = tuple(f"test_{name}.py" for name in ("distribution", "screens", "browser", "sturdy", "friends", "generic_board"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run the tests marked long")


def pytest_configure(config: pytest.Config) -> None:
    effort.set_long(bool(config.getoption("--long")))
    if not build.is_compiled():
        build.tell_if_slow()  # once, and not in the middle of a test that looks at errors
    required = build.flag("PARLOUR_REQUIRE_COMPILED") and not build.flag("PARLOUR_INTERPRETED")
    if required and not build.is_compiled():
        raise pytest.UsageError(f"PARLOUR_REQUIRE_COMPILED is set, but parlour is {build.status()}")


def pytest_report_header(config: pytest.Config) -> str:
    return f"parlour: {build.status()}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the long tests; begin with the slow ones, in whatever order they are, so that no worker ends alone."""
    left_out = [] if config.getoption("--long") else [item for item in items if item.get_closest_marker("long")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("long")]
    items.sort(key=lambda item: not item.path.as_posix().endswith(SLOW))


# --- what many tests use; brought in only where it is asked for ----------------------------------------------------


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """`parlour` with some arguments, run in this process: exit code, output, errors."""
    from support.cli import command_line

    return command_line(capsys)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real Chromium."""
    from support.browser import chromium

    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A table server with a store of its own."""
    from support.browser import ELSEWHERE
    from support.server import Server

    with Server(tmp_path_factory.mktemp("table") / "data", "--name", ELSEWHERE) as found:
        yield found
