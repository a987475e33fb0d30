"""Run by tools/runtime.mjs within Pyodide: a tour of everything that a page does, and two archives of what it used.

What a tour has imported is what the library needs; nothing is left to be looked for later.
"""

import asyncio
import gzip
import importlib._bootstrap_external as bootstrap
import io
import json
import os
import struct
import sys
from importlib.util import source_hash

ROOT, WHEN = "/staged", (1980, 1, 1, 0, 0, 0)
# what no tour comes by: other encodings of text, and how errors are told
MORE = ("encodings.ascii", "encodings.latin_1", "encodings.idna", "traceback", "linecache")
LATER = ("__init__.py", "faces.py", "words.py")  # modules of the package that are imported when they are asked for


async def tour():
    """Tables of every game from their opening to their review, as a page asks for them."""
    from parlour.games import GAMES
    from parlour.site.proof import digest
    from parlour.site.start import start

    heard = asyncio.Queue()
    digest()
    here = start("", lambda *told: heard.put_nowait(told))
    from parlour.site.tour import take  # with what stands in

    for game in GAMES:
        await take(here, heard, game)


def bytecode(name, source):
    """A module as bytecode that is never compared with its source."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    return bytes(bootstrap._code_to_hash_pyc(code, source_hash(source), False))


def write(path, files):
    """An archive, compressed as a whole, the same each time it is made."""
    import zipfile

    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, WHEN), files[name])
    with open(path, "wb") as file:
        file.write(gzip.compress(whole.getvalue(), 9, mtime=0))


def fold(path, files):
    """Files one after another, compressed as a whole; public/alone.js of the page takes them apart."""
    names = sorted(files)
    listed = json.dumps([[name, len(files[name])] for name in names]).encode()
    whole = struct.pack(">I", len(listed)) + listed + b"".join(files[name] for name in names)
    with open(path, "wb") as file:
        file.write(gzip.compress(whole, 9, mtime=0))


def library(used):
    """Some modules of the library, as bytecode."""
    import zipfile

    found = {}
    with zipfile.ZipFile(next(each for each in sys.path if each.endswith(".zip"))) as whole:
        names = set(whole.namelist())
        for module in used:
            base = module.replace(".", "/")
            for file in (f"{base}.py", f"{base}/__init__.py", f"{base}.pyc", f"{base}/__init__.pyc"):
                if file in names:
                    content = whole.read(file)
                    if file.endswith(".py"):
                        file, content = f"{file}c", bytecode(file, content)
                    found[file] = content
    return found


def package():
    """The package: bytecode, and the source of what is compiled."""
    with open(f"{ROOT}/parlour/_compiled.json") as file:
        compiled = set(json.load(file)["modules"])
    found = {}
    for folder, _, files in os.walk(ROOT):
        for file in files:
            path = f"{folder}/{file}"
            name = os.path.relpath(path, ROOT)
            with open(path, "rb") as opened:
                content = opened.read()
            module = name.removeprefix("parlour/").removesuffix(".py").replace("/", ".")
            if "__pycache__" in name:
                continue
            if not name.endswith(".py") or module in compiled:
                found[name] = content
            elif f"parlour.{module}".removesuffix(".__init__") in sys.modules or file in LATER:
                found[f"{name}c"] = bytecode(name, content)
    return found


sys.path.insert(0, ROOT)
sys.dont_write_bytecode = True
await tour()  # noqa: F704
write("/library.packed", library(set(sys.modules) | set(MORE)))
fold("/parlour.packed", package())
