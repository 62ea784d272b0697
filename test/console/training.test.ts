/** Training as those use it who lead it, who teach and who learn: where all stand, one student, a lesson graded and signed on one phone. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { enroll, everyMinimum, fly, item, newTrainingSchool, revise, small } from "../http/training/school.ts";
import { expectStatus, type Member, password, type School } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, signIn, soon } from "./browser.ts";
import { dialogHasFocus, tabTo } from "./keys.ts";

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

/** The same with a lesson, a subject, a minimum, the rules of exams and a scale changed. */
const changedSyllabus = {
  ...measured,
  ...{ skill_test: false, theory: { ...measured.theory, pass_percent: 80 } },
  subjects: [
    { code: "air_law", name: "Air law" },
    { code: "navigation", name: "Navigation" },
  ],
  minima: measured.minima.map((one) => (one.measure === "dual_minutes" ? { ...one, required: 1800 } : one)),
  scales: measured.scales.map(({ grades: [fail, ok], ...scale }) => ({
    ...scale,
    grades: [fail, { ...ok, name: "Well done" }],
  })),
  lessons: measured.lessons.map((lesson, at) => (at === 0 ? { ...lesson, items: lesson.items.slice(0, 1) } : lesson)),
};

/** Nobody may run it, and it must not widen the page. */
const hostile = `<img src=x onerror=alert(1)>שלום ${"Müller".repeat(13)}`;

/** Holds what the browser keeps back until `release()`, in documents after `isSlow` is set. */
const slowDrafts = `if (sessionStorage.getItem("isSlow") !== null) {
  const open = IDBFactory.prototype.open;
  IDBFactory.prototype.open = function (...args) {
    const request = open.apply(this, args);
    Object.defineProperty(request, "onsuccess", {
      set(then) {
        request.addEventListener("success", (event) => { window.release = () => then.call(request, event); });
      },
    });
    return request;
  };
}`;

/** What the browser has kept: a page that ends before loses what was typed last. */
const draftsInBrowser = `new Promise((resolve) => {
  const opening = indexedDB.open("windsock");
  opening.onsuccess = () => {
    const reading = opening.result.transaction("drafts").objectStore("drafts").getAll();
    reading.onsuccess = () => {
      opening.result.close();
      resolve(JSON.stringify(reading.result));
    };
  };
})`;

