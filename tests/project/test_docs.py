"""The documentation is true: its Python runs, its commands print what it shows, nothing public is left out."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import parlour
from parlour.cli import main as cli
from support.wait import WAIT

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
FILES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "SECURITY.md", *DOCS.glob("*.md")]
FENCE = re.compile(r"(<!-- not run[^>]*-->\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks(path: Path) -> list[tuple[str, str]]:
    """The fenced blocks of a file, as pairs of language and text; those marked as not run are left out."""
    return [(lang, text) for skip, lang, text in FENCE.findall(path.read_text(encoding="utf-8")) if not skip]


def having(language: str) -> list[Path]:
    return sorted(path for path in FILES if any(lang == language for lang, _ in blocks(path)))


def agrees(shown: str, found: str) -> bool:
    """Whether output is as shown; a line that is … stands for any lines, and … in a line for any text."""
    pattern = ""
    for line in shown.rstrip("\n").split("\n"):
        pattern += r"(?:.*\n)*?" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + r"\n"
    return re.fullmatch(pattern, found.rstrip("\n") + "\n") is not None


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh folder in which `parlour` is this one, with nothing of the user's."""
    tools = tmp_path / "tools"
    tools.mkdir()
    command = tools / "parlour"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -W error -m parlour "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(Path(parlour.__file__).parent.parent))
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8")
    monkeypatch.setenv("PARLOUR_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "100")
    if not parlour.engine.build.is_compiled():
        monkeypatch.setenv("PARLOUR_INTERPRETED", "1")
    here = tmp_path / "here"
    here.mkdir()
    return here


@pytest.mark.parametrize("path", having("python"), ids=named)
def test_python_examples_run_and_print_what_is_shown(path: Path, shell: Path) -> None:
    space: dict[str, object] = {"__name__": "example"}
    printed = ""
    with contextlib.chdir(shell):
        for language, text in blocks(path):
            if language == "python":
                out = io.StringIO()
                with contextlib.redirect_stdout(out):
                    exec(compile(text, named(path), "exec"), space)
                printed = out.getvalue()
            elif language == "text":
                assert agrees(text, printed), f"{named(path)} shows\n{text}\nbut this was printed\n{printed}"


def commands(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with the output shown."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


@pytest.mark.parametrize("path", having("console"), ids=named)
def test_commands_print_what_is_shown(path: Path, shell: Path) -> None:
    for language, text in blocks(path):
        if language != "console":
            continue
        for command, shown in commands(text):
            ran = subprocess.run(
                ["sh", "-c", command], cwd=shell, capture_output=True, text=True, encoding="utf-8", timeout=4 * WAIT
            )
            assert agrees(shown, ran.stdout), f"{command}\nshows\n{shown}\nprinted\n{ran.stdout}{ran.stderr}"
            assert "Traceback" not in ran.stdout + ran.stderr


def subcommands() -> dict[str, argparse.ArgumentParser]:
    for action in cli.parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    raise AssertionError("no commands")


def test_every_command_and_option_is_documented() -> None:
    text = (DOCS / "cli.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    for option in (name for action in cli.parser()._actions for name in action.option_strings):
        assert f"`{option}" in text or f"`parlour {option}`" in text, option
    for name, command in subcommands().items():
        assert f"parlour {name}" in sections[name]
        for action in command._actions:
            for option in action.option_strings:
                if option not in ("-h", "--help"):
                    assert f"`{option}" in sections[name], f"parlour {name} {option}"


def test_every_command_has_an_example() -> None:
    shown = (DOCS / "cli.md").read_text(encoding="utf-8")
    for name in subcommands():
        assert re.search(rf"^\$ .*\bparlour {name}\b", shown, re.MULTILINE), name


def test_every_public_name_is_documented() -> None:
    text = (DOCS / "engine.md").read_text(encoding="utf-8")
    missing = [name for name in parlour.__all__ if not re.search(rf"`{re.escape(name)}\b", text)]
    assert missing == []


def test_every_environment_variable_is_documented() -> None:
    text = (DOCS / "cli.md").read_text(encoding="utf-8")
    sources = [*(ROOT / "src").rglob("*.py"), ROOT / "hatch_build.py", *(ROOT / "tools").glob("*.py")]
    source = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    found = set(re.findall(r"\bPARLOUR_[A-Z]+(?:_[A-Z]+)*\b", source))
    assert sorted(name for name in found if f"`{name}" not in text) == []


@pytest.mark.parametrize("path", sorted(FILES), ids=named)
def test_links_lead_somewhere(path: Path) -> None:
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        there = (path.parent / file).resolve() if file else path
        assert there.exists(), target
        if anchor:
            read = there.read_text(encoding="utf-8")
            heads = re.findall(r"^#+ (.*)$", read, re.MULTILINE)
            heads = [re.sub(r"[^\w -]", "", head).strip().lower().replace(" ", "-") for head in heads]
            assert anchor in heads or f'<a id="{anchor}">' in read, target


@pytest.mark.parametrize("tool", ["pages", "picture", "lab", "research"])
def test_generated_files_are_current(tool: str, shell: Path) -> None:
    command = [sys.executable, str(ROOT / "tools" / f"{tool}.py"), "--check"]
    ran = subprocess.run(command, cwd=shell, capture_output=True, text=True, encoding="utf-8")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_no_command_of_a_cluster_listens_to_other_machines() -> None:
    """A dashboard listens on all addresses unless it is told otherwise."""
    commands = re.findall(r"^    (dask .*)$", (DOCS / "lab.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(commands) == 2
    assert all("--host 127.0.0.1 --dashboard-address 127.0.0.1:" in command for command in commands)


def test_pages_have_one_shape() -> None:
    texts = [(DOCS / f"{game}.md").read_text(encoding="utf-8") for game in parlour.GAMES]
    assert len({tuple(re.findall(r"^##+ (.*)$", text, re.MULTILINE)) for text in texts}) == 1


def test_the_readme_names_every_game_and_its_players() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for game in parlour.REGISTRY.values():
        assert f"[{game.title}](docs/{game.name}.md)" in text
