"""Locks what the container and the service install: exact versions with hashes, for every platform, by uv.

    python tools/lock.py             write both lock files, with the newest versions that pyproject.toml allows
    python tools/lock.py --keep      the same, but change a version only where it no longer fits

requirements.lock holds what runs, requirements-build.lock what builds the package and its page. Each package names its
licence in a comment, for tools/sbom.py. uv is taken from the path, or installed for this one run.
"""

from __future__ import annotations

import argparse
import email.message
import email.parser
import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
RUN, BUILD = ROOT / "requirements.lock", ROOT / "requirements-build.lock"
COMMAND = "python tools/lock.py"
OLDEST_PYTHON = "3.11"
# how packages that do not give an SPDX expression name their licence
CLASSIFIERS = {
    "License :: OSI Approved :: MIT License": "MIT",
    "License :: OSI Approved :: BSD License": "BSD-3-Clause",
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
    "License :: OSI Approved :: Python Software Foundation License": "PSF-2.0",
    "License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}


@dataclass
class Locked:
    """One package of a lock file."""

    name: str
    version: str
    marker: str = ""  # on which platforms it is installed; empty for all
    hashes: list[str] = field(default_factory=list)  # SHA-256, in hexadecimal, one for each file of the release
    wanted_by: list[str] = field(default_factory=list)
    licence: str = ""  # an SPDX expression, or some words where there is none


def read(path: Path) -> list[Locked]:
    """The packages of a lock file, in its order."""
    found: list[Locked] = []
    via = False
    for line in path.read_text(encoding="utf-8").splitlines():
        if pinned := re.fullmatch(r"([A-Za-z0-9._-]+)==(\S+)(?: ; (.*?))?(?: \\)?", line):
            found.append(Locked(pinned[1], pinned[2], (pinned[3] or "").strip()))
            via = False
        elif hashed := re.fullmatch(r" +--hash=sha256:([0-9a-f]{64})(?: \\)?", line):
            found[-1].hashes.append(hashed[1])
        elif licence := re.fullmatch(r" +# licence: (.*)", line):
            found[-1].licence = licence[1]
            via = False
        elif found and (wanted := re.fullmatch(r" +#(?P<via> via)? *(?P<name>.*)", line)):
            via = via or bool(wanted["via"])
            if via and wanted["name"]:
                found[-1].wanted_by.append(wanted["name"].split()[0])
        elif line and not line.startswith("#"):
            raise ValueError(f"{path.name}: this line is not understood: {line}")
    return found


# --- writing ----------------------------------------------------------------------------------------------------------


def requirements() -> dict[Path, list[str]]:
    """What each lock file is made from."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    built = [*project["build-system"]["requires"], *load("hatch_build.py").REQUIRES, load("tools/page.py").NODE_WHEEL]
    return {RUN: project["project"]["dependencies"], BUILD: built}


def load(name: str) -> ModuleType:
    """A script of the tree as a module."""
    spec = importlib.util.spec_from_file_location(f"_locked_{Path(name).stem}", ROOT / name)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write(uv: str, path: Path, wanted: list[str], keep: bool) -> None:
    """Resolve requirements for every platform, and write them down with hashes and licences."""
    with tempfile.TemporaryDirectory() as folder:
        asked = Path(folder, "parlour.in")
        asked.write_text("\n".join(wanted) + "\n", encoding="utf-8")
        made = Path(folder, path.name)
        if keep and path.exists():
            shutil.copy(path, made)
        options = ["--universal", "--python-version", OLDEST_PYTHON, "--generate-hashes", "--no-config", "--no-header"]
        command = [uv, "pip", "compile", "--quiet", *options, "--output-file", made.name, asked.name]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        licences = licences_of(read(made), Path(folder, "files"))
        text = made.read_text(encoding="utf-8").replace("-r parlour.in", "parlour")
    head = f"# Made by `{COMMAND}`; install it with `pip install --require-hashes -r {path.name}`.\n"
    blocks = re.split(r"^(?=\S)", text, flags=re.MULTILINE)
    named = [f"{block.rstrip()}\n    # licence: {licences[block.partition('==')[0]]}\n" for block in blocks if block]
    path.write_text(head + "".join(named), encoding="utf-8")


def licences_of(locked: list[Locked], folder: Path) -> dict[str, str]:
    """The licence of each package, by its own description in the file that was locked."""
    folder.mkdir()
    pinned = folder / "pinned.txt"  # without markers: also what only other platforms install
    hashed = {f"{each.name}=={each.version}": " --hash=sha256:".join(["", *each.hashes]) for each in locked}
    pinned.write_text("".join(f"{name}{hashes}\n" for name, hashes in hashed.items()), encoding="utf-8")
    options = ["--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes", "--dest", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", "download", *options, "-r", str(pinned)], check=True)
    found = {}
    for wheel in folder.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            (name,) = (each for each in archive.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", each))
            metadata = email.parser.Parser().parsestr(archive.read(name).decode(), headersonly=True)
        found[re.sub(r"[-_.]+", "-", metadata["Name"]).lower()] = licence_in(metadata)
    return found


def licence_in(metadata: email.message.Message) -> str:
    """The licence that a package's metadata names."""
    if metadata["License-Expression"]:
        return str(metadata["License-Expression"])
    classified = [CLASSIFIERS[each] for each in metadata.get_all("Classifier", []) if each in CLASSIFIERS]
    if classified:
        return " OR ".join(sorted(set(classified)))
    return str(metadata["License"] or "not stated").splitlines()[0]


def main() -> None:
    asked = argparse.ArgumentParser(description="Lock what the container and the service install.")
    asked.add_argument("--keep", action="store_true", help="change a version only where it no longer fits")
    keep = asked.parse_args().keep
    with tempfile.TemporaryDirectory() as folder:
        uv = shutil.which("uv")
        if uv is None:
            venv.create(folder, with_pip=True)
            python = next(path for path in Path(folder).glob("*/python*") if path.stem == "python")
            subprocess.run([str(python), "-m", "pip", "install", "--quiet", "uv"], check=True)
            uv = str(next(path for path in python.parent.glob("uv*") if path.stem == "uv"))
        for path, wanted in requirements().items():
            write(uv, path, wanted, keep)
            print(f"{path.name}: {len(read(path))} packages")


if __name__ == "__main__":
    main()
