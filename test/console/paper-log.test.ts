/** A secretary enters a paper log in German: line after line, with what is typed wrong, and what is noticed later. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { expectStatus, newSchool, type School } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, soon } from "./browser.ts";

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  const openAt = async (school: School, path: string): Promise<Page> => {
    const page = await stage.open({ as: school.owner, path, locale: "de-DE" });
    return page;
  };
  const field = (page: Page, name: string) => page.locator(`[name="${name}"]`).and(page.locator(":not([readonly])"));

  test("what has another format is said when the field is left, and not cut", async () => {
    const page = await openAt(await newSchool(stage.installation), "/app/flights/new");
    await field(page, "departure").fill("Grünstadt");
    await field(page, "off_block_at").fill("17:95");
    await page.getByText("Bitte die vier Zeichen der ICAO-Kennung angeben, z. B. EDFE.").waitFor();
    expect(await field(page, "departure").inputValue()).toMatch(/^grünstadt$/i);
    await field(page, "hobbs_end").fill("1.235,5");
    await page.getByText("Bitte eine Uhrzeit angeben, z. B. 14:05.").waitFor();
    await field(page, "tacho_end").fill("1.235.5");
    await page.keyboard.press("Tab");
    await page.getByText("Bitte Stunden angeben, z. B. 1234,5.").waitFor();
    await soon(() => field(page, "hobbs_end").getAttribute("aria-invalid"), null);
    await expectSound(page);
    await field(page, "tacho_end").fill("1235,5");
    await page.keyboard.press("Tab");
    await page.getByText("Bitte Stunden angeben").waitFor({ state: "detached" });
  });

  test("the next line of the log has the day, the aircraft, the place and the counter of the one before", async () => {
    const school = await newSchool(stage.installation);
    const { id } = await school.submitFlight(school.student);
    const body = { hobbs_start: "1234.50", hobbs_end: "1235.50", arrival: "EDKB" };
    const { off_block_at } = expectStatus(200, await school.owner.patch(`/flights/${id}`, body)).body.data;
    const page = await openAt(school, `/app/flights/${id}/edit`);
    await page.getByText("Änderungen gelten erst mit „Speichern“.").waitFor();
    await page.getByRole("button", { name: "Speichern" }).click();
    await page.getByRole("button", { name: "Weiterer Flug" }).click();
    await soon(() => field(page, "aircraft_id").inputValue(), "D-EABC");
    await soon(() => field(page, "hobbs_start").inputValue(), "1235,50");
    const [day] = new Date(off_block_at).toLocaleDateString("sv-SE", { timeZone: "Europe/Berlin" }).split(" ");
    expect(await field(page, "day").inputValue()).toBe(String(day));
    expect(await field(page, "departure").inputValue()).toBe("EDKB");
    expect(await field(page, "off_block_at").inputValue()).toBe("");
  });

  test("a flight leads to its approval, which says what is not yet acknowledged; reversed, it is entered again from what it was", async () => {
    const school = await newSchool(stage.installation);
    expectStatus(200, await school.owner.patch("/clearance/rules/solo_medical", { action: "block" }));
    const { id } = await school.submitFlight(school.student, { body: { remarks: "Drei Platzrunden" } });
    await school.submitFlight(school.student);
    const page = await openAt(school, `/app/flights/${id}`);
    await page.getByRole("link", { name: "Zur Freigabe" }).click();
    await page.getByText("Drei Platzrunden").waitFor();
    const review = page.locator(".review");
    await review.getByRole("button", { name: "Freigeben" }).click();
    await review.getByRole("alert").getByText("Zum Freigeben erst die Befunde zur Kenntnis nehmen.").waitFor();
    await expectSound(page);
    await review.getByRole("checkbox").check();
    await soon(() => review.getByRole("alert").count(), 0);
    await review.getByRole("button", { name: "Freigeben" }).click();
    await page.getByText(/^Freigegeben: D-EABC/).waitFor();
    expectStatus(200, await school.owner.post(`/flights/${id}/reverse`, { reason: "Vertippt" }));
    await page.goto(`${stage.url}/app/flights/${id}`);
    await page.getByRole("link", { name: "Neu erfassen" }).click();
    await soon(() => field(page, "remarks").inputValue(), "Drei Platzrunden");
    await soon(() => field(page, "crew.0.person_id").inputValue(), "Sam Student");
    await page.getByRole("button", { name: "Einreichen" }).click();
    await page.getByText("Der Flug ist eingereicht.").waitFor();
    const { data } = expectStatus(200, await school.owner.get("/flights")).body;
    expect(data.filter(({ remarks }: { remarks: string }) => remarks === "Drei Platzrunden")).toHaveLength(2);
  });

  test("a student is invited on their own page, and the account is theirs", async () => {
    const school = await newSchool(stage.installation);
    const person = { name: "Anna Groß", types: ["student"], email: "anna@new.example" };
    const { id } = expectStatus(201, await school.owner.post("/people", person)).body.data;
    const page = await openAt(school, `/app/people/${id}`);
    await page.getByRole("button", { name: "Einladen" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Sonst anna@new.example.").waitFor();
    await expectSound(page);
    await dialog.getByRole("button", { name: "Einladen" }).click();
    await page.getByText("Die Einladung an anna@new.example ist unterwegs.").waitFor();
    const invites = expectStatus(200, await school.owner.get("/student-invites")).body.data;
    expect(invites).toMatchObject([{ person_id: id, email: "anna@new.example" }]);
  });
});
