/**
 * Loads files of the console when they are needed. A file may be missing because the server has a newer version than this page: then the
 * page is loaded anew at the same address, once for a version. Without a connection it is tried again until there is one.
 */
import { effect, signal } from "@preact/signals";
import { PartFailed } from "../api/problem.ts";
import { me, tokens } from "./session.ts";
import { hasUnsaved } from "./unsaved.ts";

/** Why a file could not be loaded, while something can be done about it. */
export const trouble = signal<"newer" | "offline" | undefined>(undefined);

/** Milliseconds until the next try without a connection. */
const pauses = [1000, 2000, 5000, 10_000] as const;

/** The versions for which this tab was loaded anew. */
const reloads = "windsock.reloads";

/** @param load an `import()` @throws PartFailed the server has this version, and still does not serve the file */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let tries = 0; ; ) {
    try {
      const part = await load();
      if (trouble.peek() === "offline") trouble.value = undefined;
      return part;
    } catch (cause) {
      const served = await versionServed();
      if (served === undefined) {
        trouble.value ??= "offline";
        await nextTry(pauses[Math.min(tries, pauses.length - 1)]);
      } else if (served !== ownVersion()) return startAnew(served);
      else if (tries > 0) throw new PartFailed(cause);
      tries += 1;
    }
  }
}

/** The first script has another name when any file of the console has changed. */
const ownVersion = () => document.querySelector("script[type=module]")?.getAttribute("src");

/** Returns the version of the page that the server has; `undefined` without an answer. */
async function versionServed(): Promise<string | undefined> {
  try {
    const response = await fetch("/app", { cache: "no-cache", headers: { accept: "text/html" } });
    const [, script] = /<script type="module" src="([^"]+)"/.exec(response.ok ? await response.text() : "") ?? [];
    return script;
  } catch {
    return undefined;
  }
}

/** The page is going: several of its files may wait for the same. */
let isLeaving = false;

/** Never returns: the page is loaded anew, at once, after what is typed was saved, or when the user says so. */
function startAnew(version: string): Promise<never> {
  const before = (sessionStorage.getItem(reloads) ?? "").split(" ");
  const endsSession = me.peek() !== undefined && !tokens.inCookie;
  effect(() => {
    if (hasUnsaved.value || endsSession || before.includes(version)) {
      trouble.value = "newer";
      return;
    }
    if (isLeaving) return;
    isLeaving = true;
    sessionStorage.setItem(reloads, [...before, version].join(" ").trim());
    location.reload();
  });
  return new Promise(() => undefined);
}

const waiting = new Set<() => void>();

/** Ends the pauses: the user wants it now, or the connection is back. */
export const tryNow = (): void => {
  for (const end of waiting) end();
};

async function nextTry(milliseconds: number | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  waiting.add(resolve);
  await promise;
  clearTimeout(timer);
  waiting.delete(resolve);
}

addEventListener("online", tryNow);
