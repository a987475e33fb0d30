"""The generic board: any game can be played in the browser without a line of TypeScript for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from toy import GAME as TOY

from parlour.games import REGISTRY, register
from support.added import installed
from support.browser import FEW, Visitor, expect
from support.effort import times
from support.server import Server

LOOKED_AT = 3  # turns at which axe looks, too


class Guest(Visitor):
    """Someone who plays every game at the generic board."""

    @property
    def address(self) -> str:
        return f"{super().address}?board=generic"


SHAPES = (("desktop", "light"), ("phone", "dark"))
SHORT = [("lost-heir", *SHAPES[0]), ("sovereign", *SHAPES[1])]  # moves of one step by keys, of several by touch
OPTIONS: dict[str, dict[str, Any]] = {"sovereign": {"mistakes": "penalised", "games": 1}}  # moves of many steps, always
PLAYED = [
    pytest.param(game, *shape, marks=() if (game, *shape) in SHORT else pytest.mark.long)
    for game in REGISTRY
    for shape in SHAPES
]


@pytest.mark.parametrize(("game", "size", "theme"), PLAYED)
def test_a_whole_sitting_is_played_at_the_generic_board(
    browser: Browser, server: Server, game: str, size: str, theme: Any
) -> None:
    """On a desktop by keys alone, on a phone by touch."""
    with Guest(browser, server, size, painted=True, color_scheme=theme) as visitor:
        visitor.go()
        visitor.arrange(game, FEW.get(game), **OPTIONS.get(game, {}))
        found: list[str] = []
        for turn in range(LOOKED_AT):
            if visitor.until("mine", "over") == "over":
                break
            found += faults(visitor, f"generic-{game}-{size}-{turn}")
            assert unnamed(visitor, game) == []
            visitor.take_one()
            visitor.settle()
        assert visitor.finish(by_keys=times(6, 400) if size == "desktop" else 0) >= 0
        visitor.page.get_by_role("link", name="Replay").click()
        visitor.page.get_by_role("button", name="To the end").click()
        expect(visitor.page.get_by_text(re.compile(r"\b(\d+) of \1\b"))).to_be_visible()
        assert found + visitor.complaints == []


def test_a_game_from_another_package_is_played_in_the_browser(browser: Browser, tmp_path: Path) -> None:
    """From the room, with a hint and a decision taken back, to the replay: no line of TypeScript knows this game."""
    with (
        registered(),
        Server(tmp_path / "data", **installed(tmp_path / "site", TOY.name, "toy:GAME")) as server,
        Visitor(browser, server, painted=True) as visitor,
    ):
        visitor.settings(pace="quick", name="Ada")
        visitor.go()
        visitor.page.locator(f"[data-play={TOY.name}]").click()
        visitor.until("mine", "waiting")
        visitor.until("mine")
        held = visitor.view["hand"]
        found = faults(visitor, "trio-first") + unnamed(visitor, TOY.name)
        expect(visitor.page.locator("[data-place=hand] button")).to_have_count(len(held))
        visitor.page.get_by_role("button", name="Hint").click()
        expect(visitor.page.locator(".advice")).to_be_visible()
        visitor.take_one()
        visitor.settle()
        visitor.until("mine", "over")
        visitor.page.get_by_role("button", name="Take back").click()
        visitor.until("mine")
        assert visitor.view["hand"] == held
        visitor.finish()
        expect(visitor.page.get_by_role("link", name="Replay")).to_be_visible()
        found += faults(visitor, "trio-over")
        visitor.page.get_by_role("link", name="Replay").click()
        visitor.page.get_by_role("button", name="To the end").click()
        expect(visitor.page.get_by_role("group", name="What happened")).to_contain_text("You ")
        visitor.go(f"#rules={TOY.name}")
        expect(visitor.page.get_by_text(TOY.sheet.clauses[0].rule)).to_be_visible()
        assert found + visitor.complaints == []


@contextmanager
def registered() -> Iterator[None]:
    """The toy game in the registry of this process, too: visitors ask it for the names of cards."""
    register(TOY)
    try:
        yield
    finally:
        del REGISTRY[TOY.name]


def faults(visitor: Visitor, name: str) -> list[str]:
    """What is wrong with a screen: what axe finds, and what is wider than the window."""
    visitor.rest()
    visitor.shoot(name)
    wide, inner = visitor.page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    found = [] if wide <= inner else [f"{name}: it is {wide} wide, in a window of {inner}"]
    return found + [f"{name}: {fault}" for fault in visitor.axe()]


def unnamed(visitor: Visitor, game: str) -> list[str]:
    """Steps without a button, cards without a name, and cards that the view does not show."""
    steps = visitor.steps().evaluate_all("steps => steps.map(step => step.dataset.step)")
    offered = visitor.offered if not visitor.page.get_by_role("button", name="Undo").count() else steps
    names = visitor.page.locator("main [aria-label]").evaluate_all("all => all.map(each => each.ariaLabel)")
    told = "\n".join([visitor.page.locator("main").inner_text(), *names]).replace("\u00a0", " ")
    view = visitor.view
    held = [*view.get("hand", []), *view.get("coins", {}), *[code for _, code in view.get("trick", [])]]
    return [
        *(step for step in offered if step not in steps),
        *(code for code in held if REGISTRY[game].card_names[code] not in told),
        *(visitor.cards_shown() - texts_in(visitor.messages)),
    ]


def texts_in(value: Any) -> set[str]:
    """Every text in plain data, and so every card that it shows."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return {*value, *(text for each in value.values() for text in texts_in(each))}
    return {text for each in value for text in texts_in(each)} if isinstance(value, list) else set()
