/** A school that is suspended while its console is open, and a member of two schools. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { expectStatus, newSchool } from "../support/school.ts";
import { remove, resume, suspend } from "../support/suspending.ts";
import { executablePath, expectSound, openStage, type Stage } from "./browser.ts";
import { dialogHasFocus } from "./keys.ts";

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  test("a suspended school says so in its open console, until it is resumed; the account stays open", async () => {
    const school = await newSchool(stage.installation);
    const { name } = expectStatus(200, await school.owner.get("")).body.data;
    const page = await stage.open({ as: school.owner, refusals: [403] });
    await page.getByRole("link", { name: "People" }).first().waitFor();

    await suspend(school);
    await page.getByText(`${name} is suspended`).waitFor();
    await page.getByRole("button", { name: "Export the school" }).waitFor();
    await expectSound(page);
    expect(await page.getByRole("link", { name: "People" }).count()).toBe(0);
    await page.goto(`${stage.url}/app/people`);
    await page.getByText("has suspended the school").waitFor();
    // The records are the school's, whatever the operator has against it.
    await page.getByRole("button", { name: "Export the school" }).focus();
    await page.keyboard.press("Enter");
    await dialogHasFocus(page);
    await page.keyboard.type("correct horse battery staple");
    const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    expect(file.suggestedFilename()).toMatch(/^windsock-.*\.age$/);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.goto(`${stage.url}/app/account`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.getByText(`${name} is suspended`).count()).toBe(0);

    await page.goto(`${stage.url}/app/people`);
    await page.getByText("has suspended the school").waitFor();
    await resume(school);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("table", { name: "People" }).waitFor();
  }, 120_000);

  test("in German, on a phone, with the day of the removal; a member of two schools goes to the other", async () => {
    const [school, other] = [await newSchool(stage.installation), await newSchool(stage.installation)];
    const { name } = expectStatus(200, await school.owner.get("")).body.data;
    const otherName: string = expectStatus(200, await other.owner.get("")).body.data.name;
    const invited = await other.owner.post("/invites", { email: school.owner.email, roles: ["admin"] });
    const { token } = expectStatus(201, invited).body.data;
    expectStatus(200, await school.owner.call("POST", "/auth/org-invites/claim", { body: { token } }));
    await remove(school, { confirm: name });
    const page = await stage.open({ as: school.owner, locale: "de-DE", width: 360 });
    await page.evaluate(`localStorage.setItem("windsock.org", ${JSON.stringify(school.orgId)})`);
    await page.reload();
    await page.getByText(`${name} ist gesperrt`).waitFor();
    await page.getByText(/wird die Flugschule mit allen Daten gelöscht/).waitFor();
    await expectSound(page);
    await page.getByRole("button", { name: "Flugschule exportieren" }).waitFor();
    await page.getByRole("button", { name: `Zu ${otherName}` }).click();
    await page.getByText(`${name} ist gesperrt`).waitFor({ state: "detached" });
    expect(
      await page
        .getByRole("button", { name: "Flüge" })
        .or(page.getByRole("link", { name: "Flüge" }))
        .count(),
    ).toBeGreaterThan(0);
  }, 120_000);
});
