/** A head of training sets what is required, what a rule does, and the school's own types of records. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { expectStatus, type Member, newSchool } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, soon } from "./browser.ts";
import { tabTo } from "./keys.ts";

const hostile = `"'><img src=x onerror=alert(1)>שלום${"W".repeat(40)}`;
const path = "/app/compliance/rules";

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  const now = () => stage.installation.clock.now();
  const listOf = async (by: Member, list: string) => expectStatus(200, await by.get(`/compliance/${list}`)).body.data;
  const medical = async (by: Member, person_id: string, level = "class_2") => {
    const body = { person_id, type: "medical", level, issued_on: "2026-01-10", valid_until: "2027-06-30" };
    expectStatus(201, await by.post("/compliance/records", body));
  };
  const ruleOf = async (by: Member, key: string) =>
    expectStatus(200, await by.get(`/clearance/rules/${key}`)).body.data.action;

  test("a requirement is added, changed and removed, and each time it is seen before whom it concerns", async () => {
    const { owner, student } = await newSchool(stage.installation);
    await medical(owner, student.personId);
    const other = { name: hostile, types: ["student"], date_of_birth: "1990-05-01" };
    const { id } = expectStatus(201, await owner.post("/people", other)).body.data;
    await medical(owner, id, "lapl");
    const page = await stage.open({ as: owner, path: "/app/compliance", now: now() });
    await page.getByRole("link", { name: "Rules" }).click();
    await page.getByRole("list", { name: "Students" }).getByText("Medical certificate").waitFor();
    await expectSound(page);

    await page.getByRole("button", { name: "Add a requirement" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("A valid record of one of these is enough.").waitFor();
    // Without a type it changes nothing, and nothing is said of that.
    expect(await dialog.getByText("What this would change today").count()).toBe(0);
    await dialog.getByLabel("Radiotelephony certificate").check();
    await dialog.getByText("It applies to 2 people. 2 lack it.").waitFor();
    await dialog.getByText("Not complete: 2").waitFor();
    await dialog.getByText(hostile).waitFor();
    await expectSound(page);
    expect(await listOf(owner, "requirements?applies_to=student")).toHaveLength(1);
    await dialog.getByRole("button", { name: "Add a requirement" }).click();
    await page.getByText("Now required: Radiotelephony certificate.").waitFor();
    await page.getByRole("list", { name: "Students" }).getByText("Radiotelephony certificate").waitFor();

    await page.getByRole("list", { name: "Students" }).getByRole("button", { name: "Radiotelephony" }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await dialog.getByText("Complete: 2").waitFor();
    await dialog.getByText("now: Not complete").first().waitFor();
    await expectSound(page);
    await dialog.getByRole("button", { name: "Remove" }).click();
    await page.getByText("No longer required: Radiotelephony certificate.").waitFor();
    expect(await listOf(owner, "requirements?applies_to=student")).toHaveLength(1);

    await page.getByRole("list", { name: "Students" }).getByRole("button", { name: "Medical" }).click();
    expect(await dialog.getByText("What this would change today").count()).toBe(0);
    await dialog.getByLabel("Class 2").check();
    await dialog.getByText("It applies to 2 people. 1 lacks it.").waitFor();
    await dialog.getByText("Not complete: 1").waitFor();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Medical certificate (Class 2)").waitFor();
    const [{ levels }] = await listOf(owner, "requirements?applies_to=student");
    expect(levels).toEqual(["class_2"]);
  });

  test("a requirement of aircraft by keys alone, on a phone in German in the dark", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({
      ...{ as: owner, path, width: 360, colorScheme: "dark", locale: "de-DE", now: now(), refusals: [400] },
    });
    await page.getByRole("list", { name: "Flugschüler" }).getByText("Tauglichkeitszeugnis").waitFor();
    // The tabs are wider than the phone: the present one, the last, is in sight.
    const tab = await page.getByRole("link", { name: "Regeln", exact: true }).boundingBox();
    expect((tab?.x ?? 0) + (tab?.width ?? 0)).toBeLessThanOrEqual(360);
    await expectSound(page);
    await tabTo(page, "Anforderung hinzufügen");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Ein gültiger Nachweis einer dieser Arten genügt.").waitFor();
    const whose = dialog.getByLabel("Von wem");
    await soon(() => whose.evaluate((field) => field === document.activeElement), true);
    // Without a type it is refused, and the focus goes to what is missing.
    await tabTo(page, "Anforderung hinzufügen");
    await page.keyboard.press("Enter");
    const fault = dialog.getByText("Darf nicht leer sein.");
    await fault.waitFor();
    // At the first of many choices, where the focus is.
    await soon(() => fault.evaluate((element) => element.getBoundingClientRect().bottom < innerHeight), true);
    await soon(() => fault.evaluate((element) => element.getBoundingClientRect().top > 0), true);
    await expectSound(page);
    await whose.focus();
    await page.keyboard.type("Flugz");
    await pressUntil(page, "Tab", () => focusedLabel(page), "Wägebericht");
    await page.keyboard.press("Space");
    await dialog.getByText("Gilt für 1 Flugzeug. Der Nachweis fehlt bei 1.").waitFor();
    await expectSound(page);
    await tabTo(page, "Anforderung hinzufügen");
    await page.keyboard.press("Enter");
    await page.getByRole("list", { name: "Flugzeuge" }).getByText("Wägebericht").waitFor();
    await expectSound(page);
  });

  test("what a rule does is changed with its source in view, and undone", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({ as: owner, path, now: now() });
    const row = page.getByRole("listitem").filter({ hasText: "A valid licence is missing" });
    await row.getByText("Warns").waitFor();
    await row.getByRole("button").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("FCL.015, FCL.045, Regulation (EU) 1178/2011").waitFor();
    await dialog.getByText("Warns (usual)").waitFor();
    await dialog.getByRole("radio").first().check();
    await expectSound(page);
    await dialog.getByRole("button", { name: "Save" }).click();
    await row.getByText("Blocks").waitFor();
    await row.getByText("usually: Warns").waitFor();
    expect(await ruleOf(owner, "licence")).toBe("block");
    await page.getByRole("button", { name: "Undo" }).click();
    await soon(() => ruleOf(owner, "licence"), "warn");
    await row.getByText("Warns").waitFor();

    const phone = await stage.open({
      ...{ as: owner, path, width: 360, colorScheme: "dark", locale: "de-DE", now: now() },
    });
    await phone.getByText("Eine gültige Lizenz fehlt").waitFor();
    await tabTo(phone, "Eine gültige Lizenz fehlt");
    await phone.keyboard.press("Enter");
    await phone.getByRole("dialog").getByText("Sperrt").waitFor();
    await phone.keyboard.press("ArrowDown");
    await expectSound(phone);
    await phone.keyboard.press("Enter");
    await soon(() => ruleOf(owner, "licence"), "off");
    await phone
      .getByRole("listitem")
      .filter({ hasText: "Eine gültige Lizenz fehlt" })
      .getByText("üblich: Warnt")
      .waitFor();
  });

  test("an own type is added, changed, and removed when nothing names it any more", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({ as: owner, path, now: now(), refusals: [409] });
    await page.getByRole("button", { name: "Add a type" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Überprüfungsflug");
    await dialog.getByLabel("Valid, in months").fill("12");
    await dialog.getByLabel("Classes or levels").fill("day, night, day");
    await expectSound(page);
    await dialog.getByRole("button", { name: "Add a type" }).click();
    const row = page.getByRole("listitem").filter({ hasText: "Überprüfungsflug" });
    await row.getByText("Of people · valid 12 months · warns 30 days before · day, night").waitFor();
    const own = async () =>
      (await listOf(owner, "types?limit=500")).filter((type: { built_in: boolean }) => !type.built_in);
    const [{ key }] = await own();
    expect(key).toBe("ueberpruefungsflug");

    await row.getByRole("button").click();
    await dialog.getByLabel("Name").fill(hostile);
    await dialog.getByLabel("Warning, in days before").fill("60");
    await dialog.getByRole("button", { name: "Save" }).click();
    const renamed = page.getByRole("listitem").filter({ hasText: hostile });
    await renamed.getByText("warns 60 days before").waitFor();
    await expectSound(page);

    const required = { applies_to: "pilot", any_of: [key], levels: [] };
    const { id } = expectStatus(201, await owner.post("/compliance/requirements", required)).body.data;
    const remove = async () => {
      await page.getByRole("list", { name: "Types of records" }).getByRole("button", { name: hostile }).click();
      await dialog.getByRole("button", { name: "Remove" }).click();
      await dialog.getByRole("button", { name: "Remove" }).click();
    };
    await remove();
    await dialog.getByText("There are records of this type, or a requirement names it. It stays.").waitFor();
    await page.keyboard.press("Escape");
    expectStatus(200, await owner.delete(`/compliance/requirements/${id}`));
    await remove();
    await page.getByText("Removed: ").waitFor();
    expect(await own()).toEqual([]);
  });

  test("of a type that every school has only the warning changes, by keys in German on a phone", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({
      ...{ as: owner, path, width: 360, colorScheme: "dark", locale: "de-DE", now: now() },
    });
    await page.getByRole("list", { name: "Arten von Nachweisen" }).waitFor();
    await tabTo(page, "Alle 25 anzeigen");
    await page.keyboard.press("Enter");
    const row = page.getByRole("list", { name: "Arten von Nachweisen" }).getByRole("button", { name: "Wägebericht" });
    await row.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Nur die Warnung kann geändert werden").waitFor();
    expect(await dialog.getByRole("textbox").count()).toBe(0);
    expect(await dialog.getByRole("button", { name: "Entfernen" }).count()).toBe(0);
    await expectSound(page);
    await page.keyboard.press("Control+A");
    await page.keyboard.type("45");
    await page.keyboard.press("Enter");
    await page.getByText("warnt 45 Tage vorher").waitFor();
    const weighing = (await listOf(owner, "types?limit=500")).find((type: { key: string }) => type.key === "weighing");
    expect(weighing.warning_days).toBe(45);
  });

  test("who may only read sees all of it and can change nothing", async () => {
    const { owner, instructor } = await newSchool(stage.installation);
    const type = { key: "hostile", name: hostile, subject: "person" };
    expectStatus(201, await owner.post("/compliance/types", type));
    expectStatus(201, await owner.post("/compliance/requirements", { applies_to: "pilot", any_of: ["hostile"] }));
    const page = await stage.open({ as: instructor, path, width: 360, now: now() });
    await page.getByRole("list", { name: "Pilots" }).getByText(hostile).waitFor();
    await page.getByText("A valid licence is missing").waitFor();
    await page.getByRole("list", { name: "Types of records" }).getByText(hostile).waitFor();
    await expectSound(page);
    const buttons = await page.getByRole("main").getByRole("button").allTextContents();
    expect(buttons).toEqual(["Show all 26"]);
  });
});

async function pressUntil(page: Page, key: string, read: () => Promise<string>, wanted: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press(key);
    if ((await read()) === wanted) return;
  }
  throw new Error(`${key} does not reach ${wanted}.`);
}

const focusedLabel = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest("label")?.textContent?.trim() ?? "");
