"""The page as a part of the package: its types, its weight, its licences, its headers, and how it is built."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

import parlour
from parlour.engine.words import words_of
from parlour.games import GAMES, REGISTRY
from parlour.play.faces import sheet
from parlour.server import replays, static
from support.scripts import script
from support.server import Server
from support.wait import WAIT

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"


def fetch(server: Server, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=WAIT) as answer:
            return answer.status, {name.lower(): value for name, value in answer.headers.items()}, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, {name.lower(): value for name, value in error.headers.items()}, error.read()


# --- its source -------------------------------------------------------------------------------------------------------


def test_every_text_of_the_page_is_used() -> None:
    """Words that all tables share are named in full where they are used, `words.room.join`, or by a short name."""
    code = "\n".join(path.read_text("utf-8") for path in (WEB / "src").rglob("*") if path.suffix in (".svelte", ".ts"))
    section, unsaid = "", []
    for line in (WEB / "src" / "words" / "texts" / "en-GB.ts").read_text("utf-8").splitlines():
        if found := re.match(r"    (\w+): ", line):
            section = found[1]
            names = [f"words.{section}"]
        elif found := re.match(r"      (\w+): ", line):
            names = [f"words.{section}.{found[1]}"]
            shorts = re.findall(rf"const (\w+) = words\.{section};", code)
            names += [form for short in shorts for form in (f"{short}.{found[1]}", f'"{found[1]}"')]
        else:
            continue
        if not any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", code) for name in names):
            unsaid.append(names[0])
    assert not unsaid


def test_the_types_of_messages_are_those_of_the_server() -> None:
    for path, content in script("wire_types").written().items():
        assert content == path.read_text(encoding="utf-8"), "run tools/wire_types.py"


def test_every_test_run_checks_types_and_style_of_the_page() -> None:
    assert script("page").checks() == ["check", "format:check", "lint"]


def test_the_lock_names_no_place_and_every_platform() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))
    packages = lock["packages"]
    assert not any("resolved" in each for each in packages.values())
    for name, each in packages.items():
        for optional in each.get("optionalDependencies", {}):
            places = (f"node_modules/{optional}", f"{name}/node_modules/{optional}")
            assert any(place in packages for place in places), f"{name} wants {optional}, which is not locked"
    own = json.loads((WEB / "package.json").read_text(encoding="utf-8"))
    wanted = {**own["dependencies"], **own["devDependencies"]}
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted.values())


# --- as it is served --------------------------------------------------------------------------------------------------


def test_the_page_and_all_it_names_are_served_with_a_strict_policy(server: Server) -> None:
    status, headers, content = fetch(server, "/")
    assert status == 200 and headers["content-type"] == "text/html; charset=utf-8"
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    for name in re.findall(r'(?:src|href)="(/[^"]+)"', content.decode()):
        assert fetch(server, name)[0] == 200, name
    assert "<script>" not in content.decode() and "style=" not in content.decode()


def test_assets_are_compressed_and_cached_for_ever(server: Server) -> None:
    script = next(name for name in static.parts() if name.endswith(".js") and "/index" in name)
    status, headers, content = fetch(server, f"/{script}", **{"Accept-Encoding": "gzip"})
    assert status == 200 and headers["content-encoding"] == "gzip" and "immutable" in headers["cache-control"]
    assert gzip.decompress(content) == static.parts()[script].plain
    status, headers, smaller = fetch(server, f"/{script}", **{"Accept-Encoding": "gzip, deflate, br"})
    assert status == 200 and headers["content-encoding"] == "br" and len(smaller) < len(content)
    for unwanted in ("br;q=0, gzip", "gzip;q=0.5,br; q=0.000", "br;Q=0,GZIP"):
        packed = fetch(server, f"/{script}", **{"Accept-Encoding": unwanted})
        assert packed[1]["content-encoding"] == "gzip", unwanted
    plain = fetch(server, f"/{script}")
    assert "content-encoding" not in plain[1] and plain[2] == static.parts()[script].plain
    assert fetch(server, f"/{script}", **{"If-None-Match": headers["etag"]})[0] == 304
    for path in ("/assets/..%2f..%2fcli.py", "/assets/nothing.js", "/_built.json", "/faces/whist.svg", "/covers/x.svg"):
        assert fetch(server, path)[0] == 404, path


@pytest.mark.parametrize("game", GAMES)
def test_the_faces_of_a_pack_are_one_drawing(server: Server, game: str) -> None:
    status, headers, content = fetch(server, f"/faces/{game}.svg")
    assert status == 200 and headers["content-type"] == "image/svg+xml" and content.decode() == sheet(game)
    assert fetch(server, f"/covers/{game}.svg")[2].startswith(b"<svg")


def test_another_knight_has_another_face(server: Server) -> None:
    usual, other = fetch(server, "/faces/heraldry.svg")[2], fetch(server, "/faces/heraldry.svg?knight=3")[2]
    assert usual != other and other.decode() == sheet("heraldry", {"knight": 3})
    assert fetch(server, "/faces/heraldry.svg?knight=99")[2] == usual


def test_licences_come_with_the_page(server: Server) -> None:
    text = fetch(server, "/licences.txt")[2].decode()
    for name in ("svelte", "@noble/hashes", "uqr", "@fontsource/old-standard-tt", "@fontsource/alegreya-sans"):
        assert f"{name} " in text
    assert "SIL OPEN FONT LICENSE" in text.upper() and "MIT" in text


def test_it_can_be_installed(server: Server) -> None:
    manifest = json.loads(fetch(server, "/manifest.webmanifest")[2])
    assert manifest["display"] == "standalone"
    assert all(fetch(server, icon["src"])[0] == 200 for icon in manifest["icons"])
    for name, size in (("mask.png", 512), ("touch.png", 180)):
        status, headers, picture = fetch(server, f"/{name}")
        assert status == 200 and headers["content-type"] == "image/png"
        assert picture.startswith(b"\x89PNG") and struct.unpack(">2I", picture[16:24]) == (size, size)
    assert fetch(server, "/sw.js")[1]["cache-control"] == "no-cache"


def test_only_transform_and_opacity_are_animated() -> None:
    """Animating anything else makes the browser lay out or paint everything again."""
    allowed = {"transform", "opacity", "translate"}
    moved = set()
    for path in (WEB / "src").rglob("*"):
        if path.suffix not in (".svelte", ".css", ".ts"):
            continue
        text = path.read_text("utf-8")
        for value in re.findall(r"transition: ([^;]+);", text):
            moved |= {each.split()[0] for each in value.split(",") if each.strip()} - {"none"}
        for steps in re.findall(r"@keyframes \w+ \{((?:[^{}]*\{[^{}]*\})*)", text):
            moved |= set(re.findall(r"([\w-]+):", steps))
        for steps in re.findall(r"\.animate\(\s*(\[.*?\]|\{.*?\}),", text, re.DOTALL):
            moved |= set(re.findall(r"(?<![?\w])(\w+):", steps))
    assert {"transform", "opacity"} <= moved <= allowed | {"offset", "easing"}


# --- lessons and replays ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_is_a_real_hand_with_real_clauses(server: Server, game: str) -> None:
    assert server.ask("GET", f"/api/lessons/{game}")[0] == 200
    lesson = replays.lesson(game)
    said = [frame for frame in lesson.frames if frame.say]
    assert 5 <= len(said) <= 20 and not lesson.frames[-1].move and lesson.frames[-1].say
    clauses = {clause.id for clause in replays.game_of(game).sheet.clauses}
    assert all(frame.clause in clauses for frame in said if frame.clause)
    assert len({frame.clause for frame in said}) >= 4
    written = parlour.game(game).text("lesson.json") or ""
    cast = [name for game in REGISTRY.values() for name in words_of(game).CAST]
    people = [name.removeprefix("the ") for name in cast]
    assert not [name for name in people if re.search(rf"\b{name}\b(?! of)", written)], "seats stand for people"
    asked = [frame for frame in lesson.frames if frame.seat == 0 and frame.move]
    assert asked and all(frame.say for frame in asked if game != "tontine")
    steps = [pair for frame in asked for pair in zip(frame.move, frame.legal, strict=True)]
    assert all(name in {choice.name for choice in legal} for name, legal in steps)


def test_the_lesson_of_heraldry_goes_to_the_count_of_the_deal() -> None:
    lesson = replays.lesson("heraldry")
    (leap,) = [number for number, frame in enumerate(lesson.frames) if frame.leap]
    assert len(lesson.frames[leap].events) > 20 and lesson.frames[leap - 1].say
    scores = [event.entry for event in lesson.frames[-2].events if event.entry[0] == "score"]
    assert sum(entry[2] for entry in scores if entry[1] == 0) == 10 and "10 for you" in lesson.frames[-2].say
    assert {entry[3] for entry in scores} == set(lesson.scoring)


def test_the_lesson_of_masquerade_begins_lightly_and_shows_all_that_scores() -> None:
    lesson = replays.lesson("masquerade")
    assert not lesson.frames[0].move and all(len(frame.say) < 180 for frame in lesson.frames[:2])
    shown = {event.entry[3] for frame in lesson.frames for event in frame.events if event.entry[0] == "score"}
    assert shown == {row.clause for row in lesson.what_scores if row.points != "0"}


def test_all_hands_are_shown_only_when_it_is_over(server: Server) -> None:
    table, _ = server.open("heraldry", 2)
    assert server.ask("GET", f"/api/tables/{table}/replay")[0] == 409
    assert server.ask("GET", f"/api/tables/{table}/replay?first=x")[0] == 422
    assert server.ask("GET", "/api/tables/nowhere/replay")[0] == 404


# --- how it is built --------------------------------------------------------------------------------------------------


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """What the building of the page needs, without a page."""
    shutil.copytree(WEB, tmp_path / "web", ignore=shutil.ignore_patterns("node_modules"))
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "page.py", tmp_path / "tools")
    (tmp_path / "src" / "parlour").mkdir(parents=True)
    return tmp_path


def build(tree: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Build the page as the hook does."""
    command = [sys.executable, str(tree / "tools" / "page.py")]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")}
    return subprocess.run(command, capture_output=True, text=True, env=kept | environment)


