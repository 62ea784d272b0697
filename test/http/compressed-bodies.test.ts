/** Cached bodies are also cached compressed, for clients that accept gzip. */
import { describe, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { prefersGzip } from "../../src/http/accept.ts";
import { docsAssets } from "../../src/http/docs-assets.ts";
import { sharedInstallation } from "../support/installation.ts";
import { newSchool } from "../support/school.ts";

const FLIGHTS = "/api/v1/public/flights";

/** A school with enough flights for a body that is worth compressing. */
async function scene({ flights = 4 } = {}) {
  const school = await newSchool();
  for (let count = 0; count < flights; count += 1) await school.submitFlight(school.student);
  const key = await school.apiKey("public.flights:read");
  return async (headers: Record<string, string>, method = "GET") => {
    const credentials = { authorization: `Bearer ${key}`, "x-org-id": school.orgId };
    const request = new Request(`http://localhost${FLIGHTS}`, { method, headers: { ...credentials, ...headers } });
    const answer = await school.installation.app.handle(request);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isCompressed = answer.headers.get("content-encoding") === "gzip";
    return { status: answer.status, headers: answer.headers, bytes, isCompressed, etag: answer.headers.get("etag") };
  };
}

const gzip = { "accept-encoding": "gzip" };

describe("a list of the public API", () => {
  test("is compressed for a client that accepts gzip, with the same content", async () => {
    const ask = await scene();
    const plain = await ask({});
    const compressed = await ask(gzip);
    expect([plain.isCompressed, compressed.isCompressed]).toEqual([false, true]);
    expect(gunzipSync(compressed.bytes)).toEqual(plain.bytes);
    expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 2);
    for (const { headers } of [plain, compressed]) {
      expect(headers.get("vary")).toBe("Authorization, X-Org-Id, Accept-Encoding");
      expect(headers.get("content-type")).toBe("application/json;charset=utf-8");
    }
  });

  test("has a different tag for each encoding, and 304 for each", async () => {
    const ask = await scene();
    const plain = String((await ask({})).etag);
    const compressed = String((await ask(gzip)).etag);
    expect(compressed).not.toBe(plain);

    for (const tag of [compressed, plain]) {
      const unchanged = await ask({ ...gzip, "if-none-match": tag });
      expect([unchanged.status, unchanged.etag, unchanged.bytes.length]).toEqual([304, tag, 0]);
      expect(unchanged.headers.get("vary")).toBe("Authorization, X-Org-Id, Accept-Encoding");
      expect(unchanged.isCompressed).toBe(false);
    }
    expect((await ask({ "if-none-match": plain })).status).toBe(304);
    // It can't decompress the cached body.
    expect((await ask({ "if-none-match": compressed })).status).toBe(200);
  });

  test("has the same headers for HEAD as for GET", async () => {
    const ask = await scene();
    const got = await ask(gzip);
    const head = await ask(gzip, "HEAD");
    expect(head.bytes).toHaveLength(0);
    for (const name of ["content-encoding", "etag", "vary", "content-type"])
      expect([name, head.headers.get(name)]).toEqual([name, got.headers.get(name)]);
    expect((await ask({ ...gzip, "if-none-match": String(got.etag) }, "HEAD")).status).toBe(304);
  });

  test("is not compressed for a client that rejects gzip", async () => {
    const ask = await scene();
    for (const header of ["gzip;q=0", "identity", "br"])
      expect([header, (await ask({ "accept-encoding": header })).isCompressed]).toEqual([header, false]);
  });

  test("is not compressed when it fits into one packet", async () => {
    const ask = await scene({ flights: 0 });
    const short = await ask(gzip);
    expect([short.isCompressed, short.etag]).toEqual([false, (await ask({})).etag]);
  });
});

test.each([
  "/openapi.json",
  "/docs/json",
  "/docs",
  "/docs/assets/{version}/style.css",
  "/docs/assets/{version}/page.js",
])("%s is compressed for a client that takes gzip", async (template) => {
  const { app } = await sharedInstallation();
  const { version } = await docsAssets();
  const path = template.replace("{version}", version);
  const ask = (headers: Record<string, string>) => app.handle(new Request(`http://localhost${path}`, { headers }));
  const plain = await ask({});
  const compressed = await ask(gzip);
  expect([plain, compressed].map(({ headers }) => headers.get("content-encoding"))).toEqual([null, "gzip"]);
  for (const { headers } of [plain, compressed]) expect(headers.get("vary")).toContain("Accept-Encoding");
  expect(gunzipSync(await compressed.arrayBuffer()).toString()).toBe(await plain.text());
  for (const name of ["content-type", "cache-control"])
    expect([name, compressed.headers.get(name)]).toEqual([name, plain.headers.get(name)]);
});

test.each([
  [null, false],
  ["", false],
  ["identity", false],
  ["br", false],
  ["gzip", true],
  ["GZip", true],
  ["x-gzip", true],
  ["*", true],
  ["br, gzip;q=0.1", true],
  ["gzip;q=0", false],
  ["gzip; q=0.000, *", false],
  ["*;q=0", false],
  ["*;q=0.5, identity", false],
  ["identity;q=0.5, gzip", true],
  ["identity, gzip", true],
  ["gzip;q=much", false],
  ["gzip;q=-1", false],
])("prefersGzip returns, for Accept-Encoding %p, %p", (header, prefers) => {
  expect(prefersGzip(header)).toBe(prefers);
});
