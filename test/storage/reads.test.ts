import { afterEach, expect, test } from "bun:test";
import { readdir, readlink, rename } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { sql } from "drizzle-orm";
import { BodyCache } from "../../src/storage/body-cache.ts";
import { Connection } from "../../src/storage/connection.ts";
import { FileReplaced } from "../../src/storage/file-identity.ts";
import type { Reader } from "../../src/storage/store.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { newSchool } from "../support/school.ts";
import { newNotes, notes, textsOf } from "./rows.ts";
import { newStorage, newTenant } from "./storages.ts";
import { cleanUp, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

/** Returns the tenant's name, and counts its calls. */
function nameQuestion() {
  const question = {
    asked: 0,
    async body(reader: Reader<"tenant">): Promise<string> {
      question.asked += 1;
      const [row] = await reader.select({ name: meta.name }).from(meta);
      return JSON.stringify(row);
    },
  };
  return question;
}

test("readBody returns the cached body until a write, and then the new rows", async () => {
  const storage = await newStorage();
  const tenant = storage.tenants.tenant(await newTenant(storage, "Before"));
  const question = nameQuestion();
  const ask = async () => (await tenant.readBody("name", question.body)).text;

  expect([await ask(), await ask(), await ask()]).toEqual(Array(3).fill('{"name":"Before"}'));
  expect(question.asked).toBe(1);

  await tenant.write((tx) => tx.update(meta).set({ name: "After" }));
  expect([await ask(), await ask()]).toEqual(Array(2).fill('{"name":"After"}'));
  expect(question.asked).toBe(2);
});

test("readBody never returns rolled-back rows", async () => {
  const storage = await newStorage();
  const tenant = storage.tenants.tenant(await newTenant(storage, "Before"));
  const question = nameQuestion();
  let during = "";
  const failing = tenant.write(async (tx) => {
    await tx.update(meta).set({ name: "Never" });
    during = (await tenant.readBody("name", question.body)).text;
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect([during, (await tenant.readBody("name", question.body)).text]).toEqual(Array(2).fill('{"name":"Before"}'));
});

test("a body built during a write is not returned after the write", async () => {
  const storage = await newStorage();
  const tenant = storage.tenants.tenant(await newTenant(storage, "Before"));
  const held = Promise.withResolvers<void>();
  const old = tenant.readBody("name", async (reader) => {
    const [row] = await reader.select({ name: meta.name }).from(meta);
    await held.promise;
    return JSON.stringify(row);
  });
  await tenant.write((tx) => tx.update(meta).set({ name: "After" }));
  held.resolve();
  expect((await old).text).toBe('{"name":"Before"}');
  expect((await tenant.readBody("name", nameQuestion().body)).text).toBe('{"name":"After"}');
});

test("organizations do not share bodies, and a body is not reused after its file was closed", async () => {
  const storage = await newStorage({ maxOpen: 1 });
  const [one, two] = [await newTenant(storage, "One"), await newTenant(storage, "Two")];
  const ask = async (id: typeof one) => (await storage.tenants.tenant(id).readBody("name", nameQuestion().body)).text;
  // With a limit of one, each use opens the file again, and both have the same number of writes.
  expect([await ask(one), await ask(two), await ask(one), await ask(two)]).toEqual(
    ["One", "Two", "One", "Two"].map((name) => JSON.stringify({ name })),
  );
});

test("different questions have different bodies", async () => {
  const storage = await newStorage();
  const tenant = storage.tenants.tenant(await newTenant(storage));
  const [first, second] = [
    await tenant.readBody("first", async () => "1"),
    await tenant.readBody("second", async () => "2"),
  ];
  expect([first.text, second.text]).toEqual(["1", "2"]);
  expect(first.tag).not.toBe(second.tag);
});

test("through the public API: a repeated list is the same, and the next one has a new pilot", async () => {
  const school = await newSchool();
  const stranger = await newSchool(school.installation);
  const [key, foreign] = [await school.apiKey("public.pilots:read"), await stranger.apiKey("public.pilots:read")];
  const names = async (reader: typeof school, by: string) =>
    (await reader.publicGet("/pilots", by)).body.data.map(({ name }: { name: string }) => name);

  const before = await names(school, key);
  expect(await names(school, key)).toEqual(before);
  await school.owner.post("/people", { name: "Zoe Newcomer", types: ["pilot"] });
  expect(await names(school, key)).toEqual([...before, "Zoe Newcomer"]);
  expect(await names(stranger, foreign)).not.toContain("Zoe Newcomer");
});

test("BodyCache removes the least recently used body, and never stores an entry that is too large", async () => {
  // 16 entries: a body of 10 bytes, a name ("v 00") of 4 characters in 2 bytes each, and 200 for the entry.
  const cache = new BodyCache(16 * (10 + 8 + 200));
  const made: string[] = [];
  const ask = async (question: string, length = 10) => {
    const { text } = await cache.get("v", question, async () => {
      made.push(question);
      return "x".repeat(length);
    });
    return text;
  };
  for (let body = 10; body < 26; body += 1) await ask(String(body));
  await ask("10");
  await ask("26");
  await ask("10");
  await ask("11");
  expect(made.slice(16)).toEqual(["26", "11"]);
  expect(await ask("27", 11)).toHaveLength(11);
  await ask("27", 11);
  expect(made.slice(18)).toEqual(["27", "27"]);
  await ask("a long name");
  await ask("a long name");
  expect(made.slice(20)).toEqual(["a long name", "a long name"]);
});

test("BodyCache does not store a body that could not be built", async () => {
  const cache = new BodyCache(1600);
  await expect(cache.get("v", "q", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect((await cache.get("v", "q", async () => "made")).text).toBe("made");
});

test("a read can't write", async () => {
  const file = await newNotes();
  await file.write((tx) => tx.insert(notes).values({ text: "there" }));
  const attempts = [
    (reader: Reader) => reader.values(sql`insert into notes (text) values ('sneaked in')`),
    (reader: Reader) => reader.values(sql`insert into notes (text) values ('sneaked in') returning text`),
    (reader: Reader) => reader.values(sql`delete from notes`),
    (reader: Reader) => reader.values(sql`drop table notes`),
  ];
  for (const attempt of attempts) await expect(file.read(async (reader) => attempt(reader))).rejects.toThrow();
  expect(await file.read(textsOf)).toEqual(["there"]);
});

test("a cached statement sees each write, with new values", async () => {
  const file = await newNotes();
  for (let count = 1; count <= 3; count += 1) {
    await file.write((tx) => tx.insert(notes).values({ text: `note ${count}` }));
    const found = await file.read((reader) =>
      reader
        .select()
        .from(notes)
        .where(sql`${notes.text} = ${`note ${count}`}`),
    );
    expect(found).toEqual([{ id: count, text: `note ${count}` }]);
  }
});

test("a connection runs more statements than it caches", async () => {
  const path = `${await newDirectory()}/notes.db`;
  const file = await newNotes({ path });
  await file.write((tx) => tx.insert(notes).values({ text: "one" }));
  const connection = new Connection(path, "read");
  for (let round = 0; round < 2; round += 1) {
    for (let question = 0; question < 200; question += 1) {
      const { rows } = await connection.execute(`select ${question}, text from notes where id = ?`, [1]);
      expect(rows.map((row) => Array.from(row))).toEqual([[question, "one"]]);
    }
  }
  await expect(connection.execute("select 1 from nowhere")).rejects.toThrow("no such table");
  await expect(connection.execute({ sql: "delete from notes", args: [] })).rejects.toThrow();
  connection.close();
});

/** How often this process has the database's own file open: a connection has it once. */
async function connectionsTo(path: string): Promise<number> {
  const links = (await readdir("/proc/self/fd")).map((one) => readlink(join("/proc/self/fd", one)).catch(() => ""));
  return (await Promise.all(links)).filter((target) => target === path).length;
}

test.skipIf(process.platform !== "linux")(
  "a read amid a write has a connection of its own, which is opened for the first of them",
  async () => {
    const path = join(await newDirectory(), "notes.db");
    const file = await newNotes({ path });
    await file.write((tx) => tx.insert(notes).values({ text: "one" }));
    expect(await file.read(textsOf)).toEqual(["one"]);
    expect(await connectionsTo(path)).toBe(1);

    const failed = file.write(async (tx) => {
      await tx.insert(notes).values({ text: "two" });
      expect(await file.read(textsOf)).toEqual(["one"]);
      expect(await file.read((reader) => reader.$count(notes))).toBe(1);
      expect(await file.read((reader) => reader.rows(sql<[string]>`select text from notes`, {}))).toEqual([["one"]]);
      expect(await file.read((reader) => reader.first(sql`select count(*) from notes`, {}))).toEqual([1]);
      throw new Error("not to be stored");
    });
    await expect(failed).rejects.toThrow("not to be stored");
    expect(await file.read(textsOf)).toEqual(["one"]);
    expect(await connectionsTo(path)).toBe(2);
  },
);

test.skipIf(process.platform !== "linux")("the control database has both connections from the start", async () => {
  const path = join(await newDirectory(), "control.db");
  await newNotes({ kind: "control", path });
  expect(await connectionsTo(path)).toBe(2);
});

test("a read amid a write of a file that was replaced meanwhile does not read the other file", async () => {
  const path = join(await newDirectory(), "notes.db");
  const file = await newNotes({ path });
  let read: unknown;
  const writing = file.write(async (tx) => {
    await tx.insert(notes).values({ text: "one" });
    await rename(path, `${path}.aside`);
    await newNotes({ path });
    read = await file.read(textsOf).catch((error: unknown) => error);
  });
  await expect(writing).rejects.toMatchObject({ code: "TENANT_UNAVAILABLE" });
  expect(read).toMatchObject({ code: "TENANT_UNAVAILABLE", cause: expect.any(FileReplaced) });
});
