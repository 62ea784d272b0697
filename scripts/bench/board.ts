/**
 * The board in Chromium, at 200 sessions a day and 30 rows: from the navigation until the rows in sight are painted with their bookings,
 * and until all are, and the frames while a booking is dragged.
 *
 *   bun scripts/bench/board.ts [rounds=5] [slow-down=4] [sessions=200]
 *
 * Needs Debian's Chromium. The budgets: painted within 1 s, and dragged at 60 frames a second, four times slowed down.
 */
import type { Page } from "playwright-core";
import { openInChromium } from "./in-chromium.ts";
import { printTable, quantile } from "./post-office.ts";

const [rounds = 5, slowDown = 4, sessions = 200] = process.argv.slice(2).map(Number);
const [planes, teachers] = [20, 10];
const { url, browser, call, signIn, rendererTime, close } = await openInChromium({ zone: "UTC" });
/** A lesson is on the row of its instructor, too; a half of the aircraft have one each. */
const all = sessions + Array.from({ length: sessions }, (_, n) => n % planes).filter((n) => n < teachers).length;
/** Far enough ahead that nothing has begun. */
const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);

try {
  await seed();
  const page = await browser.newPage({ viewport: { width: 1920, height: 1000 } });
  await signIn(page);
  const painted = await measurePaints(page);
  printTable(
    ["view", "bars", "in sight, ms (median)", "slowest", "all, ms (median)", "processor not slowed down, ms"],
    painted.map(({ view, bars, times, whole, processor }) => [
      view,
      bars,
      quantile(times, 0.5).toFixed(0),
      Math.max(...times).toFixed(0),
      quantile(whole, 0.5).toFixed(0),
      processor.toFixed(0),
    ]),
  );
  console.log();
  printTable(
    ["drag", "slowed down", "frames", "a second", "95th of 100 frames, ms", "longest, ms", "processor a frame, ms"],
    await measureDrags(page),
  );
} finally {
  await close();
}

/** A school with 20 aircraft and 10 instructors, and lessons and flights through one day. */
async function seed(): Promise<void> {
  const lines = (count: number, line: (n: number) => string) => Array.from({ length: count }, (_, n) => line(n));
  const fleet = lines(planes, (n) => `D-E${String(n).padStart(3, "0")},Cessna 172S,SEP,1000.00`);
  await call("POST", "/aircraft/import", ["registration,model,class,hobbs", ...fleet].join("\n"));
  const people = lines(teachers, (n) => `Teacher ${n},t${n}@bench.example,instructor`);
  await call("POST", "/people/import", ["name,email,types", ...people].join("\n"));
  await call("PATCH", "/directory/school", { latitude: "49.960833", longitude: "8.645833" });
  const { aircraft, instructors } = (await call("GET", "/planning/resources")).data;
  const start = Date.parse(`${day}T06:00:00Z`);
  for (let n = 0; n < sessions; n += 1) {
    const [plane, slot] = [n % planes, Math.floor(n / planes)];
    const from = start + slot * 75 * 60_000;
    const times = { start_at: new Date(from).toISOString(), end_at: new Date(from + 3_600_000).toISOString() };
    // Half of the aircraft fly with an instructor.
    const instructor = plane < teachers ? instructors[plane].id : null;
    const kind = instructor === null ? "maintenance" : "lesson";
    await call("POST", "/planning/sessions", {
      ...{ kind, ...times, aircraft_id: aircraft[plane].id, instructor_id: instructor },
    });
  }
}

