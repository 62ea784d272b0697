/**
 * Three ways through the console that a school goes often, from the first page to the end, by the keys alone: an instructor's certificate is
 * revalidated, a student is invited and books, a mechanic reports a defect with a photo and releases the aircraft.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { newTrainingSchool, small } from "../http/training/school.ts";
import { tokenIn } from "../support/mails.ts";
import { expectStatus, newSchool, password } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, signIn, soon } from "./browser.ts";
import { dialogHasFocus, tabTo, tabToField } from "./keys.ts";

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
  /** Tab, and Enter there. */
  const go = async (page: Page, name: string) => {
    await tabTo(page, name);
    await page.keyboard.press("Enter");
  };
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim());
  /** A day in the field that has the focus. In which order it is typed depends on the machine. */
  const typeDay = (page: Page, day: string) => page.locator("input[type=date]:focus").fill(day);

  test("what an FI certificate lacks is seen and entered, the certificate renewed, and its expiry moves", async () => {
    const { owner, instructor } = await newSchool(stage.installation);
    const of = { person_id: instructor.personId };
    const held = { ...of, type: "fi", issued_on: "2023-08-20", valid_until: "2026-08-31" };
    expectStatus(201, await owner.post("/compliance/records", held));
    const page = await stage.open({ path: "/app/compliance/revalidations", now: now() });
    await signIn(page, owner);
    const list = page.getByRole("list", { name: "Revalidation" });
    await list.getByText("until 31/08/2026", { exact: false }).waitFor();
    await list.getByText("2 of these are enough.").waitFor();
    await expectSound(page);
    await go(page, "Enter Instructor refresher training");
    await dialogHasFocus(page);
    await page.getByRole("dialog").getByText("Ines Instructor").waitFor();
    await expectSound(page);
    await typeDay(page, "2026-06-01");
    await page.keyboard.press("Enter");
    await list.getByText("One of these is enough.").waitFor();
    // The button is gone: the keys go on in the row.
    await soon(() => focused(page), "Ines Instructor");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Ines Instructor" }).waitFor();
    await page.getByText("Assessment of competence, in the last 12 months: missing").waitFor();
    await go(page, "Enter Assessment of competence, in the last 12 months");
    await dialogHasFocus(page);
    await typeDay(page, "2026-06-10");
    await page.keyboard.press("Enter");
    await page.getByText("Met", { exact: true }).waitFor();
    await soon(() => focused(page), "Revalidation");
    await expectSound(page);
    await go(page, "Renew FI certificate");
    await dialogHasFocus(page);
    await typeDay(page, "2026-06-12");
    // Counted from the old expiry.
    await soon(() => page.getByLabel("Valid until").inputValue(), "2029-08-31");
    await page.keyboard.press("Enter");
    await page.getByText("valid until 31/08/2029").waitFor();
    await page.getByText(/^until 31\/08\/2029/u).waitFor();
    expect(await focused(page)).toBe("Revalidation");
    const records = expectStatus(200, await owner.get(`/compliance/records?person_id=${of.person_id}&type=fi`)).body
      .data;
    expect(records).toContainEqual(expect.objectContaining({ status: "current", valid_until: "2029-08-31" }));
  });

  test("a student is invited, joins by the link on a phone, is enrolled, and books the first lesson", async () => {
    const { owner, instructor, revision } = await newTrainingSchool(small, stage.installation);
    const nora = { name: "Nora Neu", types: ["student"], email: "nora@example.com" };
    const { id } = expectStatus(201, await owner.post("/people", nora)).body.data;
    const page = await stage.open({ path: `/app/people/${id}`, now: now() });
    await signIn(page, owner);
    await page.getByText("Has no account yet.").waitFor();
    await go(page, "Invite");
    await dialogHasFocus(page);
    await expectSound(page);
    // The address of the records is the one that is meant.
    await page.keyboard.press("Enter");
    await page.getByText("Invited as nora@example.com.", { exact: false }).waitFor();
    expect(await focused(page)).toBe("Send again");
    await expectSound(page);
    await go(page, "Enroll");
    await page.getByRole("combobox", { name: "Programme" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Small");
    await page.getByRole("option", { name: "Small" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expectSound(page);
    await go(page, "Enroll a student");
    await page.getByRole("heading", { level: 1, name: "Nora Neu" }).waitFor();

    const token = tokenIn(stage.installation.mails, nora.email, "student");
    const phone = await stage.open({ path: `/app/link#student=${token}`, width: 360, now: now() });
    await soon(() => phone.getByLabel("Your name").inputValue(), "Nora Neu");
    await tabTo(phone, "Show the password");
    await phone.keyboard.press("Shift+Tab");
    await phone.keyboard.type(password);
    await phone.keyboard.press("Enter");
    await phone.locator(".shell h1").waitFor();
    await go(phone, "Book");
    await phone.getByLabel("Lesson").waitFor();
    await go(phone, "Sun 14 June 14:00–15:30 D-EABC");
    const dialog = phone.getByRole("dialog");
    await dialog.getByText("Circuits").waitFor();
    await dialog.getByRole("button", { name: "Book it" }).waitFor();
    await expectSound(phone);
    await go(phone, "Book it");
    await dialog.waitFor({ state: "detached" });
    await phone.getByRole("heading", { name: "My bookings" }).waitFor();
    const booked = { student_ids: [id], lesson_id: revision.lesson("1").id, instructor_id: instructor.personId };
    expect(expectStatus(200, await owner.get("/planning/sessions")).body.data).toMatchObject([booked]);
  });

  test("a mechanic reports a defect with a photo on the apron, sees that it blocks bookings, and releases the aircraft", async () => {
    const { owner, aircraftId, join } = await newSchool(stage.installation);
    const mechanic = await join(["mechanic"], "Mia Mechanic");
    const page = await stage.open({ path: "/app/today", width: 360, locale: "de-DE", colorScheme: "dark", now: now() });
    page.on("filechooser", (chooser) => chooser.setFiles({ name: "Bremse.png", mimeType: "image/png", buffer: photo }));
    await signIn(page, mechanic);
    await go(page, "Beanstandung melden");
    await page.getByRole("heading", { level: 1, name: "Beanstandung melden" }).waitFor();
    await page.getByRole("radio").first().waitFor();
    await soon(() => focused(page), "Beanstandung melden");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Bremse links schleift.");
    await page.keyboard.press("Tab");
    await page.locator("input[type=file][capture=environment]:focus").waitFor({ state: "attached" });
    await page.keyboard.press("Enter");
    await page.getByText("Bremse.png", { exact: true }).waitFor();
    await expectSound(page);
    await go(page, "Melden");
    await page.getByText("Nicht buchbar, solange dieser Werkstattauftrag offen ist:").waitFor();
    await page.getByText("Nicht buchbar", { exact: true }).waitFor();
    await expectSound(page);
    await go(page, "Bremse links schleift.");
    await page.getByRole("img", { name: "Bremse.png" }).waitFor();
    await soon(() => focused(page), "Bremse links schleift.");
    await go(page, "Arbeit beginnen");
    await page.getByText("In Arbeit", { exact: true }).waitFor();
    await soon(() => focused(page), "Bremse links schleift.");
    await go(page, "Bearbeiten Befunde und Notizen");
    await page.locator("[name=title]:focus").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.type("Bremsbeläge ersetzt.");
    await go(page, "Speichern");
    await page.getByText("Bremsbeläge ersetzt.", { exact: true }).waitFor();
    await go(page, "Freigeben");
    await dialogHasFocus(page);
    await expectSound(page);
    // What is certified comes first; what is still missing gets the focus.
    await tabToField(page, "maintenance_data");
    await page.keyboard.type("AMM 32-41");
    await page.keyboard.press("Enter");
    await page.locator("[name='approval.reference']:focus").waitFor();
    await page.keyboard.type("DE.CAO.0123");
    await page.keyboard.press("Enter");
    await page.locator("[name=licence_number]:focus").waitFor();
    await page.keyboard.type("DE.66.4711");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Freigabebescheinigung" }).waitFor();
    await expectSound(page);
    const [defect] = expectStatus(200, await owner.get(`/aircraft/${aircraftId}/defects`)).body.data;
    expect(defect).toMatchObject({ description: "Bremse links schleift.", status: "rectified" });
  });
});
