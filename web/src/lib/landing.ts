// Where the focus comes to on a new screen: whoever got there by keys reads on from its heading.

import { hands } from "./hands";

/** Focus the heading once it is there, unless something else has the focus by then; the function returned gives it up. */
export function land(): () => void {
  if (!hands.byKeys) return () => {};
  const observer = new MutationObserver(look);
  function look() {
    // a screen that says that another one is on its way has no heading to read from
    const heading = document.querySelector<HTMLElement>("h1:not([data-waits] *)");
    if (!heading?.textContent?.trim()) return;
    observer.disconnect();
    if (!hands.byKeys || document.activeElement !== document.body || document.querySelector("dialog[open]")) return;
    heading.tabIndex = -1;
    heading.focus();
  }
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  look();
  return () => observer.disconnect();
}
