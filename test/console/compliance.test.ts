/** A training manager sees who can fly, what runs out, and what is missing, and mends it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { expectStatus, type Member, newSchool } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, soon } from "./browser.ts";
import { tabTo } from "./keys.ts";

const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const hostile = `"'><img src=x onerror=alert(1)>שלום${"W".repeat(70)}`;

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  const now = () => stage.installation.clock.now();
  const dayIn = (days: number) => new Date(now().getTime() + days * 86_400_000).toISOString().slice(0, 10);

  const addPerson = async (by: Member, name: string, types: string[], fields = {}): Promise<string> =>
    expectStatus(201, await by.post("/people", { name, types, date_of_birth: "1990-05-01", ...fields })).body.data.id;
  const addRecord = async (by: Member, of: object, until: number | null, issued = -100): Promise<string> => {
    const body = { issued_on: dayIn(issued), valid_until: until === null ? null : dayIn(until), ...of };
    return expectStatus(201, await by.post("/compliance/records", body)).body.data.id;
  };
  const license = async (by: Member, person_id: string) => {
    await addRecord(by, { person_id, type: "licence", level: "ppl" }, null);
    await addRecord(by, { person_id, type: "medical", level: "class_2" }, 300);
    await addRecord(by, { person_id, type: "elp", level: "6" }, null);
    await addRecord(by, { person_id, type: "sep" }, 300);
  };
  const cell = (page: Page, row: string, column: number) =>
    page.getByRole("row", { name: row }).getByRole("gridcell").nth(column);

  test("who can fly: a cell says why not, and the record that mends it is entered there", async () => {
    const { owner, instructor } = await newSchool(stage.installation);
    const anna = await addPerson(owner, "Anna Berg", ["pilot"]);
    await addPerson(owner, hostile, ["pilot"]);
    await license(owner, anna);
    await addRecord(owner, { person_id: anna, type: "medical", level: "class_2" }, -1, -50);
    const page = await stage.open({ as: owner, path: "/app/today", now: now() });
    await page.getByRole("link", { name: "Compliance" }).click();
    await soon(() => cell(page, "Anna Berg", 0).textContent(), "Blocked");
    await expectSound(page);
    await cell(page, "Anna Berg", 0).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/^Expired on .*: Medical certificate$/).waitFor();
    await dialog.getByText("Enter the new certificate").waitFor();
    await expectSound(page);
    await dialog.getByRole("button", { name: "Enter Medical certificate" }).click();
    await dialog.getByLabel("Class or level").selectOption("class_2");
    await dialog.getByLabel("Issued on").fill(dayIn(-1));
    await dialog.getByText("Filled in by MED.A.045").waitFor();
    await dialog.getByRole("button", { name: "Enter", exact: true }).click();
    // What is left is about the aircraft: its documents were never entered.
    await soon(() => cell(page, "Anna Berg", 0).textContent(), "Warning");
    await page.getByLabel("For").selectOption("instruct");
    await page.getByText("As of now").waitFor();
    expect(page.url()).toEndWith("/app/compliance?purpose=instruct");
    await page.getByRole("row", { name: "Ines" }).waitFor();
    await expectSound(page);
    // An instructor reads, and may not enter what is missing.
    const other = await stage.open({ as: instructor, path: "/app/compliance?purpose=instruct", now: now() });
    await cell(other, "Ines", 0).click();
    await other.getByRole("dialog").getByText("Enter the valid document").first().waitFor();
    expect(await other.getByRole("dialog").getByRole("button").count()).toBe(1);
  });

  test("who can fly, by keys alone, on a phone in German in the dark", async () => {
    const { owner } = await newSchool(stage.installation);
    await license(owner, await addPerson(owner, "Anna Berg", ["pilot"]));
    await addPerson(owner, "Bernd Alt", ["pilot"]);
    const page = await stage.open({
      ...{ as: owner, path: "/app/compliance", width: 360, colorScheme: "dark", locale: "de-DE", now: now() },
    });
    await page.getByRole("row", { name: "Bernd Alt" }).waitFor();
    await expectSound(page);
    for (let presses = 0; (await focused(page)) !== "TABLE" && presses < 40; presses += 1)
      await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Bernd Alt · D-EABC" }).waitFor();
    const licence = page.getByRole("dialog").getByRole("listitem").filter({ hasText: "Pilotenlizenz" });
    expect(await licence.textContent()).toStartWith("Fehlt: PilotenlizenzLizenz eintragen · FCL.015, FCL.045");
    await expectSound(page);
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Bernd Alt", level: 1 }).waitFor();
  });

  test("what expires: a person is reminded by one click, several by keys, and what was reminded is shown", async () => {
    const { owner, student } = await newSchool(stage.installation);
    const paula = await addPerson(owner, "Paula Pilot", ["pilot"], { email: "paula@example.com" });
    const quiet = await addPerson(owner, hostile, ["pilot"]);
    await addRecord(owner, { person_id: paula, type: "mep" }, 20);
    const nora = await addPerson(owner, "Nora Neu", ["pilot"]);
    await addRecord(owner, { person_id: quiet, type: "mep" }, 80);
    await addRecord(owner, { person_id: nora, type: "mep" }, 80);
    await addRecord(owner, { person_id: student.personId, type: "sep" }, 60);
    await addRecord(owner, { person_id: student.personId, type: "radio" }, 400);
    const page = await stage.open({ as: owner, path: "/app/compliance/expiries", now: now(), refusals: [409] });
    await page.getByRole("row", { name: "Paula Pilot" }).getByText("expires in 20 days").waitFor();
    // In 20, 60 and 80 days, on a line of 30 columns from 30 days ago to 90 days ahead.
    const marks = await page
      .locator(".marks > div")
      .evaluateAll((columns) => columns.flatMap((column, at) => (column.querySelector(".mark") ? [at] : [])));
    expect(marks).toEqual([12, 22, 27]);
    await expectSound(page);
    await page.getByRole("button", { name: "Remind Paula Pilot" }).click();
    await page.getByText("A mail to Paula Pilot is on its way.").waitFor();
    await page.getByRole("row", { name: "Paula Pilot" }).getByText("reminded on 14/06/2026").waitFor();
    expect(await page.getByRole("button", { name: "Remind Paula Pilot" }).count()).toBe(0);
    await page.getByRole("button", { name: "Choose all 3 to remind" }).focus();
    await page.keyboard.press("Enter");
    await expectSound(page);
    await page.getByRole("button", { name: "Remind of 3 records" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("1 mail is on its way. 2 refused").waitFor();
    // Why stays, also when the message is gone: of several once, with their names, and of one in the row.
    const refused = page.getByRole("alert").filter({ hasText: "Nobody can be reminded" });
    await soon(() => refused.count(), 1);
    await soon(
      () =>
        refused
          .getByRole("link")
          .allInnerTexts()
          .then((names) => names.sort()),
      [hostile, "Nora Neu"].sort(),
    );
    await expectSound(page);
    await page.getByRole("button", { name: "Remind Nora Neu" }).click();
    await page.getByRole("row", { name: "Nora Neu" }).getByRole("alert").getByText("Nobody can be reminded").waitFor();
    await expectSound(page);
    await stage.installation.scheduler.runNow("mail-sending");
    const told = stage.installation.mails.filter(({ text }) => text.includes("expires"));
    expect(told.map(({ to }) => to).sort()).toEqual([student.email, "paula@example.com"].sort());
    await page.getByLabel("Period").selectOption("365");
    expect(page.url()).toEndWith("/app/compliance/expiries?days=365");
  });

  test("what is required of whom, on a phone in German in the dark: what is missing is entered by keys", async () => {
    const { owner } = await newSchool(stage.installation);
    const anna = await addPerson(owner, "Anna Berg", ["pilot"]);
    await addRecord(owner, { person_id: anna, type: "medical", level: "class_2" }, 10);
    const page = await stage.open({
      ...{ as: owner, path: "/app/compliance/records?role=pilot", width: 360, colorScheme: "dark", locale: "de-DE" },
      now: now(),
    });
    await page.getByRole("row", { name: "Anna Berg" }).waitFor();
    await expectSound(page);
    const heads = await page.getByRole("columnheader").allTextContents();
    // A long word is parted where a reader would part it.
    const at = (name: string) => heads.findIndex((head) => head.startsWith(name)) - 1;
    await cell(page, "Anna Berg", at("Tauglichkeits\u00ADzeugnis")).click();
    await page.getByRole("dialog").getByRole("heading", { name: "Tauglichkeitszeugnis" }).waitFor();
    await expectSound(page);
    await page.keyboard.press("Escape");
    for (let moves = 0; moves < 20; moves += 1) await page.keyboard.press("ArrowLeft");
    for (let moves = 0; moves <= at("Pilotenlizenz"); moves += 1) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Klasse oder Stufe").selectOption("ppl");
    await dialog.getByLabel("Ausgestellt am").fill(dayIn(-3));
    await tabTo(page, "Erfassen");
    await page.keyboard.press("Enter");
    await soon(() => cell(page, "Anna Berg", at("Pilotenlizenz")).textContent(), "Gültig");
    await expectSound(page);
  });

  test("a record is renewed from the one before, with the rule's day and a scan that the pilot sees", async () => {
    const { owner, student } = await newSchool(stage.installation);
    const mep = { person_id: student.personId, type: "mep", number: "DE.FCL.4711" };
    await addRecord(owner, mep, 20);
    const page = await stage.open({ as: owner, path: "/app/compliance/expiries", now: now() });
    await page.getByRole("button", { name: "Class rating MEP" }).click();
    const dialog = page.getByRole("dialog");
    // Of all whose records expire, the one whose this is.
    await dialog.getByText("Sam Student").waitFor();
    await dialog.getByRole("button", { name: "Renew" }).click();
    await dialog.getByRole("heading", { name: "Enter a record" }).waitFor();
    await dialog.getByText("Sam Student").waitFor();
    expect(await dialog.getByLabel("Number").inputValue()).toBe("DE.FCL.4711");
    await dialog.getByLabel("Issued on").fill(dayIn(-1));
    await dialog.getByText(/^Filled in by FCL/).waitFor();
    const suggested = await dialog.getByLabel("Valid until").inputValue();
    // A revalidation counts from the old expiry.
    const asked = `/compliance/suggested-validity?type=mep&person_id=${student.personId}&done_on=${dayIn(-1)}`;
    const validUntil = async (query: string) =>
      expectStatus(200, await owner.get(query)).body.data.valid_until as string;
    expect(suggested).toBe(await validUntil(`${asked}&previous_until=${dayIn(20)}`));
    expect(suggested).not.toBe(await validUntil(asked));
    await dialog.getByLabel("Valid until").fill(dayIn(90));
    await expectSound(page);
    await dialog.getByRole("button", { name: /^Take .*, by FCL/ }).click();
    expect(await dialog.getByLabel("Valid until").inputValue()).toBe(suggested);
    const buffer = Buffer.from(onePixel, "base64");
    await dialog.getByLabel("Choose a file").setInputFiles({ name: "licence.png", mimeType: "image/png", buffer });
    await dialog.getByRole("button", { name: "Enter", exact: true }).click();
    await page.getByText("Entered: Class rating MEP").waitFor();

    const own = await stage.open({ as: student, path: "/app/myself", width: 360, now: now() });
    await own.getByRole("button", { name: "Class rating MEP" }).click();
    await own.getByRole("img", { name: "licence.png" }).waitFor();
    await expectSound(own);
    expect(
      await own
        .getByRole("dialog")
        .getByRole("button", { name: /Renew|Withdraw/ })
        .count(),
    ).toBe(0);
  });

  test("revalidations: who must begin first is above, with what is missing as bars", async () => {
    const { owner } = await newSchool(stage.installation);
    const anna = await addPerson(owner, "Anna Berg", ["pilot"]);
    await license(owner, anna);
    const late = await addPerson(owner, "Late Lars", ["pilot"]);
    await addRecord(owner, { person_id: late, type: "sep" }, 20);
    const page = await stage.open({ as: owner, path: "/app/compliance/revalidations", now: now() });
    await page.getByRole("link", { name: "Late Lars" }).waitFor();
    const names = page.getByRole("list", { name: "Revalidation" }).getByRole("link");
    expect(await names.allTextContents()).toEqual(["Late Lars", "Anna Berg"]);
    await page.getByText("Flight time: 0:00 of 12:00").first().waitFor();
    await expectSound(page);
    // Who enters the revalidation nevertheless is told.
    await page.getByRole("link", { name: "Late Lars" }).click();
    await page.getByRole("button", { name: "Class rating SEP" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Renew" }).click();
    expect(await dialog.getByText("this is still missing").count()).toBe(0);
    await dialog.getByLabel("Made valid by").selectOption("experience");
    await dialog.getByText("this is still missing. Flight time: 0:00 of 12:00").waitFor();
    await expectSound(page);
  });

  test("500 people and 50 aircraft: what is in sight is drawn, and the last cell is two keys away", async () => {
    const { owner } = await newSchool(stage.installation);
    const names = Array.from({ length: 500 }, (_, n) => `Pilot ${String(n).padStart(3, "0")},p${n}@example.com,pilot`);
    const people = new Blob([["name,email,types", ...names].join("\n")], { type: "text/csv" });
    expectStatus(200, await owner.post("/people/import", people));
    const planes = Array.from({ length: 49 }, (_, n) => `D-X${String(n).padStart(3, "0")},Cessna 172S,SEP`);
    const fleet = new Blob([["registration,model,class", ...planes].join("\n")], { type: "text/csv" });
    expectStatus(200, await owner.post("/aircraft/import", fleet));
    const page = await stage.open({ as: owner, path: "/app/compliance", now: now() });
    await page.getByRole("row", { name: "Pilot 000" }).waitFor();
    expect(await page.getByRole("row").count()).toBeLessThan(80);
    await expectSound(page);
    await page.getByRole("grid").focus();
    await page.keyboard.press("Control+End");
    await page.getByRole("row", { name: "Pilot 499" }).waitFor();
    const last = cell(page, "Pilot 499", 49);
    await soon(() => last.evaluate((one) => one.classList.contains("active")), true);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Pilot 499 · D-X048" }).waitFor();
    await expectSound(page);
  }, 60_000);
});

const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName);
