"""Compiles the modules that src/parlour/engine/build.py lists, and builds the page of web/ by tools/page.py. Where it
cannot be compiled the package stays plain Python; where the page cannot be built it plays in the terminal.

An editable install, and `python hatch_build.py`, put the compiled modules beside their source. A wheel takes them from
where they were built, and leaves the tree as it is.

PARLOUR_REQUIRE_COMPILED=1  a failed compile is an error
PARLOUR_PURE=1              do not compile
PARLOUR_CFLAGS="..."        compiler flags instead of ours
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run as a script
    BuildHookInterface = object

ROOT = Path(__file__).resolve().parent
PACKAGE = ROOT / "src" / "parlour"
REQUIRES = ["cython>=3.3,<3.4", "setuptools>=80"]
DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,
    "infer_types": True,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "auto_pickle": False,
    "binding": False,  # methods check whose they are, and are called faster
    "embedsignature": True,
}
# errors of ours that older compilers let pass with a warning; GCC 14 and clang 16 do not
STRICT = [
    "-Werror=incompatible-pointer-types",
    "-Werror=int-conversion",
    "-Werror=implicit-function-declaration",
]
Record = dict[str, Any]


class NotCompiled(Exception):
    """Why nothing was compiled, as one clause to stand after "interpreted: "."""


def load(path: Path) -> ModuleType:
    """A module on its own, without importing the package."""
    spec = importlib.util.spec_from_file_location(f"_parlour_{path.stem}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


compiled = load(PACKAGE / "engine" / "build.py")
page = load(ROOT / "tools" / "page.py")


def find_compiler() -> str:
    """The C compiler's command, or NotCompiled with what is missing."""
    if sys.platform == "win32":
        return "msvc"
    asked = os.environ.get("CC")
    for command in [asked] if asked else [sysconfig.get_config_var("CC"), "cc", "gcc", "clang"]:
        if command and shutil.which(shlex.split(command)[0]):
            break
    else:
        raise NotCompiled("no C compiler was found when it was installed")
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        raise NotCompiled("Python's C headers (python3-dev) were missing when it was installed")
    return command


def compiler_flags(compiler: str) -> list[str]:
    """For any machine of the last dozen years; what a newer one can do besides, bitset.h asks for when it is loaded."""
    if compiler == "msvc":
        return shlex.split(os.environ.get("PARLOUR_CFLAGS", "/O2 /fp:precise"))
    strict = STRICT if knows(compiler, STRICT) else []
    if "PARLOUR_CFLAGS" in os.environ:
        return [*shlex.split(os.environ["PARLOUR_CFLAGS"]), *strict]
    # no fused arithmetic: the same search must come to the same step on every machine
    flags = ["-O3", "-g0", "-fno-semantic-interposition", "-ffp-contract=off"]
    if platform.machine() in ("x86_64", "AMD64") and sys.platform != "darwin":
        flags.append("-march=x86-64-v2")
    return [*flags, *strict]


def knows(compiler: str, flags: list[str]) -> bool:
    """Whether a compiler takes these flags, as GCC and clang do."""
    command = [*shlex.split(compiler), *flags, "-fsyntax-only", "-x", "c", "-"]
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0
    except OSError:
        return False


def source_of(module: str) -> Path:
    return PACKAGE.joinpath(*module.split(".")).with_suffix(".py")


def library_of(module: str) -> Path:
    """Where the compiled module lies, relative to the package."""
    return Path(*module.split(".")).with_suffix(EXTENSION_SUFFIXES[0])


def check_list() -> None:
    """Every listed module must be there, with its types beside it."""
    for module in compiled.modules(str(PACKAGE)):
        for path in (source_of(module), source_of(module).with_suffix(".pxd")):
            if not path.is_file():
                missing = path.relative_to(ROOT).as_posix()
                sys.exit(f"parlour: src/parlour/engine/build.py lists {module!r}, but there is no {missing}")


@contextlib.contextmanager
def alone(stage: Path) -> Iterator[None]:
    """One build at a time in a stage."""
    stage.mkdir(parents=True, exist_ok=True)
    with open(stage / "lock", "w") as lock:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def translate(stage: Path, modules: list[str], flags: list[str]) -> list[Any]:
    """Python to C, two modules at a time, below the stage; the working directory must be the root of the tree."""
    from Cython.Build import cythonize
    from setuptools import Extension

    for header in (stage / "c").rglob("*.h"):  # Cython's copies, which it renews by date alone
        header.unlink()
    wanted = [
        Extension(
            f"parlour.{module}",
            [source_of(module).relative_to(ROOT).as_posix()],
            include_dirs=["src/parlour/engine"],
            extra_compile_args=flags,
        )
        for module in modules
    ]
    extensions: list[Any] = cythonize(
        wanted,
        build_dir=(stage / "c").relative_to(ROOT).as_posix(),
        include_path=["src"],
        compiler_directives=DIRECTIVES,
        nthreads=2,
        force=True,
    )
    return extensions


