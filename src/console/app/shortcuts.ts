/**
 * Keys that do what a button does. A screen adds its own while it is shown; `?` lists those that work at present. Keys without Ctrl do
 * nothing while somebody types or a dialog is open.
 */
import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";

export interface Shortcut {
  /** As `KeyboardEvent.key` says it, in lower case: `j`, `?`, `enter`; with Ctrl or Cmd: `mod+k`. */
  key: string;
  /** What it does, in the reader's language. */
  label: string;
  run(): unknown;
}

/** The shortcuts of what is shown: of the shell, then of the screen. */
export const shortcuts = signal<readonly Shortcut[]>([]);

/** Adds shortcuts while the component is shown. @param dependencies what `run` reads */
export function useShortcuts(own: readonly Shortcut[], dependencies: readonly unknown[]): void {
  // Before the browser paints: what is shown has its keys.
  useLayoutEffect(() => {
    shortcuts.value = [...shortcuts.value, ...own];
    return () => {
      shortcuts.value = shortcuts.value.filter((one) => !own.includes(one));
    };
  }, dependencies);
}

const typing = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]';

export function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const mod = event.ctrlKey || event.metaKey;
  const target = event.target instanceof Element ? event.target : undefined;
  if (!mod && (target?.closest(typing) || document.querySelector("dialog[open]"))) return;
  const key = `${mod ? "mod+" : ""}${event.key.toLowerCase()}`;
  // The screen's own go before those of the shell.
  const found = shortcuts.value.findLast((one) => one.key === key);
  if (!found) return;
  event.preventDefault();
  found.run();
}

/** Moves the focus over the rows of a list. Enter then opens, as with every link. @param by 1: the next, -1: the one before */
export function moveInList(by: 1 | -1): void {
  const rows: (Element | null)[] = [...document.querySelectorAll(".page .table tbody th a, .page .rows .row-title a")];
  const at = rows.indexOf(document.activeElement);
  const next = rows[at === -1 ? (by === 1 ? 0 : rows.length - 1) : at + by];
  if (!(next instanceof HTMLElement)) return;
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}
