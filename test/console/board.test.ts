/** What the board shows first, and what it tells a dispatcher of what is not free and of what becomes free. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { booked, during, lesson, solo, wish } from "../http/planning/booking.ts";
import { csv, expectStatus, newSchool } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, soon } from "./browser.ts";
import { tabTo } from "./keys.ts";

const day = "2026-06-16";
const path = `/app/planning?day=${day}`;
/** In the school's zone, which is two hours ahead. */
const at = (time: string) => `${day}T${time}:00+02:00`;

/** Keeps in which rows the first bars were. */
const keepsFirst = `new MutationObserver(() => {
  const bars = [...document.querySelectorAll("[data-session]")];
  if (bars.length > 0) globalThis.first ??= bars.map((bar) => bar.closest(".board-row").ariaLabel);
}).observe(document, { childList: true, subtree: true });`;

/** Keeps whether the shell was there when the board's data was asked for first. */
const keepsAsked = `const send = globalThis.fetch;
globalThis.fetch = (url, init) => {
  if (String(url).includes("/planning/board")) globalThis.asked ??= document.querySelector(".shell") ? "after" : "before";
  return send(url, init);
};`;

/** Drags the only booking by its middle or its end, forty steps in one go. @returns what of the page was changed after it was lifted */
const dragsAtOnce = (grip: number) => `(() => {
  const bar = document.querySelector("[data-row^=aircraft] [data-session]");
  const board = document.querySelector(".board");
  board.setPointerCapture = () => {};
  const { left, width, top, height } = bar.getBoundingClientRect();
  const send = (type, dx, to) => to.dispatchEvent(new PointerEvent(type, { pointerId: 1, isPrimary: true, bubbles: true,
    clientX: left + width * ${grip} + dx, clientY: top + height / 2 }));
  send("pointerdown", 0, bar);
  send("pointermove", 10, board);
  const watched = new MutationObserver(() => {});
  watched.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  for (let step = 0; step < 40; step += 1) send("pointermove", 20 + step * 5, board);
  return watched.takeRecords().map(({ type, attributeName, target }) => [type, attributeName, target.className].join(" "));
})()`;

/**
 * Takes the only booking, moves it an hour, and then to and fro in each frame until what its booking would answer is told.
 *
 * @param by pixels, within a quarter of an hour
 * @returns the milliseconds from when the ghost has its colour
 */
