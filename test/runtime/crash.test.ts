import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newInstallation } from "../support/installation.ts";
import { claimBody, invited, signUpBody } from "./crash-bodies.ts";

interface Outcome {
  killed: boolean;
  acknowledged: boolean;
}

/** Runs `task` in a process that is killed at its `step`th step. */
function crashAt(step: number, directory: string, task: string, token = ""): Promise<Outcome> {
  const script = join(import.meta.dir, "crashing.ts");
  const child = spawn(process.execPath, [script, directory, String(step), task, token], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (text) => {
    output += text;
  });
  return new Promise((resolve, reject) =>
    child.on("close", (code, signal) => {
      if (code !== 0 && signal !== "SIGKILL") reject(new Error(`The process ended with ${code}.`));
      else resolve({ killed: signal === "SIGKILL", acknowledged: output === "acknowledged" });
    }),
  );
}

/** Kills at step 1, 2, 3 … until there are no more steps. @returns how many there were */
async function atEachStep(check: (step: number, directory: string) => Promise<Outcome>): Promise<number> {
  for (let step = 1; ; step += 1) {
    const directory = await mkdtemp(join(tmpdir(), "windsock-crash-"));
    try {
      const { killed } = await check(step, directory);
      if (!killed) return step - 1;
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
}

const tenantFiles = async (directory: string) =>
  (await readdir(directory)).filter((name) => name.includes("-7") && !name.endsWith("-wal") && !name.endsWith("-shm"));

const logInBody = { email: signUpBody.email, password: signUpBody.password };

test("a sign-up killed at any step leaves a whole organization or none, and never loses an acknowledged one", async () => {
  const steps = await atEachStep(async (step, directory) => {
    const outcome = await crashAt(step, directory, "sign-up");

    const restarted = await newInstallation({ directory });
    const login = await restarted.call("POST", "/auth/login", { body: logInBody });
    if (login.status === 200) {
      const { org } = JSON.parse(Buffer.from(login.body.access_token.split(".")[1], "base64url").toString());
      const people = await restarted.call("GET", `/orgs/${org}/people`, { token: login.body.access_token });
      expect(people.status).toBe(200);
      expect(await tenantFiles(directory)).toEqual([`${org}.db`]);
    } else {
      expect(outcome.acknowledged).toBe(false);
      expect(await tenantFiles(directory)).toEqual([]);
      expect((await restarted.call("POST", "/auth/signup-org", { body: signUpBody })).status).toBe(201);
    }
    await restarted.close();
    return outcome;
  });
  // File written, renamed, described, and the transactions around: fewer would mean that the steps are not watched.
  expect(steps).toBeGreaterThanOrEqual(8);
}, 60_000);

test("a claim killed at any step makes a member or leaves the invite open, and never loses an acknowledged one", async () => {
  const origin = await mkdtemp(join(tmpdir(), "windsock-crash-"));
  const before = await newInstallation({ directory: origin });
  const { tokens, organization } = (await before.call("POST", "/auth/signup-org", { body: signUpBody })).body.data;
  const { token } = (
    await before.call("POST", `/orgs/${organization.id}/invites`, {
      token: tokens.access_token,
      body: { email: invited, roles: ["instructor"] },
    })
  ).body.data;
  await before.close();

  const steps = await atEachStep(async (step, directory) => {
    await cp(origin, directory, { recursive: true });
    const outcome = await crashAt(step, directory, "claim", token);

    const restarted = await newInstallation({ directory });
    const invite = await restarted.call("GET", `/auth/org-invites/${token}`);
    const login = await restarted.call("POST", "/auth/login", {
      body: { email: invited, password: claimBody.password },
    });
    if (invite.status === 200) {
      expect(outcome.acknowledged).toBe(false);
      expect(login.status).toBe(401);
      expect((await restarted.call("POST", "/auth/org-invites/claim", { body: { ...claimBody, token } })).status).toBe(
        200,
      );
    } else {
      expect([invite.status, login.status]).toEqual([409, 200]);
      const path = `/orgs/${organization.id}/members`;
      const members = await restarted.call("GET", path, { token: login.body.access_token });
      expect(members.body.data).toHaveLength(2);
    }
    await restarted.close();
    return outcome;
  });
  expect(steps).toBeGreaterThanOrEqual(3);
  await rm(origin, { recursive: true, force: true });
}, 60_000);
