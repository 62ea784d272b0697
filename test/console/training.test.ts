/** Training as those use it who lead it, who teach and who learn: where all stand, one student, a lesson graded and signed on one phone. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { enroll, everyMinimum, fly, newTrainingSchool, small } from "../http/training/school.ts";
import { expectStatus, type Member, password, type School } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, signIn, soon } from "./browser.ts";
import { tabTo } from "./keys.ts";

const measured = {
  ...small,
  skill_test: true,
  theory: { pass_percent: 75, attempts: 4, sittings: null, months: 18, valid_months: 24, legal_basis: "FCL.025" },
  subjects: [
    { code: "air_law", name: "Air law" },
    { code: "meteorology", name: "Meteorology" },
  ],
  minima: everyMinimum.filter(({ measure }) => ["dual_minutes", "solo_minutes", "age"].includes(measure)),
};

/** Nobody may run it, and it must not widen the page. */
const hostile = `<img src=x onerror=alert(1)>שלום ${"Müller".repeat(13)}`;

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  const now = () => stage.installation.clock.now();

  const certified = async ({ owner, instructor }: Pick<School, "owner" | "instructor">) => {
    const certificate = { type: "fi", issued_on: "2025-01-15", valid_until: "2027-06-14" };
    expectStatus(201, await owner.post("/compliance/records", { ...certificate, person_id: instructor.personId }));
  };
  const recordsOf = async (by: Member) => expectStatus(200, await by.get("/training/lesson-records")).body.data;

  test("a head of training sees first whose training has stalled, and filters by the address", async () => {
    const school = await newTrainingSchool(measured, stage.installation);
    const { owner, join } = school;
    const behind = await join(["student"], "Bela Behind");
    const calm = await join(["student"], "Cara Calm");
    expectStatus(200, await owner.patch(`/people/${calm.personId}`, { name: hostile }));
    await enroll(school);
    await enroll(school, { student_id: behind.personId, started_on: "2026-06-01", planned_end_on: "2026-06-20" });
    await enroll(school, { student_id: calm.personId, started_on: "2026-06-01" });
    const page = await stage.open({ as: owner, path: "/app/today", now: now() });
    await page.getByRole("link", { name: "Training" }).click();
    const table = page.getByRole("table", { name: "Students" });
    await table.getByText("Stalled since").waitFor();
    const names = async () => (await table.getByRole("rowheader").allTextContents()).map((name) => name.slice(0, 11));
    expect(await names()).toEqual(["Sam Student", "Bela Behind", hostile.slice(0, 11)]);
    await table.getByText("Behind", { exact: true }).waitFor();
    await expectSound(page);
    await page.getByLabel("Where they stand").selectOption("behind");
    await soon(names, ["Bela Behind"]);
    expect(new URL(page.url()).search).toBe("?standing=behind");
    await page.reload();
    await soon(names, ["Bela Behind"]);
    await page.getByLabel("Find a student").fill("nobody");
    await page.getByRole("button", { name: "Clear all filters" }).click();
    await soon(async () => (await names()).length, 3);
    await table.getByRole("link", { name: "Bela Behind" }).click();
    await page.getByRole("heading", { name: "Bela Behind" }).waitFor();
    await page.getByText("Projected end").waitFor();
    await expectSound(page);
  });

  test("the same by keys alone on a phone, in German in the dark", async () => {
    const school = await newTrainingSchool(measured, stage.installation);
    const other = await school.join(["student"], "Cara Calm");
    expectStatus(200, await school.owner.patch(`/people/${other.personId}`, { name: hostile }));
    await enroll(school, { student_id: other.personId });
    const page = await stage.open({
      ...{ path: "/app/training", width: 360, colorScheme: "dark", locale: "de-DE", now: now() },
    });
    await signIn(page, school.owner);
    await page.getByText("Ruht seit").waitFor();
    await expectSound(page);
    await tabTo(page, hostile);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Ausbildungsprogramm" }).waitFor();
    await page.getByText("Circuits").first().waitFor();
    await expectSound(page);
    await tabTo(page, "1Circuits, Als Nächstes, 0 von 2 Übungen");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("Noch nicht bewertet").first().waitFor();
    await expectSound(page);
  });

  test("an instructor grades a lesson, and the student signs it on the same phone", async () => {
    const school = await newTrainingSchool(measured, stage.installation);
    const { owner, instructor, student } = school;
    await certified(school);
    const id = await enroll(school);
    await fly(school, { lesson: "1", ago: 1 });
    const page = await stage.open({
      ...{ as: instructor, path: `/app/training/${id}`, width: 360, now: now(), refusals: [401, 403] },
    });
    await page.getByRole("link", { name: "Grade a lesson" }).click();
    await page.getByRole("group", { name: "Item 1" }).waitFor();
    await expectSound(page);
    expect(await page.getByLabel("Flight").inputValue()).not.toBe("");
    await page.getByRole("group", { name: "Item 1" }).getByRole("radio", { name: "ok As required" }).check();
    await page.getByRole("group", { name: "Item 2" }).getByRole("radio", { name: "fail Not yet" }).check();
    await page.getByRole("textbox", { name: "Remark Item 2" }).fill(hostile);
    await page.getByLabel("For the student").fill("Look outside.");
    await page.getByLabel("Among instructors").fill("Tense in crosswind.");
    await expectSound(page);
    // What was typed survives a closed tab.
    await page.reload();
    await soon(() => page.getByLabel("Among instructors").inputValue(), "Tense in crosswind.");
    await page.getByRole("button", { name: "Sign and hand over" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Look outside.").waitFor();
    expect(await dialog.getByText("Tense in crosswind.").count()).toBe(0);
    await expectSound(page);
    // Somebody else's account signs nothing.
    await dialog.getByLabel("E-mail").fill(instructor.email);
    await dialog.getByRole("textbox", { name: "Password" }).fill(password);
    await dialog.getByRole("button", { name: "Read, and signed" }).click();
    await dialog.getByText("signs this, with their own account").waitFor();
    expect(await recordsOf(owner)).toMatchObject([{ acknowledged_at: null }]);
    await dialog.getByLabel("E-mail").fill(student.email);
    await dialog.getByRole("textbox", { name: "Password" }).fill(password);
    await dialog.getByRole("button", { name: "Read, and signed" }).click();
    await dialog.getByText("Please give the phone back").waitFor();
    await expectSound(page);
    const [record] = await recordsOf(owner);
    expect(record).toMatchObject({
      ...{ status: "recorded", remarks: "Look outside.", instructor_notes: "Tense in crosswind." },
      ...{ instructor_id: instructor.personId, signed_by_instructor: true },
      grades: [
        { grade: "ok", remarks: null },
        { grade: "fail", remarks: hostile },
      ],
    });
    expect(record.acknowledged_at).not.toBeNull();
    expect(record.flight_id).not.toBeNull();
    // The instructor is still signed in, also after the page is loaded anew; the student's session has ended.
    await dialog.getByRole("button", { name: "Go on" }).click();
    await page.getByText("Among instructors: the student doesn't see this").waitFor();
    await page.reload();
    await page.getByText("Tense in crosswind.").waitFor();
    await expectSound(page);
    const sessions = await stage.installation.call("GET", "/auth/sessions", { token: student.token });
    expect(sessions.body.data).toHaveLength(1);
  });

  test("a student reads their own training without the notes, and signs by keys alone", async () => {
    const school = await newTrainingSchool(measured, stage.installation);
    const { owner, instructor, student, revision } = school;
    await certified(school);
    const id = await enroll(school);
    const body = {
      enrollment_id: id,
      lesson_id: revision.lesson("1").id,
      remarks: hostile,
      instructor_notes: "Secret.",
    };
    expectStatus(201, await instructor.post("/training/lesson-records", body));
    const page = await stage.open({
      ...{ path: "/app/myself", width: 360, colorScheme: "dark", locale: "de-DE", now: now() },
    });
    await signIn(page, student);
    await tabTo(page, "Small");
    await page.keyboard.press("Enter");
    await page.getByText("Vom Flugschüler nicht unterschrieben").waitFor();
    expect(await page.getByText("Secret.").count()).toBe(0);
    expect(await page.getByText("Lektion bewerten").count()).toBe(0);
    await expectSound(page);
    await tabTo(page, "Gelesen 1");
    await page.keyboard.press("Enter");
    await page.getByText(/^Unterschrieben/u).waitFor();
    await expectSound(page);
    expect((await recordsOf(owner))[0].acknowledged_at).not.toBeNull();
  });
});
