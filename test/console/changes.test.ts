/** What another desk changes appears by itself: no reload, nothing typed is lost, and a cut connection misses nothing. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { stretched } from "../support/limits.ts";
import { expectStatus, newSchool } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, signIn, soon } from "./browser.ts";

const desks = [
  {
    options: { locale: "en-GB", width: 1280 },
    words: {
      ...{ bookings: "Bookings of the day", approvals: "Flights to approve", defects: "Open defects" },
      ...{ edit: "Edit Contact", city: "City", flights: "Flights" },
    },
  },
  {
    options: { locale: "de-DE", width: 360, colorScheme: "dark" },
    words: {
      ...{ bookings: "Buchungen des Tages", approvals: "Flüge zur Freigabe", defects: "Offene Beanstandungen" },
      ...{ edit: "Bearbeiten Kontakt", city: "Ort", flights: "Flüge" },
    },
  },
] as const;

/** Milliseconds from the answer to the other desk until the page shows it. */
const measured: number[] = [];

async function appears(locator: Locator, state: "visible" | "detached" = "visible"): Promise<void> {
  const start = performance.now();
  await locator.waitFor({ state, timeout: stretched(10_000) });
  measured.push(performance.now() - start);
}

/** The stream is open: what was written before it is loaded, what comes after is told. */
const following = (page: Page) =>
  page.waitForResponse((response) => response.url().endsWith("/changes") && response.status() === 200);

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(async () => {
    await stage.close();
    const sorted = measured.toSorted((a, b) => a - b);
    // Median and longest, for who runs this to see how fast it is.
    console.info(`shown after ${sorted[sorted.length >> 1]?.toFixed()} ms, at most ${sorted.at(-1)?.toFixed()} ms`);
  });

  test.each(desks)("today, a list and a page follow what others do, $options.locale", async ({ options, words }) => {
    const school = await newSchool(stage.installation);
    const { owner, instructor, student, aircraftId, installation } = school;
    const flight = await school.submitFlight(student);
    const page = await stage.open(options);
    const open = following(page);
    await signIn(page, owner);
    await open;
    const region = (name: string) => page.getByRole("region", { name });
    await region(words.approvals).getByText("Sam Student").waitFor();

    expectStatus(200, await instructor.post(`/flights/${flight.id}/approve`));
    await appears(region(words.approvals).getByText("Sam Student"), "detached");

    const start = installation.clock.now().getTime() + 3_600_000;
    const [start_at, end_at] = [start, start + 3_600_000].map((at) => new Date(at).toISOString());
    const booking = { kind: "flight", aircraft_id: aircraftId, student_ids: [student.personId], start_at, end_at };
    expectStatus(201, await instructor.post("/planning/sessions", booking));
    await appears(region(words.bookings).getByText("D-EABC"));

    const description = "Nose wheel shimmies.";
    expectStatus(201, await instructor.post(`/aircraft/${aircraftId}/defects`, { description, grounding: true }));
    await appears(region(words.defects).getByText(description));
    await expectSound(page);

    await page.goto(`${stage.url}/app/aircraft/${aircraftId}`);
    await page.getByText(description).first().waitFor();
    expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { model: "Cessna 172R" }));
    await appears(page.getByText("Cessna 172R").first());

    await page.goto(`${stage.url}/app/people`);
    await page.getByText("Sam Student").first().waitFor();
    expectStatus(200, await owner.patch(`/people/${student.personId}`, { name: "Samuel Student" }));
    await appears(page.getByText("Samuel Student").first());
  });

  test.each(desks)("what is typed, the focus and the place stay, $options.locale", async ({ options, words }) => {
    const { owner, student, join } = await newSchool(stage.installation);
    const admin = await join(["admin"], "Ada Admin");
    const page = await stage.open({ ...options, path: `/app/people/${student.personId}` });
    const open = following(page);
    await signIn(page, owner);
    await open;
    await page.getByRole("heading", { name: "Sam Student" }).waitFor();
    await page.getByRole("button", { name: words.edit, exact: true }).click();
    await page.getByLabel(words.city).focus();
    await page.keyboard.type("Egels");
    const place = await page.evaluate("scrollY");

    expectStatus(
      200,
      await admin.patch(`/people/${student.personId}`, { phone: "+49 30 1111", name: "Samuel Student" }),
    );
    await appears(page.getByRole("heading", { name: "Samuel Student" }));

    await page.keyboard.type("bach");
    expect(await page.getByLabel(words.city).inputValue()).toBe("Egelsbach");
    expect(await page.evaluate("scrollY")).toBe(place);
  });

  test("a list that is read does not jump, and its row keeps the focus", async () => {
    const { owner } = await newSchool(stage.installation);
    for (let n = 0; n < 40; n += 1)
      expectStatus(
        201,
        await owner.post("/people", { name: `Person ${String(n).padStart(2, "0")}`, types: ["pilot"] }),
      );
    const page = await stage.open({ path: "/app/people" });
    const open = following(page);
    await signIn(page, owner);
    await open;
    const link = page.getByRole("link", { name: "Person 38" });
    await link.focus();
    await soon(() => link.evaluate((element) => element.matches(":focus")), true);
    const place = await page.evaluate("scrollY");
    expect(place).toBeGreaterThan(0);
    const { data } = (await owner.get("/people?q=Person%2039")).body;
    expectStatus(200, await owner.patch(`/people/${data[0].id}`, { name: "Person 39 b" }));
    await appears(page.getByText("Person 39 b"));
    expect(await link.evaluate((element) => element.matches(":focus"))).toBe(true);
    expect(await page.evaluate("scrollY")).toBe(place);
  });

  test("many changes in a row load each answer a few times only", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({ path: "/app/people" });
    const open = following(page);
    await signIn(page, owner);
    await open;
    await page.getByText("Olga Owner").first().waitFor();
    let loads = 0;
    page.on("request", (request) => {
      if (/\/people(\?|$)/.test(request.url())) loads += 1;
    });
    const start = performance.now();
    for (let n = 0; n < 50; n += 1)
      expectStatus(201, await owner.post("/people", { name: `Person ${n}`, types: ["pilot"] }));
    await page.getByText("Person 49").first().waitFor();
    expect(loads).toBeLessThanOrEqual(3 + Math.ceil((performance.now() - start) / 500));
  });

  test("what was missed while the connection was cut shows when it is back", async () => {
    const { owner, student } = await newSchool(stage.installation);
    const page = await stage.open({ path: "/app/people", isCut: true });
    const open = following(page);
    await signIn(page, owner);
    await open;
    await page.getByText("Sam Student").first().waitFor();
    await page.context().setOffline(true);
    expectStatus(200, await owner.patch(`/people/${student.personId}`, { name: "Samuel Student" }));
    await page.waitForTimeout(200);
    expect(await page.getByText("Samuel Student").count()).toBe(0);
    await page.context().setOffline(false);
    await page
      .getByText("Samuel Student")
      .first()
      .waitFor({ timeout: stretched(10_000) });
  });

  test("a member with other roles sees what they may without a reload", async () => {
    const { owner, student } = await newSchool(stage.installation);
    const page = await stage.open();
    const open = following(page);
    await signIn(page, student);
    await open;
    await soon(() => page.getByRole("link", { name: "Settings" }).count(), 0);
    expectStatus(200, await owner.patch(`/members/${student.userId}`, { roles: ["admin"] }));
    await page
      .getByRole("link", { name: "Settings" })
      .first()
      .waitFor({ timeout: stretched(10_000) });
  });

  test("a sign-out ends the stream without an error", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open();
    const open = following(page);
    await signIn(page, owner);
    await open;
    await page.getByRole("button", { name: "Olga Owner" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });
});
