/** Aircraft in the console: the list, an aircraft's page, an import. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { expectStatus, newSchool } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, soon } from "./browser.ts";

const photo = {
  name: "nose wheel.png",
  mimeType: "image/png",
  buffer: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
  ),
};

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  test("a mechanic sees what is overdue in word and bar, grounds the aircraft with a reason, lifts that and takes it back", async () => {
    const { owner, aircraftId, join } = await newSchool(stage.installation);
    const mechanic = await join(["mechanic"], "Mia Mechanic");
    const items = [
      { name: "50-hour check", interval_hours: "50.00", last_done_airframe_minutes: 74_070 - 51 * 60, critical: false },
      { name: "Propeller", interval_months: 72, last_done_on: "2025-01-01" },
      { name: "Tyres", interval_landings: 300, last_done_landings: 0 },
    ];
    for (const item of items)
      expectStatus(201, await owner.post("/maintenance/items", { aircraft_id: aircraftId, ...item }));
    const aircraft = () => owner.get(`/aircraft/${aircraftId}`).then((answer) => expectStatus(200, answer).body.data);

    const page = await stage.open({ as: mechanic, path: "/app/aircraft" });
    await page.getByText("1:00 h over").waitFor();
    await expectSound(page);
    await page.getByRole("link", { name: "D-EABC" }).click();
    await page.getByText("Overdue", { exact: true }).waitFor();
    const filled = (name: string) => page.getByRole("meter", { name }).evaluate((one: HTMLMeterElement) => one.value);
    expect(await filled("50-hour check, hours")).toBe(1);
    expect(await filled("Tyres, landings")).toBe(0);
    await page.getByText("300 landings left").last().waitFor();
    await soon(() => page.locator(".metered strong").allTextContents(), ["50-hour check", "Propeller", "Tyres"]);
    await expectSound(page);

    await page.getByRole("button", { name: "Ground" }).click();
    await page.getByRole("button", { name: "Ground it" }).click();
    await page.getByText("Fill in this field.").waitFor();
    await page.getByLabel("Reason").fill("Bird strike");
    await page.getByRole("button", { name: "Ground it" }).click();
    await page.getByRole("heading", { name: "Why it is grounded" }).waitFor();
    await page.getByText("Bird strike").waitFor();
    await expectSound(page);
    expect(await aircraft()).toMatchObject({ status: "grounded", groundings: [{ note: "Bird strike" }] });
    await page.getByRole("button", { name: "Lift" }).click();
    await page.getByLabel("What was found or done").fill("Only feathers");
    await expectSound(page);
    await page.getByRole("dialog").getByRole("button", { name: "Lift" }).click();
    await page.getByRole("heading", { name: "Why it is grounded" }).waitFor({ state: "detached" });
    expect(await aircraft()).toMatchObject({ status: "available", groundings: [] });
    await page.getByRole("heading", { name: "Earlier groundings" }).waitFor();
    await page.getByText("Only feathers").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { name: "Why it is grounded" }).waitFor();
    expect(await aircraft()).toMatchObject({ status: "grounded" });
  });

  test("a student reports a defect with a photo from the apron, by keys, in German in the dark", async () => {
    const { owner, student, aircraftId } = await newSchool(stage.installation);
    const page = await stage.open({
      as: student,
      path: `/app/aircraft/${aircraftId}`,
      width: 360,
      colorScheme: "dark",
      locale: "de-DE",
    });
    await page.getByText("Keine Beanstandung.").waitFor();
    await expectSound(page);
    for (const name of ["Sperren", "Archivieren", "Berichtigen Zählerstände", "Bearbeiten Stammdaten"])
      await soon(() => page.getByRole("button", { name }).count(), 0);
    await page.getByRole("button", { name: "Melden" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("Bugrad flattert <b>stark</b>");
    await page.getByLabel("Foto aufnehmen").setInputFiles(photo);
    await page.getByLabel("Das Flugzeug darf damit nicht fliegen").focus();
    await page.keyboard.press("Space");
    await expectSound(page);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Warum es gesperrt ist" }).waitFor();
    await page.getByText("endet mit der Freigabe").waitFor();
    await expectSound(page);
    const [defect] = expectStatus(200, await owner.get(`/aircraft/${aircraftId}/defects`)).body.data;
    expect(defect).toMatchObject({ description: "Bugrad flattert <b>stark</b>", grounding: true, status: "open" });

    await page.getByRole("button", { name: "Dateien Bugrad" }).click();
    const file = page.waitForEvent("download");
    await page.getByRole("button", { name: "Öffnen" }).click();
    expect((await file).suggestedFilename()).toContain("nose");
    await expectSound(page);
  });

  test("the office changes the price in place, and corrects a counter with a reason", async () => {
    const { owner, aircraftId } = await newSchool(stage.installation);
    const aircraft = () => owner.get(`/aircraft/${aircraftId}`).then((answer) => expectStatus(200, answer).body.data);
    const page = await stage.open({ as: owner, path: `/app/aircraft/${aircraftId}`, locale: "de-DE" });
    await page.getByRole("button", { name: "Bearbeiten Stammdaten" }).click();
    await page.getByLabel("Preis je Stunde").fill("225,5");
    await page.getByRole("button", { name: "Speichern" }).click();
    await page.getByText("225,50 €").waitFor();
    expect(await aircraft()).toMatchObject({ hourly_rate_minor: 22_550, registration: "D-EABC", seats: null });
    await page.getByRole("button", { name: "Rückgängig" }).click();
    await page.getByText("225,50 €").waitFor({ state: "detached" });
    expect(await aircraft()).toMatchObject({ hourly_rate_minor: null });

    await page.getByRole("button", { name: "Berichtigen" }).click();
    await page.getByLabel("Hobbs").fill("1240,25");
    await page.getByLabel("Zelle").fill("12");
    await page.getByRole("button", { name: "Speichern" }).click();
    await page.getByText("Bitte Stunden und Minuten angeben, z. B. 1234:30, oder Stunden, z. B. 1234,5.").waitFor();
    await expectSound(page);
    await page.getByLabel("Zelle").fill("1235:00");
    await page.getByLabel("Grund").fill("Neues Instrument");
    await page.getByRole("button", { name: "Speichern" }).click();
    await page.getByText("1.240,25").waitFor();
    expect(await aircraft()).toMatchObject({ hobbs: "1240.25", airframe_minutes: 74_100, tacho: "1100.00" });
    await page.getByText("Hobbs +5,75, Zelle +0:30").waitFor();
    await page.getByText("Neues Instrument").waitFor();
    await expectSound(page);

    await page.getByRole("button", { name: "Archivieren" }).click();
    await page.getByText("Das Bordbuch bleibt.").waitFor();
    expect(await aircraft()).toMatchObject({ status: "archived" });
    await soon(() => page.getByRole("button", { name: "Sperren" }).count(), 0);
    await page.getByRole("button", { name: "Rückgängig" }).click();
    await page.getByText("Das Bordbuch bleibt.").waitFor({ state: "detached" });
    expect(await aircraft()).toMatchObject({ status: "available" });
  });

  test("the log shows the counters after each flight, and is a file", async () => {
    const { owner, instructor, student, aircraftId, submitFlight } = await newSchool(stage.installation);
    const flight = await submitFlight(student, { body: { hobbs_start: "1234.50", hobbs_end: "1235.50" } });
    expectStatus(200, await instructor.post(`/flights/${flight.id}/approve`));
    for (const width of [360, 1280]) {
      const page = await stage.open({
        as: owner,
        width,
        path: `/app/aircraft/${aircraftId}`,
        now: stage.installation.clock.now(),
      });
      const row = page.getByRole("row").filter({ hasText: "Sam Student" });
      await row.waitFor();
      expect(await row.textContent()).toContain("1,235.50");
      await expectSound(page);
      const file = page.waitForEvent("download");
      await page.getByRole("button", { name: "CSV" }).click();
      expect((await file).suggestedFilename()).toMatch(/\.csv$/);
    }
  });

  test("an aircraft is added with its counters, and others from a file whose fault is mended in its cell", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({ as: owner, path: "/app/aircraft", refusals: [409] });
    await page.getByRole("button", { name: "Add an aircraft" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Registration").fill("D-EABC");
    await dialog.getByLabel("Model").fill("Piper PA-28");
    await dialog.getByLabel("Airframe").fill("100:30");
    await page.keyboard.press("Enter");
    await dialog.getByText("There is an aircraft with this registration already.").waitFor();
    await expectSound(page);
    await dialog.getByLabel("Registration").fill("D-EXYZ");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "D-EXYZ" }).waitFor();
    await page.getByText("100:30").waitFor();

    await page.goto(`${stage.url}/app/aircraft/import`);
    const buffer = Buffer.from("registration,model,class\nD-KLMN,HK36,XXX\n");
    await page.getByLabel("Choose a CSV file").setInputFiles({ name: "fleet.csv", mimeType: "text/csv", buffer });
    await page.getByLabel("class, Line 2").fill("TMG");
    await page.keyboard.press("Tab");
    await expectSound(page);
    await page.getByRole("button", { name: "Import 1 line" }).click();
    await page.getByRole("link", { name: "D-KLMN" }).waitFor();
  });
});
