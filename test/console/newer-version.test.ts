/** A page that stays open while the server gets a new version, or while the connection is lost. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import { afterThisTest } from "../support/after-test.ts";
import { newSchool, type School } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, signIn, soon } from "./browser.ts";

/** `part.nn75fxt3.js`: hashes of the bundler have eight letters, those of the next version nine. */
const names = /\b(main|part|icon)\.(\w{8})\.(js|css|svg)\b/g;

/**
 * From now on the server has a version in which each file has another name.
 *
 * @param isBroken whether it lacks the files that this page has not loaded yet
 * @returns how often the page was loaded since
 */
async function upgrade(page: Page, { isBroken = false } = {}): Promise<() => number> {
  let loads = 0;
  const known = new Set(
    await page.evaluate<string[]>("performance.getEntriesByType('resource').map(({ name }) => name)"),
  );
  const renamed = async (route: Route, url = route.request().url()) => {
    const response = await route.fetch({ url });
    await route.fulfill({ response, body: (await response.text()).replace(names, "$1.$2z.$3") });
  };
  await page.route(/\/app[^.]*$/, (route) => {
    if (route.request().resourceType() === "document") loads += 1;
    return renamed(route);
  });
  await page.route("**/assets/*", (route) => {
    const url = route.request().url();
    const before = url.replace(/\.(\w{8})z(\.\w+)$/, ".$1$2");
    if (url === before || (isBroken && !known.has(before))) return route.fulfill({ status: 404, json: {} });
    return renamed(route, before);
  });
  // What the page still asks for at the end of the test has no answer.
  afterThisTest(() => page.unrouteAll({ behavior: "ignoreErrors" }));
  return () => loads;
}

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  let school: School;
  beforeAll(async () => {
    stage = await openStage();
    school = await newSchool(stage.installation);
  }, 120_000);
  afterAll(() => stage.close());

  async function openSignedIn(options: Parameters<Stage["open"]>[0], { owner } = school): Promise<Page> {
    const page = await stage.open({ refusals: [404], ...options });
    await signIn(page, owner);
    await page.locator(".page h1").waitFor();
    return page;
  }

  test("a screen that only the new version has is loaded with it, at the same address", async () => {
    const page = await openSignedIn({});
    const loads = await upgrade(page);
    await page.getByRole("link", { name: "People" }).click();
    await page.getByRole("heading", { name: "People" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/app/people");
    await page.getByRole("link", { name: "Aircraft" }).click();
    await page.getByRole("heading", { name: "Aircraft" }).waitFor();
    expect(loads()).toBe(1);
    // The way back is the one that was walked.
    await page.goBack();
    await page.getByRole("heading", { name: "People" }).waitFor();
  });

  test("a flight that is being entered is there again after it", async () => {
    const page = await openSignedIn({ path: "/app/flights/new" });
    await page.getByLabel("Off block").fill("10:05");
    await upgrade(page);
    await page.getByRole("link", { name: "People" }).click();
    await page.getByRole("heading", { name: "People" }).waitFor();
    await page.goBack();
    await page.getByText("This is what you typed earlier").waitFor();
    await soon(() => page.getByLabel("Off block").inputValue(), "10:05");
  });

  for (const [width, colorScheme] of [
    [360, "dark"],
    [1280, "light"],
  ] as const)
    test(`what is typed in a form is not lost: a notice asks for it, at ${width} px`, async () => {
      const own = await newSchool(stage.installation);
      const page = await openSignedIn({ width, colorScheme, path: "/app/settings" }, own);
      const name = page.getByLabel("Name of the school");
      await name.fill("Windy Hill Flying Club");
      const loads = await upgrade(page);
      await page.getByRole("link", { name: "Flights" }).click();
      await page.getByText("Windsock was updated").waitFor();
      await expectSound(page);
      expect(await name.inputValue()).toBe("Windy Hill Flying Club");
      expect(loads()).toBe(0);
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("heading", { name: "Flights", exact: true }).waitFor();
      expect(loads()).toBe(1);
      expect((await own.owner.get("")).body.data.name).toBe("Windy Hill Flying Club");
    });

  test("a version that lacks its own file is loaded once, and then says so", async () => {
    const page = await openSignedIn({ locale: "de-DE" });
    const loads = await upgrade(page, { isBroken: true });
    await page.getByRole("link", { name: "Personen" }).click();
    await page.getByText("Ein Teil der Seite fehlt auf dem Server.").waitFor();
    expect(loads()).toBe(1);
    await expectSound(page);
    await page.getByRole("link", { name: "Flugzeuge" }).click();
    await page.getByText("Ein Teil der Seite fehlt auf dem Server.").waitFor();
    expect(loads()).toBe(1);
  });

  test("two servers of different versions behind one address do not load the page for ever", async () => {
    const page = await openSignedIn({});
    const loads = await upgrade(page);
    const version = await page.evaluate<string>("document.scripts[0].getAttribute('src')");
    await page.evaluate(
      `sessionStorage.setItem("windsock.reloads", ${JSON.stringify(version.replace(names, "$1.$2z.$3"))})`,
    );
    await page.getByRole("link", { name: "People" }).click();
    await page.getByText("Windsock was updated").waitFor();
    expect(loads()).toBe(0);
    await page.getByRole("button", { name: "Load anew" }).click();
    await page.getByRole("heading", { name: "People" }).waitFor();
  });

  test("without a connection a screen waits for it, and says so", async () => {
    const page = await openSignedIn({ isCut: true });
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "People" }).click();
    await page.getByText("It is tried again until the connection is back.").waitFor();
    await expectSound(page);
    // What was open stays.
    await page.getByRole("heading", { name: "Today" }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole("heading", { name: "People" }).waitFor();
    await soon(() => page.getByText("No connection").count(), 0);
  });
});
