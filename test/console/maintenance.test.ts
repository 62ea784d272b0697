/** A mechanic's work in the console: items, defects, work orders and releases. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { expectStatus, newSchool } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, signIn, soon } from "./browser.ts";
import { tabTo } from "./keys.ts";

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  const now = () => stage.installation.clock.now();

  test("a mechanic adds an item, records it as done with the counters of that day, takes that back, and removes it", async () => {
    const { owner, aircraftId, join } = await newSchool(stage.installation);
    const mechanic = await join(["mechanic"], "Mia Mechanic");
    const items = () =>
      owner.get(`/maintenance/items?aircraft_id=${aircraftId}`).then((answer) => expectStatus(200, answer).body.data);
    const page = await stage.open({ as: mechanic, path: `/app/aircraft/${aircraftId}`, now: now(), refusals: [400] });
    await page.getByRole("button", { name: "Add an item" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("What is to be done").fill("100-hour inspection");
    await dialog.getByRole("button", { name: "Add an item" }).click();
    await dialog.locator(".fault").first().waitFor();
    await dialog.locator("[name=interval_hours]").fill("100");
    await dialog.locator("[name=interval_months]").fill("12");
    await dialog.getByLabel("Grounds the aircraft").check();
    await dialog.getByText("Tolerance and notice").click();
    await dialog.locator("[name=tolerance_hours]").fill("10,5");
    await expectSound(page);
    await dialog.getByRole("button", { name: "Add an item" }).click();
    await page.getByText("not known when last done").waitFor();
    expect(await items()).toMatchObject([
      { name: "100-hour inspection", interval_hours: "100.00", tolerance_hours: "10.50", critical: true },
    ]);

    await page.getByRole("button", { name: "Done 100-hour inspection" }).click();
    const by = dialog.locator("[name=last_done_by]");
    expect(await by.inputValue()).toBe("Mia Mechanic");
    await dialog.locator("[name=last_done_airframe_minutes]").fill("1234:30");
    await dialog.locator("[name=last_done_note]").fill("Filter cut open: no metal.");
    await expectSound(page);
    await dialog.getByRole("button", { name: "Record" }).click();
    await page.getByText("Filter cut open: no metal.").waitFor();
    await page.getByText("100:00 h left").first().waitFor();
    const done = { last_done_by: "Mia Mechanic", last_done_airframe_minutes: 74_070, status: "ok" };
    expect(await items()).toMatchObject([done]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("not known when last done").waitFor();
    expect(await items()).toMatchObject([{ last_done_on: null, last_done_by: null, last_done_note: null }]);

    await page.getByRole("button", { name: "Edit 100-hour inspection" }).click();
    await dialog.locator("[name=interval_months]").fill("6");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await items()).toMatchObject([{ interval_months: 6, interval_hours: "100.00" }]);
    await page.getByRole("button", { name: "Edit 100-hour inspection" }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await expectSound(page);
    await dialog.getByRole("button", { name: "Remove" }).click();
    await page.getByText("Nothing is planned.").waitFor();
    expect(await items()).toEqual([]);
  });

  test("an overdue item that grounds is done, and the aircraft flies: by keys alone, in German on a phone in the dark", async () => {
    const { owner, aircraftId, aircraft } = await newSchool(stage.installation);
    const item = { name: "Jahresnachprüfung", interval_months: 12, last_done_on: "2024-01-10", critical: true };
    expectStatus(201, await owner.post("/maintenance/items", { aircraft_id: aircraftId, ...item }));
    expect(await aircraft()).toMatchObject({ status: "grounded" });
    const page = await stage.open({
      ...{ path: `/app/aircraft/${aircraftId}`, width: 360, colorScheme: "dark", locale: "de-DE", now: now() },
    });
    await signIn(page, owner);
    await page.getByRole("heading", { name: "Warum es gesperrt ist" }).waitFor();
    await page.getByRole("button", { name: "Erledigt Jahresnachprüfung" }).waitFor();
    await tabTo(page, "Erledigt Jahresnachprüfung");
    await page.keyboard.press("Enter");
    await page.getByText("Damit endet die Sperre von D-EABC").waitFor();
    await expectSound(page);
    await tabTo(page, "Eintragen");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Warum es gesperrt ist" }).waitFor({ state: "detached" });
    expect(await aircraft()).toMatchObject({ status: "available" });
    await page.getByRole("heading", { name: "Frühere Sperren" }).waitFor();
    await expectSound(page);
  });

  test("a defect is deferred by day and hours, then put right by the release of its work order", async () => {
    const { owner, aircraftId, join, aircraft } = await newSchool(stage.installation);
    const mechanic = await join(["mechanic"], "Mia Mechanic");
    const defect = { description: "Left brake drags <b>hard</b>", grounding: true };
    expectStatus(201, await owner.post(`/aircraft/${aircraftId}/defects`, defect));
    const item = { aircraft_id: aircraftId, name: "50-hour check", interval_hours: "50.00" };
    expectStatus(201, await owner.post("/maintenance/items", item));
    const page = await stage.open({ as: mechanic, path: `/app/aircraft/${aircraftId}`, now: now() });
    await page.getByRole("button", { name: "Defer Left brake" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Defer" }).click();
    await dialog.getByText("Fill in this field.").first().waitFor();
    await expectSound(page);
    await dialog.getByLabel("For, hours of flight").fill("2,5");
    await dialog.getByLabel("Why it may fly until then").fill("The other brake holds.");
    await dialog.getByRole("button", { name: "Defer" }).click();
    await page.getByText("2:30 h of flight left").waitFor();
    expect(await aircraft()).toMatchObject({ status: "available" });
    // What is deferred blocks no booking.
    await page.getByText("Available", { exact: true }).waitFor();
    expect(await page.getByText("Can't be booked while").count()).toBe(0);

    await page.getByRole("link", { name: "Left brake drags <b>hard</b>" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Left brake" }).waitFor();
    await page.getByRole("button", { name: "Choose Tasks" }).click();
    await page.getByLabel("50-hour check (Overdue)").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Add a part" }).click();
    await page.getByLabel("Part", { exact: true }).fill("Brake disc");
    await page.getByLabel("Part number").fill("164-20");
    await page.getByRole("button", { name: "Add a part" }).click();
    await page.getByText("1 × Brake disc").waitFor();
    await page.getByRole("button", { name: "Start the work" }).click();
    await page.getByText("In progress", { exact: true }).waitFor();
    await expectSound(page);
    await page.getByRole("button", { name: "Release to service" }).click();
    await dialog.getByText("carried out in accordance with Part-ML").waitFor();
    await dialog.getByRole("button", { name: "Release" }).click();
    await dialog.getByText("Fill in this field.").first().waitFor();
    await dialog.getByLabel("Licence").fill("DE.66.4711");
    await dialog.getByLabel("Approval number").fill("DE.CAO.0123");
    await dialog.getByLabel("Maintenance data").fill("AMM 5-14, rev. 25");
    await expectSound(page);
    await dialog.getByRole("button", { name: "Release" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Certificate of release to service" }).waitFor();
    await page.getByText("DE.66.4711").waitFor();
    await page.getByText("Rectified").waitFor();
    await soon(() => page.getByRole("button", { name: "Add a part" }).count(), 0);
    await expectSound(page);
    const [order] = expectStatus(200, await owner.get("/maintenance/work-orders")).body.data;
    const parts = [{ name: "Brake disc", part_number: "164-20", quantity: "1.00" }];
    expect(order).toMatchObject({
      status: "done",
      parts,
      release: {
        ...{ by: "Mia Mechanic", licence_number: "DE.66.4711", maintenance_data: "AMM 5-14, rev. 25" },
        approval: { kind: "cao", reference: "DE.CAO.0123" },
      },
    });
    const [done] = expectStatus(200, await owner.get("/maintenance/items")).body.data;
    expect(done).toMatchObject({ status: "ok", last_done_by: "Mia Mechanic" });
  });

  test("a work order is opened and released in one go on a phone; a student sees no button of the workshop", async () => {
    const { owner, student, aircraftId } = await newSchool(stage.installation);
    const page = await stage.open({
      as: owner,
      path: `/app/aircraft/${aircraftId}`,
      width: 360,
      locale: "de-DE",
      now: now(),
    });
    await page.getByRole("button", { name: "Auftrag eröffnen" }).click();
    await page.getByLabel("Titel").fill("W".repeat(120));
    await page.getByRole("button", { name: "Eröffnen", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "WWW" }).waitFor();
    await expectSound(page);
    await page.getByRole("button", { name: "Bearbeiten Befunde und Notizen" }).click();
    await page.locator("[name=findings]").fill("Alles in Ordnung.");
    await page.getByRole("button", { name: "Speichern" }).click();
    await page.getByText("Alles in Ordnung.").waitFor();
    // What is known of who certifies comes late: what was typed before stays.
    const typed = Promise.withResolvers<void>();
    await page.route(/\/people\/[^/?]+$/, async (route) => {
      await typed.promise;
      await route.continue();
    });
    const known = page.waitForResponse(/\/people\/[^/?]+$/);
    await page.getByRole("button", { name: "Freigeben" }).click();
    await page.getByLabel("Lizenz").fill("DE.66.1");
    typed.resolve();
    await known;
    await page.getByText("aufgeführten Arbeiten, sofern").waitFor();
    await page.getByLabel("Genehmigung", { exact: true }).selectOption("pilot_owner");
    await page.getByText("beschränkte Instandhaltung durch den Piloten/Eigentümer").waitFor();
    await page.getByLabel("Genehmigung", { exact: true }).selectOption("independent");
    await page.getByLabel("Instandhaltungsunterlagen").fill("Wartungshandbuch 5-14");
    await page.getByRole("dialog").getByRole("button", { name: "Freigeben" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Freigabebescheinigung" }).waitFor();
    await expectSound(page);

    const other = await stage.open({ path: `/app/aircraft/${aircraftId}`, now: now() });
    await signIn(other, student);
    await other.getByRole("heading", { name: "Defects" }).waitFor();
    for (const name of ["Add an item", "Open a work order", "Done", "Defer"])
      await soon(() => other.getByRole("button", { name }).count(), 0);
  });
});
