/** What waits for whom, on the first screen. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hours } from "../../src/core/clock.ts";
import { booked, lesson } from "../http/planning/booking.ts";
import { expectStatus, newSchool } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, soon } from "./browser.ts";

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  test("the owner sees what the school waits for, and the way to it, by keyboard, wide and dark", async () => {
    const school = await newSchool(stage.installation);
    const { owner, student, aircraftId } = school;
    await school.submitFlight(student, { body: { arrival: "EDFE" } });
    const report = { description: "Nose wheel <b>shimmies</b>.", grounding: true };
    expectStatus(201, await owner.post(`/aircraft/${aircraftId}/defects`, report));
    const at = (hour: number) => new Date(stage.installation.clock.now().getTime() + hours(hour)).toISOString();
    const booking = { kind: "ground", title: "Briefing", start_at: at(30), end_at: at(31) };
    const people = { instructor_id: school.instructor.personId, student_ids: [student.personId] };
    expectStatus(201, await owner.post("/planning/sessions", { ...booking, ...people }));
    const page = await stage.open({ as: owner, colorScheme: "dark" });
    await page.getByRole("heading", { name: "Today" }).waitFor();
    const flights = page.getByRole("region", { name: "Flights to approve" });
    await flights.getByText("Sam Student").waitFor();
    await flights.getByRole("link", { name: "D-EABC · EDFE", exact: true }).waitFor();
    await page.getByRole("region", { name: "Open defects" }).getByText(report.description).waitFor();
    await page.getByRole("region", { name: "Aircraft" }).getByText("Grounded").waitFor();
    await page.getByRole("region", { name: "Next bookings" }).getByText("Briefing").waitFor();
    await expectSound(page);
    await flights.getByRole("link", { name: "Approve" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/app/flights/approvals");
  });

  test("a student sees what is theirs, on a phone, in German", async () => {
    const school = await newSchool(stage.installation);
    expectStatus(201, await school.student.post("/flights", school.flightBody()));
    await school.submitFlight(school.instructor);
    const page = await stage.open({ as: school.student, width: 360, locale: "de-DE" });
    await page.getByRole("region", { name: "Ihre nächsten Buchungen" }).getByText("Sie haben keine Buchung.").waitFor();
    await soon(() => page.getByRole("region", { name: "Ihre Entwürfe" }).getByRole("listitem").count(), 1);
    await soon(() => page.getByRole("region", { name: "Ihr Konto" }).getByText("nichts zu zahlen").count(), 1);
    await soon(() => page.getByText("zur Freigabe").count(), 0);
    await soon(() => page.getByText("Erste Schritte").count(), 0);
    await expectSound(page);
  });

  test("a booking of the day leads to what can be done with it, by mouse and by keyboard", async () => {
    const school = await newSchool(stage.installation);
    const { owner } = school;
    await booked(owner, lesson(school, "2026-06-14T18:00:00+02:00"));
    const now = stage.installation.clock.now();
    const page = await stage.open({ as: owner, now });
    const bookings = page.getByRole("region", { name: "Bookings of the day" });
    await bookings.getByText("Sam Student · Ines Instructor").waitFor();
    await expectSound(page);
    await bookings.getByRole("link", { name: "D-EABC" }).click();
    const panel = page.getByRole("dialog", { name: /^Lesson/ });
    await panel.getByText("Sam Student").waitFor();
    await panel.getByRole("button", { name: "Check in" }).waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    expect(page.url()).not.toContain("booking=");
    await page.goBack();
    await bookings.getByRole("link", { name: "D-EABC" }).focus();
    await page.keyboard.press("Enter");
    await panel.getByRole("button", { name: "Cancel the booking" }).waitFor();
  });

  test("a student's next bookings name the day and the others, and the waiting list is a way from the owner's page", async () => {
    const school = await newSchool(stage.installation);
    const { owner, student } = school;
    await booked(owner, lesson(school, "2026-06-14T18:00:00+02:00"));
    const wish = { from_at: "2026-06-15T06:00:00.000Z", until_at: "2026-06-17T18:00:00.000Z", minutes: 90 };
    expectStatus(201, await student.post("/planning/wishes", { person_id: student.personId, ...wish }));
    const now = stage.installation.clock.now();
    const page = await stage.open({ as: student, width: 360, colorScheme: "dark", locale: "de-DE", now });
    const own = page.getByRole("region", { name: "Ihre nächsten Buchungen" });
    await own.getByRole("link", { name: "So., 14. Juni, 18:00–19:00 D-EABC" }).waitFor();
    await soon(() => own.getByText("Sam Student").count(), 0);
    const registration = own.locator(".unbroken");
    expect(await registration.evaluate((one) => [one.textContent, one.getClientRects().length])).toEqual(["D-EABC", 1]);
    await expectSound(page);
    const desk = await stage.open({ as: owner, now });
    await desk.getByRole("region", { name: "Waiting" }).getByRole("link", { name: "1" }).click();
    await desk.getByRole("dialog", { name: "Waiting list" }).getByText("Sam Student").waitFor();
  });

  test("a message does not break a registration at its hyphen", async () => {
    const { owner, aircraftId } = await newSchool(stage.installation);
    const page = await stage.open({ as: owner, path: `/app/aircraft/${aircraftId}`, locale: "de-DE" });
    await page.getByRole("button", { name: "Archivieren" }).click();
    const registration = page.getByRole("status").getByText("D-EABC", { exact: true });
    expect(await registration.evaluate((one) => one.getClientRects().length)).toBe(1);
    expect(await registration.evaluate((one) => getComputedStyle(one).whiteSpace)).toBe("nowrap");
  });

  test("a new school has first steps, which are gone when they are done or dismissed", async () => {
    const { installation } = stage;
    const body = {
      ...{ email: "first-steps@example.com", password: "correct horse battery", name: "Olga Lindner" },
      organization: { name: "Windy Hill", kind: "ato" },
    };
    const { tokens, organization } = expectStatus(201, await installation.call("POST", "/auth/signup-org", { body }))
      .body.data;
    const page = await stage.open({ as: { email: body.email } });
    const steps = page.getByRole("region", { name: "First steps" });
    await steps.getByRole("link", { name: "Add an aircraft" }).waitFor();
    await page.getByText("Nothing needs your attention now.").waitFor();
    await expectSound(page);
    const plane = { registration: "D-EABC", model: "Cessna 172R", class: "SEP", icao_type: "C172" };
    const path = `/orgs/${organization.id}/aircraft`;
    expectStatus(201, await installation.call("POST", path, { token: tokens.access_token, body: plane }));
    await page.reload();
    await steps.getByText("(done)").waitFor();
    await soon(() => steps.getByRole("link", { name: "Add an aircraft" }).count(), 0);
    await steps.getByRole("button", { name: "Close" }).click();
    await steps.waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("heading", { name: "Bookings of the day" }).waitFor();
    await soon(() => steps.count(), 0);
  });
});
