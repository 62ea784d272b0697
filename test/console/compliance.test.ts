/** A training manager sees who can fly, what runs out, and what is missing, and mends it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { expectStatus, type Member, newSchool } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, soon } from "./browser.ts";

const hostile = `"'><img src=x onerror=alert(1)>שלום${"W".repeat(70)}`;

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  const now = () => stage.installation.clock.now();
  const dayIn = (days: number) => new Date(now().getTime() + days * 86_400_000).toISOString().slice(0, 10);

  const addPerson = async (by: Member, name: string, types: string[]): Promise<string> =>
    expectStatus(201, await by.post("/people", { name, types, date_of_birth: "1990-05-01" })).body.data.id;
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
    for (const name of ["Anna Berg", "Bernd Alt"]) await license(owner, await addPerson(owner, name, ["pilot"]));
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
    await expectSound(page);
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Bernd Alt", level: 1 }).waitFor();
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
