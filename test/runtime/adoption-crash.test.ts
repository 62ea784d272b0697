import { afterAll, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { users } from "../../src/identity/identity.tables.ts";
import { auditVerify } from "../../src/modules/operations/commands.ts";
import { adopted, exported, newPlace, removeFolders } from "../http/moving/moves.ts";
import { newInstallation } from "../support/installation.ts";
import { unexamined } from "../support/operator.ts";
import { expectStatus, newSchool, password } from "../support/school.ts";
import { atEachStep, closeFiles } from "./crash-steps.ts";

afterAll(removeFolders);

const schoolsIn = async (directory: string) =>
  (await readdir(directory)).filter((name) => /^[0-9a-f-]{36}\.db|^adopting/.test(name) && !/-(wal|shm)$/.test(name));

test("an adoption killed at any step leaves nothing of the school or everything, and an acknowledged one always", async () => {
  const first = await newPlace();
  const { orgId, owner } = await newSchool(first);
  const file = await exported(first, orgId);
  const origin = await mkdtemp(join(tmpdir(), "windsock-crash-"));
  await closeFiles(await newInstallation({ directory: origin }), origin);

  const outcomes = new Set<string>();
  const steps = await atEachStep(
    origin,
    (at) => adopted(at, file),
    async (directory, isAcknowledged) => {
      const at = await newInstallation({ directory });
      if ((await at.storage.control.read((reader) => reader.$count(users))) === 0) {
        outcomes.add("nothing");
        expect(isAcknowledged).toBe(false);
        expect(await schoolsIn(directory)).toEqual([]);
        if (outcomes.size === 1) await adopted(at, file);
      } else {
        outcomes.add("everything");
        expect(await schoolsIn(directory)).toEqual([`${orgId}.db`]);
      }
      if (await at.storage.control.read((reader) => reader.$count(users))) {
        const login = await at.call("POST", "/auth/login", { body: { email: owner.email, password } });
        const token = expectStatus(200, login).body.access_token;
        const people = expectStatus(200, await at.call("GET", `/orgs/${orgId}/people`, { token })).body.data;
        expect(people).toHaveLength(3);
        expect(await auditVerify.handle({ ...at, ...unexamined }, {})).toMatchObject({ ok: true });
        const log = await at.call("GET", `/orgs/${orgId}/audit-log?action=organization.adopted`, { token });
        expect(expectStatus(200, log).body.data.length).toBeGreaterThanOrEqual(1);
      }
      await at.close();
    },
  );
  expect([...outcomes]).toEqual(["nothing", "everything"]);
  expect(steps).toBeGreaterThanOrEqual(8);
  await rm(origin, { recursive: true, force: true });
}, 300_000);
