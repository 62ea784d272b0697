/** Flights in the console, as instructors, students and owners have them. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { booked, lesson } from "../http/planning/booking.ts";
import { expectStatus, newSchool, type School } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, soon } from "./browser.ts";

const hostile = "<img src=x onerror=alert(1)> \u202Egnp.exe 🛩️";

/** A combobox labels its list as well. */
const fieldOn = (page: Page, name: string) =>
  page
    .locator("input:not([readonly]), select, textarea")
    .and(page.getByLabel(new RegExp(`^${name.replace(/[()]/g, "\\$&")}\\s*(optional)?$`)));

/** Drafts that the browser keeps, as JSON. */
const keptDrafts = `new Promise((done) => { const request = indexedDB.open("windsock", 1); request.onsuccess = () => {
  const all = request.result.transaction("drafts").objectStore("drafts").getAll();
  all.onsuccess = () => done(JSON.stringify(all.result)); }; })`;

/** Waits until a field has a value: some follow from what was typed elsewhere. */
async function hasValue(field: Locator, value: string): Promise<void> {
  while ((await field.inputValue()) !== value) await Bun.sleep(20);
}

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  type By = "owner" | "instructor" | "student";
  type Options = Parameters<Stage["open"]>[0];
  const openAs = async (school: School, by: By, options: Options): Promise<Page> => {
    const page = await stage.open({ as: school[by], ...options });
    page.setDefaultTimeout(10_000);
    return page;
  };

  describe("the list", () => {
    test("is filtered in the address, downloads what it shows, and leads to a flight's page with its history", async () => {
      const school = await newSchool(stage.installation);
      const draft = await school.draftFlight(school.student, { body: { remarks: hostile } });
      await school.submitFlight(school.student);
      const page = await openAs(school, "owner", { path: "/app/flights" });
      const rows = page.getByRole("table", { name: "Flights" }).getByRole("row");
      await page.getByRole("cell", { name: "Sam Student (solo)" }).first().waitFor();
      await soon(() => rows.count(), 3);
      const weekday = new Date(draft.off_block_at).toLocaleDateString("en-GB", { weekday: "short" });
      await page
        .getByRole("rowheader", { name: `${weekday}, ` })
        .first()
        .waitFor();
      await expectSound(page);
      await page.getByLabel("Status").selectOption("draft");
      await page.getByRole("cell", { name: "Submitted" }).waitFor({ state: "detached" });
      await page.getByRole("cell", { name: "Draft" }).waitFor();
      await soon(() => rows.count(), 2);
      expect(new URL(page.url()).search).toBe("?status=draft");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "CSV" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("flights.csv");
      const lines = (await Bun.file(await download.path()).text()).trim().split("\n");
      expect(lines.slice(1).map((line) => line.includes(draft.id))).toEqual([true]);
      const day = new Date(draft.off_block_at);
      day.setUTCDate(day.getUTCDate() + 2);
      await page.getByLabel("From").fill(day.toISOString().slice(0, 10));
      await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
      await expectSound(page);
      await page.getByRole("button", { name: "Clear all filters" }).click();
      await page.getByRole("cell", { name: "Draft" }).waitFor();
      await page.goto(`${stage.url}/app/flights/${draft.id}`);
      await page.getByRole("heading", { name: "D-EABC" }).waitFor();
      await page.getByText(hostile).waitFor();
      await page.getByText("Entered · Sam Student").waitFor();
      await expectSound(page);
    });

    test("says how to begin where there is nothing", async () => {
      const school = await newSchool(stage.installation);
      const page = await openAs(school, "student", { path: "/app/flights", width: 360, locale: "de-DE" });
      await page.getByRole("heading", { name: "Noch keine Flüge" }).waitFor();
      await expectSound(page);
    });
  });

  describe("a flight's page", () => {
    test("reverses with a reason, by keyboard, in German, on a phone at night", async () => {
      const school = await newSchool(stage.installation);
      const { id } = await school.submitFlight(school.student);
      expectStatus(200, await school.instructor.post(`/flights/${id}/approve`));
      const options = { path: `/app/flights/${id}`, locale: "de-DE", width: 360, colorScheme: "dark" } as const;
      const page = await openAs(school, "owner", options);
      await page.getByText("Freigegeben · Ines Instructor").waitFor();
      await expectSound(page);
      await page.getByRole("button", { name: "Stornieren" }).focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "Flug stornieren" });
      await dialog.getByRole("button", { name: "Stornieren" }).focus();
      await page.keyboard.press("Enter");
      await dialog.getByText("Bitte ausfüllen.").waitFor();
      await page.keyboard.type("Falsches Flugzeug.");
      await expectSound(page);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      await page.getByText("Storniert, weil:").waitFor();
      await page.getByText("Falsches Flugzeug.").waitFor();
      await page.getByText("Storniert · Olga Owner").waitFor();
      await soon(() => page.getByRole("button", { name: "Stornieren" }).count(), 0);
    });

    test("of a check-in asks for its times, with the counters of the aircraft, and says in the form what is missing", async () => {
      const school = await newSchool(stage.installation);
      const { owner } = school;
      const session = await booked(owner, lesson(school, "2026-06-14T18:00:00+02:00"));
      const drafted = expectStatus(200, await owner.post(`/planning/sessions/${session.id}/check-in`)).body.data;
      const page = await openAs(school, "owner", { path: `/app/flights/${drafted.flight_id}` });
      await page.getByRole("link", { name: "Enter times and counters" }).waitFor();
      expect(await page.getByRole("button", { name: "Submit" }).count()).toBe(0);
      await expectSound(page);
      await page.getByRole("link", { name: "Enter times and counters" }).focus();
      await page.keyboard.press("Enter");
      await soon(() => page.getByLabel("Hobbs before").inputValue(), "1234.50");
    });

    test("shows a student why their flight was rejected, and nothing that they may not do", async () => {
      const school = await newSchool(stage.installation);
      const { id } = await school.submitFlight(school.student);
      const reason = "The Hobbs readings are of the flight before.";
      expectStatus(200, await school.instructor.post(`/flights/${id}/reject`, { reason }));
      const page = await openAs(school, "student", { path: `/app/flights/${id}`, colorScheme: "dark" });
      await page.getByText(reason).waitFor();
      await page.getByRole("button", { name: "Submit again" }).waitFor();
      await soon(() => page.getByRole("button", { name: "Reverse" }).count(), 0);
      await expectSound(page);
      await page.getByRole("button", { name: "Submit again" }).click();
      await page.getByText("Submitted", { exact: true }).first().waitFor();
    });
  });

  describe("the entry of a flight", () => {
    const type = async (page: Page, ...keys: string[]) => {
      for (const key of keys) {
        await page.keyboard.type(key);
        await page.keyboard.press("Tab");
      }
    };

    test("by keyboard alone: prefilled, computed, warned and cleared while typing, and submitted", async () => {
      const school = await newSchool(stage.installation);
      expectStatus(200, await school.owner.patch("", { home_icao: "EDFE" }));
      const page = await openAs(school, "instructor", { path: "/app/flights/new" });
      const field = (name: string) => fieldOn(page, name);
      await field("On board").and(page.locator('[value="Ines Instructor"]')).waitFor();
      await soon(() => field("Aircraft").evaluate((input) => input === document.activeElement), true);
      await type(page, "eabc");
      // The counters of the aircraft, the place of the school.
      await hasValue(field("Hobbs before"), "1234.50");
      await hasValue(field("From"), "EDFE");
      await field("Day").fill("2026-06-13");
      await field("Nature").selectOption("training");
      await page.getByRole("button", { name: "Add somebody on board" }).focus();
      await page.keyboard.press("Enter");
      await field("On board (2)").and(page.locator(":focus")).waitFor();
      await type(page, "sam");
      // A student beside a pilot in command is proposed as solo; the instructor says what it is.
      await field("As").nth(0).selectOption("instructor");
      await field("As").nth(1).selectOption("dual");
      await field("Off block").focus();
      await type(page, "1005", "1011", "1055", "1107", "edkb");
      await soon(() => field("Off block").inputValue(), "10:05");
      await page.getByText("1:02").waitFor();
      await page.getByText("0:44").waitFor();
      await hasValue(field("To"), "EDKB");
      await field("Hobbs after").fill("1236,50");
      // The server has the draft by now, and says what is odd about it.
      await page.getByText("Hobbs and block time differ by more than 12 minutes.").waitFor();
      await page.getByRole("heading", { name: "Clearance" }).waitFor();
      await page.getByText("Missing: Flight instructor certificate").waitFor();
      await expectSound(page);
      await field("Hobbs after").fill("1235.50");
      await page.getByText("Hobbs and block time differ").waitFor({ state: "detached" });
      await field("Remarks").fill(hostile);
      await page.getByRole("button", { name: "Submit" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("The flight is submitted.").waitFor();
      const { data } = expectStatus(200, await school.owner.get("/flights")).body;
      expect(data).toHaveLength(1);
      expect(data[0]).toMatchObject({
        ...{ status: "submitted", off_block_at: "2026-06-13T08:05:00.000Z", on_block_at: "2026-06-13T09:07:00.000Z" },
        ...{ departure: "EDFE", arrival: "EDKB", hobbs_start: "1234.50", hobbs_end: "1235.50", tacho_start: null },
        ...{ day_landings: 1, nature: "training", remarks: hostile },
      });
      expect(data[0].crew.map(({ function: as }: { function: string }) => as).sort()).toEqual(["dual", "instructor"]);
    });

    test("by somebody who is faster than the list of aircraft: what was typed is taken when it is there", async () => {
      const school = await newSchool(stage.installation);
      const page = await openAs(school, "instructor", { path: "/app/flights" });
      const arrives = Promise.withResolvers<void>();
      await page.route(/\/aircraft\?/, async (route) => {
        await arrives.promise;
        await route.continue();
      });
      await page.goto(`${stage.url}/app/flights/new`);
      const aircraft = fieldOn(page, "Aircraft");
      await aircraft.focus();
      await type(page, "nothing of the kind");
      await aircraft.fill("");
      await type(page, "eabc");
      await hasValue(aircraft, "eabc");
      arrives.resolve();
      await fieldOn(page, "Aircraft").and(page.locator('[value^="D-EABC"]')).waitFor();
      await hasValue(fieldOn(page, "Hobbs before"), "1234.50");
    });

    test("by two thumbs, in German, at night: what is missing is said at its field, and a flight may end tomorrow", async () => {
      const school = await newSchool(stage.installation);
      const options = { path: "/app/flights/new", width: 360, locale: "de-DE", colorScheme: "dark" } as const;
      const page = await openAs(school, "student", { ...options, refusals: [400] });
      const field = (name: string) => fieldOn(page, name);
      await field("Flugzeug").tap();
      await page.getByRole("option", { name: "D-EABC" }).tap();
      await expectSound(page);
      await page.getByRole("button", { name: "Einreichen" }).tap();
      await page.getByText("Bitte ausfüllen.").first().waitFor();
      await expectSound(page);
      await field("Tag").fill("2026-06-13");
      await field("Off-Block").fill("2330");
      await field("On-Block").fill("0020");
      await field("Von").fill("EDFE");
      await field("Nach").fill("EDFE");
      await page.getByText("0:50").waitFor();
      await page.getByRole("button", { name: "UTC" }).tap();
      await soon(() => field("Off-Block").inputValue(), "21:30");
      await soon(() => field("On-Block").inputValue(), "22:20");
      await page.getByRole("button", { name: "Einreichen" }).tap();
      await page.getByText("Der Flug ist eingereicht.").waitFor();
      const [flight] = expectStatus(200, await school.owner.get("/flights")).body.data;
      expect(flight).toMatchObject({ status: "submitted", on_block_at: "2026-06-13T22:20:00.000Z", block_minutes: 50 });
    });

    test("survives a lost connection, a lost answer and a closed tab, is entered once, and is nobody else's", async () => {
      const school = await newSchool(stage.installation);
      const page = await openAs(school, "student", { path: "/app/flights/new", isCut: true });
      const context = page.context();
      const field = (name: string, on = page) => fieldOn(on, name);
      const enter = async (on: Page) => {
        await field("Aircraft", on).fill("eabc");
        await on.keyboard.press("Tab");
        await field("Day", on).fill("2026-06-13");
        await field("Off block", on).fill("0800");
      };
      // The first request arrives, and its answer is lost.
      let lost = 0;
      await page.route("**/flights", async (route) => {
        if (route.request().method() !== "POST") return route.continue();
        lost += 1;
        if (lost > 1) return route.abort();
        await route.fetch();
        return route.abort();
      });
      await enter(page);
      await page.getByText("No connection").waitFor();
      expect(lost).toBe(1);
      expect(expectStatus(200, await school.owner.get("/flights")).body.data).toHaveLength(1);
      await field("On block").fill("0900");
      await field("Remarks").fill("Typed without a connection.");
      // What is typed is kept behind, a moment later.
      for (let kept = ""; !kept.includes("Typed without a connection."); )
        kept = await page.evaluate<string>(keptDrafts);
      await page.close();

      const again = await context.newPage();
      await again.goto(`${stage.url}/app/flights/new`);
      await again.getByText("This is what you typed earlier and did not submit.").waitFor();
      await soon(() => field("On block", again).inputValue(), "09:00");
      await again.getByText("Saved.", { exact: true }).waitFor();
      const [draft, ...others] = expectStatus(200, await school.owner.get("/flights")).body.data;
      expect(others).toEqual([]);
      expect(draft).toMatchObject({ status: "draft", block_minutes: 60, remarks: "Typed without a connection." });
      await again.getByRole("button", { name: "Sam Student" }).click();
      await again.getByRole("button", { name: "Sign out" }).click();
      await again.getByRole("heading", { name: "Sign in" }).waitFor();
      await soon(() => again.evaluate(keptDrafts), "[]");
    });
  });

  test("what lacks is named while the flight is typed: the aircraft's once, each person's under their name", async () => {
    const school = await newSchool(stage.installation);
    const { owner, student, instructor, aircraftId } = school;
    const expired = { aircraft_id: aircraftId, type: "arc", issued_on: "2024-05-01", valid_until: "2025-05-01" };
    expectStatus(201, await owner.post("/compliance/records", expired));
    const members = [
      { person_id: student.personId, function: "dual" },
      { person_id: instructor.personId, function: "instructor" },
    ];
    const draft = { aircraft_id: aircraftId, off_block_at: "2026-06-13T08:00:00Z", crew: members };
    const { id } = expectStatus(201, await owner.post("/flights", draft)).body.data;
    for (const [locale, words] of [
      ["en-GB", ["Missing: Insurance", "Expired on 01/05/2025: Airworthiness review certificate"]],
      ["de-DE", ["Fehlt: Versicherung", "Abgelaufen am 01.05.2025: Lufttüchtigkeitsprüfung (ARC)"]],
    ] as const) {
      const page = await openAs(school, "owner", { path: `/app/flights/${id}/edit`, locale });
      const found = page.locator("section[aria-labelledby=clearance]");
      for (const sentence of words) await soon(() => found.getByText(sentence, { exact: true }).count(), 1);
      await soon(
        () => found.locator(".oddities > li > strong").allTextContents(),
        ["D-EABC", "Sam Student", "Ines Instructor"],
      );
      await expectSound(page);
      await page.context().close();
    }
  });

  describe("the queue of approvals", () => {
    test("by keys: moves, rejects with a reason and takes that back, acknowledges a finding, approves, and goes on", async () => {
      const school = await newSchool(stage.installation);
      const rule = { action: "block" };
      expectStatus(200, await school.owner.patch("/clearance/rules/solo_medical", rule));
      const flights = [];
      for (const _ of [1, 2]) flights.push(await school.submitFlight(school.student));
      const page = await openAs(school, "owner", { path: "/app/flights/approvals" });
      const heads = page.locator(".queue-head");
      await heads.nth(1).waitFor();
      await expectSound(page);
      await page.keyboard.press("j");
      await page.locator('.queue-head[aria-expanded="true"]:focus').waitFor();
      await soon(() => heads.nth(1).getAttribute("aria-expanded"), "true");
      await page.keyboard.press("k");
      await page.locator('li:first-child .queue-head[aria-expanded="true"]:focus').waitFor();
      // The finding first: `a` leads to it.
      await page.keyboard.press("a");
      await page.locator('[name="acknowledge.solo_medical"]:focus').waitFor();
      await page.keyboard.press("Space");
      await page.keyboard.press("a");
      await page.getByText(/^Approved: D-EABC/).waitFor();
      await page.locator('.queue-head[aria-expanded="true"]:focus').waitFor();
      await soon(() => heads.count(), 1);
      await page.keyboard.press("r");
      await page.getByRole("dialog", { name: "Reject the flight" }).waitFor();
      await page.keyboard.type("Another student, jack.");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Nothing waits for approval" }).waitFor();
      await expectSound(page);
      const statuses = async () =>
        expectStatus(200, await school.owner.get("/flights")).body.data.map(
          (flight: { status: string }) => flight.status,
        );
      expect((await statuses()).sort()).toEqual(["approved", "rejected"]);
      await page.getByRole("button", { name: "Undo" }).click();
      await heads.nth(0).waitFor();
      expect((await statuses()).sort()).toEqual(["approved", "submitted"]);
      await heads.nth(0).focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(/flights\/[0-9a-f-]{36}$/);
    });

    test("a key that is held down approves one flight", async () => {
      const school = await newSchool(stage.installation);
      for (const _ of [1, 2, 3]) await school.submitFlight(school.student);
      // The server may answer the question for the price after an approval that followed at once.
      const page = await openAs(school, "owner", { path: "/app/flights/approvals", refusals: [409] });
      const heads = page.locator(".queue-head");
      await heads.nth(2).waitFor();
      for (const _ of [1, 2, 3]) await page.keyboard.down("a");
      await page.getByText(/^Approved: D-EABC/).waitFor();
      for (const _ of [1, 2, 3]) await page.keyboard.down("a");
      await page.keyboard.up("a");
      await soon(() => heads.count(), 2);
      await page.keyboard.press("j");
      await page.locator('li:last-child .queue-head[aria-expanded="true"]:focus').waitFor();
      const { data } = expectStatus(200, await school.owner.get("/flights?status=approved")).body;
      expect(data).toHaveLength(1);
    });

    test("what blocks only since the flight was submitted is acknowledged in place", async () => {
      const school = await newSchool(stage.installation);
      await school.submitFlight(school.student);
      const page = await openAs(school, "owner", { path: "/app/flights/approvals", refusals: [409] });
      await page.locator(".queue-head").first().waitFor();
      expectStatus(200, await school.owner.patch("/clearance/rules/solo_medical", { action: "block" }));
      await page.keyboard.press("a");
      await page.getByText("The clearance has findings that block.").waitFor();
      await page.keyboard.press("a");
      await page.locator('[name="acknowledge.solo_medical"]:focus').waitFor();
      await page.keyboard.press("Space");
      await expectSound(page);
      await page.keyboard.press("a");
      await page.getByText(/^Approved: D-EABC/).waitFor();
      expect(expectStatus(200, await school.owner.get("/flights")).body.data).toMatchObject([{ status: "approved" }]);
    });

    test("by thumb, in German, at night; an instructor is told that a flight of their own is not theirs to approve", async () => {
      const school = await newSchool(stage.installation);
      const crew = [{ person_id: school.instructor.personId, function: "pic" }];
      await school.submitFlight(school.instructor, { body: { crew } });
      const options = { path: "/app/flights/approvals", width: 360, locale: "de-DE", colorScheme: "dark" } as const;
      const page = await openAs(school, "instructor", { ...options, refusals: [403] });
      await page.getByRole("button", { name: "Freigeben" }).tap();
      await page.getByText("Sie waren an Bord: Diesen Flug muss jemand anderes freigeben.").waitFor();
      await expectSound(page);
    });
  });

  test("earlier flights come from a CSV file, with their faults in the rows", async () => {
    const school = await newSchool(stage.installation);
    const page = await openAs(school, "owner", { path: "/app/flights/import" });
    const file = (place: string) =>
      `registration,off_block_at,on_block_at,departure,arrival,day_landings,pic\nD-EABC,2025-05-03T08:00:00Z,2025-05-03T09:00:00Z,EDFE,${place},1,${school.student.email}\n`;
    const choose = (place: string) =>
      page
        .locator("input[type=file]")
        .setInputFiles({ name: "old.csv", mimeType: "text/csv", buffer: Buffer.from(file(place)) });
    await choose("nowhere");
    const cell = page.locator('input[aria-invalid="true"]');
    await cell.waitFor();
    await soon(() => cell.inputValue(), "nowhere");
    await expectSound(page);
    await cell.fill("EDKB");
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: /1/ }).click();
    await page.getByRole("cell", { name: "EDFE – EDKB" }).waitFor();
    expect(expectStatus(200, await school.owner.get("/flights")).body.data).toMatchObject([{ imported: true }]);
  });
});
