/** What the first people of a school do in a browser, whatever runs the server. */
import { expect } from "bun:test";
import { openBrowser } from "../console/browser.ts";
import { password } from "../support/school.ts";

/** Two members set a school up: one enters a flight, and the other approves it. */
export async function playTheConsole(url: string): Promise<void> {
  await using browser = await openBrowser(url);
  const page = await browser.open();
  await page.getByLabel("Name of the school").fill("Windy Hill");
  await page.getByLabel("Your name").fill("Olga Lindner");
  await page.getByLabel("E-mail address").fill("olga@windyhill.example");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Today" }).waitFor();

  await page.goto(`${url}/app/aircraft`);
  await page.getByRole("button", { name: "Add an aircraft" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Registration").fill("d-eabc");
  await dialog.getByLabel("Model").fill("Cessna 172S");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "D-EABC" }).waitFor();

  await page.goto(`${url}/app/people`);
  await page.getByRole("button", { name: "Add a person" }).first().click();
  await dialog.getByLabel("Name", { exact: true }).fill("Clara Vogt");
  await dialog.locator("select").selectOption("instructor");
  await dialog.getByRole("button", { name: "Add a person" }).click();
  // Of her own page: the list has her row only until that page opens.
  await page.getByRole("heading", { name: "Clara Vogt" }).waitFor();

  // A new server sends no mails: the link is there to be handed on.
  await page.goto(`${url}/app/settings/invites`);
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await dialog.getByLabel("E-mail address").fill("ivo@windyhill.example");
  await dialog.getByRole("checkbox", { name: "Admin" }).check();
  await dialog.getByRole("button", { name: "Invite", exact: true }).click();
  const link = (await dialog.getByText("/app/invites#token=").textContent()) ?? "";

  await page.goto(`${url}/app/flights/new`);
  const chooses = async (label: string, letters: string) => {
    await page.getByRole("combobox", { name: label, exact: true }).fill(letters);
    await page.getByRole("listbox").getByRole("option").first().waitFor();
    await page.keyboard.press("Tab");
  };
  await chooses("Aircraft", "abc");
  await chooses("On board", "clara");
  for (const label of ["From", "To"]) {
    await page.getByRole("combobox", { name: label, exact: true }).fill("edfe");
    await page.keyboard.press("Tab");
  }
  // Yesterday: on the day itself, the story would fail in the first minutes after midnight.
  await page.getByLabel("Day", { exact: true }).fill(new Date(Date.now() - 86_400_000).toISOString().slice(0, 10));
  await page.getByLabel("Off block").fill("0005");
  await page.getByLabel("On block").fill("0010");
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("The flight is submitted.").waitFor();

  const other = await browser.open({ path: new URL(link).pathname + new URL(link).hash });
  await other.getByLabel("Your name").fill("Ivo Berg");
  await other.getByLabel("Password", { exact: true }).fill(password);
  await other.keyboard.press("Enter");
  await other.getByRole("heading", { name: "Flights to approve" }).waitFor();
  await other.getByRole("link", { name: "Approve" }).click();
  await other.locator('.queue-head[aria-expanded="true"]').waitFor();
  await other.keyboard.press("a");
  await other.getByText(/^Approved: D-EABC/).waitFor();
  await page.reload();
  await page.locator(".page").getByText("Approved", { exact: true }).first().waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/app\/flights\/[\w-]+$/);
}
