// Whether keys or a pointer were used last, on whatever screen that was.

export const hands = { byKeys: false };

addEventListener("keydown", () => (hands.byKeys = true), { capture: true });
// screen readers press buttons without a key or a pointer that the page would see
addEventListener(
  "click",
  (event) => {
    if (event.isTrusted && event.detail === 0 && !(event.target as Element).matches("input")) hands.byKeys = true;
  },
  { capture: true },
);
addEventListener("pointerdown", () => (hands.byKeys = false), { capture: true });
