// A card that is turned up, in its place of the wave.

import { device } from "../../lib/device.svelte";

const MILLISECONDS = 240;
const turning = new Set<Animation>();

/** Let a card turn up after a while; without a while it lies there already. */
export function turned(node: HTMLElement, after: number | null) {
  if (after === null) return;
  const frames = device.still
    ? [{ opacity: 0 }, { opacity: 1 }]
    : [
        { transform: "translateY(-30%) scaleX(0)", opacity: 0 },
        { transform: "none", opacity: 1 },
      ];
  const animation = node.animate(frames, {
    duration: MILLISECONDS,
    delay: device.still ? 0 : after,
    easing: "ease-out",
    fill: "backwards",
  });
  turning.add(animation);
  const done = () => turning.delete(animation);
  animation.onfinish = done;
  animation.oncancel = done;
  return { destroy: () => animation.cancel() };
}

/** All of them lie turned up now. */
export function settle() {
  for (const animation of turning) animation.finish();
}
