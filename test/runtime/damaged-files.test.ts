/** Damaged files and a real server, which a supervisor starts again, as systemd does. */
import { afterEach, expect, test } from "bun:test";
import { copyFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { newInstallation } from "../support/installation.ts";
import { newSchool } from "../support/school.ts";
import { damageText } from "./files.ts";
import { endProcesses, newFolder, run } from "./processes.ts";
import { supervised } from "./supervised.ts";

afterEach(endProcesses);

const seconds = (n: number) => n * 1000;

interface StoppedSchool {
  id: string;
  key: string;
  path: string;
}

/** Makes schools with a person, an aircraft, an event and an API key, and closes them. */
async function stoppedSchools(count: number) {
  const directory = join(await newFolder(), "data");
  const at = await newInstallation({ directory });
  const schools: StoppedSchool[] = [];
  for (let made = 0; made < count; made += 1) {
    const school = await newSchool(at);
    await school.submitFlight(school.student);
    const key = await school.apiKey("public.events:read");
    schools.push({ id: school.orgId, key, path: join(directory, `${school.orgId}.db`) });
  }
  await at.close();
  return { directory, schools, control: join(directory, "control.db") };
}

/** A supervised server, and the requests of these tests. */
async function serving(directory: string) {
  const server = await supervised(directory);
  const events = ({ key, id }: StoppedSchool) =>
    server.ask("/api/v1/public/events", { headers: { authorization: `Bearer ${key}`, "x-org-id": id } });
  return { ...server, events };
}

test(
  "a byte that is not UTF-8 takes its own school out of service, without a restart, until a good file is in place",
  async () => {
    const { directory, schools } = await stoppedSchools(3);
    const [first, second, healthy] = schools as [StoppedSchool, StoppedSchool, StoppedSchool];
    await copyFile(first.path, `${first.path}.good`);
    await damageText(first.path, "Europe/Berlin"); // meta, which every opening reads
    await damageText(second.path, "flight.submitted");

    const server = await serving(directory);
    for (const school of [first, second]) {
      const answer = await server.events(school);
      expect(answer?.status).toBe(503);
      expect(JSON.parse(answer?.text ?? "").error.code).toBe("TENANT_UNAVAILABLE");
    }
    expect((await server.events(healthy))?.status).toBe(200);

    const { data } = JSON.parse((await server.ask("/debug/unusable-tenants"))?.text ?? "");
    // In the order in which they were found.
    expect(data).toHaveLength(2);
    expect(data).toContainEqual(
      expect.objectContaining({ organization_id: first.id, faults: ["meta.time_zone of row 1 is not UTF-8"] }),
    );
    expect(data).toContainEqual(
      expect.objectContaining({
        organization_id: second.id,
        faults: expect.arrayContaining(["events.type of row 1 is not UTF-8"]),
      }),
    );
    expect(server.log()).toContain("meta.time_zone of row 1 is not UTF-8");
    expect(server.log()).toContain(first.path);

    await rename(`${first.path}.good`, first.path);
    expect((await server.events(first))?.status).toBe(200);
    expect((await server.events(second))?.status).toBe(503);
    expect(server.restarts()).toBe(0);
    expect(await server.stop()).toBe(0);
  },
  seconds(60),
);

test(
  "damage that the file's time does not show costs one restart, and then only its own school",
  async () => {
    const { directory, schools } = await stoppedSchools(3);
    const [first, second, healthy] = schools as [StoppedSchool, StoppedSchool, StoppedSchool];
    // A first run notes the files.
    const before = await serving(directory);
    for (const school of schools) expect((await before.events(school))?.status).toBe(200);
    await before.stop();
    // In the scopes of the API key, which its authentication reads.
    await damageText(first.path, "public.events:read", { keepTime: true });

    const server = await serving(directory);
    expect((await server.events(first))?.status).toBeUndefined();
    expect((await server.events(first))?.status).toBe(503);
    expect((await server.events(healthy))?.status).toBe(200);

    // While the server runs, in a page that it has not read.
    expect((await server.events({ ...second, key: healthy.key }))?.status).toBe(401);
    await damageText(second.path, "public.events:read");
    expect((await server.events(second))?.status).toBeUndefined();
    expect((await server.events(second))?.status).toBe(503);
    expect((await server.events(healthy))?.status).toBe(200);
    expect(server.restarts()).toBe(2);
    await server.stop();

    // The next start knows them.
    const next = await serving(directory);
    expect((await next.events(first))?.status).toBe(503);
    expect((await next.events(healthy))?.status).toBe(200);
    expect(next.restarts()).toBe(0);
  },
  seconds(60),
);

test(
  "a control.db with a byte that is not UTF-8 stops the start with its table, column and row",
  async () => {
    const { directory, control } = await stoppedSchools(1);
    await damageText(control, "School ");
    const { code, stderr } = await run([], { env: { WINDSOCK_DATA_DIR: directory } });
    expect(code).toBe(1);
    expect(stderr).toContain(`${control} is damaged:`);
    expect(stderr).toContain("organizations.name of row 1 is not UTF-8");
  },
  seconds(60),
);

test(
  "windsock check and audit verify list the faults of each file, with and without a server",
  async () => {
    const { directory, schools } = await stoppedSchools(2);
    const [first, healthy] = schools as [StoppedSchool, StoppedSchool];
    const env = { WINDSOCK_DATA_DIR: directory };
    expect((await run(["check"], { env })).code).toBe(0);
    await damageText(first.path, '{"by":', { keepTime: true });

    const check = async () => {
      const { code, stdout } = await run(["check"], { env });
      expect(code).toBe(1);
      const lines = stdout.trimEnd().split("\n");
      expect(lines[0]).toBe("control: ok");
      expect(lines).toContain(`${first.id}: audit_log.payload of row 1 is not UTF-8`);
      expect(lines.filter((line) => line.startsWith(healthy.id))).toEqual([`${healthy.id}: ok`]);
    };
    const verify = async (fault: string) => {
      const { code, stdout } = await run(["audit", "verify"], { env });
      expect(code).toBe(1);
      expect(stdout).toContain(`${first.id}: 0 rows, ${fault}\n`);
      expect(stdout).toMatch(new RegExp(`^${healthy.id}: \\d+ rows, ok$`, "m"));
    };
    await verify("audit_log.payload of row 1 is not UTF-8");
    await check();
    const server = await serving(directory);
    await check();
    await verify("the tenant can't be opened or read");
    expect((await server.events(first))?.status).toBe(503);
    expect(await run(["check", "--org", healthy.id], { env })).toMatchObject({
      code: 0,
      stdout: `${healthy.id}: ok\n`,
    });
    expect(server.restarts()).toBe(0);
  },
  seconds(60),
);