def test_without_node_there_is_no_page_and_one_line_says_so(tree: Path) -> None:
    done = build(tree, PATH="")
    assert done.returncode == 0 and done.stderr.count("\n") == 1
    assert done.stderr.startswith("parlour: THE PAGE WAS NOT BUILT, so play is in the terminal: there is no Node")
    assert not (tree / "src" / "parlour" / "web" / "index.html").exists()
    required = build(tree, PATH="", PARLOUR_REQUIRE_PAGE="1")
    assert required.returncode == 1 and "it was required" in required.stderr


def test_a_page_that_is_not_wanted_is_not_built(tree: Path) -> None:
    done = build(tree, PARLOUR_NO_PAGE="1")
    assert done.returncode == 0 and "PARLOUR_NO_PAGE was set" in done.stderr


def test_a_change_of_its_source_makes_the_page_stale(tree: Path) -> None:
    made = script("page", tree / "tools")
    built = tree / "src" / "parlour" / "web"
    built.mkdir()
    (built / "index.html").write_text("a page")
    assert not made.is_current()
    (built / "_built.json").write_text(json.dumps({"source": made.source()}))
    assert made.is_current() and made.requires() == []
    (tree / "web" / "src" / "App.svelte").write_text("another")
    assert not made.is_current()
    shutil.rmtree(tree / "web")
    assert made.is_current()  # an archive without the source has the page it came with
