/** Faults of the control database while the server runs, and of the disk. */
import { afterEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { controlUnavailable, isDiskFull, SqliteFailure } from "../../src/storage/sqlite-error.ts";
import { newInstallationWithProvider } from "../support/oidc.ts";
import { newStage, prepare } from "../support/stage.ts";
import { damageControl } from "./damaged-control.ts";
import { newNotes, notes } from "./rows.ts";
import { cleanUp, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

/** Routes that use no database, and one that uses it after its response. */
const unaffected = [
  "GET /auth/link",
  "GET /capabilities",
  "GET /docs",
  "GET /docs/json",
  "GET /health",
  "GET /openapi.json",
  "POST /auth/password/forgot",
];

test("a control.db that is damaged while it is open gives 503 to requests of all routes that use it, as declared", async () => {
  const directory = await newDirectory();
  const stage = await newStage({ directory });
  const { school } = stage;
  const requests = [];
  for (const route of stage.routes) {
    const { security, operation, template } = route;
    // API keys are in the file of their school. All other routes of an organization fail in its gate.
    const isFirst = security !== "organization" || template === "/orgs/{orgId}/audit-log";
    if (!operation || typeof security === "object" || !isFirst) continue;
    const { path, query, caller, ...sent } = await prepare(route, school);
    const call = { ...sent, ...(security !== "open" && { token: caller ?? school.owner.token }) };
    requests.push({ route, path: query === undefined ? path : `${path}?${query}`, call });
  }
  await stage.installation.close();
  await damageControl(directory);

  const at = await newInstallationWithProvider({ directory, clock: stage.installation.clock, env: stage.env });
  expect((await at.call("GET", "/health/ready")).status).toBe(200);
  const served: string[] = [];
  const others: unknown[] = [];
  for (const { route, path, call } of requests) {
    const { status, body } = await at.call(route.method, path, call);
    if (status < 300) served.push(route.name);
    else if (status !== 503 || body.error.code !== "UNAVAILABLE") others.push([route.name, status, body]);
  }
  expect(others).toEqual([]);
  expect(served.sort()).toEqual(unaffected);
}, 300_000);

test("a write of the control database that finds no space is 503, and damages nothing", async () => {
  const file = await newNotes({ kind: "control" });
  const full = file.write(async (tx) => {
    await tx.run(sql`pragma max_page_count = 1`);
    await tx.insert(notes).values({ text: "x".repeat(100_000) });
  });
  await expect(full).rejects.toMatchObject({ code: "UNAVAILABLE", cause: { code: "SQLITE_FULL" } });
  expect(file.isDamaged).toBe(false);
});

test("a full disk is known by SQLite's code and by the system's", () => {
  const full = new SqliteFailure("SQLITE_FULL", "database or disk is full");
  expect([full, controlUnavailable(full), Object.assign(new Error(), { code: "ENOSPC" })].map(isDiskFull)).toEqual([
    true,
    true,
    true,
  ]);
  expect(isDiskFull(new SqliteFailure("SQLITE_NOTADB", "file is not a database"))).toBe(false);
});
