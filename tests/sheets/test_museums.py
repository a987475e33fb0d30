"""For museums and libraries: citations, the sheets as data with a schema, and a corpus with checksums."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import shlex
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.cli.main import main
from parlour.lab import corpus
from parlour.sheets import citation
from parlour.sheets.edition import DOCUMENTS, edition_of
from parlour.sheets.rulebook import catalogue, schema
from support.cli import Cli

ROOT = Path(__file__).resolve().parents[2]
each_game = pytest.mark.parametrize("name", parlour.GAMES)


def imprint(sheet: parlour.Sheet) -> list[str]:
    """The parts of a sheet's imprint."""
    document = edition_of(sheet).document
    return [*document.author.split(", "), document.publisher, document.place, document.date[:4]]


# --- citations --------------------------------------------------------------------------------------------------------


@each_game
@pytest.mark.parametrize("form", citation.FORMATS)
def test_a_citation_names_the_sheet_its_makers_and_the_versions(name: str, form: str, cli: Cli) -> None:
    code, out, _ = cli("cite", name, "--format", form)
    sheet = parlour.sheet(name)
    assert code == 0 and sheet.title in out and parlour.__version__ in out and "The Parlour authors" in out
    assert all(part in out for part in imprint(sheet))


@each_game
def test_the_imprint_in_parts_agrees_with_its_sentence(name: str) -> None:
    sheet = parlour.sheet(name)
    document = edition_of(sheet).document
    assert all(part in document.maker for part in imprint(sheet))
    assert ("no" in document.maker.split() or "neither" in document.maker) == (not document.date)


def test_a_citation_does_not_guess_what_a_sheet_does_not_say() -> None:
    assert citation.cite(parlour.sheet("tontine"), "text").startswith(
        "The Game of Tontine. Chapter of a book of games. [London?]: [no publisher], [about 1768 to 1800].\n"
        "Supplied: place [London?] ("
    )
    item, software = json.loads(citation.cite(parlour.sheet("tontine"), "csl"))
    assert not {"author", "publisher"} & set(item) and item["type"] == "chapter"
    assert item["publisher-place"] == "[London?]" and item["issued"] == {"literal": "[about 1768 to 1800]"}
    assert software["type"] == "software" and software["version"] == parlour.__version__


@each_game
@pytest.mark.parametrize("form", citation.FORMATS)
def test_what_a_document_does_not_say_is_in_brackets_with_its_source(name: str, form: str) -> None:
    said = " ".join(citation.cite(parlour.sheet(name), form).replace('\\"', '"').split())
    for item in edition_of(parlour.sheet(name)).document.additions:
        assert f"[{item.says}]" in said and item.source.replace("&", "\\&" if form == "bibtex" else "&") in said


@each_game
def test_each_document_is_cited_as_what_it_is(name: str) -> None:
    kind = {"tontine": "chapter", "lost-heir": "leaflet", "heraldry": "leaflet"}.get(name, "sheet")
    assert edition_of(parlour.sheet(name)).document.kind == kind
    assert DOCUMENTS[kind] in citation.cite(parlour.sheet(name), "text")
    entry = "incollection" if kind == "chapter" else "booklet"
    assert citation.cite(parlour.sheet(name), "bibtex").startswith(f"@{entry}{{{name}-sheet,")


def test_csl_gives_names_and_dates_in_parts() -> None:
    assert json.loads(citation.cite(parlour.sheet("masquerade"), "csl"))[0]["author"] == [
        {"family": "Balch", "given": "Wm. Frederick"}
    ]
    assert json.loads(citation.cite(parlour.sheet("sovereign"), "csl"))[0]["issued"] == {"date-parts": [[1865, 9]]}


@each_game
def test_bibtex_is_two_complete_entries(name: str) -> None:
    text = citation.cite(parlour.sheet(name), "bibtex")
    assert re.findall(r"^@(\w+)\{([\w-]+),$", text, re.MULTILINE)[1:] == [("misc", "parlour")]
    assert text.count("{") == text.count("}") and not re.search(r"(?<!\\)[&%$#_]", text)


def test_the_cff_citation_agrees_with_the_project() -> None:
    project = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    made = citation.cite(parlour.sheet("heraldry"), "cff")
    for line in ("cff-version: 1.2.0", "type: software", "license: MIT", '  - name: "The Parlour authors"'):
        assert f"\n{line}\n" in f"\n{project}" and f"\n{line}\n" in f"\n{made}"
    (abstract,) = re.findall(r"^abstract: .*$", project, re.MULTILINE)
    assert abstract in made


