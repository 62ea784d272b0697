/** A school goes from files to a libSQL server and back. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tenantMigrations } from "../../../migrations/tenant/index.ts";
import { newId } from "../../../src/core/ids.ts";
import { auditVerify } from "../../../src/modules/operations/commands.ts";
import { dumpNamespace, loadNamespace } from "../../../src/storage/server/copy-namespace.ts";
import { Engine } from "../../../src/storage/server/engine.ts";
import { migrateNamespace, plain } from "../../../src/storage/server/migrate-namespace.ts";
import { namespaceAddress } from "../../../src/storage/server/store-settings.ts";
import { expectMoved, fullSchool } from "../../http/moving/full-school.ts";
import { depsOf, newFolder, newPlace, removeFolders, rowsOf } from "../../http/moving/moves.ts";
import { closeFiles } from "../../runtime/crash-steps.ts";
import { run } from "../../runtime/processes.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus, newSchool, password } from "../../support/school.ts";
import { resume, suspend } from "../../support/suspending.ts";
import { cleanUp, newDirectory } from "../temporary.ts";
import { forgetNodes, killMove, movesPrefix } from "./killed-moves.ts";
import { move, stateAt } from "./moving-schools.ts";
import { installationOn, newServer, variablesFor } from "./servers.ts";

afterEach(cleanUp);
afterAll(removeFolders);

async function logIn(at: Installation, email: string): Promise<string> {
  return expectStatus(200, await at.call("POST", "/auth/login", { body: { email, password } })).body.access_token;
}

const fileIn = ({ directory }: Installation, id: string) => join(directory, `${id}.db`);

test("a school goes from files to a server and back to other files, with every row of each table", async () => {
  const { installation: first, orgId, owner } = await fullSchool();
  const server = await installationOn(await newServer());
  const before = await rowsOf(fileIn(first, orgId));

  expect(await move(first, server, orgId)).toMatchObject({ adopted: { organization_id: orgId, links: [] } });
  expect([await stateAt(first, orgId), await stateAt(server, orgId)]).toEqual(["suspended", "active"]);
  expect(await auditVerify.handle(depsOf(server), {})).toMatchObject({ ok: true });
  const token = await logIn(server, owner.email);
  expectStatus(200, await server.call("GET", `/orgs/${orgId}/flights`, { token }));
  // Only the lock and what belongs to the node.
  expect((await readdir(server.directory)).filter((name) => name.includes(orgId))).toEqual([]);

  const last = await newPlace();
  await move(server, last, orgId);
  expect([await stateAt(server, orgId), await stateAt(last, orgId)]).toEqual(["suspended", "active"]);
  const after = await rowsOf(fileIn(last, orgId));
  expectMoved(before, after, { times: 4, metaColumns: ["changes", "writes"] });
  expect(await auditVerify.handle(depsOf(last), {})).toMatchObject({ ok: true });
  await first.close();
}, 120_000);

test("a move killed at any step leaves the school at one installation, and the next run goes on", async () => {
  const sqld = await newServer();
  const files = { directory: await newFolder(), env: {} };
  const server = { directory: await newFolder(), env: await variablesFor(sqld, movesPrefix) };
  const otherFiles = { directory: await newFolder(), env: {} };
  const first = await newInstallation({ ...files, collectGarbage: () => Bun.gc(true) });
  const { orgId: id, owner } = await newSchool(first);
  await closeFiles(first, files.directory);
  await (await newInstallation({ ...server, checked: false })).close();

  // Each process goes on from what the one before it has left.
  const there = ["move: suspend", "move: export", "export: sealed", "tenant namespace: created"];
  const found = [];
  for (const step of [...there, "tenant namespace: compared", "adoption: owned", ""])
    found.push([step, await killMove({ id, from: files, to: server, step }, sqld)]);
  // `adoption: place`: the organization is committed, and its file has not its name yet.
  for (const step of ["export: sealed", "adoption: stage", "adoption: place"])
    found.push([step, await killMove({ id, from: server, to: otherFiles, step }, sqld)]);
  expect(found).toEqual([
    ["move: suspend", "active, nowhere"],
    ["move: export", "active, nowhere"],
    ["export: sealed", "suspended, nowhere"],
    ["tenant namespace: created", "suspended, nowhere"],
    ["tenant namespace: compared", "suspended, nowhere"],
    ["adoption: owned", "suspended, nowhere"],
    // Moved by the process that was killed after it. This one has only to say so.
    ["", "suspended, active"],
    ["export: sealed", "active, nowhere"],
    ["adoption: stage", "suspended, nowhere"],
    ["adoption: place", "suspended, nowhere"],
  ]);

  await forgetNodes(sqld);
  const [on, last] = [await newInstallation(server), await newInstallation(otherFiles)];
  expect([await stateAt(on, id), await stateAt(last, id)]).toEqual(["suspended", "active"]);
  expect(await move(on, last, id)).toEqual({ name: expect.any(String), adopted: null });
  const token = await logIn(last, owner.email);
  expect(expectStatus(200, await last.call("GET", `/orgs/${id}/people`, { token })).body.data).toHaveLength(3);
  expect(await auditVerify.handle(depsOf(last), {})).toMatchObject({ ok: true });
  for (const { directory } of [on, last])
    expect((await readdir(directory)).filter((name) => /tmp$|age$/.test(name))).toEqual([]);
  await last.close();
}, 120_000);

test("a move that fails leaves the school where it was, and is refused where it would be served twice", async () => {
  const first = await newPlace();
  const server = await installationOn(await newServer());
  const { orgId: id, owner } = await newSchool(first);
  const other = await newSchool(first);
  const refused = await move(first, server, id, { owner: "nobody" }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "VALIDATION_ERROR" });
  expect([await stateAt(first, id), await stateAt(server, id)]).toEqual(["active", undefined]);
  expectStatus(200, await owner.get("/flights"));

  await suspend({ installation: first, orgId: id });
  await expect(move(first, server, id)).rejects.toThrow("is suspended (Invoice 7 is not paid.). Resume it first");
  await resume({ installation: first, orgId: id });
  await move(first, server, id);
  expect(await stateAt(server, id)).toBe("active");
  expectStatus(200, await other.owner.get("/flights"));
  // Neither back, where it is, nor again.
  await expect(move(server, first, id)).rejects.toThrow(
    "is at both installations: active at the first, suspended (It moves to",
  );
  expect(await move(first, server, id)).toMatchObject({ adopted: null });
  await resume({ installation: first, orgId: id });
  await expect(move(first, server, id)).rejects.toThrow(
    "is at both installations: active at the first, active at the second",
  );
  await expect(move(first, first, id)).rejects.toThrow("Both installations have the data directory");
  await expect(move(first, server, newId<"organization">(first.clock))).rejects.toThrow("There is no organization");
}, 60_000);

test("the command line moves a school by a file with the variables of the other installation", async () => {
  const files = await newFolder();
  const first = await newInstallation({ directory: files, collectGarbage: () => Bun.gc(true) });
  const { orgId } = await newSchool(first);
  await closeFiles(first, files);
  const variables = join(await newFolder(), "first.env");
  const env = { ...(await variablesFor(await newServer(), "line-")), WINDSOCK_DATA_DIR: await newFolder() };
  const org = (...args: string[]) => run(["org", ...args], { env });

  await writeFile(variables, "WINDSOCK_PORT=3000\n");
  const unnamed = await org("move", orgId, "--from", variables);
  expect(unnamed).toMatchObject({ code: 1, stderr: expect.stringContaining("has no WINDSOCK_DATA_DIR") });
  await writeFile(variables, `WINDSOCK_DATA_DIR=${files}\n`);
  const moved = await org("move", orgId, "--from", variables);
  expect(moved).toMatchObject({ code: 0, stdout: expect.stringContaining(`is adopted: ${orgId}`) });
  expect(moved.stderr).toContain(`windsock org delete ${orgId}`);
  const listed = await org("list", "--json");
  expect(JSON.parse(listed.stdout).organizations).toMatchObject([{ id: orgId, state: "active" }]);
}, 60_000);

test("a namespace that has not the rows of the file is not used", async () => {
  const engine = new Engine((await newServer()).settings());
  await engine.create("loaded");
  const session = engine.session("loaded");
  await migrateNamespace(session, tenantMigrations);
  await session.read([plain("create trigger forgets after insert on people begin delete from people; end")]);
  const first = await newPlace();
  const { orgId } = await newSchool(first);
  await expect(loadNamespace(session, fileIn(first, orgId))).rejects.toThrow(
    "The table people has 0 rows on the server, not 3.",
  );
  session.close();
});

test("a dump has what the namespace had at one moment", async () => {
  const sqld = await newServer({ hasKey: false });
  const settings = sqld.settings();
  let writing: (() => void) | undefined;
  const engine = new Engine({
    ...settings,
    traffic: {
      onTrip: (_, [sql = ""]) => {
        if (sql.includes('from "used_keys"')) writing?.();
      },
    },
  });
  await engine.create("dumped");
  const session = engine.session("dumped");
  await migrateNamespace(session, tenantMigrations);
  const insert = "insert into applied_intents (id, applied_at) values (hex(randomblob(8)), '2026')";
  await session.read([plain(insert)]);
  const url = namespaceAddress(settings.url, "dumped").url.replace("ws:", "http:");
  // By another process, before the next statement of the dump is sent.
  writing = () => {
    writing = undefined;
    const body = JSON.stringify({
      statements: [
        insert
          .replace("applied_intents (id, applied_at)", "used_keys (id, body_hash, used_at)")
          .replace("'2026')", "'', '2026')"),
      ],
    });
    Bun.spawnSync([
      process.execPath,
      "-e",
      `const { status } = await fetch("${url}", { method: "POST", body: ${JSON.stringify(body)} }); process.exit(status === 200 ? 0 : 1)`,
    ]);
  };
  const to = join(await newDirectory(), "dumped.db");
  await dumpNamespace(session, "tenant", to);
  expect(writing).toBeUndefined();
  const dumped = await rowsOf(to);
  expect([dumped.applied_intents?.length, dumped.used_keys?.length]).toEqual([1, 0]);
  const [now] = await session.read([plain("select count(*) from used_keys")]);
  expect(now).toMatchObject({ result: { rows: [[1]] } });
  session.close();
});
