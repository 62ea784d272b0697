/** Two desks change one person at the same time: nothing is lost, and what both have changed is asked. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { expectStatus, newSchool } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, soon } from "./browser.ts";

const desks = [
  {
    options: { locale: "en-GB", width: 1280 },
    words: {
      ...{ edit: "Edit Contact", save: "Save", city: "City", phone: "Telephone" },
      ...{
        takenOver: "Changed in the meantime by Ada Admin: Telephone: +49 30 1111",
        title: "Changed at the same time",
      },
      ...{ yours: "What you typed", required: "Fill in this field." },
    },
  },
  {
    options: { locale: "de-DE", width: 360, colorScheme: "dark" },
    words: {
      ...{ edit: "Bearbeiten Kontakt", save: "Speichern", city: "Ort", phone: "Telefon" },
      ...{ takenOver: "Inzwischen geändert von Ada Admin: Telefon: +49 30 1111", title: "Gleichzeitig geändert" },
      ...{ yours: "Ihre Eingabe", required: "Bitte ausfüllen." },
    },
  },
] as const;

/** Types into a field of the form, by keyboard alone. */
async function enter(page: Page, name: string, typed: string): Promise<void> {
  await page.getByLabel(name).focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.type(typed);
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).focus();
  await page.keyboard.press("Enter");
}

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  test.each(desks)(
    "different fields are both kept, the same field is asked, $options.locale",
    async ({ options, words }) => {
      const { owner, student, join } = await newSchool(stage.installation);
      const admin = await join(["admin"], "Ada Admin");
      const path = `/people/${student.personId}`;
      const person = () => owner.get(path).then((answer) => expectStatus(200, answer).body.data);
      const other = async (body: object) => expectStatus(200, await admin.patch(path, body));
      const page = await stage.open({ as: owner, ...options, path: `/app${path}`, refusals: [412] });

      await page.getByRole("heading", { name: "Sam Student" }).waitFor();
      await press(page, words.edit);
      await other({ phone: "+49 30 1111" });
      await enter(page, words.city, "Egelsbach");
      await page.keyboard.press("Enter");
      await page.getByText(words.takenOver).waitFor();
      await page.getByRole("link", { name: "+49 30 1111" }).waitFor();
      expect(await person()).toMatchObject({ phone: "+49 30 1111", city: "Egelsbach" });

      await press(page, words.edit);
      await other({ phone: "+49 30 2222", city: "Kiel" });
      await enter(page, words.phone, "+49 30 3333");
      await enter(page, words.city, "Langen");
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: words.title });
      await dialog.waitFor();
      await expectSound(page);
      await dialog.getByText("+49 30 2222").waitFor();
      // Nothing is decided for the user.
      await press(page, words.save);
      await dialog.getByText(words.required).first().waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await soon(() => page.getByLabel(words.phone).inputValue(), "+49 30 3333");
      expect(await person()).toMatchObject({ phone: "+49 30 2222", city: "Kiel" });

      await page.getByLabel(words.phone).focus();
      await page.keyboard.press("Enter");
      await dialog.waitFor();
      const phone = dialog.getByRole("group", { name: words.phone });
      await phone.getByRole("radio", { name: words.yours }).focus();
      await page.keyboard.press("Space");
      await page.keyboard.press("Tab");
      const city = dialog.getByRole("group", { name: words.city });
      await city.getByRole("radio", { name: words.yours }).focus();
      await page.keyboard.press("Space");
      await page.keyboard.press("ArrowDown");
      await soon(() => city.getByRole("radio", { name: "Ada Admin" }).isChecked(), true);
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("link", { name: "+49 30 3333" }).waitFor();
      expect(await person()).toMatchObject({ phone: "+49 30 3333", city: "Kiel" });
    },
  );
});
