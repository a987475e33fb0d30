"""What is written down in C is what is written down in Python, also by a machine that writes one number at a time."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from parlour.engine import encode
from support.wait import WAIT

PACKAGE = Path(encode.__file__).parent
SHOWN = """
#include "encode.h"
#define PAGE unsigned char *page, Py_ssize_t at
#define SHOW(name, given, taken) Py_ssize_t name given { return parlour_write_##name taken; }
SHOW(cards, (PAGE, uint64_t held, int size), (page, at, held, size))
SHOW(chosen, (PAGE, int one, int size), (page, at, one, size))
SHOW(number, (PAGE, long long value), (page, at, value))
SHOW(tally, (PAGE, uint64_t packed, int size), (page, at, packed, size))
SHOW(seat, (PAGE, int one, int writer, int seats), (page, at, one, writer, seats))
SHOW(each, (PAGE, int *values, int writer, int count, int low), (page, at, values, writer, count, low))
SHOW(sums, (PAGE, long long *values, int writer, int seats, int low), (page, at, values, writer, seats, low))
SHOW(rows, (PAGE, int *values, int writer, int seats, int size), (page, at, values, writer, seats, size))
SHOW(holders, (PAGE, int *values, int writer, int seats, int size), (page, at, values, writer, seats, size))
SHOW(sets, (PAGE, uint64_t *values, int writer, int seats, int size), (page, at, values, writer, seats, size))
"""
WIDE = 700


@pytest.fixture(scope="module", params=["as it is built", "plain"])
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("encode")
    (folder / "shown.c").write_text(SHOWN, encoding="utf-8")
    flags = ["-march=x86-64-v2"] if request.param != "plain" and "x86_64" in sysconfig.get_platform() else []
    compiler = shutil.which("gcc") or shutil.which("cc")
    assert compiler, "the tests need a C compiler; ./test installs it"
    headers = [f"-I{PACKAGE}", f"-I{sysconfig.get_path('include')}"]
    command = [compiler, "-O2", "-shared", "-fPIC", *flags, *headers, "shown.c", "-o", "shown.so"]
    subprocess.run(command, cwd=folder, check=True, timeout=WAIT)
    return ctypes.CDLL(str(folder / "shown.so"))


def test_c_and_python_write_the_same(written: ctypes.CDLL) -> None:
    luck = random.Random(1)
    kinds: dict[str, type] = dict.fromkeys(["each", "holders", "rows"], ctypes.c_int) | {"sums": ctypes.c_longlong}
    for _ in range(4000):
        name = luck.choice(["cards", "chosen", "number", "tally", "seat", "each", "sums", "rows", "holders", "sets"])
        seats = luck.choice([2, 3, 4, 4, 5, 8, 52])
        writer = luck.randrange(-1, seats)
        count = luck.choice([seats, 2, 3, 4]) if name == "each" else seats  # sides are fewer
        count = min(count, seats)
        size = luck.choice([3, 4, 8, 9, 32, 48, 64]) if seats <= 8 else 9
        reach = luck.choice([1, 200, 300, 40_000, 2**30])
        least, most = (-1, size - 1) if name == "rows" else (-reach, reach)
        values = [luck.randint(least, most) for _ in range(seats)]
        words = [luck.getrandbits(64) for _ in range(seats)]
        low = luck.choice([0, 1, 128])
        packed, few = words[0], min(seats, 8)
        asked: dict[str, tuple[object, ...]] = {
            "cards": (packed, size),
            "chosen": (luck.randint(-1, size - 1), size),
            "number": (values[0],),
            "tally": (packed, 9),
            "seat": (luck.randint(-1, seats - 1), writer, seats),
            "each": (values, writer, count, low),
            "sums": (values, writer, seats, low),
            "rows": (values, writer, seats, size),
            "holders": ([luck.getrandbits(31) for _ in range(size)], min(writer, few - 1), few, size),
            "sets": (words, writer, seats, size),
        }
        plain, at = bytearray(seats * 64 + WIDE), luck.randrange(9)
        arguments = asked[name]
        ends = getattr(encode, name)(plain, at, *arguments)
        fast = (ctypes.c_ubyte * len(plain))()
        given: list[object] = list(arguments)
        if isinstance(given[0], list):
            given[0] = (kinds.get(name, ctypes.c_uint64) * len(given[0]))(*given[0])
        elif name in ("cards", "tally"):
            given[0] = ctypes.c_uint64(packed)
        elif name == "number":
            given[0] = ctypes.c_longlong(values[0])
        function = getattr(written, name)
        function.restype = ctypes.c_ssize_t
        assert function(fast, ctypes.c_ssize_t(at), *given) == ends, (name, arguments)
        assert bytes(fast) == bytes(plain), (name, arguments)
