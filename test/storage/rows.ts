/** A database with one table, for tests that need no school. */

import { join } from "node:path";
import { asc } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Migrations } from "../../src/storage/migrations.ts";
import { type FileOptions, SqliteFile } from "../../src/storage/sqlite-file.ts";
import type { Kind, Reader } from "../../src/storage/store.ts";
import { TestClock } from "../support/clock.ts";
import { closedLater, newDirectory } from "./temporary.ts";

export const notes = sqliteTable("notes", { id: integer().primaryKey(), text: text().notNull().unique() });

export const notesMigrations: Migrations = ["create table notes (id integer primary key, text text not null unique)"];

/** A new file with that table. */
export async function newNotes<K extends Kind = "tenant">(
  options: Partial<FileOptions> & { kind?: K; path?: string } = {},
): Promise<SqliteFile<K>> {
  const { kind = "tenant" as K, path = join(await newDirectory(), "notes.db"), ...rest } = options;
  const defaults = { clock: new TestClock(), onEffectError: () => undefined, fresh: true };
  return closedLater(await SqliteFile.open(kind, path, notesMigrations, { ...defaults, ...rest }));
}

/** Returns the texts in the order of their ids. */
export const textsOf = async (reader: Reader): Promise<string[]> =>
  (await reader.select().from(notes).orderBy(asc(notes.id))).map(({ text }) => text);