# --- the sheets as data -----------------------------------------------------------------------------------------------

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
}
WORDS = {
    *("$schema", "title", "description", "type", "required", "properties", "additionalProperties", "const", "enum"),
    *("pattern", "minItems", "minimum", "items", "oneOf", "$ref", "$defs"),
}


def faults(value: Any, by: dict[str, Any], whole: dict[str, Any], at: str = "") -> list[str]:
    """Where a value departs from a schema; only the keywords of JSON Schema that ours uses are known."""
    assert set(by) <= WORDS, set(by) - WORDS
    found = []
    if "$ref" in by:
        found += faults(value, whole["$defs"][by["$ref"].removeprefix("#/$defs/")], whole, at)
    if "type" in by:
        names = by["type"] if isinstance(by["type"], list) else [by["type"]]
        if isinstance(value, bool) or not isinstance(value, tuple(kind for name in names for kind in TYPES[name])):
            return [f"{at}: not {names}"]
    if "const" in by and value != by["const"]:
        found.append(f"{at}: not {by['const']!r}")
    if "enum" in by and value not in by["enum"]:
        found.append(f"{at}: not among {by['enum']}")
    if "pattern" in by and not re.search(by["pattern"], value):
        found.append(f"{at}: not like {by['pattern']}")
    if "minimum" in by and value < by["minimum"]:
        found.append(f"{at}: too small")
    if "minItems" in by and len(value) < by["minItems"]:
        found.append(f"{at}: too few")
    if "items" in by:
        for place, item in enumerate(value):
            found += faults(item, by["items"], whole, f"{at}/{place}")
    if "oneOf" in by and sum(not faults(value, part, whole, at) for part in by["oneOf"]) != 1:
        found.append(f"{at}: not exactly one of {by['oneOf']}")
    found += [f"{at}: no {name}" for name in by.get("required", ()) if name not in value]
    if isinstance(value, dict):
        known, others = by.get("properties", {}), by.get("additionalProperties", {})
        for name, part in value.items():
            if name in known:
                found += faults(part, known[name], whole, f"{at}/{name}")
            elif others is False:
                found.append(f"{at}: {name} is unknown")
            else:
                found += faults(part, others, whole, f"{at}/{name}")
    return found


def test_the_sheets_conform_to_their_schema(cli: Cli) -> None:
    by = json.loads(cli("sheets", "--schema")[1])
    data = json.loads(cli("sheets", "--json")[1])
    assert [sheet["game"] for sheet in data["sheets"]] == list(parlour.GAMES)
    assert faults(data, by, by) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["format"], "parlour sheets 1"),
        (["sheets"], []),
        (["sheets", 0, "rules"], "1"),
        (["sheets", 0, "rules"], True),
        (["sheets", 0, "document", "date"], "in 1865"),
        (["sheets", 0, "document", "kind"], "book"),
        (["sheets", 1, "clauses", 0, "certainty"], "perhaps"),
        (["sheets", 1, "clauses", 0, "evidence"], [{"kind": "hearsay", "says": "So.", "source": ""}]),
        (["sheets", 1, "clauses", 3, "state"], "torn"),
        (["sheets", 2, "clauses", 0, "id"], "one"),
        (["sheets", 3, "options", 0, "values"], []),
        (["sheets", 3, "options", 0, "min"], 1),
        (["sheets", 4, "options", 0, "more"], 1),
    ],
)
def test_the_schema_rejects_an_invalid_sheet(path: list[Any], value: Any) -> None:
    by, data = json.loads(schema()), json.loads(json.dumps(catalogue(map(parlour.sheet, parlour.GAMES))))
    place = data
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    if path[-1] == "min":
        place["max"] = 10
    assert faults(data, by, by)


@each_game
def test_the_export_of_a_sheet_is_complete(name: str, cli: Cli) -> None:
    (data,) = json.loads(cli("sheets", name, "--json")[1])["sheets"]
    sheet = parlour.sheet(name)
    assert [clause["id"] for clause in data["clauses"]] == [clause.id for clause in sheet.clauses]
    assert all(clause["rule"] and clause["where"] for clause in data["clauses"])
    assert {option["name"]: len(option.get("values", ())) for option in data["options"]} == {
        option.name: len(option.values) for option in sheet.options
    }
    title, *lines = cli("sheets", name)[1].splitlines()
    assert title == sheet.title and [line.split()[:2] for line in lines] == [
        [note.id, note.state] for note in edition_of(sheet).clauses.values()
    ]
    assert all(any(f"{option.called} [{option.name}]" in line for line in lines) for option in sheet.options)


