/** Statements that are built once: rows inserted by `insertRow`, and look-ups prepared in a transaction. */
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { insertRow } from "../../src/storage/insert-row.ts";
import { prepared } from "../../src/storage/prepared.ts";
import { sqliteCode } from "../../src/storage/sqlite-error.ts";
import { SqliteFile } from "../../src/storage/sqlite-file.ts";
import type { Reader, Tx } from "../../src/storage/store.ts";
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

const byText = prepared((reader: Reader) =>
  reader
    .select({ id: notes.id })
    .from(notes)
    .where(eq(notes.text, sql.placeholder("text")))
    .prepare(),
);

async function newThings() {
  const create =
    "create table things (id text primary key, tags text, is_new integer not null default 1, note text default 'none')";
  const options = { clock: new TestClock(), onEffectError: () => undefined, fresh: true };
  return closedLater(await SqliteFile.open("tenant", join(await newDirectory(), "things.db"), [create], options));
}

test("insertRow stores the same as drizzle: JSON, booleans, null, and defaults for omitted columns", async () => {
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

test("insertRow throws SQLite's error, and the transaction fails", async () => {
  const file = await newNotes();
  const twice = file.write(async (tx) => {
    await insertRow(tx, notes, { text: "one" });
    await insertRow(tx, notes, { text: "one" });
  });
  expect(sqliteCode(await twice.catch((error: unknown) => error))).toBe("SQLITE_CONSTRAINT_UNIQUE");
  expect(await file.read(textsOf)).toEqual([]);
});

test("a prepared look-up sees the rows of its transaction; other readers see them after the commit", async () => {
  const file = await newNotes();
  for (const text of ["one", "two"])
    await file.write(async (tx) => {
      await insertRow(tx, notes, { text });
      expect(await byText(tx).execute({ text })).toHaveLength(1);
      expect(await file.read((reader) => byText(reader).execute({ text }))).toEqual([]);
    });
  expect(await file.read((reader) => byText(reader).execute({ text: "two" }))).toHaveLength(1);
});

test("a statement prepared in a transaction is rejected after its end", async () => {
  const file = await newNotes();
  const kept: { tx?: Tx; query?: ReturnType<typeof byText> } = {};
  await file.write(async (tx) => {
    kept.tx = tx;
    kept.query = byText(tx);
  });
  expect(() => kept.tx && byText(kept.tx)).toThrow("The transaction has ended.");
  await expect(Promise.resolve(kept.query?.execute({ text: "one" }))).rejects.toMatchObject({
    cause: { message: "The transaction has ended." },
  });
});
