/** The first hour of a new school: a program in an empty folder, a browser, and nobody who has read anything. */
import { afterEach, describe, test } from "bun:test";
import { endProcesses, startServer, urlOf } from "../runtime/processes.ts";
import { bunFromSource } from "../runtime/runtimes.ts";
import { password } from "../support/school.ts";
import { executablePath, expectSound, openBrowser, soon } from "./browser.ts";

describe.skipIf(executablePath === null)("in Chromium", () => {
  afterEach(endProcesses);

  test("a school is set up, has its aircraft and people, and its first flight is entered and approved", async () => {
    const url = await urlOf(await startServer({}, bunFromSource));
    await using browser = await openBrowser(url);
    const page = await browser.open();
    await page.getByRole("heading", { name: "Welcome to Windsock" }).waitFor();
    await page.getByLabel("Name of the school").fill("Windy Hill");
    await page.getByLabel("Your name").fill("Olga Lindner");
    await page.getByLabel("E-mail address").fill("olga@windyhill.example");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.keyboard.press("Enter");
    const steps = page.getByRole("region", { name: "First steps" });

    await steps.getByRole("link", { name: "Add an aircraft" }).click();
    await page.getByRole("button", { name: "Add an aircraft" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Registration").fill("d-eabc");
    await dialog.getByLabel("Model").fill("Cessna 172S");
    await dialog.getByLabel("Hobbs").fill("1234,5");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "D-EABC" }).waitFor();
    await expectSound(page);

    await page.getByRole("link", { name: "Today" }).click();
    await steps.getByRole("link", { name: "Add people" }).click();
    await page.getByRole("link", { name: "Import", exact: true }).click();
    const people = Buffer.from(
      "name;email;types\nClara Vogt;clara@windyhill.example;instructor\nTom Beck;tom@windyhill.example;student\n",
    );
    await page
      .getByLabel("Choose a CSV file")
      .setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: people });
    await page.getByRole("button", { name: "Import 2 lines" }).click();
    await page.getByRole("link", { name: "Clara Vogt" }).waitFor();
    await expectSound(page);

    await page.getByRole("link", { name: "Today" }).click();
    await steps.getByRole("link", { name: "Enter the first flight" }).click();
    const types = (label: string, letters: string) =>
      page.getByRole("combobox", { name: label, exact: true }).fill(letters);
    const chooses = async (label: string, letters: string) => {
      await types(label, letters);
      await page.getByRole("listbox").getByRole("option").first().waitFor();
      await page.keyboard.press("Tab");
    };
    await chooses("Aircraft", "bc");
    await soon(() => page.getByLabel("Hobbs before").inputValue(), "1234.50");
    await page.getByLabel("Day", { exact: true }).fill("2026-05-04");
    await page.getByLabel(/^Nature/).selectOption("training");
    await chooses("On board", "clara");
    await page.getByRole("button", { name: "Add somebody on board" }).click();
    await chooses("On board (2)", "tom");
    await page.getByLabel("As").nth(0).selectOption("instructor");
    await page.getByLabel("As").nth(1).selectOption("dual");
    await types("From", "edfe");
    await page.keyboard.press("Tab");
    await page.getByLabel("Off block").fill("1005");
    await page.getByLabel("On block").fill("1105");
    await types("To", "edfe");
    await page.keyboard.press("Tab");
    await page.getByLabel("Hobbs after").fill("1235,5");
    await page.getByRole("heading", { name: "Clearance" }).waitFor();
    await expectSound(page);
    await page.getByRole("button", { name: "Submit" }).click();
    await page.getByText("The flight is submitted.").waitFor();

    await page.getByRole("link", { name: "Today" }).click();
    // A second factor and webhooks hold nobody up.
    await page.getByRole("heading", { name: "Flights to approve" }).waitFor();
    await soon(() => steps.count(), 0);
    await page.getByRole("link", { name: "Approve" }).click();
    await page.locator('.queue-head[aria-expanded="true"]').waitFor();
    await page.keyboard.press("a");
    await page.getByText(/^Approved: D-EABC/).waitFor();
    await page.getByRole("heading", { name: "Nothing waits for approval" }).waitFor();
    await page.getByRole("link", { name: "Aircraft" }).click();
    await page.getByRole("cell", { name: "1,235.50" }).waitFor();
    await expectSound(page);
  }, 120_000);
});
