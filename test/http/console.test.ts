/** The page of the console over HTTP: its addresses, its policy, its files, and what browsers may keep. */
import { describe, expect, test } from "bun:test";
import type { ConsoleBundle } from "../../src/core/console-bundle.ts";
import { consolePages } from "../../src/http/console.ts";
import { newInstallation } from "../support/installation.ts";
import { movableClock, toyApp } from "./http-toy-app.ts";

const bundle = {
  ...{ script: "main.1.js", style: "main.2.css", icon: "icon.3.svg", preloads: ["part.4.js"] },
  files: { "main.1.js": "run()".repeat(400), "main.2.css": "p{}", "icon.3.svg": "<svg/>", "part.4.js": "0" },
};

function setUp(latest: () => Promise<ConsoleBundle> = async () => bundle) {
  const { app: toy, http } = toyApp({ clock: movableClock() });
  const app = toy.use(consolePages(http, latest));
  return (path: string, headers = {}) => app.handle(new Request(`http://localhost${path}`, { headers }));
}

describe("the page", () => {
  test("is the same at / and at every address below /app", async () => {
    const get = setUp();
    const first = await (await get("/")).text();
    expect(first).toContain('<script type="module" src="/assets/main.1.js">');
    expect(first).toContain('<link rel="modulepreload" href="/assets/part.4.js">');
    for (const path of ["/app", "/app/flights", "/app/people/1?x=%3Cscript%3E", "/app/reset-password"]) {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toBe(first);
    }
  });

  test("allows only this server's files, no inline code, no frame, and no markup made from text", async () => {
    const policy = (await setUp()("/")).headers.get("content-security-policy");
    expect(policy).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; font-src 'self'; " +
        "frame-ancestors 'none'; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
  });

  test("is revalidated at each visit", async () => {
    const get = setUp();
    const { headers } = await get("/");
    expect(headers.get("cache-control")).toBe("private, no-cache");
    expect((await get("/app", { "if-none-match": headers.get("etag") })).status).toBe(304);
  });

  test("is another one after the sources have changed", async () => {
    let latest: ConsoleBundle = bundle;
    const get = setUp(async () => latest);
    const { headers } = await get("/");
    latest = { ...bundle, script: "main.5.js", files: { ...bundle.files, "main.5.js": "" } };
    const changed = await get("/", { "if-none-match": headers.get("etag") });
    expect(await changed.text()).toContain("main.5.js");
  });
});

describe("a file", () => {
  test("is kept by browsers for good, compressed, under its type", async () => {
    const answer = await setUp()("/assets/main.1.js", { "accept-encoding": "gzip" });
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("content-type")).toBe("text/javascript;charset=utf-8");
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect((await setUp()("/assets/icon.3.svg")).headers.get("content-type")).toBe("image/svg+xml");
  });

  test("of another name does not exist, nor is one outside of the bundle", async () => {
    const get = setUp();
    for (const name of ["main.9.js", "..%2f..%2fpackage.json", "constructor", "main.1.js%00"]) {
      const answer = await get(`/assets/${name}`);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: { code: "NOT_FOUND" } });
    }
  });
});

describe("every answer", () => {
  test("is in no frame, kept by no cache between, and by browsers only under the name of its hash", async () => {
    const installation = await newInstallation({ checked: false });
    const page = (await installation.app.handle(new Request("http://localhost/"))).text();
    const [asset = ""] = /\/assets\/main[^"]*\.js/.exec(await page) ?? [];
    const kept = "public, max-age=31536000, immutable";
    for (const [path, status, cache] of [
      ["/", 200, "private, no-cache"],
      ["/app/people?x=1", 200, "private, no-cache"],
      ["/app//evil.example", 200, "private, no-cache"],
      ["/app/%E0%A4%A", 200, "private, no-cache"],
      [asset, 200, kept],
      [`${asset}.map`, 404, "no-store"],
      ["/assets/main.00000000.js", 404, "no-store"],
      ["/assets/..%2f..%2fpackage.json", 404, "no-store"],
      ["/assets/..%252f..%252fpackage.json", 404, "no-store"],
      ["/assets/%2e%2e%5c%2e%2e%5cpackage.json", 404, "no-store"],
      ["/assets/__proto__", 404, "no-store"],
      ["/assets/", 404, "no-store"],
      ["/docs", 200, "private, no-cache"],
      ["/openapi.json", 200, "private, no-cache"],
      ["/nowhere", 404, "no-store"],
      ["/orgs/1/flights", 401, "no-store"],
    ] as const) {
      const { status: answered, headers } = await installation.app.handle(new Request(`http://localhost${path}`));
      expect([path, answered, headers.get("cache-control")]).toEqual([path, status, cache]);
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("set-cookie")).toBeNull();
      expect(headers.get("location")).toBeNull();
    }
  });

  test("has no map of the sources", async () => {
    const installation = await newInstallation({ checked: false });
    const get = async (path: string) => (await installation.app.handle(new Request(`http://localhost${path}`))).text();
    const files = (await get("/")).matchAll(/\/assets\/[\w.]+\.(js|css)/g);
    for (const [path] of files) expect(await get(path)).not.toContain("sourceMappingURL");
  });
});

test("without the console, its addresses do not exist; other unknown paths are JSON with it, too", async () => {
  const without = await newInstallation({ env: { WINDSOCK_DISABLE: "console" }, checked: false });
  for (const path of ["/", "/app", "/app/flights", "/assets/main.1.js"])
    expect((await without.call("GET", path)).status).toBe(404);
  const capabilities = await without.call("GET", "/capabilities");
  expect(capabilities.body.data.modules.console).toBe(false);
  const get = setUp();
  for (const path of ["/apps", "/index.html", "/appx/1"]) {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { code: "NOT_FOUND" } });
  }
});
