/** Backups of databases on a libSQL server, which are those of files. */
import { afterEach, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { auditVerify, backup, drill } from "../../../src/modules/operations/commands.ts";
import { orgDelete, orgList } from "../../../src/modules/operations/org-commands.ts";
import { restoreInstallation } from "../../../src/storage/backup/restore.ts";
import { checkerInThisProcess } from "../../../src/storage/check/checker.ts";
import { namespaces } from "../../../src/storage/control.tables.ts";
import { fillServer, requireEmptyServer } from "../../../src/storage/server/fill-server.ts";
import { depsOf } from "../../http/moving/moves.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus, newSchool, password, type School } from "../../support/school.ts";
import { cleanUp, newDirectory } from "../temporary.ts";
import { move } from "./moving-schools.ts";
import { installationOn, newServer, secret, variablesFor } from "./servers.ts";

afterEach(cleanUp);

/** Restores a backup into the files of another installation, with the same key. */
async function restoredIntoFiles({ clock }: Installation, from: string): Promise<Installation> {
  const directory = await newDirectory();
  const request = { from, force: false, reason: "The server is lost.", by: "olga" };
  const options = { directory, checker: checkerInThisProcess, now: clock.now(), secret: Buffer.from(secret) };
  await restoreInstallation(request, options);
  const files = await newInstallation({ directory, env: { WINDSOCK_SECRET_KEY: secret } });
  expect(await files.scheduler.runNow("finish-restore")).toMatchObject({ outcome: "succeeded" });
  return files;
}

test("a backup of a server is a backup of files: a drill tries it, and it is restored into files", async () => {
  const place = await newDirectory();
  const server = await installationOn(await newServer(), { env: { WINDSOCK_BACKUP_DIR: place } });
  const { orgId, owner, student, flightBody } = await newSchool(server);
  expectStatus(201, await student.post("/flights", flightBody({ blockMinutes: 62 })));
  const deps = { ...depsOf(server), backupPlace: place };

  expect(await backup.handle(deps, {})).toMatchObject({
    outcome: "succeeded",
    summary: expect.stringContaining("2 databases"),
  });
  expect((await readdir(server.directory)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  expect(await drill.handle(deps, {})).toMatchObject({ outcome: "succeeded" });
  const made = await server.storage.backups.newest(place);
  expect(made?.manifest.files.map(({ database }) => String(database)).sort()).toEqual([orgId, "control"].sort());

  const files = await restoredIntoFiles(server, made?.path ?? "");
  const signedIn = await files.call("POST", "/auth/login", { body: { email: owner.email, password } });
  const { access_token: token } = expectStatus(200, signedIn).body;
  const path = `/orgs/${orgId}/flights`;
  const flights = expectStatus(200, await files.call("GET", path, { token })).body.data;
  expect(flights).toEqual(expectStatus(200, await owner.get("/flights")).body.data);
  expect(flights).toHaveLength(1);
  expect(await auditVerify.handle(depsOf(files), {})).toMatchObject({ ok: true });
}, 60_000);

test("one school of a backup comes back to its server by way of files, and the others stay as they are", async () => {
  const place = await newDirectory();
  const server = await installationOn(await newServer(), { env: { WINDSOCK_BACKUP_DIR: place } });
  const [wronged, other] = [await newSchool(server), await newSchool(server)];
  const fly = ({ student, flightBody }: School) => student.post("/flights", flightBody({ blockMinutes: 62 }));
  for (const school of [wronged, other]) expectStatus(201, await fly(school));
  const deps = { ...depsOf(server), backupPlace: place };
  expect(await backup.handle(deps, {})).toMatchObject({ outcome: "succeeded" });
  const before = expectStatus(200, await wronged.owner.get("/flights")).body.data;
  for (const school of [wronged, other]) expectStatus(201, await fly(school));

  const files = await restoredIntoFiles(server, (await server.storage.backups.newest(place))?.path ?? "");
  const id = wronged.orgId;
  await expect(move(files, server, id)).rejects.toThrow("is at both installations");
  const { name } = (await orgList.handle(deps, {})).organizations.find((one) => one.id === id) ?? {};
  await orgDelete.handle(deps, { id, confirm: name ?? "", grace: "0d", "without-backup": false });
  expect(await server.scheduler.runNow("organization-removal")).toMatchObject({ outcome: "succeeded" });
  await move(files, server, id);

  const flightsOf = async (school: School) => {
    const { email } = school.owner;
    const signedIn = await server.call("POST", "/auth/login", { body: { email, password } });
    const { access_token: token } = expectStatus(200, signedIn).body;
    return expectStatus(200, await server.call("GET", `/orgs/${school.orgId}/flights`, { token })).body.data;
  };
  expect(await flightsOf(wronged)).toEqual(before);
  expect(await flightsOf(other)).toHaveLength(2);
  expect(await auditVerify.handle(deps, {})).toMatchObject({ ok: true });
}, 60_000);

test("a school that can't be read is missing in the backup, and the others are in it", async () => {
  const place = await newDirectory();
  const sqld = await newServer({ hasKey: false });
  const server = await installationOn(sqld, { env: { WINDSOCK_BACKUP_DIR: place } });
  const { orgId } = await newSchool(server);
  const other = await newSchool(server);
  await fetch(`${sqld.settings().adminUrl}/v1/namespaces/${server.prefix}${orgId}`, {
    method: "DELETE",
    body: "{}",
    headers: { "content-type": "application/json" },
  });
  expect(await backup.handle({ ...depsOf(server), backupPlace: place }, {})).toMatchObject({ outcome: "failed" });
  const made = await server.storage.backups.newest(place);
  expect(made?.manifest.files.map(({ database }) => String(database)).sort()).toEqual([other.orgId, "control"].sort());
  expect(made?.manifest.missing).toMatchObject([{ organization: orgId }]);
}, 60_000);

test("a backup is restored into an empty server, also after it was interrupted, and into no other", async () => {
  const place = await newDirectory();
  const sqld = await newServer();
  const first = await installationOn(sqld, { env: { WINDSOCK_BACKUP_DIR: place } });
  const { orgId, owner } = await newSchool(first);
  await backup.handle({ ...depsOf(first), backupPlace: place }, {});
  const from = (await first.storage.backups.newest(place))?.path ?? "";
  await expect(requireEmptyServer(sqld.settings(first.prefix))).rejects.toThrow("The server has an installation");

  const directory = await newDirectory();
  const settings = sqld.settings("restored-");
  const options = { directory, checker: checkerInThisProcess, now: first.clock.now(), secret: Buffer.from(secret) };
  const restored = async (step?: (name: string) => void) => {
    await requireEmptyServer(settings);
    const request = { from, force: true, reason: "The server is lost.", by: "olga" };
    await restoreInstallation(request, options);
    await fillServer({ directory, settings, checker: checkerInThisProcess, ...(step && { step }) });
  };
  const variables = { directory, env: await variablesFor(sqld, "restored-"), checked: false };
  for (const at of ["fill: school", "fill: control", "fill: end"]) {
    const killed = restored((step) => {
      if (step === at) throw new Error(at);
    });
    await expect(killed).rejects.toThrow(at);
  }
  // Its control database is not whole.
  await expect(newInstallation(variables)).rejects.toThrow("has tables that are not Windsock's");
  await restored();
  await expect(requireEmptyServer(settings)).rejects.toThrow("The server has an installation");
  expect((await readdir(directory)).filter((name) => name.endsWith(".db") && name !== "lock.db")).toEqual([]);

  const second = await newInstallation(variables);
  expect(await second.scheduler.runNow("finish-restore")).toMatchObject({ outcome: "succeeded" });
  const signedIn = await second.call("POST", "/auth/login", { body: { email: owner.email, password } });
  const { access_token: token } = expectStatus(200, signedIn).body;
  expect(expectStatus(200, await second.call("GET", `/orgs/${orgId}/people`, { token })).body.data).toHaveLength(3);
  expect(await auditVerify.handle(depsOf(second), {})).toMatchObject({ ok: true });
  // Its namespace is known: it can be deleted.
  expect(await second.storage.inspection.unowned()).toEqual([]);
  const noted = await second.storage.control.read((reader) => reader.select().from(namespaces));
  expect(noted).toMatchObject([{ org_id: orgId }]);
}, 60_000);