/** From the start of the navigation, with files from the cache, until the frame after the first bars and after the last. */
async function measurePaints(page: Page) {
  const session = await page.context().newCDPSession(page);
  await page.addInitScript(`{
    const bars = document.getElementsByClassName("booking");
    const noteAt = (count, name) => {
      const look = () => {
        if (bars.length >= count)
          requestAnimationFrame(() => requestAnimationFrame(() => { window[name] = performance.now(); }));
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    };
    noteAt(1, "paintedAt");
    noteAt(${all}, "wholeAt");
  }`);
  const found: { view: string; bars: number; times: number[]; whole: number[]; processor: number }[] = [];
  for (const view of ["day", "week"]) {
    const [times, whole]: [number[], number[]] = [[], []];
    let bars = 0;
    for (let round = 0; round <= rounds; round += 1) {
      await session.send("Emulation.setCPUThrottlingRate", { rate: slowDown });
      await page.goto("about:blank");
      await page.goto(`${url}/app/planning?day=${day}&view=${view}`);
      await untilWhole(page);
      // The first fills the cache.
      if (round > 0) times.push(await page.evaluate<number>("window.paintedAt"));
      if (round > 0) whole.push(await page.evaluate<number>("window.wholeAt"));
      bars = await page.locator("[data-session]").count();
    }
    await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    await page.goto("about:blank");
    const before = await rendererTime();
    await page.goto(`${url}/app/planning?day=${day}&view=${view}`);
    await untilWhole(page);
    found.push({ view, bars, times, whole, processor: (await rendererTime()) - before });
  }
  return found;
}

/** Waits until all rows have their bars. */
async function untilWhole(page: Page): Promise<void> {
  while (!(await page.evaluate<boolean>("window.wholeAt !== undefined"))) await Bun.sleep(20);
}

/** Drags a bar for two seconds, a step for each frame as a mouse sends them, while each frame notes its time. */
async function measureDrags(page: Page): Promise<(string | number)[][]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await page.goto(`${url}/app/planning?day=${day}`);
  await untilWhole(page);
  const rows: (string | number)[][] = [];
  const drags = [
    // What the browser itself takes, on this machine and with what runs beside it.
    ["nothing", 0.5, slowDown],
    ["move", 0.5, slowDown],
    ["stretch", 0.99, slowDown],
    ["move", 0.5, 1],
  ] as const;
  for (const [name, grip, rate] of drags) {
    const bar = page.locator("[data-row^=aircraft] [data-session]").nth(23);
    await bar.scrollIntoViewIfNeeded();
    const box = await bar.boundingBox();
    if (!box) throw new Error("There is no bar.");
    await session.send("Emulation.setCPUThrottlingRate", { rate });
    const before = await rendererTime();
    // The pointer moves inside of the page: the protocol between two processes is not what is measured.
    const frames = await page.evaluate<number[]>(
      `new Promise((done) => {
        const bar = document.querySelectorAll("[data-row^=aircraft] [data-session]")[23];
        const board = document.querySelector(".board");
        const [x, y] = [${box.x + box.width * grip}, ${box.y + box.height / 2}];
        board.setPointerCapture = () => {};
        const send = (type, dx, dy, to) => to.dispatchEvent(new PointerEvent(type, {
          pointerId: 1, isPrimary: true, button: 0, pointerType: "mouse", bubbles: true, clientX: x + dx, clientY: y + dy }));
        send("pointerdown", 0, 0, bar);
        const times = [];
        let n = 0;
        const step = (at) => {
          times.push(at);
          n += 1;
          if (${name !== "nothing"}) send("pointermove", Math.sin(n / 20) * 300, Math.cos(n / 15) * 120 - 120, board);
          if (n < 120) requestAnimationFrame(step);
          else {
            dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
            done(times);
          }
        };
        requestAnimationFrame(step);
      })`,
    );
    const processor = (await rendererTime()) - before;
    await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    const lengths = frames.slice(1).map((at, index) => at - (frames[index] ?? at));
    const whole = (frames.at(-1) ?? 0) - (frames[0] ?? 0);
    rows.push([
      name,
      rate,
      frames.length,
      ((lengths.length / whole) * 1000).toFixed(1),
      quantile(lengths, 0.95).toFixed(1),
      Math.max(...lengths).toFixed(1),
      (processor / frames.length).toFixed(1),
    ]);
  }
  return rows;
}
