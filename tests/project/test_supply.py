"""What a server is made of: lock files with hashes, the bill of materials, and what the examples install."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import urllib.request
import venv
from pathlib import Path
from typing import Any

import cyclonedx
import jsonschema_rs
import pytest
from packageurl import PackageURL
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from parlour import __version__
from support.layers import ROOT
from support.processes import done, environment
from support.scripts import script
from support.wait import WAIT, next_line

WEB = ROOT / "web"
SCHEMAS = Path(cyclonedx.__file__).parent / "schema" / "_res"
lock, sbom = script("lock"), script("sbom")
FILES = [lock.RUN, lock.BUILD]


# --- the lock files ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_everything_that_is_needed_is_locked_with_hashes(path: Path) -> None:
    locked = {each.name: each for each in lock.read(path)}
    for text in lock.requirements()[path]:
        wanted = Requirement(text)
        found = locked[canonicalize_name(wanted.name)]
        assert wanted.specifier.contains(found.version), f"{text} is locked as {found.version}; run tools/lock.py"
        assert (wanted.marker is None) == (not found.marker) or found.marker == str(wanted.marker).replace('"', "'")
    for name, each in locked.items():
        assert name == canonicalize_name(name) and str(Version(each.version)) == each.version
        assert each.hashes and len(set(each.hashes)) == len(each.hashes)
        assert each.licence and set(each.wanted_by) <= {*locked, "parlour"} and each.wanted_by
        if each.marker:
            Marker(each.marker)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_lock_names_no_place_to_get_things_from(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "://" not in text and not re.search(r"^\s*-(?!-hash)", text, re.MULTILINE)


def test_a_lock_that_is_not_understood_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.lock").write_text("anyio>=4\n")
    with pytest.raises(ValueError, match="not understood: anyio>=4"):
        lock.read(tmp_path / "x.lock")


def test_the_examples_install_what_is_locked() -> None:
    for name in ("Containerfile", "parlour.service"):
        text = (ROOT / "examples" / name).read_text(encoding="utf-8")
        assert "--require-hashes -r requirements.lock" in text and "--require-hashes -r requirements-build.lock" in text
        for command in re.findall(r"pip (?:install|wheel) [^&|\n\\]*", text):
            assert "--require-hashes" in command or "--no-deps" in command, command
    table = (ROOT / "docs" / "table.md").read_text(encoding="utf-8")
    assert "--require-hashes -r requirements.lock" in table


@pytest.mark.long
def test_what_is_locked_installs_and_serves(tmp_path: Path) -> None:
    """In clean environments: the package is built with one lock, and runs with the other and nothing else."""
    pips = {}
    for name, path in (("building", lock.BUILD), ("running", lock.RUN)):
        venv.create(tmp_path / name)
        pips[name] = [sys.executable, "-m", "pip", "--python", str(tmp_path / name / "bin" / "python")]
        done(*pips[name], "install", "--quiet", "--require-hashes", "--only-binary", ":all:", "-r", path)
    tree = tmp_path / "tree"
    done("git", "clone", "--quiet", ROOT, tree)
    building = [*pips["building"], "wheel", "--quiet", "--no-build-isolation", "--no-deps"]
    done(*building, "--wheel-dir", tmp_path / "out", tree, PARLOUR_REQUIRE_COMPILED="1")
    (wheel,) = (tmp_path / "out").glob("*.whl")
    done(*pips["running"], "install", "--quiet", "--no-deps", "--no-index", wheel)
    command = tmp_path / "running" / "bin" / "parlour"
    assert "compiled" in done(command, "--version")[0]
    serving = [str(command), "serve", "--port", "0", "--data", str(tmp_path / "data")]
    with subprocess.Popen(serving, env=environment(), cwd="/", stdout=subprocess.PIPE, text=True) as server:
        try:
            address = re.search(r"http://127\.0\.0\.1:\d+/", next_line(server))
            assert address
            with urllib.request.urlopen(address[0], timeout=WAIT) as page:
                assert b"<title>Parlour</title>" in page.read()
        finally:
            server.terminate()


def test_the_sockets_stand_on_versions_that_the_protocol_knows() -> None:
    """uvicorn reads headers differently from websockets 17 on; a version that neither of us knows is not taken."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {(each := Requirement(text)).name: each.specifier for text in project["dependencies"]}
    taken = [version for version in ("15.0", "16.0", "17.4", "18.0") if version in wanted["websockets"]]
    assert taken == ["16.0", "17.4"]


# --- the bill of materials --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bill(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The bill that the command writes, twice the same."""
    texts = []
    for name in ("one.json", "two.json"):
        path = tmp_path_factory.mktemp("bill") / name
        command = [sys.executable, str(ROOT / "tools" / "sbom.py"), "--out", str(path)]
        subprocess.run(command, check=True, capture_output=True, cwd=path.parent)
        texts.append(path.read_bytes())
    assert texts[0] == texts[1]
    found: dict[str, Any] = json.loads(texts[0])
    return found


def all_components(bill: dict[str, Any]) -> list[dict[str, Any]]:
    """Every component, those within others too."""
    found = [bill["metadata"]["component"]]
    waiting = list(bill["components"])
    while waiting:
        found.append(waiting.pop())
        waiting += found[-1].get("components", [])
    return found


def test_the_bill_keeps_to_the_schema(bill: dict[str, Any]) -> None:
    def schema(uri: str) -> Any:
        return json.loads((SCHEMAS / uri.rpartition("/")[2]).read_text(encoding="utf-8"))

    rules = jsonschema_rs.validator_for(schema("bom-1.6.SNAPSHOT.schema.json"), retriever=schema, validate_formats=True)
    assert [error.message for error in rules.iter_errors(bill)] == []
    broken = json.loads(json.dumps(bill))
    broken["components"][0]["licenses"] = [{"license": {"id": "none of the known"}}]
    assert not rules.is_valid(broken)


def test_every_component_has_an_address_a_licence_and_hashes(bill: dict[str, Any]) -> None:
    components = all_components(bill)
    references = [each["bom-ref"] for each in components]
    assert len(set(references)) == len(references)
    for each in components:
        found = PackageURL.from_string(each["purl"])
        assert found.to_string() == each["purl"]
        named = (each.get("group", ""), each["name"], each["version"])
        assert (found.namespace or "", found.name, found.version) == named
        assert each["licenses"]
        if found.type != "generic" and each["name"] != "parlour":
            assert each["hashes"]
    told = [each["ref"] for each in bill["dependencies"]]
    assert sorted(told) == sorted(references)
    assert {needed for each in bill["dependencies"] for needed in each["dependsOn"]} == set(references) - {
        f"pkg:pypi/parlour@{__version__}"
    }


def test_the_bill_lists_what_is_locked_and_what_is_in_the_page(bill: dict[str, Any]) -> None:
    found = {each["purl"] for each in all_components(bill)}
    assert {f"pkg:pypi/{each.name}@{each.version}" for each in lock.read(lock.RUN)} <= found
    licences = (ROOT / "src" / "parlour" / "web" / "licences.txt").read_text(encoding="utf-8")
    shipped = re.findall(r"^-{80}\n\n(\S+) (\S+) \(", licences, re.MULTILINE)
    assert shipped
    wanted = {f"pkg:npm/{name.replace('@', '%40')}@{version}" for name, version in shipped}
    assert {purl for purl in found if purl.startswith("pkg:npm/")} == wanted
