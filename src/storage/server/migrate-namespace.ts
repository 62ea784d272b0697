import { minutes } from "../../core/clock.ts";
import { type Migrations, statementsOf, upgradeFirst, WrongFile } from "../migrations.ts";
import type { Outcome, Statement, Step } from "./hrana.ts";
import { repeated, type Session } from "./session.ts";
import type { Result } from "./values.ts";

/** Milliseconds that the migrations of a large school may take. */
const longestMigration = minutes(10);

export const plain = (sql: string): Statement => ({ sql, args: [] });

/**
 * As `migrate` of a file. All missing migrations are one transaction, and two nodes that do this at once end with one schema. The
 * server keeps no `application_id`: an empty namespace becomes Windsock's, another must have the tables of one. It is repeated also
 * where it is not known whether it was committed: the version says so.
 *
 * @throws WrongFile the namespace is another application's, or newer than this program
 */
export const migrateNamespace = (session: Session, migrations: Migrations): Promise<void> =>
  repeated(() => migrate(session, migrations));

async function migrate(session: Session, migrations: Migrations): Promise<void> {
  const { version, tables } = await stateOf(session);
  if (version > migrations.length)
    throw new WrongFile(
      `The namespace ${session.namespace}: schema version ${version} is newer than this program's ${migrations.length}: ${upgradeFirst}`,
    );
  if (version === migrations.length) return;
  if (version === 0 && tables > 0)
    throw new WrongFile(`The namespace ${session.namespace} has tables that are not Windsock's.`);
  const changes = [...migrations.slice(version).flatMap(statementsOf), `PRAGMA user_version = ${migrations.length}`];
  const statements = ["PRAGMA foreign_keys = off", "BEGIN IMMEDIATE", ...changes, "COMMIT"].map(plain);
  const steps: Step[] = statements.map((stmt, at) =>
    at === 0 ? { stmt } : { stmt, condition: { type: "ok", step: at - 1 } },
  );
  const outcomes = await session.apart(longestMigration, (stream) => stream.batch(steps));
  const failed = outcomes.find((outcome) => typeof outcome === "object" && "error" in outcome);
  // Another node was faster: its transaction came first.
  if (failed !== undefined && (await stateOf(session)).version !== migrations.length) resultIn(failed);
}

/** Returns whether a namespace has Windsock's tables, perhaps of an older or newer program. */
export const isMigrated = async (session: Session): Promise<boolean> => (await stateOf(session)).version > 0;

async function stateOf(session: Session): Promise<{ version: number; tables: number }> {
  const [version, tables] = await session.read([
    plain("PRAGMA user_version"),
    plain("select count(*) from sqlite_master"),
  ]);
  return { version: Number(resultIn(version).rows[0]?.[0]), tables: Number(resultIn(tables).rows[0]?.[0]) };
}

/** @throws EngineError the step failed */
export function resultIn(outcome: Outcome | undefined): Result {
  if (outcome === undefined || outcome === "not run") throw new Error("The server ran no such step.");
  if ("error" in outcome) throw outcome.error;
  return outcome.result;
}