/** Drags a handle to where another is. */
async function drag(page: Page, name: string, onto: string): Promise<void> {
  await page.getByRole("button", { name: onto }).scrollIntoViewIfNeeded();
  const from = await page.getByRole("button", { name }).boundingBox();
  const to = await page.getByRole("button", { name: onto }).boundingBox();
  if (!from || !to) throw new Error("The handles are not shown.");
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + 10, to.y + 10, { steps: 5 });
  await page.mouse.up();
}

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
    // Nowhere on the page, also not behind the dialog.
    expect(await page.getByText("Tense in crosswind.").count()).toBe(0);
    expect(await page.getByLabel("Among instructors").count()).toBe(0);
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

  test("on a phone held sideways the student begins with the record, and not at the password below it", async () => {
    const school = await newTrainingSchool(small, stage.installation);
    const { instructor } = school;
    await certified(school);
    const id = await enroll(school);
    await fly(school, { lesson: "1", ago: 1 });
    const path = `/app/training/${id}/grade`;
    const page = await stage.open({ as: instructor, path, width: 740, height: 360, now: now() });
    await page
      .getByLabel("For the student")
      .fill("Look outside.\nHold the height.\nTrim.\nAnd once more: look outside.");
    await page.getByRole("button", { name: "Sign and hand over" }).tap();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Password" }).waitFor();
    await expectSound(page);
    expect(await dialog.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    expect(await dialog.locator(":is(input, textarea):focus").count()).toBe(0);
  });

  test("on a tablet held sideways no word of a student's name is in pieces", async () => {
    const [first, ...others] = small.lessons;
    const long = { ...first, name: "Navigation at low level and in reduced visibility, with a diversion" };
    const school = await newTrainingSchool({ ...small, lessons: [long, ...others] }, stage.installation);
    const { owner, instructor, student } = school;
    await enroll(school);
    expectStatus(200, await owner.patch(`/people/${student.personId}`, { name: "Greta Schönfelder" }));
    const path = "/app/training";
    const page = await stage.open({ as: instructor, path, width: 960, height: 600, isTouched: true, now: now() });
    const link = page.getByRole("link", { name: "Greta Schönfelder" });
    await link.waitFor();
    const lines = await link.evaluate(({ firstChild }) => {
      const word = document.createRange();
      if (!firstChild) throw new Error("There is no name.");
      word.setStart(firstChild, "Greta ".length);
      word.setEnd(firstChild, "Greta Schönfelder".length);
      return word.getClientRects().length;
    });
    expect(lines).toBe(1);
    await expectSound(page);
  });

  test("a flight before a move to another revision is graded as the lesson of the same code; without one, it can't be", async () => {
    const dropped = { code: "5", name: "Towing", kind: "dual", phase: null, requires: [], items: [item("1")] };
    const before = { ...small, lessons: [...small.lessons, dropped] };
    const school = await newTrainingSchool(before, stage.installation);
    const { owner, instructor, revision } = school;
    await certified(school);
    const id = await enroll(school);
    const kept = await fly(school, { lesson: "1", ago: 2 });
    await fly(school, { lesson: "5", ago: 1 });
    const next = await revise(school, revision.program_id, small);
    expectStatus(200, await owner.post(`/training/enrollments/${id}/migrate`, { revision_id: next.id }));
    const page = await stage.open({ as: instructor, path: `/app/training/${id}/grade`, width: 360, now: now() });
    await page.getByRole("group", { name: "Item 1" }).waitFor();
    const flight = page.getByLabel("Flight");
    expect(await flight.locator("option").evaluateAll((all) => all.map((one) => one.getAttribute("value")))).toEqual([
      kept,
      "",
    ]);
    expect(await flight.inputValue()).toBe(kept);
    await expectSound(page);
    await page.getByRole("group", { name: "Item 1" }).getByRole("radio", { name: "ok As required" }).check();
    await page.getByRole("checkbox", { name: "Sam Student is here and signs on this phone" }).uncheck();
    await page.getByRole("button", { name: "Sign", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Sam Student" }).waitFor();
    const lesson_id = next.lesson("1").id;
    expect(await recordsOf(owner)).toMatchObject([{ flight_id: kept, lesson_id, grades: [{ grade: "ok" }] }]);
  });

  test("what was typed about one lesson is there again before anybody can type, and never under another", async () => {
    const school = await newTrainingSchool(measured, stage.installation);
    const { instructor, revision } = school;
    await certified(school);
    const id = await enroll(school);
    const path = `/app/training/${id}/grade`;
    const page = await stage.open({ as: instructor, path, now: now(), script: slowDrafts });
    const notes = page.getByLabel("Among instructors");
    await notes.fill("Tense in crosswind.");
    await soon(async () => (await page.evaluate<string>(draftsInBrowser)).includes("Tense in crosswind."), true);
    await page.reload();
    await soon(() => notes.inputValue(), "Tense in crosswind.");
    await page.evaluate(() => sessionStorage.setItem("isSlow", "yes"));
    const loaded = Promise.all(
      ["/lessons?", "/lesson-records?", "/flights?", "/progress"].map((part) =>
        page.waitForResponse((response) => response.url().includes(part)),
      ),
    );
    await page.reload();
    await loaded;
    await soon(() => page.evaluate(() => "release" in window), true);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await notes.count()).toBe(0);
    await page.evaluate(() => (window as unknown as { release: () => void }).release());
    await soon(() => notes.inputValue(), "Tense in crosswind.");
    await page.getByText("This is what you typed earlier and did not sign.").waitFor();
    await expectSound(page);
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(`${stage.url}${path}?lesson=${revision.lesson("3").id}`);
    await soon(() => notes.inputValue(), "");
    await page.goto(stage.url + path);
    await page.getByRole("button", { name: "Start over" }).click();
    await soon(() => notes.inputValue(), "");
    expect(await page.getByText("This is what you typed earlier").count()).toBe(0);
    await page.reload();
    await soon(() => notes.inputValue(), "");
  });

  test("what is said among instructors is not seen while the student signs an older record", async () => {
    const school = await newTrainingSchool(measured, stage.installation);
    const { instructor, revision } = school;
    await certified(school);
    const id = await enroll(school);
    const body = {
      enrollment_id: id,
      lesson_id: revision.lesson("1").id,
      remarks: "Fine.",
      instructor_notes: "Secret.",
    };
    expectStatus(201, await instructor.post("/training/lesson-records", body));
    const page = await stage.open({ as: instructor, path: `/app/training/${id}`, now: now() });
    await page.getByText("Secret.").waitFor();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Training file (PDF)" }).click(),
    ]);
    expect(file.suggestedFilename()).toEndWith(".pdf");
    await page.getByRole("button", { name: "Let the student sign" }).click();
    await page.getByRole("dialog").getByText("Fine.").waitFor();
    expect(await page.getByText("Secret.").isVisible()).toBe(false);
    await page.keyboard.press("Escape");
    expect(await page.getByText("Secret.").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Give it back without signing" }).click();
    await page.getByText("Secret.").waitFor();
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
    await page.getByText("Unterschrift fehlt").first().waitFor();
    expect(await page.getByText("Secret.").count()).toBe(0);
    expect(await page.getByText("Lektion bewerten").count()).toBe(0);
    await expectSound(page);
    await tabTo(page, "Gelesen 1");
    await page.keyboard.press("Enter");
    await page.getByText(/^Unterschrieben/u).waitFor();
    await expectSound(page);
    expect((await recordsOf(owner))[0].acknowledged_at).not.toBeNull();
  });

  test("a head of training enrolls a student with a credit, plans the end, suspends and goes on", async () => {
    const school = await newTrainingSchool(measured, stage.installation);
    const { owner, student } = school;
    const page = await stage.open({ as: owner, path: "/app/training", now: now() });
    await page.getByText("Nobody is in training").waitFor();
    await page.getByRole("button", { name: "Enroll a student" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Student" }).fill("Sam");
    await page.getByRole("option", { name: "Sam Student" }).click();
    await dialog.getByRole("combobox", { name: "Programme" }).fill("Small");
    await page.getByRole("listbox", { name: "Programme" }).getByRole("option", { name: "Small" }).click();
    await dialog.getByLabel("Planned end").fill("2026-12-01");
    await dialog.getByText("Count earlier training").click();
    await dialog.getByLabel("Hours").fill("many");
    await dialog.getByLabel("Why it counts").fill(hostile);
    // What is folded away is shown again, if something is wrong with it.
    await dialog.getByText("Count earlier training").click();
    await dialog.getByRole("button", { name: "Enroll a student" }).click();
    await dialog.getByLabel("Hours").and(dialog.locator("[aria-invalid]:focus")).waitFor();
    await dialog.getByLabel("Hours").fill("12:30");
    await expectSound(page);
    // It counts, also where it is folded away.
    await dialog.getByText("Count earlier training: Dual 12:30").click();
    await expectSound(page);
    await dialog.getByRole("button", { name: "Enroll a student" }).click();
    await page.getByRole("heading", { name: "Sam Student" }).waitFor();
    await page.getByText("Dual: 12:30").waitFor();
    await expectSound(page);
    const found = async () => expectStatus(200, await owner.get("/training/enrollments")).body.data[0];
    expect(await found()).toMatchObject({
      ...{ student_id: student.personId, status: "active", planned_end_on: "2026-12-01" },
      credits: [{ measure: "dual_minutes", amount: 750, reason: hostile }],
    });
    await page.getByRole("button", { name: "Edit Enrollment" }).click();
    await page.getByLabel("Planned end").fill("2026-11-01");
    await page.getByRole("button", { name: "Save" }).click();
    await soon(async () => (await found()).planned_end_on, "2026-11-01");
    await page.getByRole("button", { name: "Suspend" }).click();
    await dialog.getByLabel("Reason").fill("Abroad.");
    await expectSound(page);
    await dialog.getByRole("button", { name: "Suspend" }).click();
    await page.getByRole("button", { name: "Go on with the training" }).click();
    await page.getByRole("button", { name: "Suspend" }).waitFor();
    await page.getByRole("button", { name: "Remove the credit: Dual" }).click();
    await soon(async () => (await found()).credits, []);
    await page.getByRole("button", { name: "Undo" }).last().click();
    await soon(async () => (await found()).credits.length, 1);
  });

  test.each([
    {
      ...{ locale: "en", amount: "1 flight", years: "16 years" },
      name: "Long cross-country, at least 270 km, with 2 full-stop landings elsewhere",
    },
    {
      ...{ locale: "de-DE", amount: "1 Flug", years: "16 Jahre" },
      name: "Großer Überlandflug, mindestens 270 km, 2 Landungen bis zum Stillstand auf anderen Plätzen",
    },
  ])("what is missing and what is required say what they count, on a phone in $locale", async (said) => {
    const minima = everyMinimum
      .filter(({ measure }) => measure === "long_cross_country" || measure === "age")
      .map((one) => (one.measure === "age" ? { ...one, required: 16 } : one));
    const school = await newTrainingSchool({ ...small, minima }, stage.installation);
    const id = await enroll(school);
    const { locale, name, amount, years } = said;
    const page = await stage.open({ as: school.owner, path: `/app/training/${id}`, width: 360, locale, now: now() });
    const saidOf = (term: string) =>
      page.getByRole("term").filter({ hasText: term }).locator("xpath=following-sibling::dd").first();
    await soon(() => saidOf(name).textContent(), amount);
    await expectSound(page);
    const { program_id, id: revisionId } = school.revision;
    await page.goto(page.url().replace(/\/training\/.*/u, `/training/programs/${program_id}/revisions/${revisionId}`));
    await page.getByText(years, { exact: true }).waitFor();
    expect(await saidOf(name).textContent()).toBe(amount);
    await expectSound(page);
  });

  test("an exam is entered by keys alone in German, and a subject that is passed is refused in words", async () => {
    const school = await newTrainingSchool(measured, stage.installation);
    await certified(school);
    const id = await enroll(school);
    const page = await stage.open({
      ...{ path: `/app/training/${id}`, width: 360, colorScheme: "dark", locale: "de-DE", now: now(), refusals: [409] },
    });
    await signIn(page, school.instructor);
    const enter = async (subject: string) => {
      await tabTo(page, "Prüfung eintragen");
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Fach", { exact: true }).focus();
      await page.keyboard.type(subject);
      await dialog.getByLabel("Prozent").focus();
      await page.keyboard.type("88");
      await expectSound(page);
      await page.keyboard.press("Enter");
      return dialog;
    };
    await enter("Air");
    await page.getByText("Die Prüfung ist eingetragen.").waitFor();
    await page.getByText("Alle zu bestehen bis").waitFor();
    await expectSound(page);
    const dialog = await enter("Air");
    await dialog.getByText("Dieses Fach ist schon bestanden.").waitFor();
    await expectSound(page);
  });

  test("how long there is left for the other exams is said when it is near", async () => {
    const theory = { ...measured.theory, months: 2 };
    const school = await newTrainingSchool({ ...measured, theory }, stage.installation);
    const id = await enroll(school);
    const exam = { kind: "theory", subject: "air_law", taken_on: "2026-06-10", percent: 80 };
    expectStatus(201, await school.instructor.post(`/training/enrollments/${id}/exams`, exam));
    const page = await stage.open({ as: school.owner, path: `/app/training/${id}`, now: now() });
    await page.getByText(/^7[78] days left$/).waitFor();
    await expectSound(page);
  });

  test("who is ready for the skill test is found, and why somebody is behind is said", async () => {
    const school = await newTrainingSchool({ ...measured, minima: [], theory: null, subjects: [] }, stage.installation);
    const { owner, instructor, join, revision } = school;
    await certified(school);
    const behind = await join(["student"], "Bela Behind");
    await enroll(school, { student_id: behind.personId, started_on: "2026-06-01", planned_end_on: "2026-06-20" });
    const id = await enroll(school);
    const page = await stage.open({ as: owner, path: "/app/training?standing=ready", now: now() });
    await page.getByText("Ready for the skill test").first().waitFor({ state: "attached" });
    expect(await page.getByRole("link", { name: "Sam Student" }).count()).toBe(0);
    await page.goto(`${stage.url}/app/training?standing=behind`);
    await page.getByText("planned until 20/06/2026, nothing is booked").waitFor();
    await expectSound(page);
    const { personId: person_id } = school.student;
    expectStatus(200, await owner.patch(`/people/${person_id}`, { date_of_birth: "1995-05-05" }));
    const medical = { type: "medical", level: "class_2", issued_on: "2026-01-01", valid_until: "2027-12-31" };
    expectStatus(201, await owner.post("/compliance/records", { ...medical, person_id }));
    for (const { id: item_id } of revision.lessons.flatMap(({ items }: { items: { id: string }[] }) => items))
      expectStatus(201, await instructor.post("/training/signoffs", { enrollment_id: id, item_id, grade: "ok" }));
    await page.goto(`${stage.url}/app/training?standing=ready`);
    await page.getByRole("link", { name: "Sam Student" }).waitFor();
    expect(await page.getByRole("link", { name: "Bela Behind" }).count()).toBe(0);
    await page.getByRole("table").getByText("Ready for the skill test").waitFor();
    await expectSound(page);
  });

  test("a move to another revision shows what is lost before it is made", async () => {
    const long = everyMinimum.filter(({ measure }) => measure === "long_cross_country");
    const before = { ...measured, minima: [...measured.minima, ...long] };
    const after = {
      ...changedSyllabus,
      minima: [...changedSyllabus.minima, ...long.map((one) => ({ ...one, required: 2 }))],
      lessons: changedSyllabus.lessons.map((one) => (one.name === "Solo" ? { ...one, name: "First solo" } : one)),
    };
    const school = await newTrainingSchool(before, stage.installation);
    const { owner, instructor, revision } = school;
    await certified(school);
    const id = await enroll(school);
    const grade = { enrollment_id: id, item_id: revision.lesson("1").items[1].id, grade: "ok" };
    expectStatus(201, await instructor.post("/training/signoffs", grade));
    const passed = { kind: "theory", subject: "meteorology", taken_on: "2026-06-10", percent: 90 };
    expectStatus(201, await instructor.post(`/training/enrollments/${id}/exams`, passed));
    await revise(school, revision.program_id, after);
    const page = await stage.open({ as: owner, path: `/app/training/${id}`, now: now() });
    await page.getByRole("button", { name: "Other revision" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("no longer counts").first().waitFor();
    await expectSound(page);
    const part = (title: string) => dialog.getByRole("list", { name: title, exact: true }).getByRole("listitem");
    expect(await part("Done, and no longer in the programme").allTextContents()).toEqual([
      "Item 2Lesson 1no longer counts",
      "MeteorologyTheory examno longer counts",
    ]);
    expect(await part("New").allTextContents()).toEqual(["NavigationTheory exam"]);
    expect(await part("Minima").allTextContents()).toEqual([
      "Dualbefore: 0:01; after: 30:00",
      // A condition that stays is said once.
      "Long cross-country, at least 270 km, with 2 full-stop landings elsewherebefore: 1 flight; after: 2 flights",
    ]);
    expect(await part("Has another name").allTextContents()).toEqual(["First solobefore: Solo"]);
    const [rules, test] = await part("Exams").allTextContents();
    expect(rules).toMatch(/^Theory exams.*before: .*passed from 75 %.*; after: .*passed from 80 %/);
    expect(test).toBe("No longer ends with a skill test");
    expect(await part("Grading scales").allTextContents()).toEqual([
      "usualbefore: fail Not yet · ok As required; after: fail Not yet · ok Well done",
    ]);
    await dialog.getByRole("button", { name: "Move to revision 2" }).click();
    await page.getByText("is in revision 2 now").waitFor();
    expect(expectStatus(200, await owner.get(`/training/enrollments/${id}`)).body.data.revision_number).toBe(2);
  });

  test("what a draft would change for its students is seen before it is published, also by keys in German", async () => {
    const school = await newTrainingSchool(measured, stage.installation);
    const { owner, instructor, revision } = school;
    await certified(school);
    const enrollment_id = await enroll(school);
    const grade = { enrollment_id, item_id: revision.lesson("1").items[1].id, grade: "ok" };
    expectStatus(201, await instructor.post("/training/signoffs", grade));
    const drafts = `/training/programs/${revision.program_id}/revisions`;
    const draft = expectStatus(201, await owner.post(drafts, changedSyllabus)).body.data;
    const path = `/app/training/programs/${revision.program_id}/revisions/${draft.id}`;
    const page = await stage.open({ as: owner, path, now: now() });
    await page.getByRole("button", { name: "Preview Sam Student" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("no longer counts").waitFor();
    expect(await dialog.getByText("What you have not saved yet").count()).toBe(0);
    await expectSound(page);
    await page.keyboard.press("Escape");
    await page.getByLabel("Legal basis").fill("FCL.210.A, changed");
    await page.getByText("Not saved").waitFor();
    await page.getByRole("button", { name: "Preview Sam Student" }).click();
    await dialog.getByText("What you have not saved yet is not in it.").waitFor();
    await expectSound(page);

    const phone = await stage.open({ path, width: 360, colorScheme: "dark", locale: "de-DE", now: now() });
    await signIn(phone, owner);
    await phone.getByRole("button", { name: "Vorschau Sam Student" }).focus();
    await phone.keyboard.press("Enter");
    await phone.getByRole("dialog").getByText("zählt nicht mehr").waitFor();
    await expectSound(phone);
  });

  const syllabusOf = async (owner: Member, { program_id, id }: { program_id: string; id: string }) =>
    expectStatus(200, await owner.get(`/training/programs/${program_id}/revisions/${id}/export`)).body.data;
  const drafted = async ({
    owner,
    revision,
  }: Pick<Awaited<ReturnType<typeof newTrainingSchool>>, "owner" | "revision">) =>
    expectStatus(201, await owner.post(`/training/programs/${revision.program_id}/revisions`, measured)).body.data;

  test("a syllabus is drafted from a published one, dragged into another order, and published", async () => {
    const school = await newTrainingSchool(measured, stage.installation);
    const { owner, revision } = school;
    await enroll(school);
    const page = await stage.open({ as: owner, path: "/app/training", now: now() });
    await page.getByRole("link", { name: "Programmes" }).click();
    await expectSound(page);
    await page.getByRole("link", { name: "Small" }).click();
    await page.getByRole("link", { name: "Sam Student" }).waitFor();
    await expectSound(page);
    await page.getByRole("button", { name: "New draft from it" }).click();
    await page.getByText("All is saved").waitFor();
    await expectSound(page);
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const draft = { program_id: revision.program_id, id };
    // The day of the old revision would say that the change has long been in effect.
    expect((await syllabusOf(owner, draft)).effective_from).toBe("2026-06-14");
    const codes = async () => (await syllabusOf(owner, draft)).lessons.map(({ code }: { code: string }) => code);

    // The solo before the circuits, which it needs: that is said at once, and refused.
    await drag(page, "Move 2 Solo", "Move 1 Circuits");
    await page.getByText("stands before 1, which it needs").waitFor();
    await page.getByText("Not saved").waitFor();
    await expectSound(page);
    await page.getByRole("button", { name: "Drop the changes" }).click();
    await drag(page, "Move 3 Briefing", "Move 1 Circuits");
    // A new code is taken over where it is required.
    await page.getByRole("button", { name: "1 Circuits", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Code", { exact: true }).fill("1x");
    await dialog.getByRole("button", { name: "Add an exercise" }).click();
    await dialog.getByRole("textbox", { name: "Exercise: 3" }).fill(hostile);
    await expectSound(page);
    await dialog.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("button", { name: "Save the draft" }).click();
    await page.getByText("All is saved").waitFor();
    expect(await codes()).toEqual(["3", "1x", "2", "4"]);
    const { lessons } = await syllabusOf(owner, draft);
    expect(lessons[1].items[2]).toMatchObject({ code: "3", name: hostile });
    expect(lessons[2].requires).toEqual(["1x"]);
    await page.getByRole("button", { name: "Publish" }).click();
    await dialog.getByRole("button", { name: "Publish" }).click();
    await page.getByText("Published", { exact: true }).waitFor();
    await expectSound(page);
    await page.getByRole("link", { name: "Programme Small" }).click();
    await page.getByRole("button", { name: "Other revision Sam Student" }).click();
    await dialog.getByText("exercises that are done stay").waitFor();
    await expectSound(page);
  });

  test("the order of a draft is changed by keys alone on a phone, and nobody's change is lost", async () => {
    const school = await newTrainingSchool(measured, stage.installation);
    const { owner } = school;
    const draft = await drafted(school);
    const path = `/app/training/programs/${draft.program_id}/revisions/${draft.id}`;
    const page = await stage.open({
      ...{ path, width: 360, colorScheme: "dark", locale: "de-DE", now: now(), refusals: [412] },
    });
    await signIn(page, owner);
    await page.getByText("Alles gespeichert").waitFor();
    await page.getByRole("button", { name: "4 Instruments verschieben" }).focus();
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press("ArrowUp");
    await page.getByText("4 Instruments ist jetzt an Stelle 1 von 4.").waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    expect(await focused()).toContain("4 Instruments");
    await expectSound(page);
    await tabTo(page, "Entwurf speichern");
    await page.keyboard.press("Enter");
    await page.getByText("Alles gespeichert").waitFor();
    const codes = async () => (await syllabusOf(owner, draft)).lessons.map(({ code }: { code: string }) => code);
    expect(await codes()).toEqual(["4", "1", "2", "3"]);
    // Somebody else is faster.
    await page.getByRole("button", { name: "4 Instruments verschieben" }).focus();
    await page.keyboard.press("ArrowDown");
    const theirs = { lessons: (await syllabusOf(owner, draft)).lessons.slice(0, 3) };
    expectStatus(200, await owner.patch(`/training/programs/${draft.program_id}/revisions/${draft.id}`, theirs));
    await tabTo(page, "Entwurf speichern");
    await page.keyboard.press("Enter");
    await page.getByText("Jemand hat das inzwischen geändert").first().waitFor();
    await tabTo(page, "Die anderen übernehmen, meine verwerfen");
    await expectSound(page);
    await page.keyboard.press("Enter");
    await page.getByText("Alles gespeichert").waitFor();
    await soon(() => page.getByText("3 Briefing").count(), 0);
    expect(await codes()).toEqual(["4", "1", "2"]);
  });

  test("a draft that is saved twice in a row is not saved over what another desk has saved in between", async () => {
    const school = await newTrainingSchool(measured, stage.installation);
    const { owner } = school;
    const draft = await drafted(school);
    const path = `/app/training/programs/${draft.program_id}/revisions/${draft.id}`;
    const others = await stage.open({ as: owner, path, now: now() });
    await others.getByText("All is saved").waitFor();
    const page = await stage.open({ as: owner, path, now: now(), refusals: [412] });
    await page.getByText("All is saved").waitFor();
    // What the first save shows anew arrives after the second one only: until then the page knows its own answer alone.
    const loaded = Promise.withResolvers<void>();
    await page.route("**/export", async (route) => {
      await loaded.promise;
      await route.continue();
    });
    await page.route("**/changes", (route) => route.abort());
    const basis = (at: Page) => at.getByLabel("Legal basis");
    const save = (at: Page) => at.getByRole("button", { name: "Save the draft" }).click();
    const saved = page.waitForResponse((answer) => answer.request().method() === "PATCH" && answer.status() === 200);
    await basis(page).fill("Mine, first");
    await save(page);
    await saved;
    await soon(async () => (await syllabusOf(owner, draft)).legal_basis, "Mine, first");
    // The other desk sees it and goes on from it.
    await soon(() => basis(others).inputValue(), "Mine, first");
    await basis(others).fill("Theirs");
    await save(others);
    await soon(async () => (await syllabusOf(owner, draft)).legal_basis, "Theirs");
    await basis(page).fill("Mine, second");
    await save(page);
    await page.getByRole("button", { name: "Take theirs, and drop mine" }).waitFor();
    expect((await syllabusOf(owner, draft)).legal_basis).toBe("Theirs");
    loaded.resolve();
    await page.getByRole("button", { name: "Take theirs, and drop mine" }).click();
    await soon(() => basis(page).inputValue(), "Theirs");
    await page.getByText("All is saved").waitFor();
    await expectSound(page);
  });

  test("what is moved in the moment in which another's change arrives is neither lost nor saved over it", async () => {
    const school = await newTrainingSchool(measured, stage.installation);
    const { owner } = school;
    const draft = await drafted(school);
    const path = `/app/training/programs/${draft.program_id}/revisions/${draft.id}`;
    // Between the page's drawing of a syllabus that it has read, and what it does afterwards.
    const script = `{
      const ask = fetch;
      window.fetch = async (...args) => {
        const answer = await ask(...args);
        if (!args[0].endsWith("/export") || !window.onSyllabus) return answer;
        const body = await answer.json();
        answer.json = async () => (setTimeout(window.onSyllabus), body);
        return answer;
      };
    }`;
    const page = await stage.open({ as: owner, path, now: now(), refusals: [412], script });
    await page.getByText("All is saved").waitFor();
    await page.evaluate(`window.onSyllabus = () => {
      const handle = document.querySelector("[aria-label^='Move 4 Instruments']");
      handle.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp", bubbles: true, cancelable: true }));
    }`);
    const theirs = { legal_basis: "Theirs" };
    expectStatus(200, await owner.patch(`/training/programs/${draft.program_id}/revisions/${draft.id}`, theirs));
    await page.getByText("4 Instruments is now in place 3 of 4.").waitFor();
    await page.getByText("Not saved").waitFor();
    await page.getByRole("button", { name: "Save the draft" }).click();
    await page.getByRole("button", { name: "Take theirs, and drop mine" }).click();
    await page.getByText("All is saved").waitFor();
    expect(await syllabusOf(owner, draft)).toMatchObject({ legal_basis: "Theirs", lessons: measured.lessons });
  });

  test("theory exams and grading scales of a draft are changed, and what is wrong is said in place", async () => {
    const school = await newTrainingSchool(measured, stage.installation);
    const { owner } = school;
    const draft = await drafted(school);
    const path = `/app/training/programs/${draft.program_id}/revisions/${draft.id}`;
    const page = await stage.open({ as: owner, path, now: now() });
    const dialog = page.getByRole("dialog");
    const apply = () => dialog.getByRole("button", { name: "Apply" }).click();
    const saved = async () => {
      await page.getByRole("button", { name: "Save the draft" }).click();
      await page.getByText("All is saved").waitFor();
      return syllabusOf(owner, draft);
    };
    await page.getByRole("button", { name: "Rules", exact: true }).click();
    await dialog.getByLabel("Passed from, in percent").fill("101");
    await apply();
    await dialog.getByText("100").first().waitFor();
    await dialog.getByLabel("Passed from, in percent").fill("80");
    await dialog.getByLabel("Sittings").fill("6");
    await expectSound(page);
    await apply();
    await page.getByText("passed from 80 % · 4 attempts · in 6 sittings").waitFor();
    // A subject with the code of another is refused at its field.
    await page.getByRole("button", { name: "Add a subject" }).click();
    await dialog.getByLabel("Name").fill(hostile);
    await dialog.getByLabel("Code").fill("air_law");
    await apply();
    await dialog.getByText("Another subject has this code.").waitFor();
    await expectSound(page);
    await dialog.getByLabel("Code").fill("navigation");
    await apply();
    await page.getByRole("button", { name: "Remove the subject Meteorology" }).click();
    await expectSound(page);
    const changed = await saved();
    expect(changed.theory).toEqual({ ...measured.theory, pass_percent: 80, sittings: 6 });
    expect(changed.subjects).toEqual([
      { code: "air_law", name: "Air law" },
      { code: "navigation", name: hostile },
    ]);

    // How much of the flight time may be in a simulator is set, and seen in the list.
    await page.getByRole("button", { name: "Add a minimum" }).click();
    await dialog.getByLabel("What").selectOption("total_minutes");
    await dialog.getByLabel("Needed").fill("45:00");
    await dialog.getByLabel("At most in a simulator").fill("5:00");
    await dialog.getByLabel("In effect from").fill("2020-04-08");
    await dialog.getByLabel("Legal basis").fill("FCL.210.A");
    await expectSound(page);
    await apply();
    await page.getByRole("button", { name: "Flight time, at most 5:00 h of it in a simulator: 45:00" }).waitFor();
    const { minima } = await saved();
    expect(minima.at(-1)).toMatchObject({ measure: "total_minutes", required: 2700, simulator_minutes_at_most: 300 });

    // A scale that grades exercises can't be removed; its new code goes on with them.
    const [scale] = changed.scales;
    const list = page.getByRole("list", { name: "Grading scales" });
    await list.getByRole("button", { name: scale.code, exact: true }).click();
    await dialog.getByText("it can be removed when none is").waitFor();
    expect(await dialog.getByRole("button", { name: "Remove the scale" }).count()).toBe(0);
    await dialog.getByLabel("Code").fill("school");
    for (const box of await dialog.getByRole("checkbox").all()) await box.uncheck();
    await apply();
    await dialog.getByText("At least one grade must pass.").waitFor();
    await dialog.getByRole("checkbox").last().check();
    await dialog.getByRole("button", { name: "Add a grade" }).click();
    const place = scale.grades.length + 1;
    await dialog.getByLabel(`Sign of grade ${place}`).fill(scale.grades[0].code);
    await dialog.getByLabel(`Meaning of grade ${place}`).fill("Excellent");
    await apply();
    // Said at the one that is meant, not above all of them.
    await dialog.getByLabel(`Sign of grade ${place}`).and(dialog.locator("[aria-invalid]:focus")).waitFor();
    await dialog.getByText("Another grade has this sign.").waitFor();
    await expectSound(page);
    await dialog.getByLabel(`Sign of grade ${place}`).fill("A");
    await apply();
    const renamed = await saved();
    expect(renamed.scales[0].code).toBe("school");
    expect(renamed.scales[0].grades.at(-1)).toEqual({ code: "A", name: "Excellent", passed: true });
    const items = renamed.lessons.flatMap((lesson: { items: { scale: string }[] }) => lesson.items);
    expect(new Set(items.map((item: { scale: string }) => item.scale))).toEqual(new Set(["school"]));
  });

  test("on a phone, by keys and in German, the theory exams of a draft are removed and added again", async () => {
    const school = await newTrainingSchool(measured, stage.installation);
    const { owner } = school;
    const draft = await drafted(school);
    const path = `/app/training/programs/${draft.program_id}/revisions/${draft.id}`;
    const page = await stage.open({ path, width: 360, colorScheme: "dark", locale: "de-DE", now: now() });
    await signIn(page, owner);
    await page.getByText("Alles gespeichert").waitFor();
    await page.getByRole("button", { name: "Regeln", exact: true }).focus();
    await page.keyboard.press("Enter");
    await tabTo(page, "Theorieprüfungen entfernen");
    await expectSound(page);
    await page.keyboard.press("Enter");
    await page.getByText("Die Ausbildung hat keine Theorieprüfungen.").waitFor();
    await page.getByRole("button", { name: "Theorieprüfungen hinzufügen" }).focus();
    await page.keyboard.press("Enter");
    for (const typed of ["75", "4", "", "18", "24", "FCL.025"]) {
      await page.keyboard.type(typed);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await page.getByText("Noch kein Fach").waitFor();
    await page.getByRole("button", { name: "Fach hinzufügen" }).focus();
    await page.keyboard.press("Enter");
    await dialogHasFocus(page);
    await page.keyboard.type("Luftrecht");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Luftrecht", exact: true }).waitFor();
    await expectSound(page);
    await tabTo(page, "Entwurf speichern");
    await page.keyboard.press("Enter");
    await page.getByText("Alles gespeichert").waitFor();
    const { theory, subjects } = await syllabusOf(owner, draft);
    expect(theory).toEqual(measured.theory);
    expect(subjects).toEqual([{ code: "1", name: "Luftrecht" }]);
  });

  test("a programme begins with a built-in syllabus", async () => {
    const { owner } = await newTrainingSchool(measured, stage.installation);
    const page = await stage.open({ as: owner, path: "/app/training/programs", width: 360, now: now() });
    await page.getByRole("button", { name: "Add a programme" }).click();
    await page.getByRole("dialog").getByText("26 lessons").first().waitFor();
    await expectSound(page);
    await page.getByRole("button", { name: "Take it PPL(A)", exact: true }).click();
    await page.getByRole("button", { name: "14 First solo", exact: true }).click();
    await page.getByRole("dialog").getByText("First solo flight").first().waitFor({ state: "attached" });
    await expectSound(page);
  });

  test("a German head of training begins with a built-in syllabus in German, by keys on a phone in the dark", async () => {
    const { owner } = await newTrainingSchool(measured, stage.installation);
    const page = await stage.open({
      ...{ path: "/app/training/programs", width: 360, colorScheme: "dark", locale: "de-DE", now: now() },
    });
    await signIn(page, owner);
    await page.getByRole("button", { name: "Ausbildung hinzufügen" }).waitFor();
    await tabTo(page, "Ausbildung hinzufügen");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Schleppen von Segelflugzeugen").first().waitFor();
    await expectSound(page);
    await tabTo(page, "Übernehmen PPL(A) für Inhaber einer LAPL(A)");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "5 Allein-Überlandflüge", exact: true }).waitFor();
    await expectSound(page);
    const [program] = expectStatus(200, await owner.get("/training/programs?kind=ppl_a&limit=1")).body.data;
    expect(program.name).toBe("PPL(A) für Inhaber einer LAPL(A)");
  });
});
