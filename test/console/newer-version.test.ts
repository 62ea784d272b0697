/** A page that stays open while the server gets a new version, or while the connection is lost. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { newSchool, type School } from "../support/school.ts";
import { executablePath, expectSound, openBrowser, openStage, type Stage, soon } from "./browser.ts";

/** `part.nn75fxt3.js`: hashes of the bundler have eight letters, those of the next version nine. */
const names = /\b(main|part|icon)\.(\w{8})\.(js|css|svg)\b/g;

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  let school: School;
  let server: ReturnType<typeof Bun.serve>;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let version: "first" | "second" | "broken" = "first";
  /** How often the page was loaded since the upgrade. */
  let loads = 0;
  const asked = new Set<string>();
  /** The files that the page wanted and the new version does not have. */
  const missed = new Set<string>();
  beforeAll(async () => {
    stage = await openStage();
    school = await newSchool(stage.installation);
    const fetch = (request: Request) => answer(request, new URL(request.url).pathname);
    server = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 120, fetch });
    browser = await openBrowser(`http://127.0.0.1:${server.port}`);
  }, 120_000);
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await server.stop(true);
    await stage.close();
  });
  beforeEach(() => {
    version = "first";
    loads = 0;
    asked.clear();
    missed.clear();
  });

  /** In the second version each file has another name. A broken one lacks the files that were not asked for before. */
  async function answer(request: Request, path: string): Promise<Response> {
    const { app } = stage.installation;
    const isPage = path === "/" || path.startsWith("/app");
    if (version === "first") asked.add(path);
    if (version === "first" || !(isPage || path.startsWith("/assets/"))) return app.handle(request);
    if (request.headers.get("sec-fetch-dest") === "document") loads += 1;
    const before = path.replace(/\.(\w{8})z(\.\w+)$/, ".$1$2");
    const isMissing = !isPage && (path === before || (version === "broken" && !asked.has(before)));
    if (isMissing) missed.add(path);
    if (isMissing) return Response.json({ error: { code: "NOT_FOUND" } }, { status: 404 });
    const response = await app.handle(new Request(new URL(before, request.url)));
    const { headers } = response;
    headers.delete("etag");
    return new Response((await response.text()).replace(names, "$1.$2z.$3"), { headers });
  }

  async function openSignedIn(options: Parameters<Stage["open"]>[0], { owner } = school): Promise<Page> {
    const page = await browser.open({ as: owner, refusals: [404], ...options });
    await page.locator(".page h1").waitFor();
    return page;
  }

  test("a screen that only the new version has is loaded with it, at the same address", async () => {
    const page = await openSignedIn({});
    version = "second";
    await page.getByRole("link", { name: "People" }).click();
    await page.getByRole("heading", { name: "People" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/app/people");
    await page.getByRole("link", { name: "Aircraft" }).click();
    await page.getByRole("heading", { name: "Aircraft" }).waitFor();
    expect(loads).toBe(1);
    // The way back is the one that was walked.
    await page.goBack();
    await page.getByRole("heading", { name: "People" }).waitFor();
  });

  test("a flight that is being entered is there again after it", async () => {
    const page = await openSignedIn({ path: "/app/flights/new" });
    await page.getByLabel("Off block").fill("10:05");
    version = "second";
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
      version = "second";
      await page.getByRole("link", { name: "Flights" }).click();
      await page.getByText("Windsock was updated").waitFor();
      await expectSound(page);
      expect(await name.inputValue()).toBe("Windy Hill Flying Club");
      expect(loads).toBe(0);
      // Two screens wait for it then.
      const missedBefore = missed.size;
      await page.getByRole("link", { name: "Board", exact: true }).click();
      await soon(() => missed.size > missedBefore, true);
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("heading", { name: "Board" }).waitFor();
      expect(loads).toBe(1);
      expect((await own.owner.get("")).body.data.name).toBe("Windy Hill Flying Club");
    });

  test("a version that lacks its own file is loaded once, and then says so", async () => {
    const page = await openSignedIn({ locale: "de-DE" });
    version = "broken";
    await page.getByRole("link", { name: "Personen" }).click();
    await page.getByText("Ein Teil der Seite fehlt auf dem Server.").waitFor();
    expect(loads).toBe(1);
    await expectSound(page);
    await page.getByRole("link", { name: "Flugzeuge" }).click();
    await page.getByText("Ein Teil der Seite fehlt auf dem Server.").waitFor();
    expect(loads).toBe(1);
  });

  test("two servers of different versions behind one address do not load the page for ever", async () => {
    const page = await openSignedIn({});
    version = "second";
    const own = await page.evaluate<string>("document.scripts[0].getAttribute('src')");
    await page.evaluate(
      `sessionStorage.setItem("windsock.reloads", ${JSON.stringify(own.replace(names, "$1.$2z.$3"))})`,
    );
    await page.getByRole("link", { name: "People" }).click();
    await page.getByText("Windsock was updated").waitFor();
    expect(loads).toBe(0);
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
