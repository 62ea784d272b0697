/** What stopped a dispatcher on a day at the desk: whose flights, why a booking is red, a weather day at noon, an instructor who is ill. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { readingTime } from "../../src/console/ui/reading-time.ts";
import { booked, lesson, solo, wish } from "../http/planning/booking.ts";
import { enroll, newTrainingSchool, small } from "../http/training/school.ts";
import { expectStatus, type Member, newSchool } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, soon } from "./browser.ts";
import { tabTo } from "./keys.ts";

const day = "2026-06-16";
const path = `/app/planning?day=${day}`;
/** In the school's zone, which is two hours ahead. */
const at = (time: string, on = day) => `${on}T${time}:00+02:00`;

test("a message stays longer, the more there is to read", () => {
  const names = "Offered to Paula Pilot, Tom Student, Agnieszka Kowalczyk, Henrik Jansen and Katarzyna Zielińska.";
  expect([readingTime("Saved.", false), readingTime("Moved.", true)]).toEqual([5000, 10_000]);
  expect(readingTime(names, false)).toBeGreaterThan(8000);
});

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  const now = () => stage.installation.clock.now();
  const bars = (page: Page, name: string) => page.getByRole("group", { name }).locator("[data-session]");
  const statusesOf = async (by: Member) =>
    expectStatus(200, await by.get("/planning/sessions")).body.data.map(({ status }: { status: string }) => status);

  test("the flights of one person are found by typing, by keys alone, on a phone in the dark in German", async () => {
    const school = await newSchool(stage.installation);
    const { owner, instructor, student } = school;
    await school.draftFlight(student, { body: { crew: [{ person_id: student.personId, function: "solo" }] } });
    await school.draftFlight(instructor, { body: { crew: [{ person_id: instructor.personId, function: "pic" }] } });
    const page = await stage.open({
      ...{ as: owner, path: "/app/flights", now: now(), width: 360, colorScheme: "dark", locale: "de-DE" },
    });
    const crew = (name: string) => page.getByRole("cell", { name });
    await crew("Sam Student").waitFor();
    await expectSound(page);
    await page.getByRole("combobox", { name: "Besatzung" }).focus();
    await page.keyboard.type("ines");
    await page.keyboard.press("Enter");
    await crew("Sam Student").waitFor({ state: "detached" });
    await crew("Ines Instructor").waitFor();
    expect(new URL(page.url()).searchParams.get("person")).toBe(instructor.personId);
    await expectSound(page);
    // From the page of a person, too.
    await page.goto(`${stage.url}/app/people/${student.personId}`);
    await tabTo(page, "Alle Flüge");
    await page.keyboard.press("Enter");
    await crew("Sam Student").waitFor();
    expect(await crew("Ines Instructor").count()).toBe(0);
    expect(await page.getByRole("combobox", { name: "Besatzung" }).inputValue()).toBe("Sam Student");
  });

  test("a booking that can't take place says why, leads there, and is open again on the way back", async () => {
    const school = await newSchool(stage.installation);
    const { owner, aircraftId } = school;
    const { id } = await booked(owner, lesson(school, at("10:00")));
    expectStatus(200, await owner.post(`/aircraft/${aircraftId}/ground`, { reason: "Hail" }));
    const page = await stage.open({ as: owner, path, now: now() });
    await bars(page, "D-EABC").click();
    const panel = page.getByRole("dialog");
    await panel.getByText("The aircraft is grounded").waitFor();
    expect(new URL(page.url()).searchParams.get("booking")).toBe(id);
    await expectSound(page);
    await panel.getByRole("link", { name: "Hail" }).click();
    await page.getByRole("heading", { name: "D-EABC" }).waitFor();
    await page.goBack();
    await panel.getByText("The aircraft is grounded").waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe(`?day=${day}`);
  });

  test("an address begins a booking for a person; whoever may not plan only sees the board", async () => {
    const school = await newTrainingSchool(small, stage.installation);
    const { owner, student } = school;
    await enroll(school);
    const page = await stage.open({ as: owner, path: `/app/people/${student.personId}`, now: now(), width: 360 });
    await page.getByRole("link", { name: "Book", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "New booking" });
    await soon(() => dialog.getByRole("combobox", { name: "Student or pilot" }).inputValue(), "Sam Student");
    await dialog.getByLabel("Lesson").getByText("1 Circuits").waitFor({ state: "attached" });
    await expectSound(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("");
    // Of a booking for nobody no lesson can be said.
    await page.getByRole("button", { name: "New booking" }).click();
    await dialog.getByLabel("Instructor").waitFor();
    expect(await dialog.getByLabel("Lesson").count()).toBe(0);
    const reader = await school.join(["accountant"], "Ada Accountant");
    const other = await stage.open({ as: reader, path: "/app/planning?open=new", now: now() });
    await other.getByRole("group", { name: "D-EABC" }).waitFor();
    expect(await other.getByRole("dialog").count()).toBe(0);
  });

  test("a new booking begins with what is free then", async () => {
    const school = await newSchool(stage.installation);
    const { owner } = school;
    const plane = { registration: "D-EXYZ", model: "Cessna 172S", icao_type: "C172", class: "SEP", hobbs: "1.00" };
    expectStatus(201, await owner.post("/aircraft", plane));
    await booked(owner, lesson(school, at("10:00")));
    const page = await stage.open({ as: owner, path: `${path}&open=new`, now: now() });
    const aircraft = page.getByRole("dialog").getByLabel("Aircraft");
    await soon(() => aircraft.locator("option:checked").textContent(), "D-EXYZ");
  });

  test("a weather day of today begins now, and that of another day in the morning", async () => {
    const school = await newSchool(stage.installation);
    const { owner } = school;
    const noon = new Date(at("12:00", "2026-06-20"));
    await booked(owner, lesson(school, at("09:00", "2026-06-20")));
    await booked(owner, lesson(school, at("14:00", "2026-06-20")));
    await booked(owner, lesson(school, at("09:00", "2026-06-21")));
    const page = await stage.open({ as: owner, path: "/app/planning?open=weather", now: noon, locale: "de-DE" });
    const dialog = page.getByRole("dialog");
    const from = dialog.getByLabel("Von");
    await soon(() => from.inputValue(), "12:00");
    await dialog.getByLabel("Tag").fill("2026-06-21");
    await soon(() => from.inputValue(), "00:00");
    await dialog.getByLabel("Tag").fill("2026-06-20");
    await soon(() => from.inputValue(), "12:00");
    await tabTo(page, "Zeigen, was abgesagt würde");
    await page.keyboard.press("Enter");
    await dialog.getByRole("heading", { name: "1 Buchung würde abgesagt" }).waitFor();
    await tabTo(page, "1 Buchung absagen");
    await page.keyboard.press("Enter");
    await page.getByText("1 Buchung ist abgesagt").waitFor();
    expect((await statusesOf(owner)).sort()).toEqual(["cancelled", "planned", "planned"]);
  });

  test("an absence says how many bookings stay in its time", async () => {
    const school = await newSchool(stage.installation);
    const { owner } = school;
    await booked(owner, lesson(school, at("10:00")));
    await booked(owner, lesson(school, at("10:00", "2026-06-17")));
    await booked(owner, solo(school, at("12:00")));
    const page = await stage.open({ as: owner, path: "/app/planning?open=hours", now: now(), width: 360 });
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Whose").selectOption({ label: "Ines Instructor" });
    const absences = dialog.getByRole("region", { name: "Absences" });
    await absences.getByLabel("From").fill(day);
    await absences.getByLabel("To").fill("2026-06-17");
    await absences.getByRole("button", { name: "Add an absence" }).click();
    await page.getByText("Saved. 2 bookings are in this time").waitFor();
    await expectSound(page);
  });

  test("of a series that is cancelled is said to whom its times are offered", async () => {
    const school = await newSchool(stage.installation);
    const { owner } = school;
    const { start_at: _, end_at: __, ...content } = lesson(school, at("10:00"));
    const weekly = { from_on: day, count: 3, weekdays: [2], from_time: "10:00", minutes: 60 };
    expectStatus(201, await owner.post("/planning/series", { ...content, ...weekly }));
    const other = await school.join(["student"], "Paula Pilot");
    await wish(other, { from_at: at("09:00", "2026-06-30"), until_at: at("12:00", "2026-06-30") });
    const page = await stage.open({ as: owner, path, now: now() });
    await bars(page, "D-EABC").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Cancel the booking" }).click();
    await dialog.getByLabel("Why").selectOption("weather");
    await dialog.getByLabel("Which").selectOption("following");
    await dialog.getByRole("button", { name: "Cancel the booking" }).click();
    await page.getByText(/What became free is offered to Paula Pilot/u).waitFor();
    expect(await statusesOf(owner)).toEqual(["cancelled", "cancelled", "cancelled"]);
  });
});
