/** Statements that are built once: rows inserted by `insertRow`, and lookups of one row. */
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { eq, getTableColumns, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { insertRow } from "../../src/storage/insert-row.ts";
import { lookUp, lookUpAll } from "../../src/storage/lookup.ts";
import { sqliteCode } from "../../src/storage/sqlite-error.ts";
import { SqliteFile } from "../../src/storage/sqlite-file.ts";
import type { Tx } from "../../src/storage/store.ts";
import { deleteRow, updateRow } from "../../src/storage/update-row.ts";
import { TestClock } from "../support/clock.ts";
import { newNotes, notes, textsOf } from "./rows.ts";
import { cleanUp, closedLater, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

const things = sqliteTable("things", {
  id: text().primaryKey(),
  tags: text({ mode: "json" }).$type<string[]>(),
  isNew: integer("is_new", { mode: "boolean" }).notNull().default(true),
  note: text().default("none"),
});

const byText = lookUp({ text: notes.text }, sql`from ${notes} where ${notes.text} = ${sql.placeholder("text")}`);
const byId = lookUp(getTableColumns(things), sql`from ${things} where ${things.id} = ${sql.placeholder("id")}`);

const fromId = lookUpAll(
  getTableColumns(things),
  sql`from ${things} where ${things.id} >= ${sql.placeholder("id")} order by ${things.id}`,
);

async function newThings() {
  const create =
    "create table things (id text primary key, tags text, is_new integer not null default 1, note text default 'none')";
  const options = { clock: new TestClock(), onEffectError: () => undefined, fresh: true };
  return closedLater(await SqliteFile.open("tenant", join(await newDirectory(), "things.db"), [create], options));
}

test("insertRow stores what drizzle would: JSON, booleans, null, and defaults for what is left out", async () => {
  const file = await newThings();
  const rows: (typeof things.$inferInsert)[] = [
    { id: "1", tags: ["a", "b'\n"], isNew: false, note: "x" },
    { id: "2", tags: null, note: null },
    { id: "3", note: undefined },
    { id: "4", tags: [], isNew: true, note: "y" },
  ];
  await file.write(async (tx) => {
    for (const row of rows) await insertRow(tx, things, row);
  });
  const stored = await file.read((reader) => reader.select().from(things));
  await file.write(async (tx) => {
    await tx.delete(things);
    for (const row of rows) await tx.insert(things).values(row);
  });
  expect(stored).toEqual(await file.read((reader) => reader.select().from(things)));
  expect(stored).toContainEqual({ id: "3", tags: null, isNew: true, note: "none" });
});

test("insertRow fails as SQLite does, and the transaction with it", async () => {
  const file = await newNotes();
  const twice = file.write(async (tx) => {
    await insertRow(tx, notes, { text: "one" });
    await insertRow(tx, notes, { text: "one" });
  });
  expect(sqliteCode(await twice.catch((error: unknown) => error))).toBe("SQLITE_CONSTRAINT_UNIQUE");
  expect(await file.read(textsOf)).toEqual([]);
});

test("updateRow stores what drizzle would, keeps what is undefined, and deleteRow deletes the row alone", async () => {
  const file = await newThings();
  const ids = ["1", "2"];
  const before = { tags: ["a"], isNew: true, note: "x" };
  const stored = () => file.read((reader) => reader.select().from(things));
  await file.write(async (tx) => {
    for (const id of ids) await insertRow(tx, things, { id, ...before });
  });
  for (const set of [{ tags: ["b"], isNew: false }, { tags: null, note: undefined }, { note: null }]) {
    await file.write((tx) => tx.update(things).set(set).where(eq(things.id, "1")));
    const [expected] = await stored();
    await file.write((tx) => tx.update(things).set(before));
    await file.write((tx) => updateRow(tx, things, "1", set));
    const [first, second] = await stored();
    expect(first).toEqual(expected);
    expect(second).toEqual({ id: "2", ...before });
    await file.write((tx) => tx.update(things).set(before));
  }
  await file.write((tx) => updateRow(tx, things, "1", { note: undefined }));
  expect(await stored()).toEqual(ids.map((id) => ({ id, ...before })));
  await file.write((tx) => deleteRow(tx, things, "1"));
  expect(await stored()).toEqual([{ id: "2", ...before }]);
});

test("lookUpAll decodes all rows, in order, also those that the transaction has written", async () => {
  const file = await newThings();
  await file.write(async (tx) => {
    for (const id of ["2", "1", "3"]) await insertRow(tx, things, { id, tags: [id], isNew: false });
    expect(await fromId(tx, { id: "2" })).toEqual(
      ["2", "3"].map((id) => ({ id, tags: [id], isNew: false, note: "none" })),
    );
  });
  expect(await file.read((reader) => fromId(reader, { id: "3" }))).toHaveLength(1);
  expect(await file.read((reader) => fromId(reader, { id: "4" }))).toEqual([]);
});

test("a lookup decodes a row as drizzle does: JSON, booleans and null", async () => {
  const file = await newThings();
  await file.write((tx) => insertRow(tx, things, { id: "1", tags: ["a"], isNew: false, note: null }));
  expect(await file.read((reader) => byId(reader, { id: "1" }))).toEqual({
    id: "1",
    tags: ["a"],
    isNew: false,
    note: null,
  });
  expect(await file.read((reader) => byId(reader, { id: "2" }))).toBeUndefined();
});

test("a lookup leaves no read open: a checkpoint after it empties the log", async () => {
  const file = await newNotes();
  await file.write((tx) => insertRow(tx, notes, { text: "one" }));
  await file.read((reader) => byText(reader, { text: "one" }));
  await file.write((tx) => insertRow(tx, notes, { text: "two" }));
  await file.checkpoint();
  expect(file.hasUncheckpointed).toBe(false);
});

test("a lookup sees what its transaction wrote, in each transaction, and others do not before the commit", async () => {
  const file = await newNotes();
  for (const text of ["one", "two"])
    await file.write(async (tx) => {
      await insertRow(tx, notes, { text });
      expect(await byText(tx, { text })).toEqual({ text });
      expect(await file.read((reader) => byText(reader, { text }))).toBeUndefined();
    });
  expect(await file.read((reader) => byText(reader, { text: "two" }))).toEqual({ text: "two" });
});

test("a lookup in a transaction is refused after its end", async () => {
  const file = await newNotes();
  const kept: { tx?: Tx } = {};
  await file.write(async (tx) => {
    kept.tx = tx;
  });
  await expect(kept.tx && byText(kept.tx, { text: "one" })).rejects.toThrow("The transaction has ended.");
  await expect(kept.tx && fromId(kept.tx, { id: "1" })).rejects.toThrow("The transaction has ended.");
});