def compile_into(stage: Path, modules: list[str], flags: list[str], compiler: str) -> None:
    """Python to C to a shared library, two at a time, all of it below the stage."""
    from setuptools import Distribution

    if compiler != "msvc":
        os.environ["CC"] = compiler
    with contextlib.chdir(ROOT):  # relative paths, so that the C and its messages name no machine
        extensions = translate(stage, modules, flags)
        command = Distribution({"name": "parlour", "ext_modules": extensions}).get_command_obj("build_ext")
        command.build_lib = str(stage / "lib")
        command.build_temp = str((stage / "o").relative_to(ROOT))
        command.parallel = 2
        command.force = True
        command.ensure_finalized()
        command.run()


def build(stage: Path) -> Record:
    """Bring the stage up to date and say what is in it; NotCompiled where that cannot be done."""
    if compiled.flag("PARLOUR_PURE"):
        raise NotCompiled("PARLOUR_PURE was set when it was installed")
    compiler = find_compiler()
    flags = compiler_flags(compiler)
    try:
        import Cython
        import setuptools  # noqa: F401
    except ImportError as error:
        raise NotCompiled(f"{error.name} was not there when it was installed") from error

    hashes = compiled.source_hashes(str(PACKAGE))
    record: Record = {
        "modules": hashes,
        "python": compiled.PYTHON,
        "cython": Cython.__version__,
        "compiler": compiler,
        "flags": shlex.join(flags),
        "directives": DIRECTIVES,
    }
    note = stage / "_compiled.json"
    before: Record = json.loads(note.read_text()) if note.exists() else {"modules": {}}
    same_tools = {**before, "modules": hashes} == record
    todo = [
        module
        for module in hashes
        if not same_tools
        or before["modules"].get(module) != hashes[module]
        or not (stage / "lib" / "parlour" / library_of(module)).exists()
    ]
    if todo:
        note.unlink(missing_ok=True)
        try:
            compile_into(stage, todo, flags, compiler)
        except Exception as error:
            print(error, file=sys.stderr)
            raise NotCompiled("compiling failed when it was installed") from error
        write(note, record)
    return record


def write(path: Path, record: Record) -> None:
    new = path.with_suffix(".new")
    new.write_text(json.dumps(record, indent=1) + "\n")
    new.replace(path)


def put_in_place(stage: Path, record: Record) -> None:
    """Make the tree hold exactly this build. Files are replaced, never rewritten: they may be in use."""
    wanted = {PACKAGE / library_of(module): module for module in record["modules"]}
    for path in [*PACKAGE.rglob("*.so"), *PACKAGE.rglob("*.pyd")]:
        if path not in wanted:
            path.unlink()
    for path in wanted:
        new = path.with_suffix(".new")
        shutil.copy2(stage / "lib" / "parlour" / path.relative_to(PACKAGE), new)
        new.replace(path)
    write(PACKAGE / "_compiled.json", record)


def run(editable: bool, required: bool) -> tuple[Path, Record]:
    """Compile, or settle for plain Python aloud; returns the stage and what is in it."""
    check_list()
    stage = ROOT / "build" / compiled.PYTHON
    with alone(stage):
        try:
            record = build(stage)
        except NotCompiled as why:
            if required:
                sys.exit(f"parlour: NOT COMPILED, and it was required: {why}")
            print(f"parlour: NOT COMPILED, so some 100 times slower: {why}", file=sys.stderr)
            record = {"modules": {}, "why": str(why)}
            write(stage / "_compiled.json", record)
        if editable:
            put_in_place(stage, record)
    return stage, record


class ParlourBuildHook(BuildHookInterface):
    def dependencies(self) -> list[str]:
        compiling = self.target_name == "wheel" and not compiled.flag("PARLOUR_PURE")
        return [*(REQUIRES if compiling else []), *page.requires()]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        page.bring_up_to_date()
        if self.target_name != "wheel":
            check_list()
            return
        stage, record = run(editable=version == "editable", required=compiled.flag("PARLOUR_REQUIRE_COMPILED"))
        if version == "editable":
            return
        libraries = [library_of(module) for module in record["modules"]]
        build_data["force_include"][str(stage / "_compiled.json")] = "parlour/_compiled.json"
        for library in libraries:
            build_data["force_include"][str(stage / "lib" / "parlour" / library)] = f"parlour/{library.as_posix()}"
        if libraries:
            build_data.update(pure_python=False, infer_tag=True)


if __name__ == "__main__":
    _, built = run(editable=True, required=not compiled.flag("PARLOUR_PURE"))
    page.bring_up_to_date()
    print(f"parlour: {len(built['modules'])} modules compiled and in place")
