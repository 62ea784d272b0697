/**
 * What strangers can write into a school, and what other sites can try with a browser that is signed in. Nothing of it runs, leads
 * elsewhere, or breaks a page.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { expectStatus, newSchool, password, type School } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, signIn, soon } from "./browser.ts";

const markup = `"'><img src=x onerror=alert(1)><script>alert(2)</script>`;
/** Markup, quotes, Hebrew, and a word without a place to break. */
const hostile = (length: number): string => `${markup}שלום${"W".repeat(500)}`.slice(0, length);
/** Texts, other than names, may also turn the direction of what follows. */
const hostileText = `\u202Egnp.exe 🛩️ ${hostile(480)}`;

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  let school: School;
  /** Addresses of screens about somebody or something. */
  let pages: string[];
  beforeAll(async () => {
    stage = await openStage();
    school = await newSchool(stage.installation);
    pages = await fill(school);
  }, 120_000);
  afterAll(() => stage.close());

  for (const [width, colorScheme, locale] of [
    [360, "dark", "de-DE"],
    [1280, "light", "en-GB"],
  ] as const)
    test(`markup in every field runs nowhere and breaks no page, at ${width} px`, async () => {
      const page = await stage.open({ as: school.owner, width, colorScheme, locale });
      for (const path of [...screens, ...pages]) {
        await page.goto(stage.url + path);
        await page.locator("h1").first().waitFor();
        await soon(() => page.locator(".skeleton").count(), 0);
        expect(await foreign(page)).toEqual([]);
        await expectSound(page);
      }
    });

  test("what is searched for is shown as it is written", async () => {
    const page = await stage.open({ as: school.owner });
    await page.keyboard.press("Control+k");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox").fill("img src");
    await dialog.getByText("onerror").first().waitFor();
    expect(await foreign(page)).toEqual([]);
  });

  test("another site can't show the console in a frame", async () => {
    const page = await stage.open();
    const other = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () =>
        new Response(`<iframe src="${stage.url}/app"></iframe>`, { headers: { "content-type": "text/html" } }),
    });
    try {
      const visited = await page.context().newPage();
      const refusals: string[] = [];
      visited.on("console", (message) => refusals.push(message.text()));
      await visited.goto(`http://127.0.0.1:${other.port}/`);
      await soon(async () => refusals.some((text) => text.includes("frame-ancestors")), true);
      expect(await visited.frames()[1]?.locator("#app").count()).toBe(0);
    } finally {
      await other.stop(true);
    }
  });

  test("another site can't renew the session, nor read what it answers", async () => {
    const page = await stage.open({ as: school.owner });
    const cookies = await page.context().cookies();
    expect(cookies.map(({ httpOnly, sameSite, path }) => ({ httpOnly, sameSite, path }))).toEqual([
      { httpOnly: true, sameSite: "Strict", path: "/auth" },
    ]);
    const other = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response("<title>Other</title>", { headers: { "content-type": "text/html" } }),
    });
    try {
      // The same site, as ports don't tell sites apart: the cookie is sent along, and the origin is looked at.
      const visited = await page.context().newPage();
      await visited.goto(`http://127.0.0.1:${other.port}/`);
      for (const type of ["application/json", "text/plain"]) {
        const answer: string = await visited.evaluate(`fetch("${stage.url}/auth/refresh", {
          method: "POST", credentials: "include", mode: "${type === "text/plain" ? "no-cors" : "cors"}",
          headers: { "content-type": "${type}" }, body: '{"cookie":true}',
        }).then((response) => response.text(), String)`);
        expect(answer).not.toContain("token");
      }
      await page.reload();
      await page.locator(".shell h1").waitFor();
    } finally {
      await other.stop(true);
    }
  });

  test("after the sign-out, neither the way back nor the browser's stores have anything of the school", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open();
    await signIn(page, owner);
    await page.goto(`${stage.url}/app/people`);
    await page.getByRole("table", { name: "People" }).waitFor();
    await page.goto(`${stage.url}/app/flights/new`);
    await page.getByRole("combobox", { name: /^Aircraft/ }).fill("eabc");
    await page.keyboard.press("Tab");
    await page.getByLabel("Remarks").fill("A secret remark");
    await soon(async () => (await keptBy(page)).includes("A secret remark"), true);
    await page.getByRole("link", { name: "People" }).click();
    await page.getByRole("table", { name: "People" }).waitFor();
    await page.getByRole("button", { name: "Olga Owner" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    const kept = await keptBy(page);
    expect(kept).not.toContain("secret");
    expect(kept).not.toContain("eyJ");
    expect(kept).not.toContain(owner.email);
  });

  test("an address can't lead elsewhere", async () => {
    const page = await stage.open({
      path: "/app//evil.example/%2F%2Fevil.example?to=https://evil.example#to=//evil.example",
    });
    await page.locator("input[type=email]").fill(school.owner.email);
    await page.locator("input[type=password]").fill(password);
    await page.keyboard.press("Enter");
    await page.locator(".shell").waitFor();
    expect(new URL(page.url()).origin).toBe(stage.url);
  });

  test("nor do links that a member follows, whatever they name", async () => {
    const page = await stage.open({ as: school.owner, refusals: [400, 404, 410] });
    for (const to of ["//evil.example", "/\\evil.example", "javascript:alert(1)", "%09//evil.example", "..", "%0a.."])
      for (const path of [
        `/app/sign-in?to=${to}&return=${to}&next=${to}#error=${to}`,
        `/app/link#invite=${to}`,
        `/app/invites?token=${to}#token=${to}`,
        `/app/flights/new?after=${to}`,
        `/app/flights/approvals?flight=${to}`,
        `/app/people/${encodeURIComponent(to)}?order=${to}&cursor=${to}`,
        `/app/flights?__proto__[x]=${to}&constructor.prototype.x=${to}#__proto__[x]=${to}`,
      ]) {
        await page.goto(stage.url + path);
        await page.locator("h1:visible, .notice").first().waitFor();
        expect(new URL(page.url()).origin).toBe(stage.url);
        expect(await foreign(page)).toEqual([]);
        expect(await page.evaluate("'x' in {}")).toBe(false);
        expect(
          await page.evaluate(
            "[...document.links].filter(({ origin, protocol }) => protocol !== 'mailto:' && origin !== location.origin).map(({ href }) => href)",
          ),
        ).toEqual([]);
      }
  }, 180_000);

  test("a file that is imported may name its columns and itself as it likes", async () => {
    const page = await stage.open({ as: school.owner, path: "/app/people/import", locale: "de-DE", width: 360 });
    const buffer = Buffer.from(
      `Name;${markup.replaceAll('"', "")};__proto__;constructor;Funktion\n=1+1;${"W".repeat(500)};x;y;constructor\n`,
    );
    const file = { name: `${markup}.csv`, mimeType: "text/csv", buffer };
    await page.getByLabel("CSV-Datei auswählen").setInputFiles(file);
    await page.getByText(`${markup}.csv`).first().waitFor();
    await page.getByLabel("types, Zeile 2").waitFor();
    expect(await foreign(page)).toEqual([]);
    await expectSound(page);
  });
});

