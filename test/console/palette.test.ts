/** Ctrl-K and the other keys that work everywhere. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { expectStatus, newSchool } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, soon } from "./browser.ts";

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  test("Ctrl-K finds a person without their accents, and Enter opens their page", async () => {
    const { owner } = await newSchool(stage.installation);
    for (const name of ["Łukasz <i>Wiśniewski</i>", "Lukas Weber"])
      expectStatus(201, await owner.post("/people", { name, types: ["pilot"] }));
    const page = await stage.open({ as: owner, colorScheme: "dark" });
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Search" });
    await field.pressSequentially("wisn");
    const options = page.getByRole("listbox").getByRole("option");
    await options.getByText("Łukasz <i>Wiśniewski</i>").waitFor();
    await soon(() => options.count(), 1);
    await soon(() => options.first().getAttribute("aria-selected"), "true");
    await expectSound(page);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Łukasz <i>Wiśniewski</i>" }).waitFor();
    await soon(() => page.getByRole("dialog").count(), 0);
  });

  test("arrows choose, Escape closes, and what nobody has is said, on a phone in German", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({ as: owner, width: 360, locale: "de-DE" });
    await page.getByRole("button", { name: "Suchen" }).click();
    const field = page.getByRole("combobox", { name: "Suchen" });
    const chosen = () => page.locator('[role=option][aria-selected="true"] .row-title').textContent();
    expect(await chosen()).toBe("Heute");
    await field.press("ArrowDown");
    expect(await chosen()).not.toBe("Heute");
    await field.press("ArrowUp");
    await field.press("ArrowUp");
    expect(await chosen()).not.toBe("Heute");
    await field.fill("niemand heißt so");
    await page.getByText("Nichts gefunden.").waitFor();
    await expectSound(page);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  test("? lists the keys, j and k move over rows, u shows times in UTC, and none of them does so while somebody types", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({ as: owner, path: "/app/people" });
    await page.getByRole("link", { name: "Sam Student" }).waitFor();
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await dialog.getByText("Next row").waitFor();
    await expectSound(page);
    await page.keyboard.press("Escape");
    const focused = () => page.evaluate("document.activeElement.textContent");
    const rows = await page.locator("tbody").getByRole("link").allTextContents();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    expect(await focused()).toBe(rows[1]);
    await page.keyboard.press("k");
    expect(await focused()).toBe(rows[0]);
    await page.keyboard.press("u");
    await page.getByText("Times are in UTC.").waitFor();
    const search = page.getByRole("searchbox");
    await search.pressSequentially("jku?");
    await soon(() => search.inputValue(), "jku?");
    await soon(() => page.getByRole("dialog").count(), 0);
  });

  test("Ctrl-K begins what one does most, by any of its words, and finds members", async () => {
    const { owner, student } = await newSchool(stage.installation);
    const page = await stage.open({ as: owner });
    const field = page.getByRole("combobox", { name: "Search" });
    const options = page.getByRole("listbox").getByRole("option");
    await page.keyboard.press("Control+k");
    await field.pressSequentially("defect");
    await options.getByText("Report a defect").waitFor();
    await expectSound(page);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/app/defects/new");
    await page.keyboard.press("Control+k");
    await field.pressSequentially(student.email);
    await options.filter({ hasText: "Member" }).click();
    await page.waitForURL("**/app/settings/members");
  });

  test("the search offers no screen that the account may not open", async () => {
    const { student } = await newSchool(stage.installation);
    const page = await stage.open({ as: student });
    await page.keyboard.press("Control+k");
    const titles = page.locator("[role=option] .row-title");
    await titles.first().waitFor();
    expect(await titles.allTextContents()).not.toContain("People");
  });
});
