/** What a tenant publishes and what the directory shows agree after a crash at any step, once the jobs of the start have run. */
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { disableAccount } from "../../src/modules/accounts/operator/disable-account.ts";
import { found, idsOf, newModerator, profilePath, publish } from "../support/directory.ts";
import { type Call, type Installation, newInstallation } from "../support/installation.ts";
import { expectStatus, newSchool, type School } from "../support/school.ts";
import { atEachStep, closeFiles, type Task } from "./crash-steps.ts";

interface Scene {
  school: School<Installation>;
  /** An instructor without an account. */
  fritz: string;
  moderator: { token: string };
}

/** What is public, and all that the control database has, as text. */
async function seen(at: Installation) {
  const everything = await at.storage.control.read(async (reader) => {
    const entries = await reader.values<[string]>(
      sql`select json_array(id, name, headline, ratings) from directory_entries`,
    );
    const words = await reader.values<[string]>(sql`select word from directory_words`);
    return [...entries, ...words].join();
  });
  return { instructors: await found(at, "instructors"), schools: await idsOf(at, "schools"), everything };
}

type Seen = Awaited<ReturnType<typeof seen>>;

/** Cuts the power at each step of the work. @param agree checks the restarted installation, and returns whether the work was done */
async function crashing(
  prepare: (scene: Scene) => Promise<Task>,
  agree: (restarted: Installation, scene: Scene, seen: Seen) => Promise<boolean>,
): Promise<number> {
  const origin = await mkdtemp(join(tmpdir(), "windsock-crash-"));
  const before = await newInstallation({ directory: origin });
  const school = await newSchool(before);
  const { owner } = school;
  const person = { name: "Fritz Flieger", types: ["instructor"], ratings: ["FI"] };
  const fritz: string = expectStatus(201, await owner.post("/people", person)).body.data.id;
  const scene = { school, fritz, moderator: await newModerator(before) };
  const task = await prepare(scene);
  await closeFiles(before, origin);

  const done: boolean[] = [];
  const steps = await atEachStep(origin, task, async (directory, isAcknowledged) => {
    const restarted = await newInstallation({ directory, clock: before.clock });
    await restarted.scheduler.runNow("tenant-intents");
    const isDone = await agree(restarted, scene, await seen(restarted));
    if (isAcknowledged) expect(isDone).toBe(true);
    done.push(isDone);
    await restarted.close();
  });
  // Once it is done, later steps do not undo it.
  expect(done).toEqual([...done].sort());
  expect(done.at(-1)).toBe(true);
  await rm(origin, { recursive: true, force: true });
  return steps;
}

const request =
  (method: string, path: string, call: Call): Task =>
  async (at) =>
    expectStatus(200, await at.call(method, path, call));

const requestOf = ({ school: { orgId, owner } }: Scene, method: string, path: string, body?: object): Task =>
  request(method, `/orgs/${orgId}${path}`, { token: owner.token, ...(body && { body }) });

/** Asks the restarted installation as the owner. */
const asked = async (at: Installation, { school: { orgId, owner } }: Scene, path: string) =>
  at.call("GET", `/orgs/${orgId}${path}`, { token: owner.token });

test("publishing killed at any step is in both databases, or in neither", async () => {
  const steps = await crashing(
    async (scene) =>
      requestOf(scene, "PATCH", profilePath("instructors", scene.fritz), { published: true, fields: ["ratings"] }),
    async (at, scene, { instructors }) => {
      const profile = await asked(at, scene, profilePath("instructors", scene.fritz));
      expect(instructors).toHaveLength(profile.status === 200 ? 1 : 0);
      return profile.status === 200;
    },
  );
  // The tenant's transaction with its mark, the control database's, and the deletion of the intent.
  expect(steps).toBeGreaterThanOrEqual(8);
}, 300_000);

test("the end of a profile, killed at any step, is in both databases, or in neither", async () => {
  await crashing(
    async (scene) => {
      await publish(scene.school.owner, "instructors", scene.fritz, { fields: ["ratings"] });
      return requestOf(scene, "DELETE", profilePath("instructors", scene.fritz));
    },
    async (at, scene, { instructors, everything }) => {
      const profile = await asked(at, scene, profilePath("instructors", scene.fritz));
      expect(instructors).toHaveLength(profile.status === 200 ? 1 : 0);
      expect(everything.includes("fritz")).toBe(profile.status === 200);
      return profile.status === 404;
    },
  );
}, 300_000);

