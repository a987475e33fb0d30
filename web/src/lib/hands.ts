// Whether keys or a pointer were used last, on whatever screen that was.

export const hands = { byKeys: false };

addEventListener("keydown", () => (hands.byKeys = true), { capture: true });
addEventListener("pointerdown", () => (hands.byKeys = false), { capture: true });
