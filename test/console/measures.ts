/** What a page of the console takes in the browser: counts that a busy machine does not change. */
import type { CDPSession, Page } from "playwright-core";

export interface Used {
  /** Nodes of the DOM that are still referenced, in the page or not. */
  nodes: number;
  listeners: number;
  /** Bytes of JavaScript objects. */
  heap: number;
}

/** Measures what is left after a collection of garbage. */
export async function used(session: CDPSession): Promise<Used> {
  await session.send("Performance.enable");
  // What a first collection finalizes, a second one frees.
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return { nodes: of("Nodes"), listeners: of("JSEventListeners"), heap: of("JSHeapUsedSize") };
}

/** Marks what is shown now, which is gone when the next screen or page of a list is there. */
export const markShown = `for (const one of document.querySelectorAll(".page h1, .page tbody tr")) one.dataset.left = ""`;

/** Whether a screen is shown with all its data. */
export const isReady = `document.querySelector(".page h1, .page tbody tr") !== null
  && document.querySelector("[aria-busy=true], .page h1[data-left], .page tbody tr[data-left]") === null`;

/** Goes to another screen without loading the page anew. */
export const goTo = (path: string): string =>
  `history.pushState(null, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`;

/** As long as the test may take: what is slow on a busy machine is not wrong. */
async function untilReady(page: Page): Promise<void> {
  while (!(await page.evaluate<boolean>(isReady))) await Bun.sleep(30);
}

/** Opens another screen, and waits for its data. */
export async function openScreen(page: Page, path: string): Promise<void> {
  await page.evaluate(`${markShown}; ${goTo(path)}`);
  await untilReady(page);
}

/** Opens the next page of a list, and waits for its rows. */
export async function readOn(page: Page): Promise<void> {
  await page.evaluate(`document.querySelector(".page tbody tr").dataset.left = "";
    document.querySelector("a[href*='cursor=']").click()`);
  await untilReady(page);
}
