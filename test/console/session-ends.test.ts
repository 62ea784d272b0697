/**
 * A session that ends while a form is half filled, by keyboard alone: the password is asked, what was typed is still there, and is sent
 * once. A phone without a connection in the middle of a flight.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { expectStatus, newSchool, password, type School } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, soon } from "./browser.ts";

/** Each begins at a screen, and fills a form in two parts: the session ends in between, or when it is sent. */
interface Task {
  name: string;
  path: (school: School) => string;
  /** @returns when the focus is in a field of the form */
  begin: (page: Page) => Promise<void>;
  goOn: (page: Page) => Promise<void>;
  /** What is there of it afterwards. */
  written: (school: School) => Promise<unknown>;
  expected: object;
}

/** Moves the focus with the tabulator, forwards. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let steps = 0; steps < 80; steps += 1) {
    if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) === true`)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The focus does not get to ${selector}.`);
}

/** What is in the field is replaced by what is typed next. */
async function select(page: Page): Promise<void> {
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+End");
}

/** Ends the sessions of the owner but this one: that of the browser. */
async function endOthers({ owner }: School): Promise<void> {
  const sessions: { id: string; current: boolean }[] = expectStatus(200, await owner.call("GET", "/auth/sessions")).body
    .data;
  for (const { id, current } of sessions)
    if (!current) expectStatus(200, await owner.call("DELETE", `/auth/sessions/${id}`));
}

