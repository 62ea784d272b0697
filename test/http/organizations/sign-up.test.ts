import { describe, expect, test } from "bun:test";
import { renameSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hours } from "../../../src/core/clock.ts";
import { isId } from "../../../src/core/ids.ts";
import { organizations } from "../../../src/identity/identity.tables.ts";
import { meta } from "../../../src/storage/tenant.tables.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { password, statuses, times } from "../../support/school.ts";
import {
  actions,
  controlAudit,
  freshAddress,
  isLetIn,
  logIn,
  refresh,
  signUp,
  signUpBody,
} from "../accounts/newcomers.ts";

const post = (at: Installation, body: unknown, from = freshAddress()) =>
  at.call("POST", "/auth/signup-org", { body, from });

const tenantFiles = async ({ directory }: Installation) =>
  (await readdir(directory)).filter((name) => isId(name.replace(/\.db$/, "")));

const organizationRows = ({ storage }: Installation) =>
  storage.control.read((reader) => reader.select().from(organizations));

const signedUp = ["user.created", "email.verification_sent", "organization.created", "member.added", "session.opened"];

describe("POST /auth/signup-org", () => {
  test("sets the refresh token as the cookie if requested, and that refreshes the session", async () => {
    const at = await newInstallation();
    const answer = await post(at, { ...signUpBody(), cookie: true });
    expect([answer.status, Object.keys(answer.body.data.tokens)]).toEqual([
      201,
      ["token_type", "access_token", "expires_in", "refresh_expires_in"],
    ]);
    const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
    expect(cookie).toStartWith("svc_refresh=");
    const headers = { cookie, "sec-fetch-site": "same-origin" };
    expect((await at.call("POST", "/auth/refresh", { headers })).status).toBe(200);
    expect((await post(at, { ...signUpBody("otto@example.com"), cookie: "yes" })).status).toBe(400);
  });

  test("creates account, organization, membership, session and database file", async () => {
    const at = await newInstallation();
    const { organization, ...person } = signUpBody();
    const answer = await post(at, { ...person, organization: { ...organization, approval_number: "DE.ATO.123" } });
    expect(answer.status).toBe(201);
    const { user, organization: made, tokens } = answer.body.data;
    expect(user).toMatchObject({ email: "olga@example.com", name: "Olga Owner", email_verified: false });
    expect(made).toMatchObject({
      name: "Flugschule Egelsbach",
      kind: "ato",
      approval_number: "DE.ATO.123",
      authority: null,
      home_icao: null,
      time_zone: "UTC",
      currency: "EUR",
    });
    expect(tokens).toMatchObject({ token_type: "Bearer", expires_in: 900 });
    expect(await tenantFiles(at)).toEqual([`${made.id}.db`]);

    const members = await at.call("GET", `/orgs/${made.id}/members`, { token: tokens.access_token });
    expect(members.body.data).toEqual([
      { user_id: user.id, email: user.email, name: user.name, roles: ["owner"], joined_at: user.created_at },
    ]);
    expect(await actions(at)).toEqual(signedUp);
    const requestId = answer.headers.get("x-request-id");
    for (const row of await controlAudit(at)) expect(row.request_id).toBe(requestId ?? "");
    const [described] = await at.storage.tenants.tenant(made.id).read((reader) => reader.select().from(meta));
    expect(described).toMatchObject({ org_id: made.id, name: "Flugschule Egelsbach", time_zone: "UTC" });
  });

  test("normalizes address, names, place, time zone and currency", async () => {
    const at = await newInstallation();
    const organization = {
      name: " Aéro-Club ",
      kind: "club",
      home_icao: "edfe",
      time_zone: "europe/berlin",
      currency: "chf",
    };
    const { data } = (await post(at, { ...signUpBody(" Olga@Example.COM "), organization })).body;
    expect(data.user.email).toBe("olga@example.com");
    expect(data.organization).toMatchObject({
      name: "Aéro-Club",
      home_icao: "EDFE",
      time_zone: "Europe/Berlin",
      currency: "CHF",
    });
    const [described] = await at.storage.tenants
      .tenant(data.organization.id)
      .read((reader) => reader.select().from(meta));
    expect(described).toMatchObject({ name: "Aéro-Club", time_zone: "Europe/Berlin" });
  });

  test("eight concurrent sign-ups with one address create one account, one organization and one file", async () => {
    const at = await newInstallation();
    const answers = await Promise.all(times(8, () => post(at, signUpBody())));
    expect(statuses(answers)).toEqual([201, ...times(7, () => 409)]);
    expect(await organizationRows(at)).toHaveLength(1);
    expect(await tenantFiles(at)).toHaveLength(1);
    expect(await actions(at)).toEqual(signedUp);
    expect((await logIn(at, "olga@example.com")).status).toBe(200);
  });

  test("rejects an address that has an account, in any letter case, and leaves nothing behind", async () => {
    const at = await newInstallation();
    await signUp(at);
    const before = await actions(at);
    expect((await post(at, signUpBody("OLGA@example.com"))).status).toBe(409);
    expect(await tenantFiles(at)).toHaveLength(1);
    expect(await actions(at)).toEqual(before);
  });

  const organization = (fields: object) => ({
    ...signUpBody(),
    organization: { ...signUpBody().organization, ...fields },
  });
  test.each([
    ["no body", undefined, "body"],
    ["no organization", { ...signUpBody(), organization: undefined }, "body.organization"],
    ["a bad address", signUpBody("olga"), "body.email"],
    ["a short password", { ...signUpBody(), password: "elevenchars" }, "body.password"],
    ["a long password", { ...signUpBody(), password: "x".repeat(129) }, "body.password"],
    ["the address as password", { ...signUpBody(), password: "Olga@Example.com" }, "body.password"],
    ["an empty name", { ...signUpBody(), name: " " }, "body.name"],
    ["an unknown kind", organization({ kind: "airline" }), "body.organization.kind"],
    ["a zone that is none", organization({ time_zone: "Europe/Egelsbach" }), "body.organization.time_zone"],
    ["an offset for a zone", organization({ time_zone: "+01:00" }), "body.organization.time_zone"],
    ["a currency that is none", organization({ currency: "EUX" }), "body.organization.currency"],
    ["an unknown field", organization({ owner: "Olga" }), "body.organization.owner"],
  ])("refuses %s and names the field", async (_, body, path) => {
    const at = await newInstallation();
    const answer = await post(at, body);
    expect(answer.status).toBe(400);
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toContain(path);
    expect(await organizationRows(at)).toEqual([]);
    expect(await tenantFiles(at)).toEqual([]);
  });

  test("answers 429 after 10 an hour from one address", async () => {
    const at = await newInstallation();
    for (let n = 0; n < 10; n += 1)
      expect((await post(at, signUpBody(`o${n}@example.com`), "203.0.113.1")).status).toBe(201);
    const refused = await post(at, signUpBody("o11@example.com"), "203.0.113.1");
    expect([refused.status, refused.headers.get("ratelimit-policy")]).toEqual([429, '"signup";q=10;w=3600']);
    expect((await post(at, signUpBody("o11@example.com"), "203.0.113.2")).status).toBe(201);
    at.clock.advance(hours(1));
    expect((await post(at, signUpBody("o12@example.com"), "203.0.113.1")).status).toBe(201);
  });
});

