"""The package itself: what its modules import, how it was compiled, and what a stale build does."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import parlour
from parlour.engine import build
from support.layers import LAYERS, PACKAGE
from support.processes import STATUS, done, environment, python
from support.wait import WAIT, next_line

SLOW = "Running interpreted, some 100 times slower"
RULES = {f"engine.{name}" for name in ("core", "chance", "view", "game", "fields", "playout", "beliefs")}
ENGINE_NEEDS = {"__future__", "collections", "dataclasses", "hashlib", "importlib", "re", "types", "typing"}


def test_import_loads_only_the_standard_library_and_itself() -> None:
    code = "import sys, parlour; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    loaded = set(python(code)[0].split())
    strangers = {name for name in loaded - set(sys.stdlib_module_names) - {"parlour"} if not name.startswith("_")}
    # cython_runtime is a name that compiled modules make for themselves, not a package
    assert strangers <= {"sitecustomize", "usercustomize", "cython_runtime"}


def test_a_process_that_played_exits_silently() -> None:
    # a lost reference to None ends a process with a fatal error only when it is torn down
    code = "import parlour\nfor name in parlour.GAMES:\n    parlour.Sitting(name, seed=1).view(0).fields()"
    assert python(code) == ("", "")


def imports_of(module: str, tree: ast.AST, package: bool) -> set[str]:
    """The modules of the package that a module imports, and `!name` for those of others."""
    inside = module if package else module.rpartition(".")[0]
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {"!" + alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level:
            base = inside.split(".") if inside else []
            base = base[: len(base) - (node.level - 1)]
            target = ".".join([*base, *(node.module or "").split(".")]).strip(".")
            names = [".".join([target, alias.name]).strip(".") for alias in node.names]
            found |= {name if path_of(name) else target for name in names}
        elif isinstance(node, ast.ImportFrom):
            found.add("!" + (node.module or "").partition(".")[0])
    return found - {""}


def path_of(module: str) -> Path | None:
    """The file of a module."""
    base = PACKAGE / Path(*module.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.exists()), None)


def modules() -> dict[str, set[str]]:
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        if name != "__init__":
            found[name] = imports_of(name, ast.parse(path.read_text(encoding="utf-8")), path.name == "__init__.py")
    return found


def test_imports_go_in_one_direction() -> None:
    level = {name: at for at, name in enumerate(LAYERS)}
    for name, imported in modules().items():
        folder = name.partition(".")[0]
        assert folder in level, f"{name} stands in no layer"
        for other in imported:
            if not other.startswith("!"):
                assert level[other.partition(".")[0]] <= level[folder], f"{name} imports {other}"


def test_no_imports_go_round_in_a_circle() -> None:
    found = modules()
    order = TopologicalSorter({name: (imported & found.keys()) - {name} for name, imported in found.items()})
    try:
        order.prepare()
    except CycleError as error:
        pytest.fail(f"these import each other: {error.args[1]}")


def test_the_engine_has_no_clock_no_files_no_json_and_no_luck_of_its_own() -> None:
    for name, imported in modules().items():
        own = name in build.modules() and name.startswith("games.")
        if name in RULES or own or re.fullmatch(r"games\.\w+\.(notation|pack)", name):
            assert {other[1:] for other in imported if other.startswith("!")} <= ENGINE_NEEDS, name


def test_every_module_opens_with_a_sentence() -> None:
    for path in PACKAGE.rglob("*.py"):
        words = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert words and words.split("\n")[0].endswith((".", ":")), path


@pytest.mark.parametrize("name", parlour.GAMES)
def test_a_state_weighs_less_than_two_kibibytes(name: str) -> None:
    assert build.is_compiled()
    game = parlour.game(name)
    assert sys.getsizeof(game.new(max(game.sheet.players))) < 2048


@pytest.mark.parametrize("name", parlour.GAMES)
def test_a_state_refers_to_nothing_but_what_its_base_does(name: str) -> None:
    """A state is copied as one block of numbers: a reference among them would be copied without being counted."""
    number = re.compile(r" *cdef (readonly )?(int|double|bint|Word|Byte|Told)(\[\d+\])? [\w, ]+$")
    kinds = [kind for kind in parlour.game(name).state_type.__mro__ if ".games." in kind.__module__]
    assert kinds
    for kind in kinds:
        types = PACKAGE.joinpath(*kind.__module__.split(".")[1:]).with_suffix(".pxd").read_text(encoding="utf-8")
        declared = types.partition(f"cdef class {kind.__name__}(")[2].partition("\n")[2]
        fields = declared.partition("\n\n")[0].split("\n")
        assert all(map(number.match, fields)), kind


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The package as it lies, compiled modules and all, in another place."""
    shutil.copytree(PACKAGE, tmp_path / "parlour", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_a_compiled_module_older_than_its_source_is_never_used_silently(copied: Path) -> None:
    assert python(STATUS, path=copied)[0].startswith("compiled")
    with open(copied / "parlour" / "games" / "tontine" / "rules.py", "a", encoding="utf-8") as source:
        source.write("\nCHANGED = True\n")
    out, err = python(STATUS + "\nimport parlour.games.tontine.rules as t; print(t.CHANGED)", path=copied)
    assert out.startswith("interpreted") and out.endswith("True\n")
    assert "older than their source" in err and "games.tontine.rules" in err and err.count("\n") == 1


def test_without_compiled_modules_it_runs_interpreted_and_says_so(copied: Path) -> None:
    for library in copied.rglob("*.so"):
        library.unlink()
    (copied / "parlour" / "_compiled.json").unlink()
    code = STATUS + "\nfrom parlour.cli.main import main"
    code += "; main(['simulate', 'tontine', '--sittings', '2', '--seed', '1'])"
    out, err = python(code, path=copied)
    assert out.startswith("interpreted") and "2 sittings" in out
    assert err == f"parlour: {SLOW}: it was never compiled.{build.COMPILE}\n"


def test_interpreted_can_be_asked_for() -> None:
    assert python(STATUS, PARLOUR_INTERPRETED="1") == ("interpreted: PARLOUR_INTERPRETED is set\n", "")


PLAY = {
    "simulate": ["simulate", "heraldry", "--sittings", "2", "--seed", "1", "--jobs", "2"],
    "tournament": ["tournament", "heraldry", "--bots", "random,first", "--deals", "1", "--seed", "1", "--jobs", "2"],
    "lab": ["lab", "game", "heraldry", "--players", "2", "--sittings", "20", "--bots", "random", "--seed", "1"],
    "play": ["play", "heraldry", "--seed", "1"],
    "serve": ["serve", "--port", "0", "--data", "data"],
    "nothing": [],
}


@pytest.mark.parametrize("command", PLAY)
def test_commands_that_play_say_once_that_they_are_slow(command: str, tmp_path: Path) -> None:
    """On standard error, in one line, and worker processes stay silent."""
    changes = {"PARLOUR_INTERPRETED": "1", "PARLOUR_DATA": str(tmp_path), "PARLOUR_PORT": "0", "DISPLAY": ""}
    ran = subprocess.Popen(
        [sys.executable, "-m", "parlour", *PLAY[command]],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=environment(**changes),
    )
    with ran:
        try:
            if command in ("serve", "nothing"):
                assert "http://" in next_line(ran)
                ran.terminate()
            out, err = ran.communicate(timeout=10 * WAIT)
        finally:
            ran.kill()
    assert ran.returncode == 0, err
    assert [line for line in err.splitlines() if not line.startswith("{")] == [
        f"parlour: {SLOW}: PARLOUR_INTERPRETED is set."
    ]
    assert SLOW not in out


def test_stale_modules_are_told_of_once_and_not_by_worker_processes(copied: Path) -> None:
    with open(copied / "parlour" / "games" / "tontine" / "rules.py", "a", encoding="utf-8") as source:
        source.write("\nCHANGED = True\n")
    simulate = [*PLAY["simulate"][:1], "tontine", *PLAY["simulate"][2:]]
    _, err = done(sys.executable, "-m", "parlour", *simulate, PYTHONPATH=str(copied))
    assert err.count("\n") == 1 and err.startswith(f"parlour: {SLOW}: compiled modules are older than their source")


def test_commands_that_only_show_something_do_not_mention_speed() -> None:
    for arguments in (["games"], ["rules", "heraldry", "11"], ["--version"]):
        assert done(sys.executable, "-m", "parlour", *arguments, PARLOUR_INTERPRETED="1")[1] == ""


def test_a_compiled_package_does_not_mention_speed() -> None:
    assert build.is_compiled()
    assert done(sys.executable, "-m", "parlour", *PLAY["simulate"])[1] == ""
