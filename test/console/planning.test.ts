/** The board, as somebody at the desk of a school uses it: by mouse, by keyboard alone, and by thumb. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { booked, lesson } from "../http/planning/booking.ts";
import { expectStatus, type Member, newSchool } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, signIn, soon } from "./browser.ts";
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
  const bars = (page: Page, name: string) => row(page, name).getByRole("button");

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
    await page.getByText("D-EABC: already booked then").waitFor();
    await expectSound(page);
    // It is not let go there.
    const there = await pointOf(page, "D-EABC", "12:00");
    await page.mouse.move(there.x, there.y, { steps: 4 });
    await page.getByText("€321.30").waitFor();
    expect(await page.locator(".tell").textContent()).toContain("11:15");
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
    await page.getByText("Nichts spricht dagegen").or(page.getByText("Buchbar, aber")).waitFor();
    await expectSound(page);
    await page.keyboard.press("Escape");
    await soon(() => page.locator(".ghost").count(), 0);
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
});
