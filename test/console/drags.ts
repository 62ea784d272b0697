/** Random drags on the board: what it shows before a booking is let go, and what the API then says of the same change. */
import type { Locator, Page } from "playwright-core";
import type { Member } from "../support/school.ts";

/** Random, and the same for the same seed (mulberry32). */
export function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

interface Outcome {
  /** `tried` or `refused`. */
  verdict: string;
  /** What is against it, in order. */
  rules: string[];
  /** When it is then. */
  times: string;
  /** What it costs, in words; empty if nothing does. */
  price: string;
}

export interface Compared {
  shown: Outcome;
  said: Outcome;
}

const rulesOf = (all: readonly { rule: string }[] = []): string[] => all.map(({ rule }) => rule).sort();

/**
 * Drags one bar somewhere and lets go. If the board books it, its answer and the checks that the session then has are compared; if the
 * board refuses it, the same change is sent to the API.
 *
 * @returns what was shown and what was said; `undefined` if the drag changed nothing
 */
export async function dragAtRandom(
  page: Page,
  owner: Member,
  random: (below: number) => number,
): Promise<Compared | undefined> {
  const bars = await page.locator("[data-session]:is(.planned, .requested)").all();
  const bar = bars[random(bars.length)];
  if (!bar) throw new Error("The board has no bookings.");
  const id = await bar.getAttribute("data-session");
  await bar.scrollIntoViewIfNeeded();
  const from = await boxOf(bar);
  const board = await boxOf(page.locator(".board"));
  const grips = [2, from.width / 2, from.width / 2, from.width - 2];
  const x = from.x + (grips[random(grips.length)] ?? 0);
  const y = from.y + from.height / 2;
  await page.mouse.move(x, y);
  await page.mouse.down();
  const to = { x: board.x + 240 + random(board.width - 320), y: board.y + 70 + random(board.height - 110) };
  await page.mouse.move((x + to.x) / 2, (y + to.y) / 2, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 3 });
  const { verdict, rules, times, price, change } = await shownNow(page);
  // A draft that changes nothing is not asked.
  if (verdict === "") {
    await page.mouse.up();
    return undefined;
  }
  const shown: Outcome = { verdict, rules, times, price };
  const path = `/planning/sessions/${id}`;
  if (shown.verdict === "refused") {
    await page.mouse.up();
    await page.locator("[data-held]").waitFor({ state: "detached" });
    const { status, body } = await owner.patch(path, change);
    return {
      shown,
      said: {
        verdict: status === 409 ? "refused" : String(status),
        rules: rulesOf(body.conflicts),
        times: shown.times,
        price: "",
      },
    };
  }
  const answered = page.waitForResponse((one) => one.url().endsWith(path) && one.request().method() === "PATCH");
  await page.mouse.up();
  const response = await answered;
  await page.locator("[data-held]").waitFor({ state: "detached" });
  const checks = await owner.get(`${path}/checks`);
  const { data } = (await owner.get(path)).body;
  // Of a session that is booked the API tells the price by a dry run, too: of what is stored by now, as it is.
  const again = await owner.post(`${path}/dry-run`, { start_at: data.start_at, end_at: data.end_at });
  return {
    shown,
    said: {
      verdict: response.ok() ? "tried" : String(response.status()),
      rules: rulesOf(checks.body.data),
      times: `${data.start_at} ${data.end_at}`,
      price: priceOf(again.body.data?.price),
    },
  };
}

interface Price {
  gross_minor: number;
  currency: string;
}

/** As the console writes it. */
const priceOf = (price: Price | null | undefined): string =>
  price && price.gross_minor > 0
    ? new Intl.NumberFormat("en-GB", { style: "currency", currency: price.currency }).format(price.gross_minor / 100)
    : "";

interface Shown extends Outcome {
  change: object;
}

const nothing = { verdict: "", rules: "", price: "", times: "", change: "{}" };

/** Reads what the board says, once it has followed the pointer: browsers hand out its moves with the next frame. */
async function shownNow(page: Page): Promise<Shown> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  for (;;) {
    // All at once: the parts belong together.
    const read = await page.evaluate((nothing) => {
      const tell = document.querySelector<HTMLElement>(".tell.shown");
      // It is there with the first answer, if something was taken at all.
      if (!tell) return document.querySelector("[data-held]") ? undefined : nothing;
      const { verdict = "", rules = "" } = tell.querySelector<HTMLElement>(".verdict")?.dataset ?? {};
      const price = tell.querySelector(".verdict strong")?.textContent ?? "";
      return { verdict, rules, price, times: tell.dataset.times ?? "", change: tell.dataset.change ?? "{}" };
    }, nothing);
    if (read && read.verdict !== "asking")
      return { ...read, rules: read.rules.split(" ").filter(Boolean).sort(), change: JSON.parse(read.change) };
    await Bun.sleep(20);
  }
}

export async function boxOf(of: Locator) {
  const box = await of.boundingBox();
  if (!box) throw new Error("It is not shown.");
  return box;
}

/** A finger on a page. */
export async function fingerOf(page: Page) {
  const session = await page.context().newCDPSession(page);
  const at = { x: 0, y: 0 };
  const send = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  return {
    down: (x: number, y: number) => send("touchStart", [Object.assign(at, { x, y })]),
    /** In eight steps. */
    async to(x: number, y: number) {
      const from = { ...at };
      for (let step = 1; step <= 8; step += 1) {
        Object.assign(at, { x: from.x + ((x - from.x) * step) / 8, y: from.y + ((y - from.y) * step) / 8 });
        await send("touchMove", [at]);
      }
    },
    up: () => send("touchEnd", []),
  };
}
