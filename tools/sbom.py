"""Writes a bill of materials (CycloneDX 1.6, JSON): what an installed server runs, and what its page is made of.

    python tools/sbom.py --out parlour.cdx.json

Made from requirements.lock and web/package-lock.json alone, so that the same tree gives the same bytes.
Standard library only.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
import sys
import uuid
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import lock  # noqa: E402

# What Vite puts into the page beside the page's own dependencies; licences.txt of a built page lists the same.
BUNDLED = ("svelte", "clsx")
NAMESPACE = uuid.UUID("6c1f5f0e-6d0b-5c55-9d43-0f1c5f6f3f0a")
Component = dict[str, Any]


def version() -> str:
    """The version of the package."""
    text = (ROOT / "src" / "parlour" / "_version.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"', text, re.MULTILINE)
    assert found
    return found[1]


def licences(spdx: str) -> list[Component]:
    """A licence as CycloneDX writes it: one id, an expression of several, or a name that is neither."""
    if re.search(r" (OR|AND|WITH) ", spdx):
        return [{"expression": spdx}]
    return [{"license": {"name": spdx} if " " in spdx else {"id": spdx}}] if spdx else []


def component(kind: str, name: str, number: str, spdx: str, hashes: list[tuple[str, str]], **more: Any) -> Component:
    """One package, referred to by its package URL."""
    group, _, short = name.rpartition("/")
    space = f"{quote(group, safe='')}/" if group else ""
    purl = f"pkg:{kind}/{space}{quote(short, safe='')}@{quote(number, safe='')}"
    found: Component = {"type": "library", "bom-ref": purl, **({"group": group} if group else {}), "name": short}
    found |= {"version": number, "licenses": licences(spdx), "purl": purl}
    if hashes:
        found["hashes"] = [{"alg": algorithm, "content": content} for algorithm, content in hashes]
    return found | more


def of_python() -> tuple[list[Component], dict[str, list[str]]]:
    """The packages that a server imports, and which of them need which; ours is called parlour."""
    locked = lock.read(lock.RUN)
    found, needs = {}, {}
    for each in locked:
        hashes = [("SHA-256", content) for content in sorted(each.hashes)]
        marked = {"properties": [{"name": "parlour:marker", "value": each.marker}]} if each.marker else {}
        found[each.name] = component("pypi", each.name, each.version, each.licence, hashes, **marked)
    # the wheels of apsw are called by the version of SQLite that is compiled into them
    sqlite = ".".join(found["apsw"]["version"].split(".")[:3])
    found["apsw"]["components"] = [component("generic", "sqlite", sqlite, "blessing", [])]
    for each in locked:
        for name in each.wanted_by:
            needs.setdefault(found[name]["bom-ref"] if name in found else name, []).append(found[each.name]["bom-ref"])
    return list(found.values()), needs


def of_page() -> tuple[list[Component], dict[str, list[str]]]:
    """The packages that become part of the page, and which of them need which."""
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    shipped = sorted({*BUNDLED, *packages[""]["dependencies"]})
    found = {}
    for name in shipped:
        each = packages[f"node_modules/{name}"]
        algorithm, _, digest = each["integrity"].partition("-")
        content = base64.b64decode(digest, validate=True).hex()
        named = {"sha512": "SHA-512", "sha256": "SHA-256", "sha1": "SHA-1"}[algorithm]
        found[name] = component("npm", name, each["version"], each["license"], [(named, content)])
    needs = {}
    for name in shipped:
        inner = packages[f"node_modules/{name}"].get("dependencies", {})
        needs[found[name]["bom-ref"]] = [found[other]["bom-ref"] for other in inner if other in found]
    own = {*packages[""]["dependencies"], *packages[""]["devDependencies"]}
    needs["parlour"] = [each["bom-ref"] for name, each in found.items() if name in own]
    return list(found.values()), needs


def bill() -> Component:
    """The whole bill of materials."""
    ours = component("pypi", "parlour", version(), "MIT", [])
    ours["type"] = "application"
    components: list[Component] = []
    needs: dict[str, set[str]] = {ours["bom-ref"]: set()}
    for found, needed in (of_python(), of_page()):
        components += found
        for each in found:
            inside = [inner["bom-ref"] for inner in each.get("components", [])]
            needs.setdefault(each["bom-ref"], set()).update(inside)
            needs |= {inner: set() for inner in inside}
        for who, what in needed.items():
            needs[ours["bom-ref"] if who == "parlour" else who] |= set(what)
    made: Component = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": ours},
        "components": sorted(components, key=lambda each: str(each["bom-ref"])),
        "dependencies": [{"ref": who, "dependsOn": sorted(what)} for who, what in sorted(needs.items())],
    }
    # a bill of other contents has another number, and the same contents always the same
    made["serialNumber"] = f"urn:uuid:{uuid.uuid5(NAMESPACE, json.dumps(made, sort_keys=True))}"
    return made


def main() -> None:
    asked = argparse.ArgumentParser(description="Write the bill of materials (CycloneDX 1.6, JSON).")
    asked.add_argument("--out", metavar="FILE", required=True, help="the file to write")
    path = Path(asked.parse_args().out)
    made = bill()
    path.write_text(json.dumps(made, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{path}: {len(made['components'])} components")


if __name__ == "__main__":
    main()
