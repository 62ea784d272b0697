/**
 * `/docs` in a browser, as its users have it. `.ci/run` installs Chromium, and says so where there is none: then these do not
 * run.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { executablePath, openStage, type Stage } from "../../console/browser.ts";
import { stretched } from "../../support/limits.ts";
import { newSchool, password } from "../../support/school.ts";
import { enroll } from "../../support/second-factor.ts";

const minutes = (count: number) => count * 60_000;

/** Notes each request of the page: its method, path and status, and the bearer that it had. */
const noteRequests = `
  window.noted = [];
  const send = window.fetch;
  window.fetch = async (path, options = {}) => {
    const response = await send(path, options);
    const bearer = new Headers(options.headers).get("authorization")?.slice(7);
    noted.push({ request: (options.method ?? "GET") + " " + path, status: response.status, bearer });
    return response;
  };`;

interface Noted {
  request: string;
  status: number;
  bearer?: string;
}

/** The browser's clock, apart from the server's. */
const advanceBrowser = (milliseconds: number) =>
  `{ const now = Date.now; Date.now = () => now() + ${milliseconds}; undefined }`;

/** Returns when an expression is true in the page, and its value. */
const until = <T>(page: Page, expression: string): Promise<T> =>
  page.evaluate<T>(`new Promise((resolve, reject) => {
    const end = performance.now() + ${stretched(10_000)};
    const look = async () => {
      const value = await (${expression});
      if (value) return resolve(value);
      if (performance.now() > end) return reject(new Error(${JSON.stringify(`Not in time: ${expression}`)}));
      requestAnimationFrame(look);
    };
    look();
  })`);

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    // Made at the first request, for all tests.
    await fetch(`${stage.url}/openapi.json`);
  }, 300_000);
  afterAll(() => stage.close());

  const openDocs = ({ hash = "", ...options }: { hash?: string } & Parameters<Stage["open"]>[0] = {}) =>
    stage.open({ path: `/docs${hash}`, script: noteRequests, ...options });

  const fill = async (page: Page, selector: string, text: string) => {
    await page.click(selector);
    await page.keyboard.insertText(text);
  };

  async function signIn(page: Page, email: string): Promise<void> {
    await page.click("#account-button");
    await page.evaluate("document.querySelector('[name=email]').value = ''");
    await fill(page, "[name=email]", email);
    await fill(page, "[name=password]", password);
    await page.keyboard.press("Enter");
  }

  const isSignedInAs = (page: Page, name: string) =>
    until(page, `document.querySelector("#account-button").textContent === ${JSON.stringify(name)}`);

  /** Sends the request of an open operation. @returns the status and the body that the page shows */
  async function tryIt(page: Page, id: string): Promise<{ status: string; body: string }> {
    await page.evaluate(`document.querySelector("#${id} .answer").replaceChildren()`);
    await page.click(`#${id} .side > button`);
    return until(
      page,
      `(() => {
      const status = document.querySelector("#${id} .answer .status")?.textContent;
      return status && { status, body: document.querySelector("#${id} .answer .body")?.textContent ?? "" };
    })()`,
    );
  }

  const noted = (page: Page) => page.evaluate<Noted[]>("noted");
  const visible = (page: Page) =>
    page.evaluate<string[]>(
      "[...document.querySelectorAll('.operation')].filter((row) => row.checkVisibility()).map(({ id }) => id)",
    );

  test.each([1280, 360])("at %i px, the first operation is in sight, and nothing is cut at the side", async (width) => {
    const page = await openDocs({ width });
    const first = await page.evaluate<{ top: number; id: string }>(
      "(({ id }, { top }) => ({ id, top }))(document.querySelector('.operation'), document.querySelector('.operation').getBoundingClientRect())",
    );
    expect(first.id).toBe("login");
    expect(first.top).toBeLessThan(400);
    await page.goto(`${await page.evaluate<string>("location.href")}#addFlight`);
    await until(page, "document.querySelector('#addFlight .side')");
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(width);
  });

  test("the search shows the operations that have all words, and the keyboard opens the first", async () => {
    const page = await openDocs();
    const all = (await visible(page)).length;
    await page.keyboard.press("/");
    await page.keyboard.insertText("POST approveflight");
    expect(await visible(page)).toEqual(["approveFlight"]);
    expect(await page.evaluate<string>("document.querySelector('#search-result').textContent")).toBe("1 operation");
    await page.keyboard.press("Enter");
    await until(page, "document.querySelector('#approveFlight[open] .details h3')");
    await page.evaluate("document.querySelector('#search-field').focus()");
    await page.keyboard.press("Escape");
    expect((await visible(page)).length).toBe(all);
    await page.keyboard.insertText("nonsense that is nowhere");
    expect(await visible(page)).toEqual([]);
    expect(await page.evaluate<string>("document.querySelector('#search-result').textContent")).toContain(
      "No operation",
    );
  });

  test("a link opens its operation and scrolls to it, also after a reload", async () => {
    const page = await openDocs({ hash: "#rotateSigningKeys" });
    for (const _ of ["opened", "reloaded"]) {
      await until(page, "document.querySelector('#rotateSigningKeys[open] .side')");
      const top = await until<number>(
        page,
        "(({ top }) => top > 0 && top < 150 && top)(document.querySelector('#rotateSigningKeys').getBoundingClientRect())",
      );
      expect(top).toBeGreaterThan(50);
      await until(page, "document.activeElement.closest('#rotateSigningKeys')");
      await page.reload();
    }
    await until(page, "document.activeElement.closest('#rotateSigningKeys')");
    await page.click("#rotateSigningKeys > summary");
    await page.click("#listSigningKeys > summary");
    await until(page, "location.hash === '#listSigningKeys'");
  });

  test("every operation and webhook can be opened, with all its parts", async () => {
    // The test opens all at once, and each puts its link into the address.
    const page = await openDocs({ warning: "Throttling navigation" });
    const rows = "[...document.querySelectorAll('.operation')]";
    // Without laying them out, in a third of the time.
    await page.evaluate(`document.querySelector("main").hidden = true; for (const row of ${rows}) row.open = true`);
    await until(page, `${rows}.every((row) => row.querySelector(".side"))`);
    await page.evaluate("for (const part of document.querySelectorAll('.later')) part.open = true");
    await until(page, "[...document.querySelectorAll('.later[open]')].every((part) => part.children.length > 1)");
    const wrong = await page.evaluate<string[]>(
      `${rows}.filter((row) => /undefined|\\[object/.test(row.textContent)).map(({ id }) => id)`,
    );
    expect(wrong).toEqual([]);
  }, 300_000);

  test("after a sign-in with a code, requests carry the token, which is renewed before it expires and after a rejection", async () => {
    const page = await openDocs({ refusals: [401] });
    const { owner, orgId } = await newSchool(stage.installation);
    const { code, wrongCode } = await enroll(stage.installation, owner);
    await signIn(page, owner.email);
    await fill(page, "[name=code]", await wrongCode());
    await page.keyboard.press("Enter");
    await until(page, "document.querySelector('#account-problem').textContent !== ''");
    await page.evaluate("document.querySelector('[name=code]').select()");
    await page.keyboard.insertText(await code());
    await page.keyboard.press("Enter");
    await isSignedInAs(page, owner.email);

    await page.evaluate("location.hash = '#listAircraft'");
    await until(page, "document.querySelector('#listAircraft .side')");
    const inOrganization = "document.querySelector('#listAircraft .side input').value";
    expect(await page.evaluate<string>(inOrganization)).toBe(orgId);
    const first = await tryIt(page, "listAircraft");
    expect(first.status).toBe("200");
    expect(first.body).toContain("D-EABC");

    await page.evaluate(advanceBrowser(minutes(14)));
    expect((await tryIt(page, "listAircraft")).status).toBe("200");
    // The server's clock only: the browser does not know that its token has expired.
    stage.installation.clock.advance(minutes(16));
    expect((await tryIt(page, "listAircraft")).status).toBe("200");

    const path = `GET /orgs/${orgId}/aircraft`;
    const sent = (await noted(page)).filter(({ request }) => [path, "POST /auth/refresh"].includes(request));
    expect(sent.map(({ request, status }) => `${request} ${status}`)).toEqual([
      `${path} 200`,
      "POST /auth/refresh 200",
      `${path} 200`,
      `${path} 401`,
      "POST /auth/refresh 200",
      `${path} 200`,
    ]);
    const bearers = sent.flatMap(({ bearer }) => bearer ?? []);
    expect(new Set(bearers).size).toBe(3);
    await keepsNoSecret(page, bearers);
  }, 120_000);

  async function keepsNoSecret(page: Page, secrets: readonly string[]): Promise<void> {
    const readable = await page.evaluate<string>(
      "[document.documentElement.outerHTML, ...[...document.querySelectorAll('input')].map(({ value }) => value), JSON.stringify({ ...localStorage, ...sessionStorage }), document.cookie, location.href].join('\\n')",
    );
    for (const secret of [...secrets, password]) expect(readable).not.toContain(secret);
  }

  /** Counts the open sessions of an account, with one that is opened for this. */
  async function openSessions(email: string): Promise<number> {
    const { access_token: token } = (
      await stage.installation.call("POST", "/auth/login", { body: { email, password } })
    ).body;
    const { data } = (await stage.installation.call("GET", "/auth/sessions", { token })).body;
    await stage.installation.call("POST", "/auth/logout", { token });
    return data.length;
  }

  test("signing out ends the session, and so does leaving the page; a session that was ended elsewhere is said", async () => {
    const page = await openDocs({ hash: "#getMe", refusals: [401] });
    const { owner } = await newSchool(stage.installation);
    const before = await openSessions(owner.email);
    await signIn(page, owner.email);
    await isSignedInAs(page, owner.email);
    expect(await openSessions(owner.email)).toBe(before + 1);
    await page.click("#account-button");
    await page.click("#sign-out");
    await isSignedInAs(page, "Sign in");
    await until(page, "noted.some(({ request }) => request === 'POST /auth/logout')");
    expect(await openSessions(owner.email)).toBe(before);
    await page.click("#account-close");
    expect((await tryIt(page, "getMe")).status).toBe("401");

    await signIn(page, owner.email);
    await isSignedInAs(page, owner.email);
    await owner.call("DELETE", "/auth/sessions");
    await page.click("#getMe .side > button");
    await until(
      page,
      "document.querySelector('#getMe .answer').textContent.includes('The session has ended. Sign in again.')",
    );
    await isSignedInAs(page, "Sign in");

    await signIn(page, owner.email);
    await isSignedInAs(page, owner.email);
    await page.reload();
    await until(page, "document.querySelector('#getMe .side')");
    await isSignedInAs(page, "Sign in");
    expect(await openSessions(owner.email)).toBe(1);
  }, 120_000);

  test("with an API key, requests of the public API carry it with its organization", async () => {
    const page = await openDocs({ hash: "#listPublicFleet" });
    const { orgId, apiKey } = await newSchool(stage.installation);
    const key = await apiKey("public.fleet:read");
    await page.click("#account-button");
    await page.click("#key-part > summary");
    await fill(page, "[name=key]", key);
    await fill(page, "[name=org]", orgId);
    await page.keyboard.press("Enter");
    await isSignedInAs(page, "API key");
    await until(page, "document.querySelector('#listPublicFleet .side')");
    const { status, body } = await tryIt(page, "listPublicFleet");
    expect(status).toBe("200");
    expect(body).toContain("D-EABC");
    await keepsNoSecret(page, [key]);
  });

  test("what records contain is shown as text", async () => {
    const page = await openDocs({ hash: "#listPeople" });
    const { owner } = await newSchool(stage.installation);
    const name = '<img src=x onerror="document.title=1"> <b>Bold</b>';
    expect((await owner.post("/people", { name, types: ["student"] })).status).toBe(201);
    await signIn(page, owner.email);
    await isSignedInAs(page, owner.email);
    const { body } = await tryIt(page, "listPeople");
    expect(body).toContain("<b>Bold</b>");
    expect(await page.evaluate<number>("document.querySelectorAll('.answer img, .answer b').length")).toBe(0);
    expect(await page.evaluate<string>("document.title")).toBe("Windsock API reference");
  });
});