/** Signs up on an installation that fails at the given step, then restarts it. @returns whether the step was reached */
async function interrupted(directory: string, failAt: number): Promise<boolean> {
  let step = 0;
  let armed = false;
  const trace = () => {
    if (armed && step++ === failAt) throw new Error("The power went.");
  };
  const cut = await newInstallation({ directory, trace });
  armed = true;
  const answer = await post(cut, signUpBody());
  armed = false;
  // 503 if the organization's file could not be made.
  expect(step > failAt ? [500, 503] : [201]).toContain(answer.status);
  await cut.close();

  const again = await newInstallation({ directory });
  const rows = await organizationRows(again);
  expect((await tenantFiles(again)).sort()).toEqual(rows.map(({ id }) => `${id}.db`).sort());
  // Either nothing of the sign-up is stored, or all of it.
  expect((await post(again, signUpBody())).status).toBe(rows.length === 0 ? 201 : 409);
  const { body } = await logIn(again, "olga@example.com");
  for (const { id } of await organizationRows(again)) {
    expect(await isLetIn(again, { orgId: id, token: body.access_token })).toBe(true);
  }
  await again.close();
  expect((await readdir(directory)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  return step > failAt;
}

test("a sign-up that fails at any step leaves no incomplete organization", async () => {
  let steps = 0;
  for (let reached = true; reached; steps += reached ? 1 : 0) {
    const directory = await mkdtemp(join(tmpdir(), "windsock-"));
    reached = await interrupted(directory, steps).finally(() => rm(directory, { recursive: true }));
  }
  expect(steps).toBeGreaterThan(6);
});

test("no password, hash or token gets into an error, a log line or an audit row", async () => {
  const at = await newInstallation();
  const olga = await signUp(at);
  const errors = [
    await post(at, signUpBody()),
    await post(at, { ...signUpBody(), kind: "ato" }),
    await logIn(at, olga.email, { cookie: "yes" }),
    await logIn(at, "otto@example.com"),
    await refresh(at, olga.token),
  ];
  const pair = (await refresh(at, olga.refreshToken)).body;
  await at.call("DELETE", "/auth/sessions", { token: pair.access_token });
  await new Promise((resolve) => setImmediate(resolve)); // log lines follow their answers
  expect(statuses(errors)).toEqual([400, 400, 400, 401, 409]);
  expect(at.logged.length).toBeGreaterThan(5);

  const secrets = [password, "argon2", olga.token, olga.refreshToken, pair.access_token, pair.refresh_token];
  const texts = [...errors.map(({ text }) => text), ...at.logged, JSON.stringify(await controlAudit(at))];
  for (const text of texts) for (const secret of secrets) expect(text).not.toContain(secret);
});

test("a sign-up whose file can neither be used nor removed gets 503, and the next start removes the file", async () => {
  const parent = await mkdtemp(join(tmpdir(), "windsock-obstructed-"));
  const [directory, away] = [join(parent, "data"), join(parent, "away")];
  await (await newInstallation({ directory })).close();
  // A file in the place of the directory: nothing below it can be opened or removed.
  const trace = (step: string) => {
    if (step !== "tenant file: renamed") return;
    renameSync(directory, away);
    writeFileSync(directory, "");
  };
  const at = await newInstallation({ directory, trace });
  const answer = await post(at, signUpBody());
  expect([answer.status, answer.body.error.code]).toEqual([503, "TENANT_UNAVAILABLE"]);
  expect(at.logged.filter((line) => line.includes("can't be removed"))).toHaveLength(1);

  await rm(directory);
  await rename(away, directory);
  await at.close();
  expect(await tenantFiles(at)).toHaveLength(1);
  const again = await newInstallation({ directory });
  expect(await tenantFiles(again)).toEqual([]);
  expect((await post(again, signUpBody())).status).toBe(201);
  await again.close();
  await rm(parent, { recursive: true });
});
