"""Builds what runs the games in a browser: Pyodide from npm, a library cut to what is used, and the package, compiled.

    python tools/runtime.py       build it where it is not current, into src/parlour/runtime

Python becomes C by Cython, as in hatch_build.py; C becomes WebAssembly by the compiler of the package `ziglang`, for
Python's stable ABI, so that the headers of any Python from 3.11 on will do. Without that compiler the package is not
compiled, and runs interpreted. It needs Node, and web/node_modules (python tools/page.py puts them there).

PARLOUR_REQUIRE_RUNTIME=1  a runtime that is not compiled is an error
"""

from __future__ import annotations

import base64
import contextlib
import gzip
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "parlour"
MADE = PACKAGE / "runtime"
NOTE = MADE / "runtime.json"
STAGE = ROOT / "build" / "runtime"
PYODIDE = ROOT / "web" / "node_modules" / "pyodide"
SCRIPTS = ("pyodide.js", "pyodide.asm.js")
PYTHON = "cpython-313-wasm32-emscripten"
STABLE = "0x030B0000"  # the oldest Python whose stable ABI is used
FOLDERS = ("engine", "games", "lab", "play", "players", "records", "server", "sheets", "site", "util")
DATA = (".json", ".toml")
# nothing of these is used in a browser, and some of it is large
LEFT_OUT = ("server/postgres", "lab/report.css", "edition.toml", "page.toml", "site/making.py", "site/one_file.py")
FLAGS = [
    *("--target=wasm32-unknown-emscripten", "-D__EMSCRIPTEN__=1", f"-DPy_LIMITED_API={STABLE}"),
    *("-O2", "-g0", "-DNDEBUG", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off", "-nostdinc", "-w"),
]
LINK = [
    *("--experimental-pic", "-shared", "--no-entry", "--allow-undefined"),
    *("--import-memory", "--import-table", "--strip-all"),
]
# What pyconfig.h says of the machine that Pyodide is built for, as far as the stable ABI asks.
SIZES = {
    **dict.fromkeys(("DOUBLE", "LONG_LONG", "OFF_T", "TIME_T"), 8),
    **dict.fromkeys(("FLOAT", "INT", "LONG", "PID_T", "PTHREAD_T", "SIZE_T", "UINTPTR_T", "VOID_P", "WCHAR_T"), 4),
    "SHORT": 2,
}
HAS = ("STDARG_PROTOTYPES", "STDINT_H", "INTTYPES_H", "SYS_TYPES_H", "PROTOTYPES", "SSIZE_T", "PTHREAD_STUBS")


class NotCompiled(Exception):
    """Why the package is not compiled, as one clause."""


def load(path: Path) -> Any:
    """A module on its own."""
    spec = importlib.util.spec_from_file_location(f"_parlour_{path.stem}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


hatch_build = load(ROOT / "hatch_build.py")
page = hatch_build.page


def compiler() -> Path:
    """The compiler, where the package `ziglang` is installed."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise NotCompiled("the package ziglang is not installed")
    return Path(spec.origin).parent


def sources() -> dict[str, bytes]:
    """The files of the package that a browser is given, by their names."""
    found = {}
    for path in sorted(PACKAGE.rglob("*")):
        name = path.relative_to(PACKAGE).as_posix()
        wanted = path.suffix in (".py", ".pxd", ".h", *DATA) and path.name != "_compiled.json"
        inside = "/" not in name or name.startswith(tuple(f"{folder}/" for folder in FOLDERS))
        if wanted and inside and not any(each in name for each in LEFT_OUT):
            found[name] = path.read_bytes()
    return found


def identity() -> str:
    """What the runtime is made of, as a digest."""
    digest = blake2b(digest_size=16)
    own = [*sorted(Path(__file__).parent.glob("runtime*")), ROOT / "hatch_build.py", ROOT / "web/package-lock.json"]
    for name, content in {**sources(), **{path.name: path.read_bytes() for path in own}}.items():
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def note() -> dict[str, Any]:
    """What was built last."""
    try:
        found = json.loads(NOTE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def is_current() -> bool:
    """Whether the runtime here is of the source here, and compiled where it could be."""
    last = note()
    if last.get("source") != identity():
        return False
    return bool(last.get("compiled")) or importlib.util.find_spec("ziglang") is None


# --- compiling --------------------------------------------------------------------------------------------------------


def headers(zig: Path) -> list[str]:
    """The include folders, the first of which are made here."""
    own, libc = STAGE / "include", zig / "lib" / "libc"
    shutil.rmtree(own, ignore_errors=True)
    python = Path(sysconfig.get_path("include"))
    if not (python / "Python.h").is_file():
        raise NotCompiled("Python's C headers (python3-dev) are missing")
    shutil.copytree(python, own / "python")
    lines = [f"#define SIZEOF_{name} {size}" for name, size in SIZES.items()]
    lines += [f"#define HAVE_{name} 1" for name in HAS]
    guarded = ["#ifndef Py_PYCONFIG_H", "#define Py_PYCONFIG_H", *lines, "#endif", ""]
    (own / "python" / "pyconfig.h").write_text("\n".join(guarded))
    types = (libc / "include" / "arm-linux-musl" / "bits" / "alltypes.h").read_text()
    for arm, wasm in (("#define _Addr int", "#define _Addr long"), ("unsigned wchar_t", "int wchar_t")):
        if arm not in types:
            raise NotCompiled("this version of ziglang has other headers")
        types = types.replace(arm, wasm)
    (own / "bits").mkdir()
    (own / "bits" / "alltypes.h").write_text(types)
    musl = ["include/arm-linux-musl", "include/generic-musl", "musl/include"]
    folders = [zig / "lib" / "include", own, *(libc / each for each in musl), own / "python", PACKAGE / "engine"]
    return [f"-I{folder}" for folder in folders]


def compile_modules() -> dict[str, Any]:
    """Compile the package's modules; the note of what was compiled, as the package looks for it."""
    zig = compiler()
    try:
        import Cython
    except ImportError as error:
        raise NotCompiled("the package cython is not installed") from error
    modules = hatch_build.compiled.modules(str(PACKAGE))
    record = {
        "modules": hatch_build.compiled.source_hashes(str(PACKAGE)),
        "python": PYTHON,
        "cython": Cython.__version__,
        "compiler": f"zig clang {subprocess.check_output([zig / 'zig', 'version'], text=True).strip()}",
        "flags": " ".join([*FLAGS, *LINK]),
    }
    last = STAGE / "compiled.json"
    if last.is_file() and json.loads(last.read_text()) == record:
        return record
    last.unlink(missing_ok=True)
    includes, command = headers(zig), str(zig / "zig")
    with contextlib.chdir(ROOT), contextlib.redirect_stdout(sys.stderr):
        extensions = hatch_build.translate(STAGE, list(modules), [])
    shutil.rmtree(STAGE / "lib", ignore_errors=True)

    def make(module: str, source: Path) -> None:
        built = STAGE / "lib" / Path(*module.split(".")).with_suffix(f".{PYTHON}.so")
        built.parent.mkdir(parents=True, exist_ok=True)
        thing = built.with_suffix(".o")
        entry = f"--export=PyInit_{module.rpartition('.')[2]}"
        for step in (
            [command, "clang", *FLAGS, *includes, "-c", str(source), "-o", str(thing)],
            [command, "wasm-ld", *LINK, entry, "-o", str(built), str(thing)],
        ):
            done = subprocess.run(step, capture_output=True, text=True)
            if done.returncode:
                print(done.stderr, file=sys.stderr)
                raise NotCompiled(f"{module} could not be compiled")
        thing.unlink()

    with ThreadPoolExecutor(2) as pool:
        pairs = [(each.name.removeprefix("parlour."), ROOT / each.sources[0]) for each in extensions]
        list(pool.map(lambda pair: make(*pair), pairs))
    last.write_text(json.dumps(record))
    return record


# --- putting it together ----------------------------------------------------------------------------------------------


def build() -> dict[str, Any]:
    """Build the runtime; the note that says what it is."""
    if not PYODIDE.is_dir():
        raise page.NotBuilt("web/node_modules has no pyodide; install it by npm ci in web/")
    node, _, environment = page.tools()
    why = ""
    try:
        record = compile_modules()
    except NotCompiled as error:
        if page.flag("PARLOUR_REQUIRE_RUNTIME"):
            raise
        why, record = str(error), {"modules": {}, "why": str(error)}
    stage = STAGE / "package"
    shutil.rmtree(stage, ignore_errors=True)
    files = sources()
    for name, content in files.items():
        path = stage / "parlour" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    if not why:
        shutil.copytree(STAGE / "lib", stage / "parlour", dirs_exist_ok=True)
    (stage / "parlour" / "_compiled.json").write_text(json.dumps(record))
    made = STAGE / "made"
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    script = Path(__file__).with_suffix(".mjs")
    done = subprocess.run(
        [*node, str(script), str(PYODIDE), str(stage), str(made)],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
    )
    if done.returncode:
        said = [line for line in f"{done.stdout}{done.stderr}".splitlines() if len(line) < 300]  # not its scripts
        print("\n".join(said[-60:]), file=sys.stderr)
        raise page.NotBuilt("Pyodide could not put the runtime together")
    for script_name in SCRIPTS:
        shutil.copy(PYODIDE / script_name, made / script_name)
    wasm = (PYODIDE / "pyodide.asm.wasm").read_bytes()
    (made / "pyodide.asm.wasm.packed").write_bytes(gzip.compress(wasm, 9, mtime=0))
    version = json.loads((PYODIDE / "package.json").read_text())["version"]
    listed = {
        path.name: {"bytes": path.stat().st_size, "sha256": sha256(path.read_bytes()).hexdigest()}
        for path in sorted(made.iterdir())
    }
    found = {
        "source": identity(),
        "pyodide": version,
        "compiled": not why,
        **({"why": why} if why else {}),
        "proof": proof(),
        "files": listed,
    }
    shutil.rmtree(MADE, ignore_errors=True)
    shutil.copytree(made, MADE)
    build_page()
    NOTE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return found


def build_page() -> None:
    """The page again, as one script and one style with its fonts: for an edition in one file."""
    node, _, environment = page.tools()
    built = STAGE / "page"
    shutil.rmtree(built, ignore_errors=True)
    page.run(
        [*node, "node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"],
        {**environment, "PARLOUR_ONE_FILE": "1"},
        "Vite could not build it",
    )
    (style,) = built.glob("*.css")
    text = style.read_text(encoding="utf-8")
    for font in built.glob("*.woff2"):
        encoded = base64.b64encode(font.read_bytes()).decode()
        text = text.replace(f"url(/{font.name})", f"url(data:font/woff2;base64,{encoded})")
    one = MADE / "page"
    one.mkdir(exist_ok=True)
    (one / "page.css").write_text(text, encoding="utf-8")
    shutil.copyfile(built / "page.js", one / "page.js")
    (one / "source").write_text(page.source(), encoding="utf-8")


def proof() -> str:
    """What the engine of this machine makes of the sittings by which a browser proves its own."""
    command = [sys.executable, "-c", "from parlour.site.proof import digest; print(digest())"]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


def bring_up_to_date() -> dict[str, Any]:
    """Build the runtime where it is not that of the source; what it is."""
    with hatch_build.alone(STAGE):
        found = note() if is_current() else build()
        known = MADE / "page" / "source"
        if not known.is_file() or known.read_text(encoding="utf-8") != page.source():
            build_page()
        return found


if __name__ == "__main__":
    try:
        made = bring_up_to_date()
    except (page.NotBuilt, NotCompiled) as why:
        sys.exit(f"parlour: the runtime for browsers was not built: {why}")
    size = sum(each["bytes"] for each in made["files"].values()) / 1e6
    state = "compiled" if made["compiled"] else f"NOT COMPILED ({made['why']})"
    print(f"parlour: the runtime for browsers is {state}, {size:.1f} MB, Pyodide {made['pyodide']}")