const tasks: readonly Task[] = [
  {
    name: "a person",
    path: () => "/app/people",
    async begin(page) {
      await page.getByRole("table", { name: "People" }).waitFor();
      await page.getByRole("button", { name: "Add a person" }).focus();
      await page.keyboard.press("Enter");
      await page.locator("dialog [name=name]:focus").waitFor();
      await page.keyboard.type("Nora Night");
    },
    async goOn(page) {
      await tabTo(page, "[name=email]");
      await page.keyboard.type("nora@new.example");
    },
    written: async ({ owner }) => (await owner.get("/people?q=Nora")).body.data,
    expected: { name: "Nora Night", email: "nora@new.example" },
  },
  {
    name: "a record",
    path: ({ student }) => `/app/people/${student.personId}`,
    async begin(page) {
      await page.getByRole("button", { name: "Enter Medical certificate" }).focus();
      await page.keyboard.press("Enter");
      await page.locator("dialog [name=issued_on]").waitFor();
      await tabTo(page, "[name=issued_on]");
      // As the browser writes days.
      await page.keyboard.type("01012026");
    },
    async goOn(page) {
      await tabTo(page, "[name=valid_until]");
      await page.keyboard.type("01012028");
      await tabTo(page, "dialog [type=submit]");
    },
    written: async ({ owner, student }) =>
      (await owner.get(`/compliance/records?person_id=${student.personId}`)).body.data,
    expected: { issued_on: "2026-01-01", valid_until: "2028-01-01" },
  },
  {
    name: "a flight",
    path: () => "/app/flights/new",
    async begin(page) {
      await page.locator("[name=aircraft_id]:focus").waitFor();
      await page.keyboard.type("eabc");
      await page.getByRole("option", { name: /D-EABC/ }).waitFor();
      await tabTo(page, "[name='crew.0.person_id']");
      await page.keyboard.type("ines");
      await page.getByRole("option", { name: /Ines/ }).waitFor();
      await tabTo(page, "[name=departure]");
      await page.keyboard.type("edfe");
      await tabTo(page, "[name=off_block_at]");
      await page.keyboard.type("0005");
      await tabTo(page, "[name=on_block_at]");
    },
    async goOn(page) {
      await tabTo(page, "[name=on_block_at]");
      await page.keyboard.type("0010");
      await tabTo(page, "[name=arrival]");
      await page.keyboard.type("edfe");
      await tabTo(page, "[name=remarks]");
      await page.keyboard.type("After the sign-in.");
      await tabTo(page, "form.form [type=submit]");
    },
    written: async ({ owner }) => (await owner.get("/flights")).body.data,
    expected: {
      ...{ status: "submitted", departure: "EDFE", arrival: "EDFE", remarks: "After the sign-in." },
      // Typed in the field to which the focus came back.
      on_block_at: "2026-06-13T22:10:00.000Z",
    },
  },
];

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  for (const width of [360, 1280])
    for (const { name, path, begin, goOn, written, expected } of tasks)
      test(`${name} is entered once although the session ended in between, by keyboard at ${width} px`, async () => {
        const school = await newSchool(stage.installation);
        const page = await stage.open({
          as: school.owner,
          width,
          path: path(school),
          refusals: [401],
          now: stage.installation.clock.now(),
        });
        await begin(page);
        const isSavedBehind = name === "a flight";
        if (!isSavedBehind) await goOn(page);
        await endOthers(school);
        const again = page.getByRole("dialog", { name: "Your session has ended" });
        // With the next request, which comes at once: the dialog would take what is typed after it.
        if (isSavedBehind) await page.keyboard.insertText("0009");
        else await page.keyboard.press("Enter");
        await again.waitFor();
        await again.locator("[type=password]:focus").waitFor();
        await expectSound(page);
        await page.keyboard.type("wrong password here");
        await page.keyboard.press("Enter");
        await again.getByText("The e-mail address or the password is wrong.").waitFor();
        await again.locator("[type=password]:focus").waitFor();
        await select(page);
        await page.keyboard.type(password);
        await page.keyboard.press("Enter");
        await again.waitFor({ state: "detached" });
        if (isSavedBehind) {
          // The focus is back where it was when the dialog came.
          await page.locator("[name=on_block_at]:focus").waitFor();
          await select(page);
          await goOn(page);
          await page.keyboard.press("Enter");
        }
        await soon(async () => {
          const found = await written(school);
          return Array.isArray(found) ? found.length : -1;
        }, 1);
        if (isSavedBehind) await page.getByText("The flight is submitted.").waitFor();
        expect(await written(school)).toMatchObject([expected]);
      });

  test("a flight on a phone goes on after a lost connection and a reload, and is submitted once though the answer was lost", async () => {
    const school = await newSchool(stage.installation);
    const page = await stage.open({
      as: school.student,
      width: 360,
      path: "/app/flights/new",
      locale: "de-DE",
      isCut: true,
      refusals: [409],
    });
    const context = page.context();
    const field = (called: string) => page.locator(`[name="${called}"]`).and(page.locator(":not([readonly])"));
    await field("aircraft_id").fill("eabc");
    await page.keyboard.press("Tab");
    await field("day").fill("2026-06-13");
    await field("departure").fill("EDFE");
    await field("off_block_at").fill("0800");
    await page.getByText("Gespeichert.", { exact: true }).waitFor();

    await context.setOffline(true);
    await field("on_block_at").fill("0900");
    await field("remarks").fill("Im Funkloch");
    await page.getByText("Keine Verbindung", { exact: true }).waitFor();
    await field("arrival").fill("EDFE");
    await page.getByRole("button", { name: "Einreichen" }).tap();
    await page.getByText("Keine Verbindung", { exact: true }).first().waitFor();
    await expectSound(page);
    expect((await school.owner.get("/flights")).body.data).toMatchObject([{ status: "draft", remarks: null }]);

    await context.setOffline(false);
    await page.reload();
    await page.getByText("Das haben Sie zuvor eingegeben und noch nicht eingereicht.").waitFor();
    await soon(() => field("remarks").inputValue(), "Im Funkloch");
    await soon(() => field("arrival").inputValue(), "EDFE");
    // The submission arrives, and its answer is lost.
    let submissions = 0;
    await page.route("**/submit", async (route) => {
      submissions += 1;
      if (submissions > 1) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("button", { name: "Einreichen" }).tap();
    await page
      .getByRole("heading", { name: "Keine Verbindung" })
      .or(page.getByText("Keine Verbindung").first())
      .waitFor();
    await page.getByRole("button", { name: "Einreichen" }).tap();
    await page.getByText("Der Flug ist eingereicht.").waitFor();
    expect((await school.owner.get("/flights")).body.data).toMatchObject([
      { status: "submitted", remarks: "Im Funkloch", departure: "EDFE", arrival: "EDFE", block_minutes: 60 },
    ]);
  });
});
