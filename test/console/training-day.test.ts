/** What a head of training does in a day beside lessons: exams of a sitting, a syllabus with a fault, and grades that a student has not signed. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { enroll, everyMinimum, fly, newTrainingSchool, small } from "../http/training/school.ts";
import { expectStatus, type School } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, signIn, soon } from "./browser.ts";
import { tabTo } from "./keys.ts";

const examined = {
  ...small,
  skill_test: true,
  theory: { pass_percent: 75, attempts: 4, sittings: null, months: 18, valid_months: 24, legal_basis: "FCL.025" },
  subjects: ["Air law", "Meteorology", "Navigation"].map((name) => ({
    code: name.toLowerCase().replace(" ", "_"),
    name,
  })),
  minima: everyMinimum.filter(({ measure }) => measure === "dual_minutes"),
};

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

  test("the exams of a day are entered one after the other, and what the skill test waits for is said before it", async () => {
    const school = await newTrainingSchool(examined, stage.installation);
    const id = await enroll(school);
    const passed = { kind: "theory", subject: "air_law", taken_on: "2026-06-10", percent: 80 };
    expectStatus(201, await school.instructor.post(`/training/enrollments/${id}/exams`, passed));
    const page = await stage.open({ as: school.owner, path: `/app/training/${id}`, now: now() });
    await page.getByRole("button", { name: "Enter an exam" }).click();
    const dialog = page.getByRole("dialog");
    const subject = dialog.getByLabel("Subject", { exact: true });
    // The first that is not passed.
    await soon(() => subject.inputValue(), "meteorology");
    await dialog.getByLabel("Kind").selectOption("skill_test");
    await dialog.getByText("Still missing before the skill test: Dual, Exercises, Theory exams.").waitFor();
    await expectSound(page);
    await dialog.getByLabel("Kind").selectOption("theory");
    await dialog.getByLabel("Taken on").fill("2026-06-12");
    await dialog.getByLabel("Then the next subject of the same day").check();
    await dialog.getByLabel("Percent").fill("90");
    await page.keyboard.press("Enter");
    await soon(() => subject.inputValue(), "navigation");
    expect(await dialog.getByLabel("Percent").inputValue()).toBe("");
    await expectSound(page);
    // The field for the next result has the focus.
    await page.keyboard.type("77");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    const { data } = expectStatus(200, await school.owner.get(`/training/enrollments/${id}/exams`)).body;
    const found = data.map((exam: { subject: string; taken_on: string; percent: number }) => [
      ...[exam.subject, exam.taken_on, exam.percent],
    ]);
    expect(found).toContainEqual(["meteorology", "2026-06-12", 90]);
    expect(found).toContainEqual(["navigation", "2026-06-12", 77]);
  });

  test("an exercise without a name is refused, a removed one's code is not given again, and why a draft is not saved is in sight", async () => {
    const { owner, revision } = await newTrainingSchool(examined, stage.installation);
    const { format: _, name: __, kind: ___, ...syllabus } = examined;
    const path = `/training/programs/${revision.program_id}/revisions`;
    const draft = expectStatus(201, await owner.post(path, { ...examined, ...syllabus })).body.data;
    const page = await stage.open({ as: owner, path: `/app${path}/${draft.id}`, now: now(), refusals: [400] });
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "1 Circuits", exact: true }).click();
    await dialog.getByRole("button", { name: "Remove: 2 Item 2" }).click();
    await dialog.getByRole("button", { name: "Add an exercise" }).click();
    await dialog.getByRole("textbox", { name: "Exercise: 3" }).waitFor();
    await dialog.getByRole("button", { name: "Apply" }).click();
    await dialog.getByText("Fill in this field.").waitFor();
    await dialog.getByRole("textbox", { name: "Exercise: 3" }).and(dialog.locator("[aria-invalid]:focus")).waitFor();
    await expectSound(page);
    await dialog.getByRole("button", { name: "Add an exercise" }).click();
    // It is typed without a further key or click.
    await page.keyboard.type("Go around");
    await dialog.getByRole("button", { name: "Remove: 3" }).click();
    await dialog.getByRole("button", { name: "Apply" }).click();
    await page.getByLabel("Name of phase 1").fill("");
    await page.getByRole("button", { name: "Save the draft" }).click();
    const fault = page.getByRole("alert").getByText("Name of phase 1: Must not be empty.");
    await fault.waitFor();
    const isInSight = (element: Element) => element.getBoundingClientRect().bottom < innerHeight;
    expect(await fault.evaluate(isInSight)).toBe(true);
    await expectSound(page);
    await page.getByLabel("Name of phase 1").fill("All");
    await page.getByRole("button", { name: "Save the draft" }).click();
    await page.getByText("All is saved").waitFor();
    const { lessons } = expectStatus(200, await owner.get(`${path}/${draft.id}/export`)).body.data;
    expect(lessons[0].items.map(({ code, name }: { code: string; name: string }) => [code, name])).toEqual([
      ["1", "Item 1"],
      ["4", "Go around"],
    ]);
  });

  test("a student reads all grades that they have not signed, and signs them at once: by keys, in German on a phone in the dark", async () => {
    const school = await newTrainingSchool(examined, stage.installation);
    const { owner, instructor, student, revision } = school;
    await certified(school);
    const id = await enroll(school);
    const items = ["1", "4"].flatMap((code) => revision.lesson(code).items);
    for (const { id: item_id } of items) {
      const grade = { enrollment_id: id, item_id, grade: "ok" };
      expectStatus(201, await instructor.post("/training/signoffs", grade));
    }
    const page = await stage.open({
      ...{ path: "/app/today", width: 360, colorScheme: "dark", locale: "de-DE", now: now() },
    });
    await signIn(page, student);
    // From the number of the start page to the place of the grades.
    await tabTo(page, "3");
    await page.keyboard.press("Enter");
    const title = page.getByRole("heading", { name: "Einzelne Bewertungen" });
    await soon(() => title.evaluate((heading) => heading === document.activeElement), true);
    expect(
      await title.evaluate((heading) => {
        const { top, bottom } = heading.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      }),
    ).toBe(true);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Alle 3 lesen und bestätigen");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await soon(() => dialog.getByRole("listitem").count(), 3);
    await expectSound(page);
    await tabTo(page, "Alle 3 gelesen");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.getByText("3 Bewertungen sind bestätigt.").waitFor();
    await soon(() => page.getByRole("button", { name: /^Gelesen/u }).count(), 0);
    const { data } = expectStatus(200, await owner.get(`/training/signoffs?student_id=${student.personId}`)).body;
    expect(data.map(({ acknowledged_at }: { acknowledged_at: string | null }) => acknowledged_at !== null)).toEqual([
      ...[true, true, true],
    ]);
  });

  test("the lesson that comes next is the one to be graded", async () => {
    const school = await newTrainingSchool(small, stage.installation);
    const { instructor, revision } = school;
    await certified(school);
    const id = await enroll(school);
    await fly(school, { lesson: "1" });
    for (const { id: item_id } of revision.lesson("1").items)
      expectStatus(201, await instructor.post("/training/signoffs", { enrollment_id: id, item_id, grade: "ok" }));
    const page = await stage.open({ as: instructor, path: `/app/training/${id}/grade`, now: now() });
    await page.getByLabel("Flight").selectOption("");
    await soon(
      () =>
        page
          .getByLabel("Lesson", { exact: true })
          .evaluate((field: HTMLSelectElement) => field.selectedOptions[0]?.text),
      "2 Solo",
    );
    await expectSound(page);
  });
});
