"""The page's reducers against the engine: folding the events of a move over a view gives the next view.

This side plays sittings and writes down, for some seats, the view before each move, what the seat was told, and the
view after it, and what the server says by key and in words. The other side (web/tests/reducers.test.ts and
wording.test.ts) folds, words and compares, with all the other tests of the page's pure modules.
"""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import toy

from parlour import Sitting
from parlour.engine.game import Game
from parlour.games import REGISTRY
from parlour.players.seats import make
from parlour.sheets.model import Option
from support import languages, wordings
from support.scripts import script

WEB = Path(__file__).resolve().parents[2] / "web"
MOVES = 150  # of a sitting
SITTINGS = 8  # for each number of players: by random steps and by the heuristic, with usual and with other options
UNUSED = ("may_hold", "known_to_hold")  # what a seat has inferred: no event tells it
SECONDS = 300


def sittings(game: Game) -> Iterator[tuple[Sitting, random.Random, Any]]:
    """Sittings of few and many players, with usual and with random options."""
    for players in dict.fromkeys((game.sheet.usual, game.sheet.players[0], game.sheet.players[-1])):
        for seed in range(SITTINGS):
            luck = random.Random(f"{game.name} {players} {seed}")
            choices = {option.name: other(option, players, luck) for option in game.sheet.options if seed > 1}
            bot = make(("thumb", "random")[seed % 2], game, players, game.options_for(players, choices), 0)
            bot.begin(seed, 0)
            yield Sitting(game, players, seed=seed, **choices), luck, bot


def other(option: Option, players: int, luck: random.Random) -> Any:
    """Any value of an option; of numbers the second smallest, so that sittings stay short."""
    values = [value.name for value in option.values if players in value.players]
    return luck.choice(values) if values else option.low + 1


def seen(sitting: Sitting, seat: int) -> dict[str, Any]:
    """A view as plain data."""
    return {name: value for name, value in sitting.view(seat).fields().items() if name not in UNUSED}


def positions(game: Game) -> Iterator[dict[str, Any]]:
    """Views before and after moves, and what was told between them."""
    for sitting, luck, bot in sittings(game):
        for _ in range(MOVES):
            if sitting.over:
                break
            seats = [luck.choice([sitting.seat, luck.randrange(-1, sitting.players)])]  # the one that decides, or any
            before = {seat: (seen(sitting, seat), len(sitting.told[seat])) for seat in seats}
            while True:
                sitting.play(bot.choose(sitting.view(sitting.seat)))
                if not sitting.state.unfinished:
                    break
            for seat, (view, heard) in before.items():
                yield {"before": view, "entries": sitting.told[seat][heard:], "after": seen(sitting, seat)}


def spoken(game: Game, language: str = "en") -> str:
    """What is said at tables of few and many players, with usual and with random options."""
    tables = [(sitting, luck) for sitting, luck, _ in sittings(game)]
    return json.dumps(wordings.written(game, tables[:: SITTINGS // 2] + tables[2 :: SITTINGS // 2], language))


def test_the_pure_modules_and_the_reducers_of_the_page(tmp_path: Path) -> None:
    for name, game in REGISTRY.items():
        if not (WEB / "src" / "games" / name).is_dir():
            continue
        (tmp_path / f"{name}.json").write_text(json.dumps(list(positions(game))), encoding="utf-8")
    for name, game in REGISTRY.items():
        (tmp_path / f"{name}.words").write_text(spoken(game), encoding="utf-8")
    (tmp_path / "toy.words").write_text(spoken(toy.GAME, languages.CODE), encoding="utf-8")
    with languages.other_heraldry(tmp_path / "packages") as heraldry:
        (tmp_path / "other language.words").write_text(spoken(heraldry, languages.CODE), encoding="utf-8")
    node, _, environment = script("page").tools()
    done = subprocess.run(
        [*node, "node_modules/vitest/vitest.mjs", "run"],
        cwd=WEB,
        env={**environment, "PARLOUR_POSITIONS": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert "skipped" not in done.stdout
