/** Records in the console: what is missing is entered, the rule's expiry is filled in, a record is renewed and withdrawn. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { expectStatus, newSchool } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, soon } from "./browser.ts";

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  const now = () => stage.installation.clock.now();

  test("a medical that is missing is entered with the expiry of its rule, and an older one is corrected by its withdrawal", async () => {
    const { owner, student } = await newSchool(stage.installation);
    const personId = student.personId;
    expectStatus(200, await owner.patch(`/people/${personId}`, { date_of_birth: "1990-03-02" }));
    const records = () =>
      owner
        .get(`/compliance/records?person_id=${personId}&status=current`)
        .then((answer) => expectStatus(200, answer).body.data);
    const page = await stage.open({ as: owner, path: `/app/people/${personId}`, now: now() });
    const section = page.getByRole("region", { name: "Records" });
    await section.getByRole("button", { name: "Enter Medical certificate" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Class or level").selectOption("class_2");
    await dialog.getByLabel("Issued on").fill("2025-05-20");
    await soon(() => dialog.getByLabel("Valid until").inputValue(), "2030-05-20");
    await dialog.getByText("Filled in by MED.A.045").waitFor();
    // Who looks for the field of a scan reads why there is none.
    await dialog.getByText(/no number, no remarks and no scan/).waitFor();
    expect(await dialog.getByLabel(/file|photo|Number/i).count()).toBe(0);
    await expectSound(page);
    // The class decides, until a day is typed.
    await dialog.getByLabel("Class or level").selectOption("class_1");
    await soon(() => dialog.getByLabel("Valid until").inputValue(), "2026-05-20");
    await dialog.getByLabel("Valid until").fill("2026-05-01");
    await dialog.getByLabel("Class or level").selectOption("class_2");
    await dialog.getByText(/^The day of the examination/).waitFor();
    expect(await dialog.getByLabel("Valid until").inputValue()).toBe("2026-05-01");
    await dialog.getByRole("button", { name: "Enter", exact: true }).click();
    await section.getByText("Medical certificate · Class 2").first().waitFor();
    expect(await records()).toMatchObject([
      { type: "medical", level: "class_2", issued_on: "2025-05-20", valid_until: "2026-05-01", number: null },
    ]);

    await section.getByRole("button", { name: "Medical certificate · Class 2" }).click();
    await dialog.getByText(/no number, no remarks and no scan/).waitFor();
    await expectSound(page);
    await dialog.getByRole("button", { name: "Withdraw" }).click();
    await dialog.getByLabel("Reason").fill("Typed from another person's certificate.");
    await dialog.getByLabel("It was entered by mistake").check();
    await expectSound(page);
    await dialog.getByRole("button", { name: "Withdraw" }).click();
    await section.getByRole("button", { name: "Enter Medical certificate" }).waitFor();
    expect(await records()).toEqual([]);
  });

  test("an ARC is entered and about to be renewed by keys alone, in German on a phone in the dark", async () => {
    const { owner, aircraftId } = await newSchool(stage.installation);
    const path = `/app/aircraft/${aircraftId}`;
    const page = await stage.open({ as: owner, path, now: now(), locale: "de-DE", width: 360, colorScheme: "dark" });
    const section = page.getByRole("region", { name: "Dokumente" });
    await section.getByRole("button", { name: "Erfassen Dokumente" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Nachweis").selectOption("arc");
    await dialog.getByLabel("Ausgestellt am").fill("2025-02-10");
    await dialog.getByLabel("Gültig durch").selectOption("extension");
    await dialog.getByText("Es fehlt der Nachweis davor").waitFor();
    await soon(() => dialog.getByLabel("Gültig bis").inputValue(), "");
    await dialog.getByLabel("Gültig durch").selectOption("review");
    await soon(() => dialog.getByLabel("Gültig bis").inputValue(), "2026-02-10");
    await dialog.getByLabel("Nummer").fill("DE.CAO.0815");
    await expectSound(page);
    await page.keyboard.press("Enter");
    await section.getByText("DE.CAO.0815").waitFor();

    await section.getByRole("button", { name: /^Lufttüchtigkeitsprüfung/ }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Erneuern" }).focus();
    await page.keyboard.press("Enter");
    expect(await dialog.getByLabel("Nachweis").inputValue()).toBe("arc");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  test("a student sees their own records, and enters none", async () => {
    const { owner, student } = await newSchool(stage.installation);
    const record = { person_id: student.personId, type: "radio", issued_on: "2025-01-10", number: "BZF-1" };
    expectStatus(201, await owner.post("/compliance/records", record));
    const page = await stage.open({ as: student, path: `/app/people/${student.personId}`, now: now() });
    const section = page.getByRole("region", { name: "Records" });
    await section.getByText("BZF-1").waitFor();
    await section.getByText("Missing").waitFor();
    // It opens the record.
    expect(await section.getByRole("button").allTextContents()).toEqual([expect.stringContaining("Radio")]);
  });
});
