"""Draws web/public/icon.svg as pictures for devices that want no drawing: python tools/icons.py

They fill their square, and what is drawn keeps to its middle, because such devices cut the corners as they like.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from support.browser import ROOT, chromium

PUBLIC = ROOT / "web" / "public"
SIZES = {"touch.png": 180, "mask.png": 512}
GROUND = "#2b231b"


def main() -> None:
    drawing = (PUBLIC / "icon.svg").read_text(encoding="utf-8")
    with chromium() as browser:
        page = browser.new_page()
        for name, size in SIZES.items():
            page.set_viewport_size({"width": size, "height": size})
            room = f"width: {size * 5 / 6}px; padding: {size / 12}px"
            style = f"body {{ margin: 0; background: {GROUND} }} svg {{ display: block; {room} }}"
            page.set_content(f"<style>{style}</style>{drawing}")
            page.screenshot(path=PUBLIC / name)


if __name__ == "__main__":
    main()
