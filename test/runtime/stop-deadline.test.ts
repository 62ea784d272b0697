/** A stop ends at its deadline, whatever is still open, and loses nothing that was acknowledged. */
import { afterEach, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import type { OrgId } from "../../src/core/ids.ts";
import { people } from "../../src/modules/people/people.tables.ts";
import { tenantMarks } from "../../src/storage/control.tables.ts";
import { TestClock } from "../support/clock.ts";
import { newInstallation } from "../support/installation.ts";
import { newSchool, password, type School } from "../support/school.ts";
import { endProcesses, newFolder, start, startServer, stop, urlOf } from "./processes.ts";

afterEach(endProcesses);

const program = [process.execPath, join(import.meta.dir, "serving-until.ts")] as const;

/** Adds a person to a school, by a request. */
async function addPerson(url: string, { owner, orgId }: School, name: string): Promise<void> {
  const send = async (path: string, body: object, token = "") => {
    const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const { access_token } = await send("/auth/login", { email: owner.email, password });
  await send(`/orgs/${orgId}/people`, { name, types: ["student"] }, access_token);
}

test("at the deadline of a stop the process ends in order, and the next start recovers the schools that are left", async () => {
  const directory = join(await newFolder(), "data");
  const before = await newInstallation({ directory });
  const schools = [await newSchool(before), await newSchool(before), await newSchool(before)];
  const ids = schools.map(({ orgId }) => orgId as OrgId);
  await before.close();

  const server = await start(["1"], { runtime: { command: program }, env: { WINDSOCK_DATA_DIR: directory } });
  const url = await urlOf(server);
  for (const school of schools) await addPerson(url, school, "Acknowledged");
  const stopped = await stop(server);

  expect([stopped.code, stopped.stdout]).toEqual([0, expect.stringContaining('"files":3')]);
  expect(stopped.stdout).toContain("The next start completes 3 database files.");
  const inUse = JSON.parse(await readFile(join(directory, "in-use.json"), "utf8"));
  expect(inUse.tenants.toSorted()).toEqual(ids.toSorted());

  const next = await startServer({ WINDSOCK_DATA_DIR: directory });
  await addPerson(await urlOf(next), schools[0] as School, "Later");
  expect((await stop(next)).stdout).toContain("All database files are complete.");
  // The servers stored the real time: to an earlier one, their marks would be of a clock that was set back.
  const after = await newInstallation({ directory, clock: new TestClock(Temporal.Now.instant().toString()) });
  for (const id of ids) {
    const named = await after.storage.tenants
      .tenant(id)
      .read((reader) => reader.select({ id: people.id }).from(people).where(eq(people.name, "Acknowledged")));
    expect(named).toHaveLength(1);
  }
  const dirty = await after.storage.control.read((reader) =>
    reader.select().from(tenantMarks).where(eq(tenantMarks.dirty, true)),
  );
  expect(dirty).toEqual([]);
}, 300_000);