# --- the corpus -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpora") / "one"
    assert main(["corpus", "--out", str(folder), "--sittings", "3", "--seed", "a word"]) == 0
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_command_in_a_manifest_makes_the_same_bytes_again(made: Path, tmp_path: Path) -> None:
    words = shlex.split(json.loads((made / "manifest.json").read_text(encoding="utf-8"))["command"])
    again = [str(tmp_path / "two") if word == "FOLDER" else word for word in words[1:]]
    assert main([*again, "--jobs", "2"]) == 0
    assert files(tmp_path / "two") == files(made)


def test_every_file_of_a_corpus_is_listed_with_its_checksum(made: Path) -> None:
    found = files(made)
    manifest, package = json.loads(found["manifest.json"]), json.loads(found["datapackage.json"])
    listed = {file["path"]: (file["sha256"], file["bytes"]) for file in manifest["files"]}
    assert set(listed) == set(found) - {"manifest.json"}
    assert all(listed[name] == (hashlib.sha256(found[name]).hexdigest(), len(found[name])) for name in listed)
    data = [name for name in listed if name not in ("README.md", "datapackage.json")]
    hashes = {resource["path"]: resource["hash"] for resource in package["resources"]}
    assert hashes == {name: f"sha256:{listed[name][0]}" for name in data}
    assert len({resource["name"] for resource in package["resources"]}) == len(package["resources"])
    assert manifest["version"] == package["version"] == parlour.__version__
    assert manifest["licence"] == package["licenses"][0]["name"] == "MIT"
    assert all(f"`{name}`" in found["README.md"].decode() for name in found if name != "README.md")
    assert json.loads(found["sheets.json"]) == json.loads(json.dumps(catalogue(map(parlour.sheet, parlour.GAMES))))


@each_game
def test_the_records_of_a_corpus_agree_with_the_rules(name: str, made: Path) -> None:
    records = [json.loads(line) for line in files(made)[f"{name}.jsonl"].splitlines()]
    assert len(records) == 3 and [parlour.check(record) for record in records] == [None] * 3
    assert {record["players"] for record in records} == {parlour.sheet(name).usual}


def test_a_corpus_replaces_an_older_one(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    corpus.export(corpus.Corpus(("tontine", "heraldry"), 2, "1"), folder)
    corpus.export(corpus.Corpus(("tontine",), 3, "1"), folder)
    assert set(files(folder)) == {"tontine.jsonl", "README.md", "sheets.json", "datapackage.json", "manifest.json"}
    assert files(folder)["tontine.jsonl"].count(b"\n") == 3


def test_files_of_others_in_the_folder_are_never_touched(tmp_path: Path, cli: Cli) -> None:
    asked = ["corpus", "--out", str(tmp_path / "corpus"), "--sittings", "1", "--games", "tontine"]
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "README.md").write_text("mine")
    code, _, err = cli(*asked)
    assert code == 2 and "holds no corpus of Parlour" in err and files(tmp_path / "corpus") == {"README.md": b"mine"}
    (tmp_path / "corpus" / "README.md").unlink()
    assert cli(*asked)[0] == 0
    whole = files(tmp_path / "corpus")
    for name, says in (("notes.txt", "also holds notes.txt"), ("tontine.jsonl", "was changed since it was written")):
        (tmp_path / "corpus" / name).write_text("mine")
        code, _, err = cli(*asked, "--seed", "2")
        assert code == 2 and says in err and err.count("\n") == 1
        assert files(tmp_path / "corpus") == whole | {name: b"mine"}
        (tmp_path / "corpus" / name).unlink()
        if name in whole:
            (tmp_path / "corpus" / name).write_bytes(whole[name])
    assert cli(*asked)[0] == 0 and files(tmp_path / "corpus") == whole


