/** What a school, its integrator and its operator do with a server, on any runtime. */
import { expect } from "bun:test";
import { copyFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { pdfText } from "../support/pdf-text.ts";
import { csv, pdf } from "../support/school.ts";
import { damageText, unfinished } from "./files.ts";
import { playTheIntegrator } from "./integrator-story.ts";
import { comeThroughAProvider, openProvider } from "./oauth-story.ts";
import { type Ended, run, startServer, stop, urlOf } from "./processes.ts";
import type { Runtime } from "./runtimes.ts";
import { openReceivers, playTheWebhooks, type Receivers } from "./webhook-story.ts";

/** Data that no server uses any more. */
export interface Played {
  directory: string;
  org: string;
  env: Record<string, string>;
}

/** Runs the whole story on its own server, with its data in `directory`. */
export async function playTheStory(
  runtime: Runtime,
  directory: string,
  surroundings: Record<string, string> = {},
): Promise<Played> {
  await using receivers = await openReceivers(`${directory}.ca.pem`);
  const identity = await openProvider();
  const open = { WINDSOCK_METRICS: "1", WINDSOCK_DEBUG_ENDPOINTS: "1" };
  const env = { ...surroundings, ...receivers.env, ...identity.env, ...open, WINDSOCK_DATA_DIR: directory };
  await using server = await startServer(env, runtime);
  const url = await urlOf(server);

  const { org, flight } = await flyAndRead(url, receivers);
  expect(flight).toMatchObject({ status: "approved", departure: "EDFE", block_minutes: 62 });
  await comeThroughAProvider(url, identity);
  await readTheDocs(url);
  await sendWhatIsRefused(url);

  expect(await modes(directory, [".", "secret.key", "operator.sock"])).toEqual([0o700, 0o600, 0o600]);
  const verified = await run(["audit", "verify"], { runtime, env });
  expect(verified.stdout).toMatch(new RegExp(`control: \\d+ rows, ok\\n${org}: \\d+ rows, ok\\n$`));
  expect(verified.code).toBe(0);

  const ended = await stop(server);
  expect(ended.code).toBe(0);
  checkLog(ended);
  expect(await unfinished(directory)).toEqual([]);
  await checkTheFiles(org, directory, { runtime, env });
  return { directory, org, env };
}

/** The checks run in a process that the program starts, so each runtime must be able to start itself. */
async function checkTheFiles(
  org: string,
  directory: string,
  program: { runtime: Runtime; env: Record<string, string> },
) {
  const sound = await run(["check"], program);
  expect(sound).toMatchObject({ code: 0, stdout: `control: ok\n${org}: ok\n` });
  const path = join(directory, `${org}.db`);
  await copyFile(path, `${path}.good`);
  await damageText(path, "flight.submitted");
  const { code, stdout } = await run(["check", "--org", org], program);
  expect(stdout).toContain(`${org}: events.type of row `);
  expect(code).toBe(1);
  await rename(`${path}.good`, path);
}

async function flyAndRead(url: string, receivers: Receivers) {
  const member = { name: "Olga Owner", email: "olga@example.com", password: "correct horse battery" };
  const organization = { name: "Windy Hill", kind: "ato", time_zone: "europe/berlin" };
  const signedUp = await ask(201, url, "POST", "/auth/signup-org", { body: { ...member, organization } });
  const token = signedUp.tokens.access_token;
  const org = signedUp.organization.id;
  const owner = (status: number, method: string, path: string, body?: object) =>
    ask(status, url, method, `/orgs/${org}${path}`, { token, body });
  const post = (status: number, path: string, body?: object) => owner(status, "POST", path, body);

  const aircraft = await post(201, "/aircraft", { registration: "D-EABC", model: "Cessna 172S", class: "SEP" });
  const sam = { name: "Sam Student", types: ["student"] };
  await post(400, "/people", { ...sam, date_of_birth: "9999-12-31" });
  await post(400, "/people", { ...sam, date_of_birth: "2005-02-29" });
  const student = await post(201, "/people", { ...sam, date_of_birth: "2004-02-29" });
  const instructor = await post(201, "/people", { name: "Ines Instructor", types: ["instructor"] });
  const medical = { person_id: student.id, type: "medical", level: "class_2", issued_on: "2026-01-10" };
  await post(201, "/compliance/records", { ...medical, valid_until: "2031-01-10" });
  const file = csv("name;email;types\r\nJörg;joerg@example.com;pilot|staff\r\n");
  expect(await post(200, "/people/import", file)).toMatchObject({ created: 1 });
  expect(await post(200, "/people/import", file)).toMatchObject({ unchanged: 1 });
  await post(400, "/people/import", csv('name,email,types\n"Jörg'));
  // Not an IANA zone. `Intl` accepts it on one runtime, `Temporal` on none.
  await owner(400, "PATCH", "", { time_zone: "IST" });
  const fly = async () => {
    const drafted = await post(201, "/flights", {
      aircraft_id: aircraft.id,
      off_block_at: "2026-06-14T08:00:00+02:00",
      on_block_at: "2026-06-14T09:02:00+02:00",
      departure: "EDFE",
      arrival: "EDKB",
      day_landings: 1,
      crew: [{ person_id: student.id, function: "solo" }],
      supervisor_id: instructor.id,
    });
    await post(200, `/flights/${drafted.id}/submit`);
    await post(200, `/flights/${drafted.id}/approve`);
    return drafted.id;
  };

  await attachAFile({ url, token }, `/orgs/${org}/aircraft/${aircraft.id}/defects`);
  const scopes = ["public.flights:read", "events:replay"];
  const key = await post(201, "/integrations/api-keys", { name: "Accounting", scopes });
  const integrator = (status: number, method: string, path: string) =>
    ask(status, url, method, path, { token: key.token, org });
  await playTheWebhooks({ owner, integrator, fly }, receivers);
  await playTheIntegrator({ url, org, token }, receivers.trusted);
  const [flight] = await integrator(200, "GET", "/api/v1/public/flights?status=approved");
  await printTheLogbook({ url, token }, `/orgs/${org}/people/${student.id}/logbook`);
  return { org, flight };
}

/** A PDF file, whose font is in the program. */
async function printTheLogbook({ url, token }: { url: string; token: string }, path: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, accept: "application/pdf" };
  const answer = await fetch(url + path, { headers });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  const [page] = await pdfText(await answer.arrayBuffer());
  expect(page).toContain("Sam Student");
  expect(page).toContain("EDFE");
}

