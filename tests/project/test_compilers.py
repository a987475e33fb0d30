"""Our C by two compilers: what is only a warning for an older one is an error for GCC 14, and must not be there."""

from __future__ import annotations

import contextlib
import platform
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from parlour.engine import build
from support.effort import times
from support.layers import PACKAGE, ROOT
from support.scripts import script
from support.wait import WAIT

HEADERS = PACKAGE / "engine"
# the machines that the headers know: any, those of a dozen years, those with bit deposits
MACHINES = [[], ["-march=x86-64-v2"], ["-march=x86-64-v3"]] if platform.machine() in ("x86_64", "AMD64") else [[]]


def hatch_build() -> object:
    return script("hatch_build", ROOT)


def source(module: str) -> Path:
    """The C of a module, as Cython made it when the package was compiled, or makes it now."""
    stage = ROOT / "build" / build.PYTHON
    made = stage / "c" / "src" / "parlour" / Path(*module.split(".")).with_suffix(".c")
    if not made.exists():
        with contextlib.chdir(ROOT):
            hatch_build().translate(stage, [module], [])  # type: ignore[attr-defined]
    return made


def modules() -> list[str]:
    """Modules whose C calls our headers: some, and all with --long."""
    few = ["engine.beliefs", "engine.batch", "games.heraldry.view", "games.lost_heir.view", "games.sovereign.memory"]
    return few if times(0, 1) == 0 else list(build.modules(str(PACKAGE)))


def said(compiler: str, file: Path, flags: list[str], headers: Path = HEADERS) -> tuple[int, str]:
    """The exit code of a compiler that looks at a file, and what it says."""
    strict = hatch_build().STRICT  # type: ignore[attr-defined]
    places = [f"-I{headers}", f"-I{sysconfig.get_path('include')}"]
    command = [compiler, "-fsyntax-only", "-Wall", "-Wextra", *strict, *flags, *places, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=10 * WAIT, check=False)
    return done.returncode, done.stderr


@pytest.fixture(params=["gcc", "clang"])
def compiler(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if not shutil.which(name):
        pytest.skip(f"there is no {name} here (on Debian: apt-get install {name})")
    return name


def test_our_c_is_accepted_strictly_and_without_a_warning(compiler: str) -> None:
    for module in modules():
        file = source(module)
        for machine in MACHINES[: times(2, 3)]:
            code, text = said(compiler, file, machine)
            assert code == 0, f"{module} {machine}\n{text[:3000]}"
            ours = [line for line in text.splitlines() if re.search(r"parlour_|bitset\.h|encode\.h", line)]
            assert ours == [], module


def test_pointers_to_numbers_of_another_type_are_an_error(compiler: str, tmp_path: Path) -> None:
    """The mistake that once made GCC 14 refuse the whole package, made again in a copy of the headers."""
    for header in HEADERS.glob("*.h"):
        shutil.copy(header, tmp_path)
    header = tmp_path / "encode.h"
    text = header.read_text(encoding="utf-8")
    assert "const unsigned long long *values" in text
    header.write_text(text.replace("const unsigned long long *values", "const uint64_t *values"), encoding="utf-8")
    code, text = said(compiler, source("games.heraldry.view"), [], tmp_path)
    assert code != 0 and "incompatible" in text


def test_the_package_is_compiled_strictly(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = hatch_build()
    compiler = ours.find_compiler()  # type: ignore[attr-defined]
    for flags in (None, "-O0"):
        if flags is not None:
            monkeypatch.setenv("PARLOUR_CFLAGS", flags)
        found = ours.compiler_flags(compiler)  # type: ignore[attr-defined]
        assert set(ours.STRICT) <= set(found) and (flags is None or flags in found)  # type: ignore[attr-defined]
    assert not ours.knows("/nowhere/cc", ours.STRICT)  # type: ignore[attr-defined]
    assert ours.compiler_flags("/bin/false") == ["-O0"]  # type: ignore[attr-defined]
