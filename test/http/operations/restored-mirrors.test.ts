/** What programs that keep a copy of a school's lists are told after a restore from a backup. */
import { expect, test } from "bun:test";
import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterThisTest } from "../../support/after-test.ts";
import { type Answer, type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus, newSchool } from "../../support/school.ts";

const lists = {
  flights: "/flights?updated_since=2000-01-01T00:00:00Z",
  pilots: "/pilots?updated_since=2000-01-01T00:00:00Z",
  events: "/events?order=asc",
};
const names = Object.keys(lists) as (keyof typeof lists)[];

type Cursors = Record<string, string>;

interface Restore {
  /** The running installation, with writes after the backup. */
  at: Installation;
  data: string;
  backup: string;
  orgId: string;
  ask: (at: Installation, path: string) => Promise<Answer>;
}

/** A school that wrote before a backup and after it. @param restore returns the installation with the backup */
async function restoredSchool(restore: (options: Restore) => Promise<Installation>) {
  const directory = await mkdtemp(join(tmpdir(), "windsock-mirrors-"));
  afterThisTest(() => rm(directory, { recursive: true, force: true }));
  const [data, backup] = [join(directory, "data"), join(directory, "backup")];
  const first = await newInstallation({ directory: data });
  const school = await newSchool(first);
  const { orgId, owner, student } = school;
  const key = await school.apiKey("public.flights:read", "public.pilots:read", "public.events:read");
  const ask = (at: Installation, path: string) => at.call("GET", `/api/v1/public${path}`, { token: key, org: orgId });
  const cursorsOf = async (at: Installation): Promise<Cursors> => {
    const read = async (name: keyof typeof lists) => [
      name,
      expectStatus(200, await ask(at, lists[name])).body.page.last_cursor,
    ];
    return Object.fromEntries(await Promise.all(names.map(read)));
  };
  const write = async (at: Installation, name: string) => {
    const call = (method: string, path: string, body: object, token = owner.token) =>
      at.call(method, `/orgs/${orgId}${path}`, { token, body });
    expectStatus(201, await call("POST", "/people", { name, types: ["pilot"] }));
    const record = { person_id: student.personId, type: "sep", issued_on: "2025-01-15", valid_until: "2027-01-31" };
    expectStatus(201, await call("POST", "/compliance/records", record));
  };
  await school.submitFlight(student);
  await write(first, "Before the backup");
  const before = await cursorsOf(first);
  await first.close();
  await cp(data, backup, { recursive: true });

  const second = await newInstallation({ directory: data, clock: first.clock });
  await write(second, "After the backup");
  const lost = await cursorsOf(second);
  const at = await restore({ at: second, data, backup, orgId, ask });
  const continued = async (cursors: Cursors) => {
    const read = async (name: keyof typeof lists) => {
      const { status, body } = await ask(at, `${lists[name]}&cursor=${encodeURIComponent(cursors[name] ?? "")}`);
      return [name, status, body.error?.reason ?? body.data.length];
    };
    return Promise.all(names.map(read));
  };
  return { at, before, lost, write, cursorsOf, continued };
}

const each = (status: number, reason: unknown) => names.map((name) => [name, status, reason]);
const isGone = each(410, "records_restored");

const restores: Record<string, (options: Restore) => Promise<Installation>> = {
  async "the school's file, while the server is stopped"({ at, data, backup, orgId }) {
    await at.close();
    for (const suffix of ["-wal", "-shm"]) await rm(join(data, `${orgId}.db${suffix}`), { force: true });
    await cp(join(backup, `${orgId}.db`), join(data, `${orgId}.db`));
    return newInstallation({ directory: data, clock: at.clock });
  },
  async "the school's file, under the running server"({ at, data, backup, orgId, ask }) {
    const path = join(data, `${orgId}.db`);
    await rename(path, `${path}.old`);
    await at.storage.tenants.checkpointIdle();
    expectStatus(503, await ask(at, lists.flights));
    for (const suffix of ["-wal", "-shm"]) await rm(`${path}${suffix}`, { force: true });
    await cp(join(backup, `${orgId}.db`), `${path}.new`);
    await rename(`${path}.new`, path);
    return at;
  },
  async "the whole data directory"({ at, data, backup }) {
    await at.close();
    await rm(data, { recursive: true });
    await cp(backup, data, { recursive: true });
    return newInstallation({ directory: data, clock: at.clock });
  },
};

test.each(Object.entries(restores))(
  "after a restore of %s, cursors of what it has undone get 410, and older ones are continued",
  async (_, restore) => {
    const { at, before, lost, write, cursorsOf, continued } = await restoredSchool(restore);
    expect(await continued(lost)).toEqual(isGone);
    expect(await continued(before)).toEqual(each(200, 0));
    const anew = await cursorsOf(at);

    // The log is as long as it was, but another one.
    await write(at, "After the restore");
    await write(at, "Again");
    expect(await continued(lost)).toEqual(isGone);
    const added = [
      ["flights", 200, 0],
      ["pilots", 200, 2],
      ["events", 200, expect.any(Number)],
    ];
    expect(await continued(anew)).toEqual(added);
    expect(await continued(before)).toEqual(added);
    await at.close();
  },
  30_000,
);

test("a cursor stays valid over a restart", async () => {
  const { at, lost, continued } = await restoredSchool(async ({ at, data }) => {
    await at.close();
    return newInstallation({ directory: data, clock: at.clock });
  });
  expect(await continued(lost)).toEqual(each(200, 0));
  await at.close();
});
