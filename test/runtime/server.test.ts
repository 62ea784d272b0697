import { afterEach, expect, test } from "bun:test";
import { copyFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { stretched } from "../support/limits.ts";
import { beginRequest } from "./begin-request.ts";
import { fileIn } from "./files.ts";
import { endProcesses, newFolder, type Running, startServer, urlOf } from "./processes.ts";

afterEach(endProcesses);

const password = "correct horse battery";
const signUpBody = {
  email: "olga@school.example",
  password,
  name: "Olga Owner",
  organization: { name: "Flugschule Egelsbach", kind: "ato" },
};

interface Sent {
  token?: string;
  org?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A request that must succeed. @returns its body and its request id */
async function ask(url: string, method: string, path: string, { token, org, body, headers }: Sent = {}) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(org !== undefined && { "x-org-id": org }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape; test/http checks them against the document
  const parsed: any = response.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : text;
  return { body: parsed, requestId: response.headers.get("x-request-id") };
}

const signUp = async (url: string) => (await ask(url, "POST", "/auth/signup-org", { body: signUpBody })).body.data;

/** Copies each `.db` without its `-wal` and has SQLite check it. @returns SQLite's result for each, by name */
async function checkedCopies(directory: string): Promise<Record<string, unknown>> {
  const folder = await newFolder();
  const checks: Record<string, unknown> = {};
  for (const name of (await readdir(directory)).filter((name) => name.endsWith(".db") && name !== "lock.db")) {
    await copyFile(join(directory, name), join(folder, name));
    const client = createClient({ url: `file:${join(folder, name)}` });
    const { rows } = await client.execute("PRAGMA integrity_check");
    checks[name] = rows[0]?.[0];
    client.close();
  }
  return checks;
}

async function rowsIn(directory: string, name: string, sql: string): Promise<unknown[][]> {
  const copy = join(await newFolder(), name);
  await copyFile(join(directory, name), copy);
  const client = createClient({ url: `file:${copy}` });
  const { rows } = await client.execute(sql);
  client.close();
  return rows.map((row) => Array.from(row));
}

const linesOf = (server: Running): Record<string, unknown>[] =>
  server
    .stdout()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

test("a school's first day: the banner has the first steps, the log has no secrets, and after a stop every file is complete", async () => {
  const server = await startServer();
  const url = await urlOf(server);
  const [banner] = await server.shows("stderr", /^.*The response has an access token.*\n/s);
  expect(banner).toContain(`Windsock is serving at ${url}`);
  expect(banner).toContain(`${url}/docs`);
  expect(banner).toContain(server.directory);
  expect(banner).toContain(`curl ${url}/auth/signup-org`);

  expect((await ask(url, "GET", "/health")).body).toBe("ok");
  const { organization, tokens, user } = await signUp(url);
  const owner = { token: tokens.access_token };
  const invited = { email: "ines@school.example", roles: ["instructor"] };
  const { token } = (await ask(url, "POST", `/orgs/${organization.id}/invites`, { ...owner, body: invited })).body.data;
  await ask(url, "GET", `/auth/org-invites/${token}`);
  const claimBody = { token, password, name: "Ines Instructor" };
  const claim = (await ask(url, "POST", "/auth/org-invites/claim", { body: claimBody })).body.data;
  const keyBody = { name: "Console", scopes: ["public.flights:read"] };
  const key = (await ask(url, "POST", `/orgs/${organization.id}/integrations/api-keys`, { ...owner, body: keyBody }))
    .body.data;
  const read = { token: key.token, org: organization.id };
  const last = await ask(url, "GET", "/api/v1/public/flights?limit=7", read);

  // A request's log line is written after its response.
  await server.shows("stdout", new RegExp(String(last.requestId)));

  server.signal("SIGTERM");
  expect(await server.ended).toBe(0);

  // JSON lines on standard output, and only the banner on standard error.
  expect(server.stderr()).toBe(banner);
  const lines = linesOf(server);
  const requests = lines.filter(({ msg }) => msg === "request");
  expect(requests.map(({ method, route, status }) => `${method} ${route} ${status}`)).toEqual([
    "GET /health 200",
    "POST /auth/signup-org 201",
    "POST /orgs/:orgId/invites 201",
    "GET /auth/org-invites/:token 200",
    "POST /auth/org-invites/claim 200",
    "POST /orgs/:orgId/integrations/api-keys 201",
    "GET /api/v1/public/flights/ 200",
  ]);
  expect(requests.at(-1)).toMatchObject({
    request_id: last.requestId,
    client: "127.0.0.1",
    organization_id: organization.id,
    api_key_id: key.id,
  });
  expect(requests[2]).toMatchObject({ organization_id: organization.id, user_id: user.id });
  for (const line of lines) expect(String(line.time)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const secrets = [
    tokens.access_token,
    tokens.refresh_token,
    claim.tokens.access_token,
    claim.tokens.refresh_token,
    token,
    key.token,
    password,
    "olga@",
    "ines@",
    "limit=7",
  ];
  for (const secret of secrets) expect(server.stdout()).not.toContain(secret);

  expect(await checkedCopies(server.directory)).toEqual({ "control.db": "ok", [`${organization.id}.db`]: "ok" });
  expect(await rowsIn(server.directory, `${organization.id}.db`, "select name from api_keys")).toEqual([["Console"]]);
  expect(await rowsIn(server.directory, "control.db", "select count(*) from users")).toEqual([[2]]);
  expect(await rowsIn(server.directory, "control.db", "select dirty from tenant_marks")).toEqual([[0]]);

  // After the next start the school exists, and the banner has no sign-up.
  const again = await startServer({ WINDSOCK_DATA_DIR: server.directory });
  const next = await urlOf(again);
  expect((await ask(next, "GET", "/api/v1/public/flights", read)).body.data).toEqual([]);
  again.signal("SIGINT");
  expect(await again.ended).toBe(0);
  expect(again.stderr()).not.toContain("curl");
}, 120_000);

test("on SIGTERM a request in flight is finished, no new one is accepted, and the exit code is 0", async () => {
  const server = await startServer();
  const url = await urlOf(server);
  const slow = await beginRequest(url, "/auth/signup-org", signUpBody);
  server.signal("SIGTERM");
  await server.shows("stdout", /"msg":"Stopping\."/);
  await expect(fetch(`${url}/health`, { keepalive: false, headers: { connection: "close" } })).rejects.toThrow();
  slow.finish();

  expect(await slow.closed).toMatch(/^HTTP\/1\.1 201 /);
  expect(await server.ended).toBe(0);
  const files = Object.keys(await checkedCopies(server.directory));
  expect(files).toHaveLength(2);
  expect(await rowsIn(server.directory, "control.db", "select name from organizations")).toEqual([
    ["Flugschule Egelsbach"],
  ]);
}, 120_000);

test("a second SIGTERM ends a waiting stop at once, and loses no acknowledged write", async () => {
  const server = await startServer();
  const url = await urlOf(server);
  await ask(url, "POST", "/auth/signup-org", { body: { ...signUpBody, email: "first@school.example" } });
  const slow = await beginRequest(url, "/auth/signup-org", signUpBody);
  server.signal("SIGTERM");
  await server.shows("stdout", /"msg":"Stopping\."/);
  const asked = performance.now();
  // Later than `sameSignal`: signals soon after the first count as the same one (`signals.ts`).
  const again = setInterval(() => server.signal("SIGTERM"), 50);
  const how = await server.ended;
  clearInterval(again);
  expect(how).toBe(1);
  expect(performance.now() - asked).toBeLessThan(stretched(3000));
  expect(await slow.closed).toBe("");

  const next = await startServer({ WINDSOCK_DATA_DIR: server.directory });
  const login = { email: "first@school.example", password };
  await ask(await urlOf(next), "POST", "/auth/login", { body: login });
  expect(linesOf(next).filter(({ level }) => level === "error")).toEqual([]);
}, 120_000);

test("a killed server loses no acknowledged sign-up, and releases the directory at once", async () => {
  const server = await startServer();
  const url = await urlOf(server);
  const { organization } = await signUp(url);

  const second = await startServer({ WINDSOCK_DATA_DIR: server.directory });
  expect(await second.ended).toBe(1);
  expect(second.stderr()).toBe(
    `Another Windsock is using ${server.directory}. Stop it, or choose another WINDSOCK_DATA_DIR.\n`,
  );
  expect(second.stdout()).toBe("");
  expect((await ask(url, "GET", "/health")).body).toBe("ok");

  server.signal("SIGKILL");
  await server.ended;
  const again = await startServer({ WINDSOCK_DATA_DIR: server.directory });
  const { body } = await ask(await urlOf(again), "POST", "/auth/login", {
    body: { email: signUpBody.email, password },
  });
  const people = await ask(await urlOf(again), "GET", `/orgs/${organization.id}/people`, { token: body.access_token });
  expect(people.body.data).toBeArray();
}, 120_000);

test("a SIGTERM during the start stops it, and leaves every file complete", async () => {
  const directory = await newFolder();
  const opened = fileIn(directory, /^control\.db$/);
  const server = await startServer({ WINDSOCK_DATA_DIR: directory });
  await opened;
  server.signal("SIGTERM");
  expect(await server.ended).toBe(0);
  expect(server.stdout()).toContain("Stopped. All database files are complete.");
  expect(await checkedCopies(directory)).toEqual({ "control.db": "ok" });
}, 120_000);

test("an invalid configuration exits with 1 and names the variable, the problem and an example", async () => {
  const server = await startServer({ WINDSOCK_PORT: "http", WINDSOCK_HSOT: "0.0.0.0" });
  expect(await server.ended).toBe(1);
  expect(server.stderr()).toBe(
    [
      "The configuration is not valid:",
      "- WINDSOCK_HSOT is not a variable of Windsock. Did you mean WINDSOCK_HOST?",
      "- WINDSOCK_PORT is not a port number. Example: WINDSOCK_PORT=8080",
      "",
    ].join("\n"),
  );
  expect(server.stdout()).toBe("");
});

test("a port in use exits with 1 and a message, and leaves the data complete", async () => {
  const first = await startServer();
  const { port } = new URL(await urlOf(first));
  const second = await startServer({ WINDSOCK_PORT: port });
  expect(await second.ended).toBe(1);
  expect(second.stderr()).toContain(port);
  expect(second.stderr()).not.toMatch(/\n\s+at /);
  expect(await checkedCopies(second.directory)).toEqual({ "control.db": "ok" });
}, 120_000);

test("a control.db of a newer version exits with 1 and names the remedy", async () => {
  const server = await startServer();
  await urlOf(server);
  server.signal("SIGTERM");
  expect(await server.ended).toBe(0);
  const path = join(server.directory, "control.db");
  const client = createClient({ url: `file:${path}` });
  await client.execute("PRAGMA user_version = 999");
  client.close();

  const again = await startServer({ WINDSOCK_DATA_DIR: server.directory });
  expect(await again.ended).toBe(1);
  expect(again.stderr()).toMatch(
    /^\S+control\.db: schema version 999 is newer than this program's \d+: upgrade Windsock\n$/,
  );
}, 120_000);

test.each([
  [undefined, /WINDSOCK_WEBHOOK_CA: There is no /],
  ["# not a certificate\n", /WINDSOCK_WEBHOOK_CA holds no certificates in PEM form: /],
  [
    "-----BEGIN CERTIFICATE-----\nbm90IG9uZQ==\n-----END CERTIFICATE-----\n",
    /WINDSOCK_WEBHOOK_CA holds no certificates in PEM form: /,
  ],
])("certificate authorities that can't be used stop the start: %j", async (text, complaint) => {
  const file = join(await newFolder(), "ca.pem");
  if (text !== undefined) await writeFile(file, text);
  const server = await startServer({ WINDSOCK_WEBHOOK_CA: file });
  expect(await server.ended).toBe(1);
  expect(server.stderr()).toMatch(complaint);
});
