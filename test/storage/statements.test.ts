/** Statements that are built once: rows inserted by `insertRow`, and lookups of one row. */
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { getTableColumns, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { insertRow } from "../../src/storage/insert-row.ts";
import { lookUp } from "../../src/storage/lookup.ts";
import { sqliteCode } from "../../src/storage/sqlite-error.ts";
import { SqliteFile } from "../../src/storage/sqlite-file.ts";
import type { Tx } from "../../src/storage/store.ts";
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
});