const screens = [
  "/app/today",
  "/app/flights",
  "/app/flights/new",
  "/app/flights/approvals",
  "/app/people",
  "/app/aircraft",
  "/app/account",
  "/app/settings",
  "/app/settings/members",
  "/app/settings/invites",
];

/** Elements that the console does not make. */
const foreign = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll("script:not([src^='/assets/']), iframe, object, embed, [onerror], img[src='x']")]
    .map(({ outerHTML }) => outerHTML)`);

/** All that the browser keeps for the console. */
const keptBy = (page: Page): Promise<string> =>
  page.evaluate(`(async () => {
    const done = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const databases = await indexedDB.databases();
    const rows = await Promise.all(databases.map(async ({ name }) => {
      const database = await done(indexedDB.open(name));
      const stores = [...database.objectStoreNames];
      const all = await Promise.all(stores.map((store) => done(database.transaction(store).objectStore(store).getAll())));
      database.close();
      return all;
    }));
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, await caches.keys(), rows]);
  })()`);

/** Writes into the school what its members, its students and those whom it invited can write. */
async function fill(school: School): Promise<string[]> {
  const { owner, instructor, student } = school;
  const add = async (path: string, body: object, by = owner): Promise<string> =>
    expectStatus(201, await by.post(path, body)).body.data.id;
  const about = { street: hostile(120), city: hostile(80), postcode: "'><b>1", phone: "+49 30 <b>1</b>" };
  const emergency = { emergency_name: hostile(120), emergency_relation: hostile(60), emergency_phone: "112<i>" };
  const personId = await add("/people", {
    ...{ name: hostile(120), types: ["student"], licence_number: hostile(40), ...about, ...emergency },
  });
  for (const one of [owner, instructor, student])
    expectStatus(200, await one.call("PATCH", "/auth/me", { body: { name: hostile(120) } }));
  expectStatus(200, await owner.patch("", { name: hostile(120) }));
  const aircraftId = await add("/aircraft", { registration: "D-EBAD", model: hostile(80), class: "SEP" });
  await add(`/aircraft/${aircraftId}/defects`, { description: hostileText, grounding: true }, instructor);
  expectStatus(200, await owner.post(`/aircraft/${aircraftId}/ground`, { reason: hostileText }));
  await add("/maintenance/items", { aircraft_id: aircraftId, name: hostile(120), interval_months: 12 });
  await add("/maintenance/work-orders", {
    ...{ aircraft_id: aircraftId, title: hostile(120), findings: hostileText, notes: hostileText },
    parts: [{ name: hostile(120), part_number: hostile(60), quantity: "1.00" }],
  });
  await add("/compliance/types", { key: "hostile", subject: "person", name: hostile(80) });
  await add("/compliance/records", {
    person_id: personId,
    type: "hostile",
    issued_on: "2026-01-02",
    number: hostile(40),
    issued_by: hostile(80),
    remarks: hostileText,
  });
  await add("/invites", { email: `"<b>x</b>"@example.com`.replace(/["<>/]/g, ""), roles: ["student"] });
  const draft = await school.draftFlight(student, { body: { remarks: hostileText } });
  const submitted = await school.submitFlight(student, { body: { remarks: hostileText, lesson: hostile(120) } });
  const rejected = await school.submitFlight(student);
  expectStatus(200, await owner.post(`/flights/${rejected.id}/reject`, { reason: hostileText }));
  const reversed = await school.submitFlight(student);
  expectStatus(200, await owner.post(`/flights/${reversed.id}/approve`, {}));
  expectStatus(200, await owner.post(`/flights/${reversed.id}/reverse`, { reason: hostileText }));
  const corrected = { counters: { reason: hostileText, landings: 7 } };
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, corrected));
  await owner.call("POST", "/auth/login", {
    body: { email: owner.email, password },
    headers: { "user-agent": `${markup} Firefox/9` },
  });
  return [
    `/app/flights/${rejected.id}`,
    `/app/flights/${reversed.id}`,
    `/app/flights/new?again=${reversed.id}`,
    `/app/flights/${submitted.id}/edit`,
    `/app/people/${personId}`,
    `/app/people/${student.personId}`,
    `/app/aircraft/${aircraftId}`,
    `/app/flights/${draft.id}`,
    `/app/flights/${submitted.id}`,
  ];
}
