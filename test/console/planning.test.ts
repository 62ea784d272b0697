/** The board, as somebody at the desk of a school uses it: by mouse, by keyboard alone, and by thumb. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { booked, lesson } from "../http/planning/booking.ts";
import { stretched } from "../support/limits.ts";
import { expectStatus, type Member, newSchool } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, signIn, soon } from "./browser.ts";
import { boxOf, dragAtRandom, fingerOf, randomOf } from "./drags.ts";
import { tabTo } from "./keys.ts";

const day = "2026-06-16";
const path = `/app/planning?day=${day}`;
/** In the school's zone, which is two hours ahead. */
const at = (time: string) => `${day}T${time}:00+02:00`;

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  const now = () => stage.installation.clock.now();
  const sessionsOf = async (by: Member) => expectStatus(200, await by.get("/planning/sessions")).body.data;
  const row = (page: Page, name: string) => page.getByRole("group", { name });
  const bars = (page: Page, name: string) => row(page, name).locator("[data-session]");

  /** Where a time of a row is, in pixels of the window. */
  async function pointOf(page: Page, name: string, time: string) {
    const track = row(page, name).locator(".board-track");
    const box = await track.boundingBox();
    if (!box) throw new Error(`There is no row ${name}.`);
    const share = (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) / 1440;
    return { x: box.x + share * box.width, y: box.y + box.height / 2 };
  }

  async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }) {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
  }

  test("a booking is dragged: what is against it is shown before, it is moved, and taken back", async () => {
    const school = await newSchool(stage.installation);
    const { owner } = school;
    const rate = { kind: "aircraft", aircraft_id: school.aircraftId, price_minor: 18_000, valid_from: "2026-01-01" };
    expectStatus(201, await owner.post("/finance/rates", rate));
    const first = await booked(owner, lesson(school, at("09:00"), 90));
    await booked(owner, {
      kind: "maintenance",
      aircraft_id: school.aircraftId,
      start_at: at("14:00"),
      end_at: at("16:00"),
    });
    const page = await stage.open({ as: owner, path, now: now(), refusals: [409] });
    await bars(page, "D-EABC").first().waitFor();
    await expectSound(page);
    const from = await pointOf(page, "D-EABC", "09:45");
    await drag(page, from, await pointOf(page, "D-EABC", "15:00"));
    await page.getByText("D-EABC: The time is already taken").waitFor();
    await expectSound(page);
    expect(await page.locator(".tell").textContent()).not.toContain("Letting go or Enter");
    // It is not let go there.
    const there = await pointOf(page, "D-EABC", "12:00");
    await page.mouse.move(there.x, there.y, { steps: 4 });
    await page.getByText("€321.30").waitFor();
    expect(await page.locator(".tell").textContent()).toMatch(/11:15.*Letting go or Enter changes the booking/u);
    await page.mouse.up();
    await page.getByText(/Moved to Tue 16 June, 11:15/u).waitFor();
    expect(await sessionsOf(owner)).toContainEqual(
      expect.objectContaining({ id: first.id, start_at: `${day}T09:15:00.000Z`, end_at: `${day}T10:45:00.000Z` }),
    );
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("As it was before.").waitFor();
    expect(await sessionsOf(owner)).toContainEqual(
      expect.objectContaining({ id: first.id, start_at: first.start_at, end_at: first.end_at }),
    );
  });

  test("by keys alone, in German in the dark: stretched, moved, left as it was, and a free time is booked", async () => {
    const school = await newSchool(stage.installation);
    const { owner } = school;
    const first = await booked(owner, lesson(school, at("09:00"), 60));
    const page = await stage.open({ path, colorScheme: "dark", locale: "de-DE", now: now() });
    await signIn(page, owner);
    await bars(page, "D-EABC").first().waitFor();
    await expectSound(page);
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement?.matches("[data-session]") === true)) break;
    }
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.getByText("Nichts spricht dagegen").or(page.getByText("Buchbar mit Warnung")).waitFor();
    await expectSound(page);
    await page.keyboard.press("Escape");
    await soon(() => page.locator("[data-held]").count(), 0);
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.getByText("Verschoben auf").waitFor();
    expect(await sessionsOf(owner)).toMatchObject([
      { id: first.id, start_at: `${day}T07:30:00.000Z`, end_at: `${day}T08:45:00.000Z` },
    ]);
    // The focus is still with it: a free time after it is chosen.
    await page.keyboard.press("b");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "Neue Buchung" }).waitFor();
    await dialog.getByRole("combobox", { name: "Schüler oder Pilot" }).focus();
    await page.keyboard.type("Sam");
    await page.getByRole("option", { name: "Sam Student" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await dialog.getByLabel("Fluglehrer").focus();
    await page.keyboard.type("Ines");
    await dialog.locator("[data-verdict=tried]").waitFor();
    await expectSound(page);
    await tabTo(page, "Buchen");
    await page.keyboard.press("Enter");
    await page.getByText("Gebucht.").waitFor();
    expect(await sessionsOf(owner)).toHaveLength(2);
    await expectSound(page);
  });

  test("by thumb on a phone: a held booking is moved, a free time is tapped and booked, a swipe scrolls", async () => {
    const school = await newSchool(stage.installation);
    const { owner, instructor } = school;
    const first = await booked(owner, lesson(school, at("09:00"), 120));
    const page = await stage.open({ as: owner, path, width: 360, now: now() });
    const bar = bars(page, "D-EABC").first();
    await bar.waitFor();
    await expectSound(page);
    const finger = await fingerOf(page);
    const box = await boxOf(bar);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const scrolled = () => page.locator(".board").evaluate((board) => board.scrollLeft);
    const before = await scrolled();
    await finger.down(x, y);
    await page.locator("[data-held]").waitFor();
    // An hour is 56 pixels wide.
    await finger.to(x + 56, y);
    await page.locator(".tell [data-verdict=tried]").waitFor();
    await expectSound(page);
    expect(await scrolled()).toBe(before);
    await finger.up();
    await page.getByText(/Moved to/u).waitFor();
    expect(await sessionsOf(owner)).toMatchObject([{ id: first.id, start_at: `${day}T08:00:00.000Z` }]);
    await page.getByRole("button", { name: "Dismiss" }).click();
    const track = await row(page, "Ines Instructor").locator(".board-track").boundingBox();
    await page.touchscreen.tap(x - 60, (track?.y ?? 0) + 20);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "New booking" }).waitFor();
    expect(await dialog.getByLabel("Instructor").inputValue()).toBe(instructor.personId);
    await dialog.getByLabel("Aircraft").selectOption({ label: "D-EABC" });
    await dialog.locator("[data-verdict=tried]").waitFor();
    await expectSound(page);
    await dialog.getByRole("button", { name: "Book" }).click();
    await page.getByText("Booked.").waitFor();
    expect(await sessionsOf(owner)).toHaveLength(2);
    await finger.down(x, y);
    await finger.to(x - 60, y);
    await finger.up();
    await soon(async () => (await scrolled()) > before, true);
    expect(await page.locator("[data-held]").count()).toBe(0);
  });

  test("on a phone held sideways the board is beside its bar, with the rows of four aircraft, and told above what is held", async () => {
    const school = await newSchool(stage.installation);
    const { owner } = school;
    for (const registration of ["D-EFGH", "D-EIJK", "D-ELMN"])
      expectStatus(201, await owner.post("/aircraft", { registration, model: "C172", class: "SEP" }));
    await booked(owner, lesson(school, at("09:00"), 120));
    const page = await stage.open({ as: owner, path, width: 740, height: 360, now: now() });
    const bar = bars(page, "D-EABC").first();
    await bar.waitFor();
    await expectSound(page);
    const board = await boxOf(page.locator(".board"));
    expect(board.width).toBeGreaterThan(650);
    expect(board.y + board.height).toBeLessThanOrEqual(360);
    const last = await boxOf(row(page, "D-ELMN"));
    expect(last.y + last.height).toBeLessThanOrEqual(board.y + board.height);
    const finger = await fingerOf(page);
    const box = await boxOf(bar);
    await finger.down(box.x + box.width / 2, box.y + box.height / 2);
    await page.locator("[data-held]").waitFor();
    await finger.to(box.x + box.width / 2 + 56, box.y + box.height / 2);
    await page.locator(".tell [data-verdict=tried]").waitFor();
    const tell = await boxOf(page.locator(".tell"));
    expect(tell.y + tell.height).toBeLessThanOrEqual(box.y);
    await finger.up();
    await page.getByText(/Moved to/u).waitFor();
    // On the smallest phone, too, the tools are two lines.
    await page.setViewportSize({ width: 568, height: 320 });
    await expectSound(page);
    expect((await boxOf(page.locator(".board"))).y).toBe(board.y);
  });

  test("a finger that holds a booking: in its old place it stays as it was, and at the edge the board scrolls on", async () => {
    const school = await newSchool(stage.installation);
    const { owner } = school;
    const first = await booked(owner, lesson(school, at("09:10"), 120));
    const page = await stage.open({ as: owner, path, width: 360, now: now() });
    const bar = bars(page, "D-EABC").first();
    await bar.waitFor();
    const box = await boxOf(bar);
    const [middle, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const finger = await fingerOf(page);
    const verdict = page.locator(".tell [data-verdict=tried]");
    // It is moved, and stretched at both ends.
    for (const x of [middle, box.x + 3, box.x + box.width - 12]) {
      await finger.down(x, y);
      await page.locator("[data-held]").waitFor();
      await finger.to(x + 42, y);
      await verdict.waitFor();
      await finger.to(x, y);
      await verdict.waitFor({ state: "detached" });
      await finger.up();
      await soon(() => page.locator("[data-held]").count(), 0);
    }
    expect(await sessionsOf(owner)).toMatchObject([{ start_at: first.start_at, end_at: first.end_at }]);
    const scrolled = () => page.locator(".board").evaluate((board) => board.scrollLeft);
    const before = await scrolled();
    await finger.down(middle, y);
    await page.locator("[data-held]").waitFor();
    await finger.to(350, y);
    // It stays there.
    await soon(async () => (await scrolled()) > before + 112, true);
    await finger.to(230, y);
    await finger.up();
    await page.getByText("Moved to").waitFor();
    const moved = await boxOf(bar);
    // Under the finger, to a quarter of an hour.
    expect(Math.abs(moved.x + moved.width / 2 - 230)).toBeLessThanOrEqual(8);
  });

  test("what a finger holds is told above the rows, in its words: in German in the dark, whatever is against it", async () => {
    const school = await newSchool(stage.installation);
    const { owner } = school;
    await booked(owner, lesson(school, at("09:00"), 120));
    const page = await stage.open({
      ...{ as: owner, path, width: 360, now: now() },
      ...{ colorScheme: "dark", locale: "de-DE" },
    });
    const bar = bars(page, "Ines Instructor").first();
    await bar.waitFor();
    const box = await boxOf(bar);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const finger = await fingerOf(page);
    const tell = page.locator(".tell.shown");
    // What is drawn before is neither seen nor read out.
    const seen = () => page.locator(".tell").evaluate((box) => getComputedStyle(box).opacity);
    expect(await seen()).toBe("0");
    expect(await page.locator(".tell").ariaSnapshot()).toBe("- status");
    await finger.down(x, y);
    await tell.getByText("Loslassen lässt alles, wie es war.").waitFor();
    expect(await tell.getByText("Escape").isVisible()).toBe(false);
    await finger.to(x + 56, y);
    await tell.getByText("Am alten Platz bleibt sie, wie sie war.").waitFor();
    await tell.getByText("3 weitere").waitFor();
    await soon(seen, "1");
    expect(await tell.getByRole("listitem").count()).toBe(4);
    const { y: top, height } = await boxOf(tell);
    expect(top + height).toBeLessThan((await boxOf(page.locator(".board-row").first())).y);
    await expectSound(page);
  });

  test("a booking is checked in, the check-in taken back, and it is cancelled, in the side panel", async () => {
    const school = await newSchool(stage.installation);
    const { owner } = school;
    // Check-ins are on the day.
    const session = await booked(owner, lesson(school, "2026-06-14T18:00:00+02:00"));
    const page = await stage.open({ as: owner, path: "/app/planning", now: now(), colorScheme: "dark" });
    await bars(page, "D-EABC").click();
    const panel = page.getByRole("dialog");
    await panel.getByText("Go or no-go").waitFor();
    await panel.locator("[aria-busy]").waitFor({ state: "detached" });
    await expectSound(page);
    // Whom to call, and what is wrong with the aircraft, is one click away.
    expect(
      await panel.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href"))),
    ).toEqual([
      `/app/aircraft/${school.aircraftId}`,
      `/app/people/${school.instructor.personId}`,
      `/app/people/${school.student.personId}`,
    ]);
    await panel.getByRole("button", { name: "Check in" }).click();
    await panel.getByRole("button", { name: "Undo the check-in" }).click();
    await panel.getByRole("button", { name: "Cancel the booking" }).click();
    await panel.getByRole("heading", { name: "Cancel this booking?" }).waitFor();
    await panel.getByText("Sam Student").waitFor();
    await expectSound(page);
    // A reason that nobody chose would count against somebody.
    await panel.getByRole("button", { name: "Cancel the booking" }).click();
    await panel.getByText("Fill in this field.").waitFor();
    await panel.getByLabel("Why").selectOption("weather");
    await panel.getByRole("button", { name: "Cancel the booking" }).click();
    await soon(() => bars(page, "D-EABC").count(), 0);
    expect(await sessionsOf(owner)).toMatchObject([
      { id: session.id, status: "cancelled", cancellation: { reason: "weather" } },
    ]);
  });

  test("an aircraft that is grounded stops what is planned with it, and the plan can be read as a table", async () => {
    const school = await newSchool(stage.installation);
    const { owner, instructor, aircraftId } = school;
    await booked(owner, lesson(school, at("10:00")));
    const page = await stage.open({ as: instructor, path, now: now(), width: 360 });
    await bars(page, "D-EABC").waitFor();
    expectStatus(200, await owner.post(`/aircraft/${aircraftId}/ground`, { reason: "Hail" }));
    // Nobody loads the page anew.
    await row(page, "D-EABC").getByRole("button", { name: "No-go: grounded" }).waitFor();
    // In a word, with the reason by keyboard.
    const state = page
      .getByRole("group", { name: "D-EABC, grounded" })
      .getByRole("button", { name: "grounded", exact: true });
    await state.focus();
    await page.getByRole("tooltip").getByText("Hail").waitFor();
    await expectSound(page);
    await page.keyboard.press("Escape");
    await page.getByRole("tooltip").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "As a table" }).click();
    await page.getByRole("rowheader", { name: "Tue 16 June, 10:00" }).waitFor();
    await expectSound(page);
    await page.getByRole("button", { name: "As a board" }).click();
    await page.getByRole("button", { name: "Week" }).click();
    await bars(page, "D-EABC").waitFor();
    await expectSound(page);
  });

  test("missing coordinates are said where the sunset would be, and entered there; a planner only reads it", async () => {
    const school = await newSchool(stage.installation);
    const teacher = await stage.open({ as: school.instructor, path, now: now(), width: 360, colorScheme: "dark" });
    await teacher.getByText("No sunset here").waitFor();
    expect(await teacher.getByRole("button", { name: "Enter them" }).count()).toBe(0);
    const page = await stage.open({ as: school.owner, path, now: now(), locale: "de-DE" });
    await page.getByRole("button", { name: "Eintragen" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Breite").fill("49,960833");
    await dialog.getByLabel("Länge").fill("8,645833");
    await expectSound(page);
    await page.keyboard.press("Enter");
    // Of 16 June at Egelsbach, in local time.
    await page.getByText(/Sonnenuntergang 21:3\d/u).waitFor();
    expect(await page.getByText("Hier fehlt der Sonnenuntergang").count()).toBe(0);
    await teacher.getByRole("button", { name: "Don't show again" }).click();
    expect(await teacher.getByText("No sunset here").count()).toBe(0);
  });

  test("a day is printed with the hours around its bookings, each name whole and each state in words", async () => {
    const school = await newSchool(stage.installation);
    const { owner, aircraftId } = school;
    await booked(owner, lesson(school, at("10:00"), 60));
    expectStatus(200, await owner.post(`/aircraft/${aircraftId}/ground`, { reason: "Hail" }));
    const page = await stage.open({ as: owner, path, now: now() });
    await row(page, "D-EABC, grounded").waitFor();
    await page.emulateMedia({ media: "print" });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    const sheet = page.locator(".printed-day");
    expect(await sheet.locator("thead").textContent()).toContain("Tue 16 June");
    expect(await sheet.locator(".printed-hours .printed-line").allTextContents()).toEqual(["09:00", "10:00", "11:00"]);
    expect(await sheet.getByRole("rowheader", { name: "D-EABC" }).textContent()).toContain("grounded: Hail");
    const said = await sheet.locator(".printed-booking").first().textContent();
    for (const part of ["Sam Student", "Ines Instructor", "No-go: grounded", "10:00–11:00"])
      expect(said).toContain(part);
    expect(await page.locator(".board").isVisible()).toBe(false);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    await page.emulateMedia({ media: "screen" });
    expect(await sheet.count()).toBe(0);
    expect(await page.locator(".board").isVisible()).toBe(true);
  });

  test("who may not plan reads the board, and changes nothing", async () => {
    const school = await newSchool(stage.installation);
    const accountant = await school.join(["accountant"]);
    const session = await booked(school.owner, lesson(school, at("10:00")));
    const page = await stage.open({ as: accountant, path, now: now() });
    await bars(page, "D-EABC").focus();
    await page.keyboard.press("ArrowRight");
    await drag(page, await pointOf(page, "D-EABC", "10:30"), await pointOf(page, "D-EABC", "13:00"));
    await page.mouse.up();
    expect(await page.locator("[data-held]").count()).toBe(0);
    for (const name of ["New booking", "Weather day"]) expect(await page.getByRole("button", { name }).count()).toBe(0);
    await bars(page, "D-EABC").click();
    const panel = page.getByRole("dialog");
    await panel.getByText("Go or no-go").waitFor();
    expect(await panel.getByRole("button").count()).toBe(1);
    expect(await sessionsOf(school.owner)).toMatchObject([{ id: session.id, start_at: session.start_at }]);
  });

  test("a weather day: what would be cancelled is shown, and then it is; the others stay", async () => {
    const school = await newSchool(stage.installation);
    const { owner } = school;
    await booked(owner, lesson(school, at("10:00")));
    await booked(owner, { kind: "ground", start_at: at("14:00"), end_at: at("15:00") });
    const page = await stage.open({ as: owner, path, now: now(), locale: "de-DE" });
    await page.getByRole("button", { name: "Wettertag" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Zeigen, was abgesagt würde" }).click();
    await dialog.getByRole("heading", { name: "1 Buchung würde abgesagt" }).waitFor();
    await expectSound(page);
    await dialog.getByRole("button", { name: "1 Buchung absagen" }).click();
    await page.getByText("1 Buchung ist abgesagt").waitFor();
    const statuses = (await sessionsOf(owner)).map(({ kind, status }: { kind: string; status: string }) => [
      kind,
      status,
    ]);
    expect(Object.fromEntries(statuses)).toEqual({ lesson: "cancelled", ground: "planned" });
  });

  test("a series: what clashes is shown, and the others are booked", async () => {
    const school = await newSchool(stage.installation);
    const { owner } = school;
    await booked(owner, {
      kind: "maintenance",
      aircraft_id: school.aircraftId,
      start_at: "2026-06-23T08:00:00Z",
      end_at: "2026-06-23T12:00:00Z",
    });
    const page = await stage.open({ as: owner, path, now: now() });
    const gap = await pointOf(page, "D-EABC", "11:00");
    await page.mouse.click(gap.x, gap.y);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Instructor").selectOption({ label: "Ines Instructor" });
    await dialog.getByLabel("Series").check();
    await dialog.getByLabel("Until").fill("2026-07-07");
    await dialog.getByRole("button", { name: "Show what clashes" }).click();
    await dialog.getByText("3 fit, 1 clashes").waitFor();
    await dialog.getByText("D-EABC: The time is already taken").waitFor();
    await expectSound(page);
    await dialog.getByRole("button", { name: "Book 3" }).click();
    await page.getByText("3 bookings are made.").waitFor();
    const lessons = (await sessionsOf(owner)).filter(({ kind }: { kind: string }) => kind === "lesson");
    expect(lessons.map(({ start_at }: { start_at: string }) => start_at).sort()).toEqual([
      ...["2026-06-16T09:00:00.000Z", "2026-06-30T09:00:00.000Z", "2026-07-07T09:00:00.000Z"],
    ]);
  });

  test("somebody is put on the waiting list; hours and an absence are entered and show on the board", async () => {
    const school = await newSchool(stage.installation);
    const { owner, student, instructor } = school;
    const page = await stage.open({ as: owner, path, now: now(), colorScheme: "dark" });
    await page.getByRole("button", { name: "Waiting list" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Nobody waits.").waitFor();
    await dialog.getByRole("button", { name: "Put on the list" }).click();
    await dialog.getByRole("combobox", { name: "Who" }).fill("Sam");
    await page.getByRole("option", { name: "Sam Student" }).click();
    await dialog.getByLabel("Until").fill("2026-06-28");
    await expectSound(page);
    await dialog.getByRole("button", { name: "Put on the list" }).click();
    const list = dialog.getByRole("list", { name: "Waiting list" });
    await list.getByText("Sam Student").waitFor();
    // The day that was entered, and not the one that begins when it ends.
    await list.getByText("– 28/06/2026").waitFor({ timeout: stretched(5000) });
    await expectSound(page);
    const wishes = expectStatus(200, await owner.get("/planning/wishes")).body.data;
    expect(wishes).toMatchObject([{ person_id: student.personId, status: "waiting", minutes: 90 }]);
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Hours and absences" }).click();
    await dialog.getByLabel("Whose").selectOption({ label: "Ines Instructor" });
    await dialog.getByLabel("Day of the week").selectOption({ label: "Tuesday" });
    await dialog.getByRole("button", { name: "Add hours" }).click();
    await dialog.getByText("Tuesday, 08:00–18:00").waitFor();
    const absences = dialog.getByRole("region", { name: "Absences" });
    await absences.getByLabel("From").fill("2026-06-20");
    await absences.getByLabel("To").fill("2026-06-21");
    await absences.getByRole("button", { name: "Add an absence" }).click();
    await absences.getByText("20/06/2026 – 21/06/2026").waitFor();
    await expectSound(page);
    await dialog.getByRole("button", { name: "Close" }).click();
    await soon(() => row(page, "Ines Instructor").locator(".board-busy.hours").count(), 2);
    const kept = expectStatus(200, await owner.get(`/planning/hours?person_id=${instructor.personId}`)).body.data;
    expect(kept).toMatchObject([{ weekday: 2, from_time: "08:00", to_time: "18:00" }]);
  });

  /** `DRAGS=500` plays as many. */
  const drags = Number(process.env.DRAGS ?? 10);
  test(
    "what the board shows before a booking is let go is what the booking then says, in random drags",
    async () => {
      const school = await newSchool(stage.installation);
      const { owner, aircraftId, instructor } = school;
      const rate = { kind: "aircraft", aircraft_id: aircraftId, price_minor: 18_000, valid_from: "2026-01-01" };
      expectStatus(201, await owner.post("/finance/rates", rate));
      const plane = { registration: "D-EXYZ", model: "Cessna 172S", icao_type: "C172", class: "SEP", hobbs: "1.00" };
      const second = expectStatus(201, await owner.post("/aircraft", plane)).body.data.id;
      expectStatus(200, await owner.patch("/planning/settings", { aircraft_buffer_minutes: 15 }));
      const hours = { weekday: 2, from_time: "08:00", to_time: "18:00" };
      expectStatus(201, await owner.post("/planning/hours", { person_id: instructor.personId, ...hours }));
      expectStatus(201, await owner.post("/planning/hours", { person_id: null, ...hours, to_time: "20:00" }));
      for (const [aircraft_id, time] of [
        [aircraftId, "08:30"],
        [second, "10:30"],
        [aircraftId, "14:00"],
      ])
        await booked(owner, { ...lesson(school, at(time ?? ""), 75), aircraft_id });
      await booked(owner, { kind: "maintenance", aircraft_id: second, start_at: at("15:00"), end_at: at("17:00") });
      const page = await stage.open({ as: owner, path, now: now(), refusals: [409] });
      await bars(page, "D-EABC").first().waitFor();
      const random = randomOf(Number(process.env.SEED ?? 7));
      const verdicts = new Set<string>();
      let priced = 0;
      for (let done = 0; done < drags; ) {
        const compared = await dragAtRandom(page, owner, random);
        if (!compared) continue;
        done += 1;
        expect(compared.shown).toEqual(compared.said);
        verdicts.add(compared.shown.verdict);
        if (compared.shown.price !== "") priced += 1;
      }
      expect([...verdicts].sort()).toEqual(["refused", "tried"]);
      expect(priced).toBeGreaterThan(0);
    },
    60_000 + drags * 6000,
  );
});
