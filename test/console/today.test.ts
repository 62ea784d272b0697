/** What waits for whom, on the first screen. */
import { afterAll, beforeAll, describe, test } from "bun:test";
import { hours } from "../../src/core/clock.ts";
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
    await school.submitFlight(student);
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
