"""What sentences cost on the wire: bytes of events in words and by key, and of the catalogues: python bench/words.py"""

from __future__ import annotations

import gzip
import random
from typing import Any

import msgspec

from parlour import Sitting
from parlour.engine.catalogue import catalogue
from parlour.games import REGISTRY
from parlour.play.sentences import Teller, names_of
from parlour.server.http import LATER
from parlour.server.protocols import CURRENT, KEYED

SITTINGS = 5


def packed(value: Any) -> int:
    """The size of a value as JSON, compressed."""
    return len(gzip.compress(msgspec.json.encode(value), 9, mtime=0))


def main() -> None:
    print("game          event in words   by key   catalogue in brief   whole (compressed)")
    for name, game in REGISTRY.items():
        sizes = [0, 0]
        events = 0
        for seed in range(SITTINGS):
            sitting, luck = Sitting(game, seed=seed), random.Random(seed)
            while not sitting.over and len(sitting.told[0]) < 2000:
                sitting.play(luck.choice(sitting.legal()))
            names = names_of(game, sitting.players, 0)
            teller = Teller(game, names, 0, sitting.state.sides, CURRENT.codes, sitting.state.options)
            told = sitting.told[0]
            events += len(told)
            for at in range(len(told)):
                for number, protocol in enumerate((CURRENT, KEYED)):
                    sizes[number] += len(msgspec.json.encode(protocol.event(teller, told, at)))
        whole = vars(catalogue(game))
        brief = {part: value for part, value in whole.items() if part not in LATER}
        before, after = (f"{size / events:.0f} bytes" for size in sizes)
        print(f"{name:<12} {before:>15} {after:>8} {packed(brief):>14} bytes {packed(whole):>8} bytes")


if __name__ == "__main__":
    main()