test("the change of a person, killed at any step, is in both databases, or in neither", async () => {
  await crashing(
    async (scene) => {
      await publish(scene.school.owner, "instructors", scene.fritz);
      return requestOf(scene, "PATCH", `/people/${scene.fritz}`, { name: "Fritz Fluglehrer" });
    },
    async (at, scene, { instructors }) => {
      const { name } = expectStatus(200, await asked(at, scene, `/people/${scene.fritz}`)).body.data;
      expect(instructors).toMatchObject([{ name }]);
      return name === "Fritz Fluglehrer";
    },
  );
}, 300_000);

test("an erasure killed at any step leaves nothing of the person in the control database, or the whole person", async () => {
  await crashing(
    async (scene) => {
      const { installation, owner } = scene.school;
      await publish(scene.school.owner, "instructors", scene.fritz, { fields: ["ratings"] });
      // Its moderation would otherwise keep the row.
      const path = `/admin/directory/instructors/${scene.fritz}`;
      const { token } = scene.moderator;
      expectStatus(200, await installation.call("PATCH", path, { token, body: { featured: true } }));
      expectStatus(200, await owner.patch(`/people/${scene.fritz}`, { status: "archived" }));
      expectStatus(200, await owner.patch(`/people/${scene.fritz}`, { status: "active" }));
      return requestOf(scene, "POST", `/people/${scene.fritz}/erase`);
    },
    async (at, scene, { everything }) => {
      const { erased_at } = expectStatus(200, await asked(at, scene, `/people/${scene.fritz}`)).body.data;
      expect([everything.includes("fritz"), everything.includes(scene.fritz)]).toEqual(
        erased_at === null ? [true, true] : [false, false],
      );
      return erased_at !== null;
    },
  );
}, 300_000);

test.each(["hidden", "suspended"])(
  "moderation killed at any step is done or not, and %s outlives the next change",
  async (status) => {
    await crashing(
      async ({ school, moderator: { token } }) => {
        await publish(school.owner, "schools", school.orgId);
        return request("PATCH", `/admin/directory/schools/${school.orgId}`, { token, body: { status } });
      },
      async (at, { school: { orgId, owner } }, { schools }) => {
        const isDone = schools.length === 0;
        const body = { headline: "Learn to fly" };
        expectStatus(200, await at.call("PATCH", `/orgs/${orgId}/directory/school`, { token: owner.token, body }));
        expect(await idsOf(at, "schools")).toEqual(schools);
        return isDone;
      },
    );
  },
  300_000,
);

test("the end of an organization's last manager, killed at any step, ends all its entries, or none", async () => {
  await crashing(
    async ({ school: { owner, orgId }, fritz }) => {
      await publish(owner, "schools", orgId);
      await publish(owner, "instructors", fritz);
      return ({ clock, storage: { control } }) =>
        disableAccount({ actor: { kind: "command_line" }, requestId: "", clock, control }, owner);
    },
    async (at, { school: { owner } }, { schools, instructors }) => {
      const answer = await at.call("POST", "/auth/login", {
        body: { email: owner.email, password: "correct horse battery" },
      });
      expect([schools.length, instructors.length]).toEqual(answer.status === 200 ? [1, 1] : [0, 0]);
      return answer.status !== 200;
    },
  );
}, 300_000);

test("the end of a membership, killed at any step, ends the member's entry, or neither ends", async () => {
  await crashing(
    async (scene) => {
      const { owner, instructor } = scene.school;
      await publish(owner, "instructors", instructor.personId);
      expectStatus(200, await instructor.post(`${profilePath("instructors", instructor.personId)}/consent`));
      return requestOf(scene, "DELETE", `/members/${instructor.userId}`);
    },
    async (at, scene, { instructors }) => {
      const { data } = expectStatus(200, await asked(at, scene, "/members")).body;
      const isMember = data.some(({ user_id }: { user_id: string }) => user_id === scene.school.instructor.userId);
      expect(instructors).toHaveLength(isMember ? 1 : 0);
      return !isMember;
    },
  );
}, 300_000);