const movesUntilTold = (by: number) => `new Promise((done) => {
  const bar = document.querySelector("[data-row^=aircraft] [data-session]");
  const board = document.querySelector(".board");
  board.setPointerCapture = () => {};
  const { left, width, top, height } = bar.getBoundingClientRect();
  const send = (type, dx, to) => to.dispatchEvent(new PointerEvent(type, { pointerId: 1, isPrimary: true, bubbles: true,
    clientX: left + width / 2 + dx, clientY: top + height / 2 }));
  const hour = width / 2;
  send("pointerdown", 0, bar);
  let coloured;
  let frames = 0;
  const move = () => {
    frames += 1;
    send("pointermove", hour + (frames % 2 ? ${by / 2} : ${-by / 2}), board);
    if (coloured !== undefined && document.querySelector(".tell.shown")) return done(performance.now() - coloured);
    if (!document.querySelector(".ghost-lane.neutral")) coloured ??= performance.now();
    requestAnimationFrame(move);
  };
  move();
})`;

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  const now = () => stage.installation.clock.now();
  const bars = (page: Page, name: string) => page.getByRole("group", { name }).locator("[data-session]");
  /** The address of the file that has the board. */
  async function scriptOfBoard(): Promise<string> {
    const read = async (file: string) => (await fetch(stage.url + file)).text();
    const [, main = ""] = /src="([^"]+)"/.exec(await read("/app")) ?? [];
    for (const [file] of (await read(main)).matchAll(/\/assets\/part\.\w+\.js/g))
      if ((await read(file)).includes("board-track")) return file;
    throw new Error("No file has the board.");
  }

  /** The options of a field in the dialog. */
  const titles = (page: Page, label: string) =>
    page
      .getByRole("dialog")
      .getByLabel(label)
      .locator("option")
      .evaluateAll((options) => options.map(({ textContent }) => textContent));

  test("rows in sight have their bookings first, and then those below them, which Tab reaches", async () => {
    const school = await newSchool(stage.installation);
    const { owner } = school;
    const fleet = Array.from({ length: 30 }, (_, n) => `D-F${100 + n},Cessna 172S,SEP,1.00`);
    const body = csv(`registration,model,class,hobbs\n${fleet.join("\n")}`);
    expectStatus(200, await owner.call("POST", `/orgs/${owner.orgId}/aircraft/import`, { body }));
    const { aircraft } = expectStatus(200, await owner.get("/planning/resources")).body.data;
    const last = aircraft.at(-1);
    const work = (aircraft_id: string) => ({ kind: "maintenance", aircraft_id, ...during(at("10:00")) });
    await booked(owner, work(last.id));
    const page = await stage.open({ as: owner, path, now: now(), script: keepsFirst });
    // The only booking is below the window, and still the one that Tab reaches.
    await soon(() => page.locator('[data-session][tabindex="0"]').count(), 1);
    await booked(owner, work(aircraft[0].id));
    await bars(page, aircraft[0].registration).waitFor();
    await page.reload();
    await bars(page, last.registration).waitFor();
    expect(await page.evaluate("globalThis.first")).toEqual([aircraft[0].registration]);
  });

  test("while a booking is moved or stretched, nothing of the page is changed, and nothing is asked until it stays", async () => {
    const school = await newSchool(stage.installation);
    const { owner } = school;
    await booked(owner, lesson(school, at("08:00")));
    const page = await stage.open({ as: owner, path, now: now() });
    await bars(page, "D-EABC").waitFor();
    const times = page.locator(".ghost-times > span");
    const opacity = () => times.evaluate((span) => getComputedStyle(span).opacity);
    expect(await opacity()).toBe("0");
    let asked = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/dry-run")) asked += 1;
    });
    for (const [grip, until] of [
      [0.5, /11:45\u2060?–\u2060?12:45/],
      [0.99, /08:00\u2060?–\u2060?12:45/],
    ] as const) {
      asked = 0;
      expect(await page.evaluate<string[]>(dragsAtOnce(grip))).toEqual([]);
      const tell = page.locator(".tell.shown");
      await tell.getByText(until).waitFor();
      await times.getByText(until).waitFor();
      expect(await opacity()).toBe("1");
      expect(asked).toBe(1);
      await page.keyboard.press("Escape");
      await soon(() => page.locator("[data-held]").count(), 0);
      await soon(opacity, "0");
      await soon(() => tell.count(), 0);
    }
  });

  test("what a booking would answer is told once the hand rests, and at the latest after a second; its colour shows at once", async () => {
    const school = await newSchool(stage.installation);
    const { owner } = school;
    await booked(owner, lesson(school, at("08:00"), 120));
    const page = await stage.open({ as: owner, path, now: now() });
    await bars(page, "D-EABC").waitFor();
    const told = page.locator(".tell.shown");
    const letGo = async () => {
      await page.keyboard.press("Escape");
      await soon(() => told.count(), 0);
    };
    const moving = await page.evaluate<number>(movesUntilTold(8));
    await letGo();
    // A hand that trembles rests.
    const trembling = await page.evaluate<number>(movesUntilTold(4));
    await letGo();
    expect(moving).toBeGreaterThan(900);
    expect(trembling).toBeLessThan(moving - 400);
    // A key moves it once.
    await bars(page, "D-EABC").first().focus();
    await page.keyboard.press("ArrowRight");
    await told.locator("[data-verdict]").waitFor();
  });

  test("what is taken is veiled in each of its rows, and nothing is after it was let go", async () => {
    const school = await newSchool(stage.installation);
    const { owner } = school;
    await booked(owner, lesson(school, at("08:00"), 120));
    await booked(owner, { kind: "maintenance", aircraft_id: school.aircraftId, ...during(at("12:00")) });
    const page = await stage.open({ as: owner, path, now: now() });
    const rows = ["D-EABC", "Ines Instructor"];
    for (const name of rows) await bars(page, name).first().waitFor();
    const box = await bars(page, "Ines Instructor").first().boundingBox();
    if (box === null) throw new Error("There is no bar.");
    /** Of the bars, how many a veil lies over, to the pixel; and of the veils, how many are in sight. */
    const veiled = () =>
      page.evaluate<number[]>(`(() => {
        const boxOf = (one) => { const { left, top, width, height } = one.getBoundingClientRect();
          return [left, top, width, height].map(Math.round).join(); };
        const veils = [...document.querySelectorAll(".ghost-veil")].map(boxOf);
        const { left } = document.querySelector(".ghost-track").getBoundingClientRect();
        const bars = [...document.querySelectorAll("[data-session]")].filter((bar) => veils.includes(boxOf(bar)));
        return [bars.length, veils.filter((veil) => Number(veil.split(",")[0]) >= Math.round(left)).length];
      })()`);
    expect(await veiled()).toEqual([0, 0]);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 90, box.y + box.height / 2, { steps: 3 });
    await soon(veiled, [2, 2]);
    await page.keyboard.press("Escape");
    await soon(veiled, [0, 0]);
    await page.mouse.up();
  });

  test("a booking has the price that is known: what is paid, what has no rate, or the package, and never zero", async () => {
    const school = await newSchool(stage.installation);
    const { owner, student, aircraftId } = school;
    const other = await school.join(["student"], "Paula Pilot");
    const rate = { kind: "aircraft", aircraft_id: aircraftId, valid_from: "2026-01-01" };
    expectStatus(201, await owner.post("/finance/rates", { ...rate, price_minor: 0 }));
    const own = { ...rate, person_id: student.personId, price_minor: 18_000 };
    expectStatus(201, await owner.post("/finance/rates", own));
    const page = await stage.open({ as: owner, path, now: now() });
    const dialog = page.getByRole("dialog");
    const priceWith = async (person: string, instructor = "None") => {
      await page.getByRole("button", { name: "New booking" }).click();
      await dialog.getByLabel("What").selectOption("flight");
      await dialog.getByLabel("Instructor").selectOption({ label: instructor });
      await dialog.getByRole("combobox", { name: "Student or pilot" }).fill(person);
      await page.getByRole("option", { name: person }).click();
      await dialog.getByLabel("From").fill("10:00");
      await dialog.getByLabel("To", { exact: true }).fill("11:00");
      // Without it a flight is not tried.
      await dialog.getByLabel("Aircraft").selectOption({ label: "D-EABC" });
      await dialog.locator("[data-verdict=tried]").waitFor();
      const said = await dialog.locator(".verdict > :has(strong)").allTextContents();
      await dialog.getByRole("button", { name: "Close" }).click();
      return said.join().trim();
    };
    expect(await priceWith("Sam Student")).toBe("Price €214.20");
    expect(await priceWith("Sam Student", "Ines Instructor")).toBe("Price €214.20 missing: the rate of the instructor");
    expect(await priceWith("Paula Pilot")).toBe("");
    const hours = { name: "10 hours C172", uses: "aircraft", quantity: "600.00", price_minor: 150_000 };
    const sold = { ...hours, person_id: other.personId, aircraft_id: aircraftId, valid_from: "2026-01-01" };
    expectStatus(201, await owner.post("/finance/packages", sold));
    expect(await priceWith("Paula Pilot")).toBe("Price package 10 hours C172");
  });

  test("the board asks for its data before the shell is rendered", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({ as: owner, path: "/app/account", now: now(), script: keepsAsked });
    const script = await scriptOfBoard();
    await page.route("**/auth/me", async (route) => {
      // Its script may be the slower one.
      await page.evaluate((address) => import(address), script);
      await route.continue();
    });
    await page.goto(stage.url + path);
    await page.getByRole("application").waitFor();
    expect(await page.evaluate("globalThis.asked")).toBe("before");
  });

  for (const [width, colorScheme] of [
    [1280, "light"],
    [360, "dark"],
  ] as const)
    test(`a new booking says why something is not free, at ${width} pixels`, async () => {
      const school = await newSchool(stage.installation);
      const { owner, instructor, aircraftId } = school;
      const plane = { registration: "D-EXYZ", model: "Cessna 172S", icao_type: "C172", class: "SEP", hobbs: "1.00" };
      const second = expectStatus(201, await owner.post("/aircraft", plane)).body.data.id;
      await booked(owner, { kind: "maintenance", aircraft_id: second, ...during(at("09:00"), 180) });
      expectStatus(200, await owner.post(`/aircraft/${aircraftId}/ground`, { reason: "Hail" }));
      const away = { person_id: instructor.personId, from_on: day, until_on: day };
      expectStatus(201, await owner.post("/planning/absences", away));
      const page = await stage.open({ as: owner, path, now: now(), width, colorScheme });
      await page.getByRole("button", { name: "New booking" }).click();
      await soon(() => titles(page, "Aircraft"), ["None", "D-EABC – grounded", "D-EXYZ – taken"]);
      expect(await titles(page, "Instructor")).toContain("Ines Instructor – away");
      await expectSound(page);
    });

  test("a cancellation says to whom the time is offered, and that it fits nobody, by keys alone in German", async () => {
    const school = await newSchool(stage.installation);
    const { owner, student } = school;
    const other = await school.join(["student"], "Paula Pilot");
    await booked(owner, lesson(school, at("10:00")));
    await booked(owner, { ...solo(school, at("14:00")), student_ids: [student.personId] });
    await wish(other, { from_at: at("13:00"), until_at: at("16:00") });
    const page = await stage.open({ ...{ as: owner, path, now: now() }, locale: "de-DE", colorScheme: "dark" });
    const said = async (which: number, sentence: RegExp) => {
      await bars(page, "D-EABC").nth(which).focus();
      await page.keyboard.press("Enter");
      await tabTo(page, "Buchung absagen");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").getByLabel("Warum").selectOption("weather");
      await tabTo(page, "Buchung absagen");
      await page.keyboard.press("Enter");
      await page.getByText(sentence).waitFor();
      await expectSound(page);
    };
    await said(1, /Die frei gewordene Zeit ist angeboten: Paula Pilot \(bis .*\)\./);
    await said(0, /Zu niemandem auf der Warteliste passt, was frei wurde\./);
  });
});
