/** The operator's page: what needs attention, each with what to do, and that nobody else has it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toInstant } from "../../src/core/clock.ts";
import { recordRun } from "../../src/scheduler/history.ts";
import { TestClock } from "../support/clock.ts";
import { newInstallation } from "../support/installation.ts";
import { newOperator } from "../support/operator.ts";
import { newSchool, type School } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, soon } from "./browser.ts";

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  let place = "";
  let directory = "";
  let school: School;
  let operator = { email: "" };
  beforeAll(async () => {
    [place, directory] = await Promise.all(
      ["backups", "data"].map((name) => mkdtemp(join(tmpdir(), `windsock-${name}-`))),
    );
    const env = { WINDSOCK_BACKUP_DIR: place, WINDSOCK_BACKUP_COMMAND: "true" };
    const clock = new TestClock();
    const before = await newInstallation({ env, clock, directory });
    const damaged = await newSchool(before);
    await damaged.owner.patch("", { name: '<img src=x onerror="alert(1)"> Damaged' });
    await before.scheduler.runNow("backup");
    await before.close();
    await truncate(join(directory, `${damaged.orgId}.db`), 4096);
    clock.advance(3 * 86_400_000);

    stage = await openStage({ env: async () => env, clock, directory });
    const at = { started_at: toInstant(clock.now()), finished_at: toInstant(clock.now()) };
    for (const job of ["scrub", "scrub", "retention"])
      await recordRun(stage.installation.storage.control, job, {
        ...at,
        outcome: "failed",
        summary: "The disk is full.",
      });
    await stage.installation.storage.tenants
      .tenant(damaged.orgId as never)
      .read(async () => 0)
      .catch(() => undefined);
    school = await newSchool(stage.installation);
    operator = await newOperator(stage.installation);
  }, 120_000);
  afterAll(async () => {
    await stage.close();
    for (const path of [place, directory]) await rm(path, { recursive: true, force: true });
  });

  const now = () => stage.installation.clock.now();

  test("an operator without a school finds what needs attention, and the command that mends a file, by keys alone", async () => {
    const page = await stage.open({ as: operator, now: now() });
    await page.getByRole("heading", { name: "Installation", level: 1 }).waitFor();
    const attention = page.getByRole("list", { name: "Needs attention" });
    const found = attention.locator(".row-title");
    await found.first().waitFor();
    expect(await found.allTextContents()).toEqual([
      'Error<img src=x onerror="alert(1)"> Damaged: the file can\'t be used',
      "WarningThe newest backup is of 14/06/2026 11:00",
      "Warning2 jobs have failed",
    ]);
    expect(await attention.getByText(/^windsock restore /).textContent()).toContain(place);
    const distance = page.getByRole("region", { name: "Backups" }).locator("time").first();
    expect([await distance.textContent(), await distance.getAttribute("title")]).toEqual([
      "3 days ago",
      "14/06/2026 11:00",
    ]);
    const row = page.getByRole("table", { name: "Schools" }).getByRole("row", { name: /Damaged/ });
    expect(await row.textContent()).toContain("Quarantined");
    expect(await row.textContent()).toMatch(/\d kB/);
    await expectSound(page);

    await row.getByRole("button", { name: /^What to do/ }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/^Windsock has not opened this file since/).waitFor();
    await dialog.getByText(/^windsock restore /).waitFor();
    await expectSound(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });

    await page.getByRole("list", { name: "Jobs" }).getByRole("button", { name: "scrub" }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByText("windsock jobs run scrub").waitFor();
    await soon(() => dialog.getByRole("list", { name: "Runs" }).getByText("The disk is full.").count(), 2);
    await page.keyboard.press("Escape");

    await page.getByRole("link", { name: "Size" }).click();
    await page.waitForURL(/order=-bytes/);
  });

  test("in German on a phone in the dark it has no scroll bar", async () => {
    const options = { now: now(), locale: "de-DE", width: 360, colorScheme: "dark" } as const;
    const page = await stage.open({ as: operator, ...options, path: "/app/installation" });
    await page.getByText("2 Aufgaben sind fehlgeschlagen").waitFor();
    await page.getByRole("region", { name: "Sicherungen" }).getByText("vor 3 Tagen").first().waitFor();
    await page.getByRole("table", { name: "Schulen" }).getByText("In Quarantäne").waitFor();
    await expectSound(page);
  });

  test("nobody else has it: neither in the menu nor by its address", async () => {
    const page = await stage.open({ as: school.owner, now: now(), path: "/app/installation" });
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    expect(await page.getByRole("navigation", { name: "Main" }).first().getByText("Installation").count()).toBe(0);
  });
});