def test_an_interrupted_export_leaves_the_older_corpus(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    corpus.export(corpus.Corpus(("tontine", "heraldry"), 1, "1"), folder)
    whole = files(folder)

    def stop(done: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        corpus.export(corpus.Corpus(("tontine", "heraldry"), 1, "2"), folder, progress=stop)
    assert files(folder) == whole


@pytest.mark.parametrize(
    ("holder", "name", "number"),
    [*[(os, "replace", number) for number in range(1, 7)], (Path, "unlink", 1), (Path, "rmdir", 1)],
)
def test_the_next_export_completes_an_interrupted_replacement(
    holder: Any, name: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted before each of its steps in turn."""
    folder, calls, step = tmp_path / "corpus", count(1), getattr(holder, name)
    corpus.export(corpus.Corpus(("heraldry", "tontine"), 1, "1"), folder)

    def stopping(*arguments: Any, **options: Any) -> Any:
        if next(calls) == number:
            raise KeyboardInterrupt
        return step(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(holder, name, stopping)
        with pytest.raises(KeyboardInterrupt):
            corpus.export(corpus.Corpus(("tontine",), 1, "2"), folder)
    for place in (folder, tmp_path / "new"):
        corpus.export(corpus.Corpus(("tontine",), 1, "3"), place)
    assert files(folder) == files(tmp_path / "new")


def test_an_interrupted_replacement_does_not_overwrite_later_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, steps = tmp_path / "corpus", iter([os.replace])
    corpus.export(corpus.Corpus(("tontine",), 1, "1"), folder)
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", lambda one, other: next(steps)(one, other))
        with pytest.raises(StopIteration):
            corpus.export(corpus.Corpus(("tontine",), 1, "2"), folder)
    (folder / "tontine.jsonl").write_text("mine", encoding="utf-8")
    with pytest.raises(corpus.Refused, match="was changed since"):
        corpus.export(corpus.Corpus(("tontine",), 1, "2"), folder)
    assert (folder / "tontine.jsonl").read_text(encoding="utf-8") == "mine"


def test_the_remains_of_a_killed_export_are_removed(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    (folder / corpus.MAKING).mkdir(parents=True)
    (folder / corpus.MAKING / "tontine.jsonl").write_text("half of a li", encoding="utf-8")
    for seed in ("1", "2"):
        corpus.export(corpus.Corpus(("tontine",), 1, seed), folder)
        assert corpus.MAKING not in {path.name for path in folder.iterdir()}


def test_one_record_of_one_game_is_said_in_the_singular(tmp_path: Path, cli: Cli) -> None:
    code, out, _ = cli("corpus", "--out", str(tmp_path / "one"), "--sittings", "1", "--games", "tontine")
    assert code == 0 and out.startswith("1 record of 1 game, ")
    assert "1 sitting of Tontine" in (tmp_path / "one" / "README.md").read_text(encoding="utf-8")


WRITING = ("lab/corpus.py", "cli/output.py", "cli/sheets_commands.py", "records/files.py")


@pytest.mark.parametrize("path", [*(f"src/parlour/{name}" for name in WRITING), "tools/lab.py"])
def test_files_have_the_same_line_ends_on_every_machine(path: str) -> None:
    """Without `newline`, each system would write its own."""
    calls = [node for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))) if isinstance(node, ast.Call)]
    writing = 0
    for call in calls:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        words = {word.arg: ast.unparse(word.value) for word in call.keywords}
        given = [ast.unparse(argument) for argument in call.args]
        if name == "open" and "'wb'" in given:
            writing += 1  # bytes are the same everywhere
            continue
        opened = name == "open" and not {"'rb'", "os.devnull"} & set(given)
        if opened or (name == "write_text" and len(given) == 1):
            writing += 1
            assert words.get("newline") == r"'\n'", ast.unparse(call)
    assert writing


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["cite", "whist"], "There is no game"),
        (["cite", "tontine", "--format", "word"], "invalid choice"),
        (["sheets", "whist"], "There is no game"),
        (["corpus"], "--out"),
        (["corpus", "--out", "new", "--games", "tontine,whist"], "There is no game"),
        (["corpus", "--out", "new", "--sittings", "0"], "--sittings must be 1 or more"),
        (["corpus", "--out", "/dev/null/corpus"], "cannot be written"),
    ],
)
def test_misuse_is_one_sentence_and_exit_2(
    arguments: list[str], says: str, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = cli(*arguments)
    assert code == 2 and not out and says in err and err.startswith("parlour: ") and err.count("\n") == 1
    assert not (tmp_path / "new").exists()
