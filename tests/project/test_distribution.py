"""Wheel and sdist: what is in them, that they install, and that what was installed plays."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

from parlour.engine import build
from support.layers import PACKAGE, ROOT
from support.processes import STATUS, done, environment, python
from support.wait import WAIT, next_line

WORKS = (
    STATUS
    + """
from parlour.cli.main import main
assert main(["simulate", "heraldry", "--sittings", "3", "--seed", "1", "--records", {file!r}]) == 0
assert main(["check", {file!r}]) == 0
assert main(["rules", "masquerade", "16"]) == 0
"""
)
BUILT = [Path("build"), Path("src", "parlour", "web")]  # what ./test has compiled and built, which git ignores


def copy_tree(to: Path) -> Path:
    """A copy of the tree as git sees it."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    return to


def named(folder: Path, *endings: str) -> set[str]:
    """The files of a folder with such endings, as they are called in the tree."""
    found = (path for path in folder.rglob("*") if path.suffix in endings)
    return {path.relative_to(ROOT).as_posix() for path in found}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree, with the modules that are compiled and the page that is built already."""
    copy = copy_tree(tmp_path_factory.mktemp("tree"))
    for folder in BUILT:
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("c", "o"), dirs_exist_ok=True)
    return copy


def build_in(tree: Path, kind: str, out: Path, **changes: str) -> Path:
    """Build a wheel or an sdist with the tools that are installed here."""
    done(sys.executable, "-m", "build", "--no-isolation", f"--{kind}", "--outdir", out, tree, **changes)
    (made,) = out.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return made


@pytest.fixture(scope="module")
def wheel(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    strict = {"PARLOUR_REQUIRE_COMPILED": "1", "PARLOUR_REQUIRE_PAGE": "1"}
    return build_in(tree, "wheel", tmp_path_factory.mktemp("wheel"), **strict)


def install(place: Path, what: Path, *options: str, **changes: str) -> Path:
    """Install something and what it needs into a fresh environment; returns its folder of commands."""
    venv.create(place)
    pip = [sys.executable, "-m", "pip", "--python", place / "bin" / "python"]
    done(*pip, "install", "--quiet", "--disable-pip-version-check", *options, what, **changes)
    return place / "bin"


def test_the_wheel_holds_the_source_the_compiled_modules_and_the_page(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "none-any" not in wheel.name
    wanted = {name.removeprefix("src/") for name in named(PACKAGE, ".py", ".pxd", ".toml", ".net")}
    wanted |= {"parlour/py.typed", "parlour/sheets/schema.json", "parlour/lab/report.css", "parlour/web/index.html"}
    assert wanted <= names
    libraries = [name for name in names if name.endswith((".so", ".pyd"))]
    assert len(libraries) == len(build.modules(str(PACKAGE)))
    assert not [name for name in names if name.endswith(".c") or "node_modules" in name or "/tests/" in name]


def test_the_sdist_holds_the_page_and_everything_to_build_and_test_but_nothing_compiled(
    tree: Path, tmp_path: Path
) -> None:
    names = {name.partition("/")[2] for name in tarfile.open(build_in(tree, "sdist", tmp_path)).getnames()}
    assert not [name for name in names if name.endswith((".so", ".c", "_compiled.json")) or "node_modules" in name]
    wanted = {"play", "test", "hatch_build.py", "pyproject.toml", "LICENSE", "CONTRIBUTING.md", "docs/engine.md"}
    wanted |= {"tools/page.py", "web/package-lock.json", "src/parlour/web/index.html"}
    wanted |= {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("*.py")}
    wanted |= {
        path.relative_to(ROOT).as_posix() for path in PACKAGE.rglob("*.p[yx]*") if "__pycache__" not in str(path)
    }
    assert {name for name in wanted if not name.endswith((".so", ".pyc"))} <= names


def test_an_installed_wheel_opens_the_games_in_the_browser(wheel: Path, tmp_path: Path) -> None:
    """In an environment of its own, by the command `parlour` alone."""
    commands = install(tmp_path / "venv", wheel)
    records = str(tmp_path / "records.jsonl")
    out, _ = python(WORKS.format(file=records), executable=str(commands / "python"))
    assert out.startswith("compiled") and "3 records, 0 differ" in out
    alone = environment(PARLOUR_PORT="0", PARLOUR_DATA=str(tmp_path / "data"), DISPLAY="", WAYLAND_DISPLAY="")
    opened = subprocess.Popen([commands / "parlour"], env=alone, cwd="/", stdout=subprocess.PIPE, text=True)
    with opened:
        try:
            address = re.search(r"http://127\.0\.0\.1:\d+/", next_line(opened))
            assert address
            with urllib.request.urlopen(address[0], timeout=WAIT) as page:
                assert b"<title>Parlour</title>" in page.read()
        finally:
            opened.terminate()


def test_without_a_compiler_it_installs_as_plain_python(tree: Path, tmp_path: Path) -> None:
    # in a copy: a build that fails forgets what was compiled before
    plain = build_in(shutil.copytree(tree, tmp_path / "tree"), "wheel", tmp_path / "out", CC="/nowhere/cc")
    assert plain.name.endswith("-none-any.whl")
    commands = install(tmp_path / "venv", plain, "--no-deps")
    out, _ = python(WORKS.format(file=str(tmp_path / "r.jsonl")), executable=str(commands / "python"))
    assert out.startswith("interpreted: no C compiler") and "3 records, 0 differ" in out


# --- from nothing -----------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_wheel_and_sdist_are_built_from_nothing(tmp_path: Path) -> None:
    """In isolation, as an index or a packager would; the sdist installs where a compiler is broken, too."""
    copy = copy_tree(tmp_path / "tree")
    done(sys.executable, "-m", "build", "--outdir", tmp_path / "out", copy, PARLOUR_REQUIRE_COMPILED="1")
    (wheel,) = (tmp_path / "out").glob("*.whl")
    (sdist,) = (tmp_path / "out").glob("*.tar.gz")
    for what, changes, status in ((wheel, {}, "compiled"), (sdist, {"CC": "/bin/false"}, "interpreted: ")):
        commands = install(tmp_path / status.strip(": "), what, **changes)
        out, _ = python(WORKS.format(file=str(tmp_path / "r.jsonl")), executable=str(commands / "python"))
        assert out.startswith(status) and "3 records, 0 differ" in out


@pytest.mark.long
@pytest.mark.parametrize("compiler", [True, False])
def test_play_works_in_a_fresh_clone(compiler: bool, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    done("git", "clone", "--quiet", ROOT, clone)
    changes = {"HOME": str(tmp_path)} if compiler else {"HOME": str(tmp_path), "CC": "/nowhere/cc"}
    for _ in range(2):
        out, _ = done(clone / "play", "--version", **changes)
        assert ("compiled" in out.split(",")[1]) == compiler, out
