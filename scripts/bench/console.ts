/**
 * The console in Chromium: when a screen can be used on a slow computer, and what the browser holds after many screens and many pages
 * of a long list.
 *
 *   bun scripts/bench/console.ts [rounds=5] [slow-down=4] [flights=100000] [screens=200]
 *
 * Needs Debian's Chromium. The budgets: 1 s for each screen, and nothing that grows.
 */
import type { Page } from "playwright-core";
import { goTo, isReady, markShown, openScreen, readOn, type Used, used } from "../../test/console/measures.ts";
import { openInChromium } from "./in-chromium.ts";
import { printTable, quantile } from "./post-office.ts";

const [rounds = 5, slowDown = 4, flights = 100_000, screens = 200] = process.argv.slice(2).map(Number);
const [aircraft, people] = [50, 500];
const { url, browser, call, signIn, rendererTime, close } = await openInChromium({ zone: "Europe/Berlin" });

/** Noted by the page itself: when a screen was first shown with all its data. */
const noteReady = `{
  const look = () => { if (${isReady}) window.readyAt = performance.now(); else requestAnimationFrame(look); };
  requestAnimationFrame(look);
}`;
const columns = ["nodes", "listeners", "heap, MB"];
const cells = ({ nodes, listeners, heap }: Used) => [nodes, listeners, (heap / 1e6).toFixed(1)];
/** Figures are taken at these shares of the whole. */
const shares = [0.005, 0.25, 0.5, 0.75, 1];

try {
  const { planes, persons } = await seed();
  const page = await browser.newPage();
  await signIn(page);
  const [plane, person] = [planes[0], persons[0]];
  const named = {
    Today: "/app/today",
    Flights: "/app/flights",
    "New flight": "/app/flights/new",
    Approvals: "/app/flights/approvals",
    People: "/app/people",
    "A person": `/app/people/${person}`,
    Aircraft: "/app/aircraft",
    "An aircraft": `/app/aircraft/${plane}`,
    Settings: "/app/settings",
    Members: "/app/settings/members",
    "The account": "/app/account",
  };
  await measureScreens(page, named);

  printTable(["pages read", "rows shown", ...columns], await readTheList(page));
  console.log();
  printTable(["screens opened", ...columns], await openMany(page, Object.values(named), persons));
} finally {
  await close();
}

/** A school with flights that wait for nobody, and people. */
async function seed(): Promise<{ planes: string[]; persons: string[] }> {
  const registration = (n: number) => `D-${String(n).padStart(4, "0")}`;
  const table = (columns: string, count: number, line: (n: number) => string) =>
    [columns, ...Array.from({ length: count }, (_, n) => line(n))].join("\n");
  const planes = table("registration,model,class,hobbs", aircraft, (n) => `${registration(n)},Cessna 172S,SEP,1000.00`);
  await call("POST", "/aircraft/import", planes);
  const persons = table("name,email,types", people, (n) => `Person ${n},p${n}@bench.example,student`);
  await call("POST", "/people/import", persons);
  const columns = "registration,off_block_at,on_block_at,departure,arrival,day_landings,pic";
  for (let from = 0; from < flights; from += 5000) {
    const some = table(columns, Math.min(5000, flights - from), (at) => {
      const n = from + at;
      const off = Date.UTC(2020, 0, 1) + Math.floor(n / aircraft) * 3 * 3_600_000;
      const instants = [off, off + 3_600_000].map((at) => new Date(at).toISOString());
      return `${registration(n % aircraft)},${instants},EDFE,EDKB,1,p${n % people}@bench.example`;
    });
    await call("POST", "/flights/import", some);
  }
  const ids = async (path: string) =>
    (await call("GET", `${path}?limit=500`)).data.map(({ id }: { id: string }): string => id);
  return { planes: await ids("/aircraft"), persons: await ids("/people") };
}

/** From the start of the navigation with files from the cache, or from the click, until all data is shown. */
async function measureScreens(page: Page, named: Readonly<Record<string, string>>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await page.addInitScript(noteReady);
  const readyAt = async (): Promise<number> => {
    for (;;) {
      const at = await page.evaluate<number | undefined>("window.readyAt").catch(() => undefined);
      if (at !== undefined) return at;
      await Bun.sleep(20);
    }
  };
  const load = async (path: string, rate: number): Promise<{ took: number; processor: number }> => {
    await session.send("Emulation.setCPUThrottlingRate", { rate });
    await page.goto("about:blank");
    const before = await rendererTime();
    await page.goto(url + path);
    const took = await readyAt();
    return { took, processor: (await rendererTime()) - before };
  };
  const open = async (path: string): Promise<number> => {
    await openScreen(page, path === "/app/account" ? "/app/today" : "/app/account");
    const began = await page.evaluate<number>(
      `delete window.readyAt; ${markShown}; ${goTo(path)}; ${noteReady}; performance.now()`,
    );
    return (await readyAt()) - began;
  };
  const rows: (string | number)[][] = [];
  for (const [name, path] of Object.entries(named)) {
    const runs: { took: number; processor: number; opened: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { processor } = await load(path, 1);
      const { took } = await load(path, slowDown);
      runs.push({ processor, took, opened: await open(path) });
    }
    const at = (pick: (run: (typeof runs)[number]) => number, share = 0.5) =>
      Math.round(quantile(runs.map(pick), share));
    rows.push([
      name,
      at(({ took }) => took),
      at(({ took }) => took, 1),
      at(({ opened }) => opened),
      at(({ processor }) => processor),
    ]);
  }
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  printTable(
    [`${slowDown} times slower`, "loaded, ms", "slowest", "opened, ms", "processor not slowed down, ms"],
    rows,
  );
  console.log();
}

/** Reads the whole list, page by page. */
async function readTheList(page: Page): Promise<(string | number)[][]> {
  const session = await page.context().newCDPSession(page);
  await page.goto(url);
  await openScreen(page, "/app/flights");
  const pages = Math.floor(flights / 50);
  const marks = shares.map((share) => Math.max(1, Math.round(share * pages)));
  const rows: (string | number)[][] = [];
  for (let read = 1; read <= pages; read += 1) {
    if (marks.includes(read)) {
      const shown = await page.locator(".table tbody tr").count();
      rows.push([read, shown, ...cells(await used(session))]);
    }
    if (read < pages) await readOn(page);
  }
  return rows;
}

/** Opens the screens in turn, each time with another person. Figures are taken at the same screen. */
async function openMany(
  page: Page,
  paths: readonly string[],
  persons: readonly string[],
): Promise<(string | number)[][]> {
  const session = await page.context().newCDPSession(page);
  await page.goto(url);
  const [first = ""] = paths;
  const rows: (string | number)[][] = [];
  for (let opened = 1; opened <= 3 * screens; opened += 1) {
    const path = paths[opened % paths.length] ?? first;
    const isPerson = path.startsWith("/app/people/");
    await openScreen(page, isPerson ? `/app/people/${persons[opened % persons.length]}` : path);
    if (opened !== 2 * paths.length && opened % screens !== 0) continue;
    await openScreen(page, "/app/settings/invites");
    rows.push([opened, ...cells(await used(session))]);
  }
  return rows;
}
