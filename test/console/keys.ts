import type { Page } from "playwright-core";

/** Presses Tab until a control has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
    if (focused === name) return;
  }
  throw new Error(`Tab does not reach ${name}.`);
}

/** Presses Tab until a field of a form has the focus. @param name that of its value */
export async function tabToField(page: Page, name: string): Promise<void> {
  const focused = page.locator(`[name="${name}"]:focus`);
  for (let presses = 0; presses < 40 && (await focused.count()) === 0; presses += 1) await page.keyboard.press("Tab");
  await focused.waitFor();
}

/** Waits until the dialog that a key opens has the focus: a key that is pressed before goes to what is behind it. */
export const dialogHasFocus = (page: Page): Promise<void> => page.getByRole("dialog").locator(":focus").waitFor();
