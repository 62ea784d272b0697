/** One namespace with a table of its own, without the rest of storage. */
import { sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { Engine } from "../../../src/storage/server/engine.ts";
import type { Traffic } from "../../../src/storage/server/hrana.ts";
import { migrateNamespace } from "../../../src/storage/server/migrate-namespace.ts";
import { ServerDatabase, type ServerDatabaseOptions } from "../../../src/storage/server/server-database.ts";
import { TestClock } from "../../support/clock.ts";
import type { Sqld } from "../../support/sqld.ts";
import { closedLater } from "../temporary.ts";

export const notes = sqliteTable("notes", { id: integer().primaryKey(), text: text().notNull() });

export const migrations = ["create table notes (id integer primary key, text text not null unique)"];

/** Counts the trips of one namespace. */
export class Trips implements Traffic {
  readonly trips: (readonly string[])[] = [];
  /** Called before each trip. */
  onBegun: (statements: readonly string[]) => void = () => undefined;

  onTrip(_: string, statements: readonly string[]): void {
    this.trips.push(statements);
    this.onBegun(statements);
  }

  /** @returns the trips since the last call */
  take(): (readonly string[])[] {
    return this.trips.splice(0);
  }
}

/** Opens a namespace, which is created if it is not there. */
export async function newDatabase(sqld: Sqld, options: Partial<ServerDatabaseOptions> & { name?: string } = {}) {
  const trips = new Trips();
  const engine = new Engine({ ...sqld.settings(), traffic: trips });
  const { name = "notes" } = options;
  await engine.create(name);
  const session = engine.session(name);
  await migrateNamespace(session, migrations);
  const database = closedLater(
    new ServerDatabase("tenant", session, { clock: new TestClock(), onEffectError: () => undefined, ...options }),
  );
  trips.take();
  return { database, trips, engine, session };
}

export const textsOf = async (database: ServerDatabase<"tenant">): Promise<string[]> =>
  (await database.read((reader) => reader.select().from(notes).orderBy(notes.id))).map((note) => note.text);

export const insertNote = sql`insert into notes (text) values (${sql.placeholder("text")})`;
