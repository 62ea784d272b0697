/** The name of a page, in its tab and for keyboards: that of its heading, which the page of a record has when it is loaded. */
import { organization } from "./session.ts";

/**
 * Names the tab after the heading of the screen that is shown, and puts the focus at it, unless the user has gone on meanwhile.
 *
 * @param focuses not at the start of the page
 * @returns what stops waiting for the heading
 */
export function namePage(focuses: boolean): () => void {
  const page = document.querySelector(".page");
  let focused: Element | null = document.activeElement;
  /** Whether the heading is there with its text. */
  const name = (isLate: boolean): boolean => {
    const heading = document.querySelector<HTMLElement>(".page h1");
    const isNamed = heading !== null && heading.querySelector("[aria-busy]") === null;
    document.title = [isNamed && heading.textContent, organization.value?.name].filter(Boolean).join(" · ");
    const isElsewhere = document.activeElement !== document.body && document.activeElement !== focused;
    if (focuses && heading && heading !== focused && !(isLate && isElsewhere)) {
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
      focused = heading;
    }
    return isNamed;
  };
  if (name(false) || page === null) return () => undefined;
  const waiting = new MutationObserver(() => {
    if (name(true)) waiting.disconnect();
  });
  waiting.observe(page, { childList: true, subtree: true, characterData: true });
  return () => waiting.disconnect();
}
