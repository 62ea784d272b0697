/** `/docs` over HTTP: the page without a script, its files, its policy, and what browsers may keep. */
import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { docs } from "../../../src/http/docs.ts";
import { tags } from "../../../src/modules.ts";
import { documentCheck } from "../../support/document-check.ts";
import { newInstallation, sharedInstallation } from "../../support/installation.ts";
import { movableClock, toyApp } from "../http-toy-app.ts";

function setUp() {
  const { app: toy, http } = toyApp({ clock: movableClock() });
  const app = toy.use(docs(http));
  return (path: string, headers = {}) => app.handle(new Request(`http://localhost${path}`, { headers }));
}

const filesOf = (html: string) => [...html.matchAll(/(?:src|href)="(\/docs\/[^"#]+)"/g)].map(([, file = ""]) => file);

async function listed() {
  const { app } = await sharedInstallation();
  const html = await (await app.handle(new Request("http://localhost/docs"))).text();
  const rows = [...html.matchAll(/<details class="operation" id="(\w+)"/g)].map(([, id]) => id);
  const topics = [...html.matchAll(/<h2><a [^>]+>([^<]+)</g)].map(([, name]) => name);
  const document = await (await app.handle(new Request("http://localhost/openapi.json"))).json();
  return { html, rows, topics, document };
}

describe("the page", () => {
  test("lists every operation and webhook of the document before any script runs, with an anchor for each", async () => {
    const { rows, document } = await listed();
    const ids = [document.paths, document.webhooks].flatMap((paths: Record<string, object>) =>
      Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId)),
    );
    expect(rows.toSorted()).toEqual(ids.toSorted());
    expect(ids.length).toBeGreaterThan(350);
  });

  test("has the tags in the order of the pages in docs/, and so has the document", async () => {
    const { topics, document } = await listed();
    const inDocument = document.tags.map(({ name }: { name: string }) => name);
    expect(topics).toEqual(inDocument);
    expect(topics).toEqual(Object.keys(tags));
    const pages = ["schools.md", "integrators.md"].map((name) => join(import.meta.dirname, "../../../docs", name));
    const text = (await Promise.all(pages.map((page) => readFile(page, "utf8")))).join("\n");
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
    const shared = headings.filter((heading) => heading in tags);
    expect(shared.length).toBeGreaterThan(7);
    expect(topics.filter((topic) => shared.includes(topic ?? ""))).toEqual(shared);
    expect(topics[0]).toBe("Authentication");
  });

  test("of an installation without add-ons lists none", async () => {
    const { app } = await newInstallation({ env: { WINDSOCK_DISABLE: "addons" }, checked: false });
    const html = await (await app.handle(new Request("http://localhost/docs"))).text();
    expect(html).not.toContain("Add-ons");
  });

  test("is written without making the document, which takes a second", async () => {
    const get = setUp();
    const began = process.cpuUsage();
    expect(await (await get("/docs")).text()).toContain('id="addGlider"');
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1000).toBeLessThan(500);
  });

  test("allows its own files and requests to its own origin, and no markup made from text", async () => {
    const page = await setUp()("/docs");
    expect(page.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    const html = await page.text();
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\/|<style|style="|<script(?! type="module" src=)| on[a-z]+="/);
  });

  test("escapes what modules say about their tags", async () => {
    const { app: toy, http } = toyApp({ clock: movableClock() });
    const app = toy.use(docs(http, { tags: { Gliders: '<img src="x"> & `code`' } }));
    const html = await (await app.handle(new Request("http://localhost/docs"))).text();
    expect(html).toContain("&#60;img src=&#34;x&#34;&#62; &#38; <code>code</code>");
  });

  test("hides a password until the user shows it, and permits password managers and pasting", async () => {
    const html = await (await setUp()("/docs")).text();
    expect(html).toContain('name="email" type="email" autocomplete="username"');
    expect(html).toContain('name="password" type="password" autocomplete="current-password"');
    expect(html).toContain('name="code" autocomplete="one-time-code"');
    expect(html).toContain('name="show" type="checkbox"');
  });
});

describe("its files", () => {
  test("have the hash of all of them in their addresses and may be kept for ever; the page is revalidated", async () => {
    const get = setUp();
    const page = await get("/docs");
    const files = [...new Set(filesOf(await page.text()))];
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const answer = await get(file);
      expect([file, answer.status, answer.headers.get("cache-control")]).toEqual([
        file,
        200,
        "public, max-age=31536000, immutable",
      ]);
      expect((await get(file.replace(/assets\/\w+/, "assets/0123456789abcdef"))).status).toBe(404);
    }
    const types = files.map((file) => file.split(".").at(-1));
    for (const type of ["js", "css", "svg"]) expect(types).toContain(type);
    expect(page.headers.get("cache-control")).toBe("private, no-cache");
    expect(new Set(files.map((file) => file.split("/")[3])).size).toBe(1);
  });

  test("import only each other", async () => {
    const get = setUp();
    const files = filesOf(await (await get("/docs")).text());
    for (const file of files.filter((one) => one.endsWith(".js")))
      for (const [, name = ""] of (await (await get(file)).text()).matchAll(/^(?:import|export) .*?"(.+)";$/gm))
        expect(files).toContain(new URL(name, `http://localhost${file}`).pathname);
  });

  test("have their media types, and no other file is there", async () => {
    const get = setUp();
    const [folder = ""] = /\/docs\/assets\/\w+\//.exec(await (await get("/docs")).text()) ?? [];
    const typeOf = async (file: string) => (await get(folder + file)).headers.get("content-type");
    expect(await typeOf("page.js")).toBe("text/javascript;charset=utf-8");
    expect(await typeOf("style.css")).toBe("text/css;charset=utf-8");
    expect(await typeOf("icon.svg")).toBe("image/svg+xml");
    for (const file of ["index.html", "..%2Fjson", "constructor"]) expect((await get(folder + file)).status).toBe(404);
  });
});

test.each(["/docs", "/docs/json", "/openapi.json"])(
  "%s has an ETag, and 304 for a browser whose copy is current",
  async (path) => {
    const get = setUp();
    const first = await get(path);
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"\w+"$/);
    expect((await get(path, { "if-none-match": '"another"' })).status).toBe(200);
    const again = await get(path, { "if-none-match": etag });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
  },
);

test("responds as declared, also at /docs/json, which has the same document", async () => {
  const get = setUp();
  const check = documentCheck(await (await get("/openapi.json")).json());
  for (const path of ["/docs", "/docs/json", "/openapi.json"]) {
    await check("GET", path, await get(path));
    await check("GET", path, await get(path, { "if-none-match": "*" }));
  }
  expect(await (await get("/docs/json")).text()).toBe(await (await get("/openapi.json")).text());
});
