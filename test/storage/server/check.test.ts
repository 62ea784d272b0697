/** `windsock check` of databases on a server finds what that of files does. */
import { afterEach, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { check } from "../../../src/modules/operations/commands.ts";
import { structureFaults } from "../../../src/storage/server/check-namespace.ts";
import { Engine } from "../../../src/storage/server/engine.ts";
import { plain, resultIn } from "../../../src/storage/server/migrate-namespace.ts";
import { attach, recordOf } from "../../http/attachments/attaching.ts";
import { depsOf } from "../../http/moving/moves.ts";
import { newSchool, pdf } from "../../support/school.ts";
import { cleanUp } from "../temporary.ts";
import { insertNote, newDatabase } from "./databases.ts";
import { installationOn, newServer } from "./servers.ts";

afterEach(cleanUp);

/** A school with a stored file of two chunks. */
async function newScene() {
  const sqld = await newServer();
  const installation = await installationOn(sqld);
  const school = await newSchool(installation);
  await attach(school.owner, await recordOf(school), { body: pdf(300 * 1024) });
  return {
    school,
    /** Changes rows behind the program's back. */
    async damage(...statements: string[]) {
      const session = new Engine(sqld.settings(installation.prefix)).session(school.orgId);
      await session.apart(10_000, async (stream) => {
        for (const sql of ["PRAGMA foreign_keys = off", ...statements])
          resultIn((await stream.batch([{ stmt: plain(sql) }]))[0]);
      });
      session.close();
    },
    async faults() {
      const { ok, files } = await check.handle(depsOf(installation), {});
      expect((await readdir(installation.directory)).filter((name) => name.includes("tmp"))).toEqual([]);
      const [control, ...others] = files;
      expect([control, others.length]).toEqual([{ organization_id: null, owned: true, faults: [] }, 1]);
      expect(ok).toBe(others[0]?.faults.length === 0);
      return others[0]?.faults;
    },
  };
}

test.each([
  [
    "a stored file with a damaged chunk",
    "update attachment_chunks set data = zeroblob(262144) where position = 0",
    /^attachments \S+: chunk 0 is damaged$/,
  ],
  ["a stored file without its last chunk", "delete from attachment_chunks where position = 1", /: chunk 1 is missing$/],
  ["a row of the audit log that was changed", "update audit_log set action = 'x' where seq = 2", /^audit_log: row 2 /],
  ["a value that is not JSON", "update people set types = 'x' where rowid = 1", /^people\.types of row 1 is not JSON$/],
  [
    "a text that is not UTF-8",
    "update people set name = cast(x'ff41' as text) where rowid = 2",
    /^people\.name of row 2 is not UTF-8$/,
  ],
  ["a row whose parent is gone", "delete from people", /^[a-z_]+ of row \d+ names a row of people that is not there$/],
  ["another school's records", "update meta set org_id = 'x'", /belongs to the organization x$/],
])(
  "a check finds %s",
  async (_, statement, fault) => {
    const { damage, faults } = await newScene();
    expect(await faults()).toEqual([]);
    await damage(statement);
    const [first, ...others] = (await faults()) ?? [];
    expect(first).toMatch(fault);
    for (const other of others) expect(other).toMatch(fault);
  },
  30_000,
);

test("text that the server can't return together is read in smaller pieces", async () => {
  const { database, session } = await newDatabase(await newServer());
  // Together they are more than a value may have.
  await database.write((tx) => tx.each(insertNote, [["x".repeat(2_200_000)], ["y".repeat(2_200_000)]]));
  expect(await structureFaults(session)).toEqual([]);
  await database.write((tx) => tx.run(sql`update notes set text = cast(x'ff' as text) where id = 2`));
  expect(await structureFaults(session)).toEqual(["notes.text of row 2 is not UTF-8"]);
}, 60_000);

test("a row that the server can't return as one value is read value by value", async () => {
  const { database, session } = await newDatabase(await newServer());
  await database.write(async (tx) => {
    await tx.run(sql`create table wide (one text, other text)`);
    await tx.run(sql`insert into wide values ('small', 'small'), (${"x".repeat(2_200_000)}, ${"y".repeat(2_200_000)})`);
    await tx.run(sql`insert into wide values ('small', 'small')`);
  });
  expect(await structureFaults(session)).toEqual([]);
  await database.write((tx) => tx.run(sql`update wide set other = cast(x'ff' || other as text) where rowid > 1`));
  expect(await structureFaults(session)).toEqual([
    "wide.other of row 2 is not UTF-8",
    "wide.other of row 3 is not UTF-8",
  ]);
}, 60_000);
