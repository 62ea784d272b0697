/** The console and `/docs` in Chromium, as their users have them. `.ci/run` installs Chromium, and says so where there is none. */
import { expect } from "bun:test";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterThisTest } from "../support/after-test.ts";
import { type Installation, newInstallation } from "../support/installation.ts";
import { stretched } from "../support/limits.ts";
import { password, type School } from "../support/school.ts";
import { which } from "../support/which.ts";

/** Debian's Chromium without its own windows, if it is there: that takes a third less of the processor. */
export const executablePath = which("chromium-headless-shell") ?? which("chromium");

/** A running server, and the browser. */
export interface Stage {
  installation: Installation;
  url: string;
  /** Opens a page that fails the test at its end if the browser's log has an error. */
  open(options?: PageOptions): Promise<Page>;
  close(): Promise<void>;
}

interface PageOptions extends Pick<BrowserContextOptions, "colorScheme" | "locale"> {
  width?: number;
  height?: number;
  /** As on a phone, upright or sideways, if not said. */
  isTouched?: boolean;
  /** Where the page begins. */
  path?: string;
  /** Who is signed in already: to use the form takes longer than to open the page. */
  as?: Pick<School["owner"], "email">;
  /** What time it is in the browser. The server of a test has a clock of its own. */
  now?: Date;
  /** Statuses of refusals that the test provokes: browsers log each as an error. */
  refusals?: readonly number[];
  /** The test cuts the connection. */
  isCut?: boolean;
  /** The beginning of a warning that the test provokes. */
  warning?: string;
  /** Run in each document before its own scripts. */
  script?: string;
}

/** Chromium has axe from the server of a stage in a third of the time that it takes to be told its text. A program does not serve it. */
const servesAxe = new Set<string>();
const axeFile = Bun.file(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url));
const axePath = "/axe.min.js";

let launched: Promise<Browser> | undefined;

/** One for all tests of this process, which have a context for each page: a start takes a second. It ends with the process. */
function launch(): Promise<Browser> {
  if (executablePath === null) throw new Error("There is no Chromium. Debian's package is `chromium-headless-shell`.");
  launched ??= chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu"],
    // Otherwise a signal that another test of this process emits ends the browser, and SIGINT the process.
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
  });
  return launched;
}

/** The browser of a stage, or of a program that runs as a process of its own. Its pages are closed with it, or after their test. */
export async function openBrowser(url: string): Promise<Pick<Stage, "open"> & AsyncDisposable> {
  const browser = await launch();
  const contexts: BrowserContext[] = [];
  return {
    async open(options = {}) {
      const { width = 1280, height = 800, path = "/", as, now, script } = options;
      const { colorScheme = "light", locale = "en-GB" } = options;
      const { isTouched = width < 700 || height < 500 } = options;
      const context = await browser.newContext({
        ...{ colorScheme, locale, hasTouch: isTouched, isMobile: isTouched, timezoneId: "Europe/Berlin" },
        viewport: { width, height },
        reducedMotion: "reduce",
      });
      contexts.push(context);
      const page = await context.newPage();
      const faults = faultsOf(page, options);
      afterThisTest(async () => {
        await context.close();
        expect(faults).toEqual([]);
      });
      if (now) await page.clock.setFixedTime(now);
      if (script !== undefined) await page.addInitScript(script);
      if (as) {
        const data = { email: as.email, password, cookie: true };
        expect((await context.request.post(`${url}/auth/login`, { data })).status()).toBe(200);
      }
      await page.goto(url + path);
      if (as) await page.locator(".shell").waitFor();
      return page;
    },
    async [Symbol.asyncDispose]() {
      for (const context of contexts.splice(0)) await context.close();
    },
  };
}

interface StageOptions
  extends Pick<NonNullable<Parameters<typeof newInstallation>[0]>, "mail" | "clock" | "directory"> {
  /** The environment of a server at an address. */
  env?: (url: string) => Promise<Record<string, string>>;
}

export async function openStage({ env, ...options }: StageOptions = {}): Promise<Stage> {
  const started = Promise.withResolvers<Installation>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    // Seconds: a busy machine bundles the console for long.
    idleTimeout: 120,
    fetch: async (request) =>
      request.url.endsWith(axePath) ? new Response(axeFile) : (await started.promise).app.handle(request),
  });
  const url = `http://127.0.0.1:${server.port}`;
  servesAxe.add(url);
  const environment = await env?.(url);
  const installation = await newInstallation({
    ...{ shared: true, checked: false },
    ...options,
    ...(environment && { env: environment }),
  });
  started.resolve(installation);
  const browser = await openBrowser(url);
  return {
    installation,
    url,
    open: browser.open,
    async close() {
      await browser[Symbol.asyncDispose]();
      await server.stop(true);
      await installation.close();
    },
  };
}

/** What the browser's log has as an error or a warning, violations of the policy among it. */
function faultsOf(page: Page, { refusals = [], isCut = false, warning }: PageOptions): string[] {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    const text = message.text();
    const [, status] = /responded with a status of (\d+)/.exec(text) ?? [];
    if ((isCut && text.includes("net::ERR_")) || (warning !== undefined && text.startsWith(warning))) return;
    if (!refusals.includes(Number(status))) faults.push(`${text} ${message.location().url}`);
  });
  return faults;
}

/** Signs a member of a school in, by keyboard. */
export async function signIn(page: Page, { email }: Pick<School["owner"], "email">): Promise<void> {
  await page.locator("input[type=email]").fill(email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await page.locator(".shell").waitFor();
}

/** Expects that a page has no violation that axe finds, and no horizontal scroll bar. */
export async function expectSound(page: Page): Promise<void> {
  const isServed = servesAxe.has(new URL(page.url()).origin);
  // Where the test has cut the connection, it can't be had.
  const serve = isServed ? `import("${axePath}").then(() => true, () => false)` : "false";
  if (!(await page.evaluate(`"axe" in window || ${serve}`))) await page.evaluate(await axeFile.text());
  const violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] = await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
  const [content, room] = await page.evaluate<[number, number]>(
    "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
  );
  expect(content).toBeLessThanOrEqual(room);
}

/** Expects that something is so, now or in a moment: a page follows behind what was done. */
export async function soon<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
  const until = performance.now() + stretched(10_000);
  let found = await read();
  while (!Bun.deepEquals(found, expected) && performance.now() < until) {
    await Bun.sleep(30);
    found = await read();
  }
  expect<unknown>(found).toEqual(expected);
}
