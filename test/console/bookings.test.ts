/** A student books on a phone: free times, the price, a cancellation, and the waiting list. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { booked, lesson } from "../http/planning/booking.ts";
import { enroll, newTrainingSchool, small } from "../http/training/school.ts";
import { expectStatus, type Member, newSchool } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, signIn, soon } from "./browser.ts";
import { tabTo } from "./keys.ts";

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  const now = () => stage.installation.clock.now();
  const sessionsOf = async (by: Member) => expectStatus(200, await by.get("/planning/sessions")).body.data;

  test("a student finds a free time, sees the price, books it, and cancels late, by thumb", async () => {
    const { owner, student, instructor, aircraftId } = await newSchool(stage.installation);
    const rate = { kind: "aircraft", aircraft_id: aircraftId, price_minor: 18_000, valid_from: "2026-01-01" };
    expectStatus(201, await owner.post("/finance/rates", rate));
    const page = await stage.open({ as: student, path: "/app/today", width: 360, now: now() });
    await page.getByRole("link", { name: "Bookings" }).click();
    await page.getByText("Nothing booked").waitFor();
    await expectSound(page);
    await page.getByRole("link", { name: "Book", exact: true }).click();
    await page.getByLabel("How long").selectOption("120");
    await page.getByRole("button", { name: "Sun 14 June 15:00–17:00 D-EABC" }).waitFor();
    await expectSound(page);
    await page.getByRole("button", { name: "Sun 14 June 15:00–17:00 D-EABC" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("€428.40").first().waitFor();
    await expectSound(page);
    await dialog.getByRole("button", { name: "Book it" }).click();
    await dialog.waitFor({ state: "detached" });
    await page
      .getByText(/^Sun 14 June, 15:00.–.17:00$/u)
      .first()
      .waitFor();
    expect(await sessionsOf(owner)).toMatchObject([
      {
        ...{ kind: "lesson", status: "planned", aircraft_id: aircraftId, instructor_id: instructor.personId },
        ...{
          student_ids: [student.personId],
          start_at: "2026-06-14T13:00:00.000Z",
          end_at: "2026-06-14T15:00:00.000Z",
        },
      },
    ]);
    expectStatus(200, await owner.patch("/planning/settings", { cancel_notice_hours: 48 }));
    await page.getByRole("button", { name: /Cancel Sun 14 June, 15:00.–.17:00/u }).click();
    await dialog.getByText("less than 48 hours before the start").waitFor();
    await expectSound(page);
    await dialog.getByRole("button", { name: "Cancel the booking" }).click();
    await page.getByText("Nothing booked").waitFor();
    expect(await sessionsOf(owner)).toMatchObject([
      { status: "cancelled", cancellation: { reason: "student", late: true } },
    ]);
  });

  test("what a booking costs is in the reader's language, without a language of the payer; what the school wrote stays", async () => {
    const { owner, student, aircraftId } = await newSchool(stage.installation);
    const rate = { price_minor: 18_000, valid_from: "2026-01-01" };
    expectStatus(201, await owner.post("/finance/rates", { ...rate, kind: "aircraft", aircraft_id: aircraftId }));
    const written = { ...rate, kind: "instructor", description: "FI, with briefing" };
    expectStatus(201, await owner.post("/finance/rates", written));
    const page = await stage.open({
      ...{ as: student, path: "/app/bookings/new", width: 360, locale: "de-DE", colorScheme: "dark", now: now() },
    });
    await page
      .getByRole("button", { name: /D-EABC$/u })
      .first()
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Flugzeit D-EABC", { exact: true }).waitFor();
    await dialog.getByText("FI, with briefing", { exact: true }).waitFor();
    await expectSound(page);
  });

  test("a time at night is shown to whoever asks for it, says so before it is booked, and is booked as one, by keys", async () => {
    const { owner, student } = await newSchool(stage.installation);
    // There the afternoon of the school's zone is after midnight.
    const coordinates = { latitude: "-33.868800", longitude: "151.209300" };
    expectStatus(200, await owner.patch("/directory/school", coordinates));
    const page = await stage.open({ as: student, path: "/app/bookings/new", width: 360, now: now() });
    const ofDay = page.getByRole("button", { name: /D-EABC$/u });
    await ofDay.first().waitFor();
    const slot = page.getByRole("button", { name: /^Sun 14 June .* D-EABC · at night$/u }).first();
    expect(await slot.count()).toBe(0);
    // The first that are shown, of all that are free by day.
    expect(await ofDay.count()).toBe(12);
    await page.getByRole("checkbox", { name: "Also at night" }).focus();
    await page.keyboard.press("Space");
    await slot.waitFor();
    await expectSound(page);
    await slot.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("A part is at night").waitFor();
    await dialog.getByRole("button", { name: "Book it" }).focus();
    await expectSound(page);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(await sessionsOf(owner)).toMatchObject([{ kind: "lesson", night: true }]);
  });

  test("nothing is free: a student waits, and books what becomes free, by keys alone, in German in the dark", async () => {
    const { owner, student, instructor, aircraftId } = await newSchool(stage.installation);
    const whole = { start_at: "2026-06-14T09:00:00.000Z", end_at: "2026-07-10T10:00:00.000Z" };
    const work = { kind: "other", aircraft_id: aircraftId, instructor_id: instructor.personId, ...whole };
    const blocked = expectStatus(201, await owner.post("/planning/sessions", work)).body.data;
    const page = await stage.open({
      ...{ path: "/app/bookings/new", width: 360, colorScheme: "dark", locale: "de-DE", now: now() },
      // What a booking then would answer is asked.
      refusals: [409],
    });
    await signIn(page, student);
    await page.getByText("ist nichts frei").waitFor();
    await expectSound(page);
    await tabTo(page, "Auf die Warteliste");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Warteliste" }).waitFor();
    await expectSound(page);
    const why = { reason: "other" };
    expectStatus(200, await owner.post(`/planning/sessions/${blocked.id}/cancel`, why));
    await page.getByText("Frei geworden").waitFor();
    await expectSound(page);
    await tabTo(page, "Annehmen");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Buchen" }).waitFor();
    await expectSound(page);
    await tabTo(page, "Buchen");
    await page.keyboard.press("Enter");
    await page.getByText("Gebucht.").waitFor();
    const [session] = (await sessionsOf(student)).filter(({ status }: { status: string }) => status === "planned");
    expect(session).toMatchObject({ aircraft_id: aircraftId, instructor_id: instructor.personId });
    await soon(() => page.getByRole("heading", { name: "Warteliste" }).count(), 0);
    await expectSound(page);
  });

  test("the next lesson of the training is proposed, and booked with it", async () => {
    const school = await newTrainingSchool(small, stage.installation);
    const { owner, student, revision } = school;
    await enroll(school);
    const page = await stage.open({ as: student, path: "/app/bookings", width: 360, now: now() });
    await page.getByText("0 of 2 exercises").waitFor();
    await expectSound(page);
    await page.getByRole("link", { name: "Book", exact: true }).click();
    await page.getByLabel("Lesson").waitFor();
    await expectSound(page);
    await page.getByRole("button", { name: "Sun 14 June 14:00–15:30 D-EABC" }).click();
    await page.getByRole("dialog").getByText("Circuits").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Book it" }).click();
    await page.getByText("Nothing booked").waitFor({ state: "detached" });
    expect(await sessionsOf(owner)).toMatchObject([{ kind: "lesson", lesson_id: revision.lesson("1").id }]);
  });

  test("what was taken meanwhile is said, with each rule that is against it", async () => {
    const { owner, student, aircraftId } = await newSchool(stage.installation);
    const page = await stage.open({ as: student, path: "/app/bookings/new", now: now(), refusals: [409] });
    const time = page.getByRole("button", { name: "Sun 14 June 14:00–15:30 D-EABC" });
    await time.waitFor();
    const other = { kind: "maintenance", start_at: "2026-06-14T12:00:00.000Z", end_at: "2026-06-14T13:00:00.000Z" };
    await page.route("**/changes", (route) => route.abort());
    expectStatus(201, await owner.post("/planning/sessions", { ...other, aircraft_id: aircraftId }));
    if (await time.isVisible()) await time.click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    expect(await page.getByRole("dialog").getByRole("button", { name: "Book it" }).count()).toBe(0);
    await expectSound(page);
  });

  test("why nothing is free: grounded, in the workshop, or beyond what the school allows, on a phone in the dark", async () => {
    const { owner, student, aircraftId } = await newSchool(stage.installation);
    const page = await stage.open({
      ...{ as: student, path: "/app/bookings/new", width: 360, colorScheme: "dark", now: now(), refusals: [409] },
    });
    const free = page.getByRole("button", { name: /D-EABC$/u }).first();
    await free.waitFor();
    const order = { aircraft_id: aircraftId, title: "50-hour oil change" };
    expectStatus(201, await owner.post("/maintenance/work-orders", order));
    await page.reload();
    await page.getByText("D-EABC: A work order is open").waitFor();
    await expectSound(page);
    expectStatus(200, await owner.post(`/aircraft/${aircraftId}/ground`, { reason: "Hail" }));
    await page.reload();
    await page.getByText("D-EABC: The aircraft is grounded").waitFor();
    const aircraft = page.getByLabel("Aircraft", { exact: true });
    expect(await aircraft.locator("option").allInnerTexts()).toContain("D-EABC · Cessna 172S – grounded");
    await expectSound(page);
  });

  test("a student is told that somebody else can't take part, and not who, nor that it is the student", async () => {
    const school = await newSchool(stage.installation);
    const { owner, student, instructor } = school;
    await booked(owner, lesson(school, "2026-06-16T10:00:00+02:00"));
    const away = { person_id: instructor.personId, from_on: "2026-06-16", until_on: "2026-06-16" };
    expectStatus(201, await owner.post("/planning/absences", away));
    const page = await stage.open({ as: student, path: "/app/bookings", now: now(), width: 360 });
    await page.getByText("Somebody else who takes part is not clear to fly or not available").waitFor();
    expect(await page.getByText("The clearance to fly is missing").count()).toBe(0);
    await expectSound(page);
  });

  test("a student who may not book any more is told what the school allows, by keys, in German", async () => {
    const { owner, student } = await newSchool(stage.installation);
    expectStatus(200, await owner.patch("/planning/settings", { max_open_bookings: 1, max_days_ahead: 30 }));
    const page = await stage.open({
      ...{ as: student, path: "/app/bookings/new", locale: "de-DE", now: now(), refusals: [409] },
    });
    await page
      .getByRole("button", { name: /D-EABC$/u })
      .first()
      .waitFor();
    const [start_at, end_at] = ["2026-06-14T12:00:00.000Z", "2026-06-14T13:00:00.000Z"];
    const own = { kind: "ground", start_at, end_at, student_ids: [student.personId] };
    expectStatus(201, await student.post("/planning/sessions", own));
    await page.getByText(/höchstens 1 offene Buchung, frühestens 30 Tage vor dem Beginn/u).waitFor();
    await expectSound(page);
    expectStatus(200, await owner.patch("/planning/settings", { students_book: false }));
    await page.getByText("Flugschüler buchen hier nicht selbst").waitFor();
    await expectSound(page);
  });

  test("what speaks against a booking is said in the reader's language", async () => {
    const { student } = await newSchool(stage.installation);
    const page = await stage.open({ as: student, path: "/app/bookings/new", width: 360, locale: "de-DE", now: now() });
    await page.getByLabel("Fluglehrer").selectOption({ label: "Ohne Fluglehrer" });
    await page
      .getByRole("button", { name: /D-EABC$/u })
      .first()
      .click();
    const dialog = page.getByRole("dialog");
    await dialog
      .getByText(/Alleinflug/u)
      .first()
      .waitFor();
    expect(await dialog.textContent()).not.toContain("student without");
    await expectSound(page);
  });

  test("the next bookings say what stops them, on a phone in German in the dark", async () => {
    const school = await newSchool(stage.installation);
    const { owner, student, aircraftId } = school;
    await booked(owner, lesson(school, "2026-06-15T10:00:00Z"));
    const page = await stage.open({
      ...{ as: student, path: "/app/bookings", width: 360, colorScheme: "dark", locale: "de-DE", now: now() },
    });
    const next = page.getByRole("list", { name: "Nächste Buchungen" });
    await next.getByText(/D.EABC · Ines Instructor/u).waitFor();
    expect(await next.getByText("gesperrt").count()).toBe(0);
    expectStatus(200, await owner.post(`/aircraft/${aircraftId}/ground`, { reason: "Hail" }));
    await page.reload();
    await next.getByText("D-EABC: Das Flugzeug ist gesperrt").waitFor();
    await expectSound(page);
  });
});
