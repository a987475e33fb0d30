"""A made-up language for Heraldry: the game as another package would bring it, with a file of words."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import parlour
from parlour import Game

CODE = "qq"
WORDS = {
    "grammar": {"you": "tu", "conjunctions": ["e", "o"], "nothing": "nil", "numbers": ["nul", "un", "du"]},
    "events": {"capture": "{seat} ludas|ludat|ludant {card}: {cards}.", "discard": "{card} cade da {seat}."},
    "says": {"not held": "Tu no ha {card}.", "take": "Prende con {able:cards any}."},
    "claims": {"lay": "Pone {card:the}", "unseen": "{count:words|# carta|# carte} pote prender lo"},
    "forms": {"the": {"": "la #"}},
    "names": {"1 of the Star": "1 del Stella"},
}
# patterns and values of which any language must make the same in Python and on the page
EDGES: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("{count} card{count||s} and coin{count|s|}.", {"count": count}) for count in (0, 1, 2)),
    *(("Here {seat|# stay|# stays|}.", {"seat": seat}) for seat in (0, 1, 2)),
    *((f"{{able:cards{style}}}.", {"able": []}) for style in ("", " and", " or", " any", " list")),
    *((f"{{able:word{style}}}.", {"able": [""]}) for style in ("", " and", " or", " any", " list")),
)


@contextmanager
def other_heraldry(folder: Path) -> Iterator[Game]:
    """Heraldry with a folder of its own, in which the words stand."""
    package = folder / "other_heraldry"
    (package / "words").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "words.py").write_text("from parlour.games.heraldry.words import *\n")
    (package / "words" / f"{CODE}.json").write_text(json.dumps(WORDS), encoding="utf-8")
    game = copy.copy(parlour.game("heraldry"))
    english = game.text("words/en.json")
    assert english is not None
    (package / "words" / "en.json").write_text(english, encoding="utf-8")
    game.package = "other_heraldry"
    sys.path.insert(0, str(folder))
    try:
        yield game
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.startswith("other_heraldry")]:
            del sys.modules[name]
