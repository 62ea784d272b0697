/** What a mechanic decides and hands over: defects deferred or grounding, parts by their numbers, the release on paper, documents. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { attach } from "../http/attachments/attaching.ts";
import { expectStatus, newSchool } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, signIn, soon } from "./browser.ts";
import { tabTo } from "./keys.ts";

const photo = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  const now = () => stage.installation.clock.now();

  test("on a tablet held upright the title of a work order is on one line, and the menu is for thumbs", async () => {
    const { owner, aircraftId, join } = await newSchool(stage.installation);
    const mechanic = await join(["mechanic"]);
    const description = "The nose wheel shimmies on landing.";
    expectStatus(201, await owner.post(`/aircraft/${aircraftId}/defects`, { description }));
    const path = "/app/maintenance/work-orders";
    const page = await stage.open({ as: mechanic, path, width: 820, height: 1180, isTouched: true, now: now() });
    const link = page.getByRole("link", { name: description });
    await link.waitFor();
    expect(await link.evaluate((title) => title.getClientRects().length)).toBe(1);
    await expectSound(page);
    for (const entry of await page.locator(".side nav a").all())
      expect((await entry.boundingBox())?.height).toBeGreaterThanOrEqual(40);
    await link.tap();
    await page.getByRole("heading", { name: description }).waitFor();
  });

  test("a pilot's defect is seen with its photo in its work order, deferred, then grounds, and is released on paper", async () => {
    const { owner, aircraftId, aircraft, join } = await newSchool(stage.installation);
    const mechanic = await join(["mechanic"], "Mia Mechanic");
    const reported = await owner.post(`/aircraft/${aircraftId}/defects`, { description: "Bremse links schleift." });
    const { id, work_order_id } = expectStatus(201, reported).body.data;
    await attach(owner, `/aircraft/${aircraftId}/defects/${id}/attachments`, {
      body: new Blob([photo], { type: "image/png" }),
      filename: "Bremse.png",
    });
    const path = `/app/maintenance/work-orders/${work_order_id}`;
    const page = await stage.open({ as: mechanic, path, width: 820, locale: "de-DE", now: now() });
    const dialog = page.getByRole("dialog");
    await page.getByRole("img", { name: "Bremse.png" }).waitFor();
    await expectSound(page);

    await page.getByRole("button", { name: "Zurückstellen Bremse links schleift." }).click();
    await dialog.getByLabel("Warum es bis dahin fliegen darf").fill("MEL 32-41, Kategorie C.");
    await dialog.getByRole("button", { name: "Zurückstellen" }).click();
    // One of the two limits is enough, so only one is asked for.
    await dialog.locator(".fault").first().waitFor();
    expect(await dialog.locator(".fault").count()).toBe(1);
    await dialog.getByLabel("Für Flugstunden").fill("10");
    await dialog.getByRole("button", { name: "Zurückstellen" }).click();
    await page.getByText("MEL 32-41, Kategorie C.").waitFor();
    await page.getByRole("button", { name: "Verlängern Bremse links schleift." }).waitFor();

    await page.getByRole("button", { name: "Sperren Bremse links schleift." }).click();
    await dialog.getByText("D-EABC wegen dieser Beanstandung sperren?").waitFor();
    await expectSound(page);
    await dialog.getByRole("button", { name: "Sperren" }).click();
    await page.getByText("sperrt das Flugzeug").waitFor();
    expect(await aircraft()).toMatchObject({ status: "grounded", groundings: [{ kind: "defect" }] });
    expect(await page.getByRole("button", { name: "Sperren Bremse links schleift." }).count()).toBe(0);

    await page.getByRole("button", { name: "Teil hinzufügen" }).click();
    await page.locator("[name=name]").fill("Bremszylinder");
    await page.locator("[name=part_number]").fill("30-9");
    await page.locator("[name=serial_number]").fill("B 4711");
    await page.locator("[name=batch_number]").fill("L 24-117");
    await page.getByRole("button", { name: "Teil hinzufügen" }).click();
    await page.getByText("30-9 · S/N B 4711 · Charge L 24-117").waitFor();
    await page.getByRole("button", { name: "Bearbeiten Befunde und Notizen" }).click();
    await page.locator("[name=findings]").fill("Bremszylinder undicht, ersetzt.");
    await expectSound(page);
    await page.getByRole("button", { name: "Speichern" }).click();
    await page.getByRole("button", { name: "Arbeit beginnen" }).click();
    await page.getByRole("button", { name: "Freigeben" }).click();
    await soon(
      () => dialog.getByRole("listitem").allInnerTexts(),
      ["Beanstandung behoben: Bremse links schleift.", "Bremszylinder undicht, ersetzt."],
    );
    await dialog.getByLabel("Genehmigungsnummer").fill("DE.CAO.0123");
    await dialog.getByLabel("Lizenz").fill("DE.66.4711");
    await dialog.getByLabel("Instandhaltungsunterlagen").fill("AMM 32-41, Rev. 5");
    await dialog.getByRole("button", { name: "Freigeben" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Freigabebescheinigung" }).waitFor();
    expect(await aircraft()).toMatchObject({ status: "available", groundings: [] });
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "PDF" }).click(),
    ]);
    expect(file.suggestedFilename()).toEndWith(".pdf");
    await expectSound(page);
    await page.goto(page.url().replace(/\/work-orders\/.*/, "/work-orders"));
    const name = page.getByRole("table", { name: "Werkstattaufträge" }).getByText("Bremse links schleift.");
    // On a tablet a name is not broken into letters.
    expect((await name.boundingBox())?.height).toBeLessThan(60);
    await expectSound(page);
  });

  test("an aircraft without documents and without a programme is seen, and gets one: by keys alone, in English in the dark", async () => {
    const { owner, aircraftId, join } = await newSchool(stage.installation);
    const mechanic = await join(["mechanic"], "Mia Mechanic");
    const insured = { type: "insurance", aircraft_id: aircraftId, issued_on: "2025-06-20", valid_until: "2026-06-19" };
    expectStatus(201, await owner.post("/compliance/records", insured));
    const page = await stage.open({ path: "/app/maintenance", colorScheme: "dark", now: now() });
    await signIn(page, mechanic);
    const documents = page.getByRole("list", { name: "ARC, insurance and other documents" }).getByRole("listitem");
    await soon(
      () => documents.allInnerTexts().then((all) => all.map((one) => one.split("\n")[0])),
      [...["Airworthiness review certificate", "Insurance"]],
    );
    await documents.getByText("Missing").waitFor();
    await documents.getByText("D-EABC · valid until 19/06/2026").waitFor();
    await expectSound(page);
    await tabTo(page, "Insurance");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "D-EABC" }).waitFor();
    await page.getByText("Nothing is planned.").waitFor();
    await tabTo(page, "Apply a programme");
    await expectSound(page);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Aeroplane with a piston engine" }).waitFor();
    await tabTo(page, "Apply to an aircraft Aeroplane with a piston engine");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await soon(() => dialog.getByLabel("Aircraft").inputValue(), aircraftId);
    await tabTo(page, "Apply to an aircraft");
    await page.keyboard.press("Enter");
    await page.getByText("not known when last done").first().waitFor();
    await expectSound(page);
    await tabTo(page, "Edit 50-hour oil change");
    await page.keyboard.press("Enter");
    await soon(() => dialog.locator("[name=interval_hours]").inputValue(), "50.00");
  });
});
