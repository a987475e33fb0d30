"""What ./play and ./test share: keep .venv, the compiled modules and the page current; say in one line what is missing.

Standard library only; a start with nothing to do must cost next to nothing, so imports stand where they are needed.
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import contextmanager
from importlib.util import find_spec, module_from_spec, spec_from_file_location

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType
    from typing import Any, NoReturn

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
PACKAGE = os.path.join(ROOT, "src", "parlour")
VENV = os.path.join(ROOT, ".venv")
STAMP = os.path.join(VENV, "parlour.json")
BIN = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin")
PYTHON = os.path.join(BIN, "python")
SBIN = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
NO_CLANG = os.path.join(VENV, "no-clang")


def play(arguments: list[str]) -> NoReturn:
    """Install where needed, then become `parlour`."""
    _install(extras=[], required=os.environ.get("PARLOUR_REQUIRE_COMPILED", "") not in ("", "0"))
    command = os.path.join(BIN, "parlour")
    if os.name == "nt":
        sys.exit(_call([command, *arguments]))
    os.execv(command, [command, *arguments])


def test(arguments: list[str]) -> NoReturn:
    """Install compiled, then run every check, or pytest alone where it was given arguments."""
    os.chdir(ROOT)
    os.environ["PARLOUR_REQUIRE_COMPILED"] = os.environ["PARLOUR_REQUIRE_PAGE"] = "1"
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes import the package
    _install(extras=["test"], required=True)
    _need_runtime()
    _need_browser()
    _need_postgres()
    _want_clang()
    if arguments not in ([], ["--long"]):
        sys.exit(_call([PYTHON, "-m", "pytest", *arguments]))
    workers = (os.cpu_count() or 1) + 1  # they wait now and then, for browsers and servers
    seconds = 3600 if arguments else 600
    hanging = ["-o", f"faulthandler_timeout={seconds}", "-o", "faulthandler_exit_on_timeout=true"]
    with _beside(_other_checks()) as failed:
        if _call([PYTHON, "-m", "pytest", "-n", str(workers), "--dist", "worksteal", *hanging, *arguments]):
            failed.append("pytest")
    sys.exit(f"parlour: failed: {', '.join(failed)}" if failed else 0)


def _other_checks() -> dict[str, list[str]]:
    """What is checked beside the tests, by name: the Python source, and the source of the page."""
    checks = {"ruff": [PYTHON, "-m", "ruff", "check", "--quiet"], "mypy": [PYTHON, "-m", "mypy"]}
    page = os.path.join(ROOT, "tools", "page.py")
    for script in _load(page).checks():
        checks[f"npm run {script}"] = [PYTHON, page, script]
    return checks


@contextmanager
def _beside(checks: dict[str, list[str]]) -> Iterator[list[str]]:
    """Run checks one after another while something else is done; yields the names of those that failed."""
    import subprocess
    from threading import Event, Thread

    failed: list[str] = []
    leaving = Event()
    running: list[subprocess.Popen[str]] = []

    def run() -> None:
        for name, command in checks.items():
            if leaving.is_set():
                return
            running[:] = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)]
            output, _ = running[0].communicate()
            if running[0].returncode:
                failed.append(name)
                _say(f"{name} failed:\n{output}")

    thread = Thread(target=run)
    thread.start()
    try:
        yield failed
    except BaseException:
        leaving.set()
        for process in running:
            process.terminate()
        raise
    finally:
        thread.join()


def _call(command: list[str]) -> int:
    import subprocess

    try:
        return subprocess.call(command)
    except KeyboardInterrupt:
        sys.exit(130)


def _say(text: str, end: str = "\n") -> None:
    print(f"parlour: {text}", end=end, file=sys.stderr, flush=True)


def _load(path: str) -> ModuleType:
    spec = spec_from_file_location("_" + os.path.basename(path).removesuffix(".py"), path)
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _install(extras: list[str], required: bool) -> None:
    """Make .venv hold the package as it is now; a second one that starts meanwhile waits, and finds it done."""
    if _current(extras, required):
        return
    try:
        with _lock():
            if not _current(extras, required):
                if required:
                    _need_compiler()
                _make_venv()
                _pip(extras)
    except KeyboardInterrupt:
        sys.exit(130)


def _current(extras: list[str], required: bool) -> bool:
    """Whether the last install still stands and what it compiled, or failed to, is of the source as it is."""
    stamp = _read_stamp()
    if not set(extras) <= set(stamp.get("extras", [])) or {**stamp, **_identity()} != stamp:
        return False
    present, stale, _ = _load(os.path.join(PACKAGE, "engine", "build.py")).inspect(PACKAGE)
    if stale or not (present or stamp["pure"]):
        return False
    page = _load(os.path.join(ROOT, "tools", "page.py"))
    if not page.is_current() and (required or not page.failed_alike()):
        return False
    return bool(present) or (not required and stamp["pure"] == _circumstances())


def _read_stamp() -> dict[str, Any]:
    try:
        with open(STAMP, encoding="utf-8") as file:
            stamp = json.load(file)
    except (OSError, ValueError):
        return {}
    return stamp if os.access(os.path.join(BIN, "parlour"), os.X_OK) and os.access(PYTHON, os.X_OK) else {}


def _identity() -> dict[str, Any]:
    """What an install depends on: this tree, this Python, and the files that describe the package."""
    from hashlib import blake2b

    description = blake2b(digest_size=16)
    for name in ("pyproject.toml", "hatch_build.py", "tools/page.py", "src/parlour/_version.py"):
        with open(os.path.join(ROOT, *name.split("/")), "rb") as file:
            description.update(blake2b(file.read()).digest())
    return {"tree": ROOT, "python": _python(), "description": description.hexdigest()}


def _python() -> list[str]:
    return [sys.base_prefix, f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"]


def _circumstances() -> list[Any]:
    """What made a pure install so; worth another try when any of it changes."""
    hatch_build = _load(os.path.join(ROOT, "hatch_build.py"))
    try:
        obstacle = hatch_build.find_compiler()
    except hatch_build.NotCompiled as why:
        obstacle = str(why)
    pure = hatch_build.compiled.flag("PARLOUR_PURE")
    return [obstacle, pure, hatch_build.compiled.source_hashes(PACKAGE)]


@contextmanager
def _lock() -> Iterator[None]:
    with open(os.path.join(ROOT, ".venv.lock"), "w") as file:
        if os.name != "nt":
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                _say("being installed by another ./play or ./test; waiting for it")
                fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _apt(*packages: str) -> bool:
    """Install Debian packages where that is ours to do."""
    import shutil
    import subprocess

    if not os.path.exists("/etc/debian_version") or not shutil.which("apt-get") or os.geteuid() != 0:
        return False
    _say(f"installing {' '.join(packages)} by apt-get")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    return any(
        all(subprocess.run(step, env=environment, capture_output=True).returncode == 0 for step in steps)
        for steps in ([install], [["apt-get", "update", "-qq"], install])
    )


def _need_compiler() -> None:
    hatch_build = _load(os.path.join(ROOT, "hatch_build.py"))
    packages = ["gcc", "libc6-dev", *(["python3-dev"] if sys.base_prefix == "/usr" else [])]
    for try_apt in (True, False):
        try:
            hatch_build.find_compiler()
            return
        except hatch_build.NotCompiled:
            if not (try_apt and "CC" not in os.environ and _apt(*packages)):
                break
    names = " ".join(packages)
    sys.exit(f"parlour: a C compiler and Python's headers are needed (on Debian: apt-get install {names})")


def _need_runtime() -> None:
    """The page plays without a server, too, by a runtime that is built after the page."""
    import subprocess

    command = [PYTHON, os.path.join(ROOT, "tools", "runtime.py")]
    done = subprocess.run(command, env={**os.environ, "PARLOUR_REQUIRE_RUNTIME": "1"}, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{done.stderr}parlour: the runtime for browsers could not be built")


def _need_browser() -> None:
    """The page is tested in a real browser."""
    import shutil

    def found() -> bool:
        names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
        return any(shutil.which(name) for name in names)

    if found():
        return
    for package in ("chromium-headless-shell", "chromium"):
        if _apt(package, "fonts-dejavu-core") and found():
            return
    sys.exit("parlour: the tests need a browser (on Debian: apt-get install chromium-headless-shell)")


def _need_postgres() -> None:
    """Tables in PostgreSQL are tested with a real one, which the tests start; nginx stands before several servers."""
    from glob import glob
    from shutil import which

    def found() -> bool:
        return bool((which("initdb") or glob("/usr/lib/postgresql/*/bin/initdb")) and which("nginx", path=SBIN))

    if not found() and not (_apt("postgresql", "nginx-light") and found()):
        sys.exit("parlour: the tests need PostgreSQL and nginx (on Debian: apt-get install postgresql nginx-light)")


def _want_clang() -> None:
    """A test compiles by clang, too; where it cannot be had that test is skipped."""
    import shutil

    if not shutil.which("clang") and not os.path.exists(NO_CLANG) and not _apt("clang"):
        with open(NO_CLANG, "w"):  # so that it is tried once, not at every start
            pass


def _make_venv() -> None:
    """Keep a .venv of this Python that has pip and was made here; replace any other."""
    import subprocess

    probe = "import json, pip, sys; print(json.dumps([sys.base_prefix, sys.implementation.cache_tag]))"
    if _read_stamp().get("tree", ROOT) == ROOT and os.access(PYTHON, os.X_OK):
        answer = subprocess.run([PYTHON, "-c", probe], capture_output=True, text=True)
        if answer.returncode == 0 and json.loads(answer.stdout)[:1] == _python()[:1]:
            return
    if not _has_ensurepip() and not (sys.base_prefix == "/usr" and _apt("python3-venv") and _has_ensurepip()):
        sys.exit("parlour: this Python cannot make a virtual environment (on Debian: apt-get install python3-venv)")
    base = getattr(sys, "_base_executable", sys.executable)
    command = [base, "-m", "venv", "--clear", VENV]
    made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode:
        sys.exit(f"{made.stdout}parlour: .venv could not be made")


def _has_ensurepip() -> bool:
    from importlib import invalidate_caches

    invalidate_caches()
    spec = find_spec("ensurepip")
    return spec is not None and spec.origin is not None  # Debian may leave an empty folder of that name


def _requirements(extras: list[str]) -> list[str]:
    """The packages that ours needs, with those of some extras."""
    import tomllib

    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        project = tomllib.load(file)["project"]
    return [*project["dependencies"], *(each for name in extras for each in project["optional-dependencies"][name])]


def _pip(extras: list[str]) -> None:
    import subprocess

    start = time.monotonic()
    extras = sorted({*extras, *_read_stamp().get("extras", [])})
    if os.path.exists(STAMP):
        os.remove(STAMP)
        _say("something changed; installing again ... ", end="")
    else:
        _say("installing into .venv, compiling and building the page; this takes a minute or two ... ", end="")
    page = _load(os.path.join(ROOT, "tools", "page.py"))
    requirements = _requirements(extras)
    if "test" in extras:
        requirements.append("--no-compile")  # of all these modules only some are used
        if not page.node_on_path():
            requirements.append(page.NODE_WHEEL)  # the page's checks need one
    # while one downloads, the other compiles
    install = [PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    commands = [[*install, *requirements], [*install, "--no-deps", "-e", "."]]
    running = [
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for command in commands
    ]
    outputs = [process.communicate()[0] for process in running]
    failed = [output for process, output in zip(running, outputs, strict=True) if process.returncode]
    if failed:
        print("failed", file=sys.stderr)
        sys.exit(f"{''.join(failed)}parlour: could not be installed; pip's reasons are above")
    print(f"done in {time.monotonic() - start:.0f} s", file=sys.stderr)
    _, _, record = _load(os.path.join(PACKAGE, "engine", "build.py")).inspect(PACKAGE)
    pure = not record.get("modules")
    if pure:
        _say(f"NOT COMPILED, so some 100 times slower: {record.get('why')} (PARLOUR_REQUIRE_COMPILED=1 insists)")
    if not page.is_built():
        why = page.note().get("why")
        _say(f"THE PAGE WAS NOT BUILT, so play is in the terminal: {why} (PARLOUR_REQUIRE_PAGE=1 insists)")
    stamp = {**_identity(), "extras": extras, "pure": _circumstances() if pure else None}
    with open(STAMP, "w", encoding="utf-8") as file:
        json.dump(stamp, file)
