/** What is loaded together: on a slow computer and over a slow connection, each wait for another answer is seen. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page, Request } from "playwright-core";
import { newSchool, type School } from "../support/school.ts";
import { executablePath, openStage, type Stage, soon } from "./browser.ts";

/** Holds the answer at an address until as many other requests were made as are wanted. Returns their paths. */
async function heldUntil(page: Page, held: string, isWanted: (request: Request) => boolean, count: number) {
  const paths = new Set<string>();
  const all = Promise.withResolvers<void>();
  page.on("request", (request) => {
    if (isWanted(request)) paths.add(new URL(request.url()).pathname);
    if (paths.size === count) all.resolve();
  });
  await page.route(held, async (route) => {
    await all.promise;
    await route.continue();
  });
  return paths;
}

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  let school: School;
  beforeAll(async () => {
    stage = await openStage();
    school = await newSchool(stage.installation);
  }, 120_000);
  afterAll(() => stage.close());

  test("the files of a screen are loaded while the session begins", async () => {
    const page = await stage.open({ as: school.owner });
    await page.getByRole("heading", { name: "Today" }).waitFor();
    const isFile = (request: Request) => request.url().includes("/assets/part.");
    const atFirst = new Set<string>();
    page.on("request", (request) => isFile(request) && atFirst.add(request.url()));
    await page.reload();
    await page.getByRole("heading", { name: "Today" }).waitFor();
    // Today has its own file, too: the aircraft's is another one.
    const known = new Set(atFirst);
    const isNew = (request: Request) => isFile(request) && !known.has(request.url());
    await heldUntil(page, "**/auth/refresh", isNew, 1);
    await page.goto(`${stage.url}/app/aircraft/${school.aircraftId}`);
    await page.getByRole("heading", { name: "D-EABC" }).waitFor();
  });

  test("the parts of an aircraft are loaded beside it", async () => {
    const page = await stage.open({ as: school.owner });
    await page.getByRole("heading", { name: "Today" }).waitFor();
    const aircraft = `/orgs/${school.orgId}/aircraft/${school.aircraftId}`;
    const parts = [
      ...[
        `${aircraft}/counter-corrections`,
        `${aircraft}/defects`,
        `${aircraft}/groundings`,
        `${aircraft}/journey-log`,
      ],
      ...["/maintenance/items", "/maintenance/work-orders"].map((path) => `/orgs/${school.orgId}${path}`),
    ];
    const isPart = (request: Request) => parts.includes(new URL(request.url()).pathname);
    const asked = await heldUntil(page, `**${aircraft}`, isPart, parts.length);
    await page.goto(`${stage.url}/app/aircraft/${school.aircraftId}`);
    await page.getByRole("heading", { name: "D-EABC" }).waitFor();
    expect([...asked].sort()).toEqual(parts);
  });

  test("what a screen is loading is not asked for again meanwhile, when the stream of changes begins", async () => {
    const page = await stage.open({ as: school.owner });
    await page.getByRole("heading", { name: "Today" }).waitFor();
    const aircraft = `/orgs/${school.orgId}/aircraft/${school.aircraftId}`;
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith(aircraft)) asked.push(pathname);
    });
    const held = Promise.withResolvers<void>();
    await page.route(`**${aircraft}`, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.clock.install();
    const stream = page.waitForResponse(/\/changes$/);
    await page.goto(`${stage.url}/app/aircraft/${school.aircraftId}`);
    await stream;
    await page.getByText("No defect.").waitFor();
    await page.clock.runFor(2000);
    expect(asked.toSorted()).toEqual([...new Set(asked)].sort());
    held.resolve();
    await page.getByRole("heading", { name: "D-EABC" }).waitFor();
    // What was asked for before the stream began may have changed meanwhile.
    await page.clock.runFor(2000);
    await soon(async () => asked.filter((path) => path === aircraft).length, 2);
  });

  test("what a screen asks for after the stream of changes has begun is not asked for again", async () => {
    const page = await stage.open({ as: school.owner });
    await page.getByRole("heading", { name: "Today" }).waitFor();
    const [today, aircraft] = ["today", "aircraft"].map((name) => `/orgs/${school.orgId}/${name}`);
    let asked = 0;
    page.on("request", (request) => {
      if (new URL(request.url()).pathname === aircraft) asked += 1;
    });
    const held = Promise.withResolvers<void>();
    await page.route(`**${today}`, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.clock.install();
    const stream = page.waitForResponse(/\/changes$/);
    await page.reload();
    await stream;
    // By then, the page has the first event, too.
    await page.evaluate(() => fetch("/capabilities"));
    await page.getByRole("link", { name: "Aircraft" }).first().click();
    await page.getByRole("rowheader", { name: "D-EABC" }).waitFor();
    const answered = page.waitForResponse(`**${today}`);
    held.resolve();
    await answered;
    await page.clock.runFor(2000);
    await page.getByRole("link", { name: "Today" }).first().click();
    await page.getByRole("heading", { name: "Today" }).waitFor();
    expect(asked).toBe(1);
  });
});
