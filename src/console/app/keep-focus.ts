/**
 * Where the focus goes if what had it is taken away: a button whose row was dealt with, a record that a newer one replaced. Keys and
 * screen readers then go on in the same row, or from the heading of the nearest part of the page, not from the top of the page.
 */

const rows = "li, tr";
const parts = `${rows}, dialog, section, .page`;

/** @param root in which everything is rendered */
export function keepFocus(root: Element): void {
  let focused: Element | undefined;
  let around: readonly Element[] = [];
  let path = "";
  root.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element)) return;
    focused = target;
    around = partsAround(target);
    path = location.pathname;
  });
  new MutationObserver(() => {
    if (focused === undefined || focused.isConnected) return;
    focused = undefined;
    // Another screen has a heading of its own, which gets the focus when it is loaded.
    if (document.activeElement !== document.body || path !== location.pathname) return;
    const next = around
      .filter(({ isConnected }) => isConnected)
      .map(nextIn)
      .find(Boolean);
    if (next?.matches("h1, h2, h3")) next.tabIndex = -1;
    next?.focus({ preventScroll: true });
  }).observe(root, { childList: true, subtree: true });
}

/** From the nearest. */
function partsAround(element: Element): Element[] {
  const nearest = element.parentElement?.closest(parts);
  return nearest ? [nearest, ...partsAround(nearest)] : [];
}

const nextIn = (part: Element): HTMLElement | null =>
  part.querySelector<HTMLElement>(part.matches(rows) ? "a[href], button, input, select" : "h1, h2, h3");
