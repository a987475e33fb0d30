// Things move because something happened, from where they were to where they are. Before the table changes, the place
// of everything that has a `data-move` is noted; after it, whatever is elsewhere comes from there, what is new comes
// from its `data-from`, and what is gone leaves for where the scene says. Only transform and opacity are touched.

import { device } from "./device.svelte";

const MILLISECONDS = 280;
const EASE = "cubic-bezier(0.2, 0.7, 0.3, 1)";

type Seen = { box: DOMRect; node: Element };

/** The middle of a named place, such as "seat 2". */
function placeOf(root: Element, name: string): DOMRect | undefined {
  return root.querySelector(`[data-place="${CSS.escape(name)}"]`)?.getBoundingClientRect();
}

function middle(box: DOMRect): [number, number] {
  return [box.left + box.width / 2, box.top + box.height / 2];
}

export class Motion {
  #before = new Map<string, Seen>();

  note(root: Element) {
    this.#before.clear();
    for (const node of root.querySelectorAll("[data-move]"))
      this.#before.set((node as HTMLElement).dataset["move"]!, { box: node.getBoundingClientRect(), node });
  }

  /** Let everything come from where it was. `leaves` names the place for which things leave that are gone. */
  run(root: Element, leaves: string | null) {
    const kept = new Set<string>();
    for (const node of root.querySelectorAll<HTMLElement>("[data-move]")) {
      const key = node.dataset["move"]!;
      kept.add(key);
      const box = node.getBoundingClientRect();
      const was = this.#before.get(key)?.box ?? placeOf(root, node.dataset["from"] ?? "");
      if (was) this.#come(node, was, box, !this.#before.has(key));
    }
    if (leaves !== null && !device.still) {
      const to = placeOf(root, leaves);
      if (to) for (const [key, seen] of this.#before) if (!kept.has(key)) this.#go(root, seen, to);
    }
    this.#before.clear();
  }

  #come(node: HTMLElement, was: DOMRect, is: DOMRect, fresh: boolean) {
    const [fromX, fromY] = middle(was);
    const [toX, toY] = middle(is);
    const [x, y] = [fromX - toX, fromY - toY];
    if (Math.abs(x) + Math.abs(y) < 2) return;
    if (device.still) {
      node.animate([{ opacity: 0.3 }, { opacity: 1 }], { duration: MILLISECONDS });
      return;
    }
    const scale = fresh ? 0.6 : was.width / (is.width || 1);
    node.animate(
      [
        { transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity: fresh ? 0.2 : 1 },
        { transform: "none", opacity: 1 },
      ],
      { duration: MILLISECONDS, easing: EASE, composite: "replace" },
    );
  }

  /** A likeness of what is gone flies away and fades. */
  #go(root: Element, { box, node }: Seen, to: DOMRect) {
    const likeness = node.cloneNode(true) as HTMLElement;
    likeness.removeAttribute("data-move");
    likeness.setAttribute("aria-hidden", "true");
    likeness.setAttribute("inert", "");
    likeness.style.cssText = `position:fixed;margin:0;pointer-events:none;z-index:20;left:${box.left}px;top:${box.top}px;width:${box.width}px;height:${box.height}px`;
    root.append(likeness);
    const [fromX, fromY] = middle(box);
    const [toX, toY] = middle(to);
    const flight = likeness.animate(
      [
        { transform: "none", opacity: 1 },
        { transform: `translate(${toX - fromX}px, ${toY - fromY}px) scale(0.35)`, opacity: 0 },
      ],
      { duration: MILLISECONDS * 1.3, easing: EASE, fill: "forwards" },
    );
    flight.onfinish = () => likeness.remove();
    flight.oncancel = () => likeness.remove();
  }
}

/** Let a node fly from one named place to another. */
export function fly(node: HTMLElement, flight: { from: string; to: string; delay: number }) {
  const root = node.closest("[data-table]");
  const from = root && placeOf(root, flight.from);
  const to = root && placeOf(root, flight.to);
  if (!from || !to) return;
  const [fromX, fromY] = middle(from);
  const [toX, toY] = middle(to);
  node.animate(
    [
      { transform: `translate(${fromX}px, ${fromY}px) scale(0.8)`, opacity: 0 },
      { transform: `translate(${fromX}px, ${fromY}px) scale(1)`, opacity: 1, offset: 0.15 },
      { transform: `translate(${toX}px, ${toY}px) scale(1)`, opacity: 1, offset: 0.85 },
      { transform: `translate(${toX}px, ${toY}px) scale(0.8)`, opacity: 0 },
    ],
    { duration: MILLISECONDS * 1.5, delay: flight.delay, easing: EASE, fill: "both" },
  );
}