/** Uploads a file of several chunks, and downloads it. */
async function attachAFile({ url, token }: { url: string; token: string }, defects: string): Promise<void> {
  const defect = await ask(201, url, "POST", defects, { token, body: { description: "Left brake drags." } });
  const files = `${defects}/${defect.id}/attachments`;
  const body = pdf(600_000);
  const name = encodeURIComponent("Prüfbericht.pdf");
  const { id } = await ask(201, url, "POST", `${files}?filename=${name}`, { token, body });
  const authorization = `Bearer ${token}`;
  const answer = await fetch(`${url}${files}/${id}/content`, { headers: { authorization } });
  expect(answer.headers.get("content-disposition")).toEndWith("; filename*=UTF-8''Pr%C3%BCfbericht.pdf");
  expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(await body.arrayBuffer()))).toBe(true);
  const head = await fetch(`${url}${files}/${id}/content`, { method: "HEAD", headers: { authorization } });
  expect([head.status, head.headers.get("content-type")]).toEqual([200, "application/pdf"]);
}

interface Question {
  token?: string;
  org?: string;
  body?: object | undefined;
}

/** @returns the response's `data` @throws the status is another one */
// biome-ignore lint/suspicious/noExplicitAny: of every shape
async function ask(status: number, url: string, method: string, path: string, question: Question): Promise<any> {
  const { token, org, body } = question;
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(org !== undefined && { "x-org-id": org }),
      ...(body !== undefined && { "content-type": body instanceof Blob ? body.type : "application/json" }),
    },
    ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect([`${method} ${path}`, answer.status, text]).toEqual([`${method} ${path}`, status, text]);
  return JSON.parse(text).data;
}

/** The page and its files, all from this server. */
async function readTheDocs(url: string): Promise<void> {
  const page = await (await fetch(`${url}/docs`)).text();
  expect(page).toContain('id="approveFlight"');
  const files = [...page.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(([, file]) => file);
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const answer = await fetch(url + file);
    expect([file, answer.status, (await answer.text()).length > 100]).toEqual([file, 200, true]);
  }
  const document = await (await fetch(`${url}/docs/json`)).json();
  expect(document).toMatchObject({ openapi: "3.1.0", info: { title: expect.stringContaining("Windsock") } });
}

async function sendWhatIsRefused(url: string): Promise<void> {
  const send = async (type: string, body: string) => {
    const answer = await fetch(`${url}/auth/login`, { method: "POST", headers: { "content-type": type }, body });
    return [answer.status, (await answer.json()).error.code];
  };
  const large = JSON.stringify({ password: "x".repeat(1024 * 1024) });
  expect(await send("application/json", large)).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  expect(await send("text/plain", "{}")).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
  expect(await send("application/json", "{")).toEqual([400, "BAD_REQUEST"]);
}

const modes = (directory: string, names: readonly string[]) =>
  Promise.all(names.map(async (name) => (await stat(join(directory, name))).mode & 0o777));

/** Every line is a JSON object, with the peer's address. */
function checkLog({ stdout }: Ended): void {
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ level: "info", msg: "Serving." });
  expect(lines.find(({ msg }) => msg === "Stopping.")).toMatchObject({ signal: "SIGTERM" });
  expect(lines.find(({ route }) => route === "/auth/signup-org")).toMatchObject({ client: "127.0.0.1", status: 201 });
}
