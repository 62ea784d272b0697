/** The choice among many: found by typing, taken by keys or by thumb, under the policy of the page. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { newSchool } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, soon } from "./browser.ts";

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  const open = async (width: number, colorScheme: "light" | "dark", script = ""): Promise<Page> => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({ as: owner, path: "/app/widgets", width, colorScheme, script });
    page.setDefaultTimeout(8000);
    await page.getByRole("combobox", { name: "Person" }).waitFor();
    return page;
  };
  const options = (page: Page) => page.getByRole("listbox").getByRole("option").allInnerTexts();

  test("by keyboard: words are found without accents, and taken by the tabulator or by Enter", async () => {
    const page = await open(1280, "light");
    const person = page.getByRole("combobox", { name: "Person" });
    await person.focus();
    await page.keyboard.type("gross luk");
    await page.getByRole("listbox").getByRole("option").waitFor();
    expect(await options(page)).toEqual([expect.stringContaining("Łukasz Groß")]);
    await expectSound(page);
    await page.keyboard.press("Tab");
    await soon(() => person.inputValue(), "Łukasz Groß");
    const airfield = page.getByRole("combobox", { name: "Airfield" });
    await soon(() => airfield.evaluate((field) => field === document.activeElement), true);
    await person.focus();
    await person.fill("ors");
    await page.getByRole("option", { name: "Søren Ørsted" }).waitFor();
    await page.keyboard.press("Enter");
    await soon(() => person.inputValue(), "Søren Ørsted");
    // Enter took an option and sent no form.
    await soon(() => page.getByText("Fill in this field.").count(), 0);
    await person.fill("nobody");
    await page.getByText("Nothing matches").waitFor();
    await expectSound(page);
    await page.keyboard.press("Tab");
    await soon(() => person.inputValue(), "Søren Ørsted");
    await person.fill("mueller");
    await page.getByRole("option", { name: "Müller" }).waitFor();
    await page.keyboard.press("Escape");
    await soon(() => person.inputValue(), "Søren Ørsted");
    // Faster than the list is drawn.
    await person.fill("");
    await page.keyboard.type("mueller");
    await page.keyboard.press("Tab");
    await soon(() => person.inputValue(), "Ann-Kathrin Müller");
    await person.fill("");
    await page.keyboard.press("Tab");
    await soon(() => person.inputValue(), "");
  });

  test("on a slow computer the focus stays where the user went on, and the caret where the user put it", async () => {
    const page = await open(
      1280,
      "light",
      "{ const next = requestAnimationFrame; window.requestAnimationFrame = (run) => next(() => setTimeout(run, 150)); }",
    );
    const frames = () =>
      page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    const person = page.getByRole("combobox", { name: "Person" });
    const airfield = page.getByRole("combobox", { name: "Airfield" });
    await person.fill("");
    await page.keyboard.type("mueller");
    await page.keyboard.press("Tab");
    await frames();
    await page.keyboard.type("lszb");
    await soon(() => person.inputValue(), "Ann-Kathrin Müller");
    expect(await airfield.inputValue()).toBe("lszb");
    await airfield.fill("lb");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.type("s");
    await frames();
    await page.keyboard.type("z");
    await page.keyboard.press("Tab");
    await soon(() => airfield.inputValue(), "LSZB");
  });

  test("what is no option is taken where the field allows it, and a beginning where it is one", async () => {
    const page = await open(1280, "dark");
    const airfield = page.getByRole("combobox", { name: "Airfield" });
    await soon(() => airfield.inputValue(), "EDKB");
    await airfield.fill("lszb");
    await page.keyboard.press("Tab");
    await soon(() => airfield.inputValue(), "LSZB");
    await airfield.fill("edf");
    await page.getByRole("option", { name: "EDFE" }).waitFor();
    await page.keyboard.press("Tab");
    await soon(() => airfield.inputValue(), "EDFE");
  });

  test("by thumb: a touch shows all, another one takes", async () => {
    const page = await open(360, "light");
    const person = page.getByRole("combobox", { name: "Person" });
    await person.tap();
    await page.getByRole("option", { name: "Anna Berg" }).waitFor();
    expect(await options(page)).toHaveLength(6);
    await expectSound(page);
    await page.getByRole("option", { name: "<b>Bold</b> O’Neil" }).tap();
    await soon(() => person.inputValue(), "<b>Bold</b> O’Neil");
    await soon(() => page.getByRole("listbox").getByRole("option").count(), 0);
  });
});
