import { expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Installation, newInstallation } from "../support/installation.ts";
import { expectStatus } from "../support/school.ts";
import { claimBody, invited, signUpBody } from "./crash-bodies.ts";
import { atEachStep, closeFiles } from "./crash-steps.ts";

const tenantFiles = async (directory: string) =>
  (await readdir(directory)).filter((name) => name.includes("-7") && !name.endsWith("-wal") && !name.endsWith("-shm"));

const logInBody = { email: signUpBody.email, password: signUpBody.password };

test("a sign-up killed at any step leaves a whole organization or none, and an acknowledged one always", async () => {
  const signUp = async (at: Installation) =>
    expectStatus(201, await at.call("POST", "/auth/signup-org", { body: signUpBody }));
  const steps = await atEachStep(undefined, signUp, async (directory, isAcknowledged) => {
    const restarted = await newInstallation({ directory });
    const login = await restarted.call("POST", "/auth/login", { body: logInBody });
    if (login.status === 200) {
      const { org } = JSON.parse(Buffer.from(login.body.access_token.split(".")[1], "base64url").toString());
      const people = await restarted.call("GET", `/orgs/${org}/people`, { token: login.body.access_token });
      expect(people.status).toBe(200);
      expect(await tenantFiles(directory)).toEqual([`${org}.db`]);
    } else {
      expect(isAcknowledged).toBe(false);
      expect(await tenantFiles(directory)).toEqual([]);
      await signUp(restarted);
    }
    await restarted.close();
  });
  // File written, renamed, described, and the transactions around: fewer would mean that some steps are not traced.
  expect(steps).toBeGreaterThanOrEqual(8);
}, 300_000);

test("a claim killed at any step creates a member or leaves the invite open, and an acknowledged one is never lost", async () => {
  const origin = await mkdtemp(join(tmpdir(), "windsock-crash-"));
  const before = await newInstallation({ directory: origin });
  const { tokens, organization } = (await before.call("POST", "/auth/signup-org", { body: signUpBody })).body.data;
  const { token } = (
    await before.call("POST", `/orgs/${organization.id}/invites`, {
      token: tokens.access_token,
      body: { email: invited, roles: ["instructor"] },
    })
  ).body.data;
  await closeFiles(before, origin);

  const claim = async (at: Installation) =>
    expectStatus(200, await at.call("POST", "/auth/org-invites/claim", { body: { ...claimBody, token } }));
  const steps = await atEachStep(origin, claim, async (directory, isAcknowledged) => {
    const restarted = await newInstallation({ directory });
    const invite = await restarted.call("GET", `/auth/org-invites/${token}`);
    const login = await restarted.call("POST", "/auth/login", {
      body: { email: invited, password: claimBody.password },
    });
    if (invite.status === 200) {
      expect(isAcknowledged).toBe(false);
      expect(login.status).toBe(401);
      await claim(restarted);
    } else {
      expect([invite.status, login.status]).toEqual([409, 200]);
      const path = `/orgs/${organization.id}/members`;
      const members = await restarted.call("GET", path, { token: login.body.access_token });
      expect(members.body.data).toHaveLength(2);
    }
    await restarted.close();
  });
  expect(steps).toBeGreaterThanOrEqual(3);
  await rm(origin, { recursive: true, force: true });
}, 300_000);

test("a student's claim killed at any step is in both databases after the next start, or leaves the invite open", async () => {
  const origin = await mkdtemp(join(tmpdir(), "windsock-crash-"));
  const before = await newInstallation({ directory: origin });
  const { tokens, organization } = (await before.call("POST", "/auth/signup-org", { body: signUpBody })).body.data;
  const owner = { token: tokens.access_token };
  const ask = (path: string, body: object) =>
    before.call("POST", `/orgs/${organization.id}${path}`, { ...owner, body });
  const person = (await ask("/people", { name: "Ines", types: ["student"], email: invited })).body.data;
  const { token } = (await ask("/student-invites", { person_id: person.id })).body.data;
  await closeFiles(before, origin);

  let [stillOpen, whole] = [0, 0];
  const claim = async (at: Installation) =>
    expectStatus(200, await at.call("POST", "/auth/student-invites/claim", { body: { ...claimBody, token } }));
  const steps = await atEachStep(origin, claim, async (directory, isAcknowledged) => {
    const restarted = await newInstallation({ directory });
    if ((await restarted.call("GET", `/auth/student-invites/${token}`)).status === 200) {
      expect(isAcknowledged).toBe(false);
      stillOpen += 1;
      await claim(restarted);
    } else whole += 1;
    const login = await restarted.call("POST", "/auth/login", {
      body: { email: invited, password: claimBody.password },
    });
    expect(login.status).toBe(200);
    // A student can read only their own person: the account is linked to it, once.
    const people = await restarted.call("GET", `/orgs/${organization.id}/people`, { token: login.body.access_token });
    expect(people.body.data).toMatchObject([{ id: person.id }]);
    const log = await restarted.call("GET", `/orgs/${organization.id}/audit-log`, owner);
    const linked = log.body.data.filter(({ action }: { action: string }) => action === "person.linked");
    expect(linked).toHaveLength(1);
    await restarted.close();
  });
  // One transaction before, two after, and the tenant's own with its mark between them.
  expect(steps).toBeGreaterThanOrEqual(10);
  expect([stillOpen > 0, whole > 3]).toEqual([true, true]);
  await rm(origin, { recursive: true, force: true });
}, 240_000);
