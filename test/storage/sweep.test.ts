/** How a start handles files that no organization owns. */
import { afterEach, expect, test } from "bun:test";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newId, newIdAt } from "../../src/core/ids.ts";
import { audit } from "../../src/storage/audit.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { newStorage, newTenant, onFile } from "./storages.ts";
import { cleanUp } from "./temporary.ts";

afterEach(cleanUp);

const filesIn = async (directory: string) =>
  (await readdir(directory)).filter((name) => !/-(wal|shm|journal)$/.test(name)).toSorted();

test("what a sign-up that was killed at any step has left is removed, or put aside once it describes a school", async () => {
  const storage = await newStorage();
  const { directory, clock, tenants } = storage;
  const owned = await newTenant(storage);
  const [described, renamed, written] = [newId<"organization">(clock), newId(clock), newId(clock)];
  await tenants.create(described, { name: "Never signed up", time_zone: "UTC" });
  await storage.close();
  const template = await readFile(join(directory, `${described}.db`));
  await writeFile(join(directory, `${renamed}.db`), template);
  await onFile(join(directory, `${renamed}.db`), "delete from meta");
  await writeFile(join(directory, `${written}.db.tmp`), template.subarray(0, 5000));
  await writeFile(join(directory, "template-4711.tmp"), template);

  const again = await newStorage({ directory, clock });
  const left = ["control.db", "lock.db", "secret.key", "unowned", `${owned}.db`];
  expect(await filesIn(directory)).toEqual(left.toSorted());
  expect((await readdir(directory)).filter((name) => name.includes(described) || name.includes(renamed))).toEqual([]);
  const aside = join(directory, "unowned", `${described}.db`);
  expect(await readdir(join(directory, "unowned"))).toEqual([`${described}.db`]);
  expect(again.logged.map(({ level, details }) => [level, details])).toEqual([
    ["warn", { file: `${described}.db`, now: aside }],
  ]);
  expect(await again.tenants.tenant(owned).read((reader) => reader.select().from(meta))).toHaveLength(1);
});

test("a file with records that no organization owns is reported and not removed", async () => {
  const storage = await newStorage();
  const { directory, clock, tenants } = storage;
  const id = newId<"organization">(clock);
  await tenants.create(id, { name: "From a backup", time_zone: "UTC" });
  const context = { actor: { kind: "command_line" as const }, requestId: "" };
  await tenants
    .tenant(id)
    .write((tx) => audit(tx, context, "aircraft.created", { subject: { kind: "aircraft", id: "1" } }));
  await storage.close();
  const path = join(directory, `${id}.db`);
  const before = await readFile(path);

  const again = await newStorage({ directory, clock });
  expect(again.logged).toEqual([
    { level: "warn", details: { file: `${id}.db` }, message: "No organization owns this file. It is not removed." },
  ]);
  await again.close();
  expect((await readFile(path)).equals(before)).toBeTrue();
});

test("a file without records that is older than control.db is reported and not removed: a lost one knew its school", async () => {
  const storage = await newStorage();
  const { directory, clock, tenants } = storage;
  const [older, same] = [newIdAt<"organization">(new Date(clock.now().getTime() - 1)), newId<"organization">(clock)];
  for (const id of [older, same]) await tenants.create(id, { name: "Nothing entered", time_zone: "UTC" });
  await storage.close();

  const again = await newStorage({ directory, clock });
  expect(again.logged.map(({ details }) => String(details.file)).toSorted()).toEqual([`${older}.db`, `${same}.db`]);
  const left = ["control.db", "lock.db", "secret.key", "unowned", `${older}.db`];
  expect(await filesIn(directory)).toEqual(left.toSorted());
});

test("files of other programs are not touched", async () => {
  const storage = await newStorage();
  const { directory, clock } = storage;
  await storage.close();
  const id = newId(clock);
  const foreign = {
    "README.md": "# Tenants",
    "notes.tmp": "somebody's notes",
    [`${id}.db.tmp.txt`]: "about that file",
    [`${id.toUpperCase()}.db`]: "not one of our names",
    "school.db": "nor is this",
    [`${newId(clock)}.db`]: "our name, not our content",
  };
  for (const [name, text] of Object.entries(foreign)) await writeFile(join(directory, name), text);
  const sqlite = `${newId(clock)}.db`;
  await onFile(join(directory, sqlite), "create table bookmarks (url text)", "PRAGMA application_id = 7");
  const bytes = await readFile(join(directory, sqlite));
  await mkdir(join(directory, "folder.tmp"));
  await mkdir(join(directory, "lost+found"));

  const again = await newStorage({ directory, clock });
  const warned = again.logged.flatMap(({ level, details }) => (level === "warn" ? [details.file] : []));
  expect(warned.toSorted()).toEqual([Object.keys(foreign).at(-1), sqlite].toSorted());
  await again.close();
  for (const [name, text] of Object.entries(foreign)) expect(await readFile(join(directory, name), "utf8")).toBe(text);
  expect((await readFile(join(directory, sqlite))).equals(bytes)).toBeTrue();
  expect(await filesIn(directory)).toContain("folder.tmp");
});
