/** The state of a connection after a migration, after a write whose rollback failed, and after many statements. */
import { afterEach, expect, spyOn, test } from "bun:test";
import Database from "libsql";
import { Connection } from "../../src/storage/connection.ts";
import { cleanUp, closedLater, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

/** A connection to a new database with planes and their seats. */
async function newPlanes(): Promise<Connection> {
  const connection = new Connection(`${await newDirectory()}/planes.db`, "write");
  closedLater({ close: async () => connection.close() });
  await connection.execute("PRAGMA foreign_keys = on");
  await connection.execute("create table planes (id integer primary key, name text)");
  await connection.execute("create table seats (plane integer not null references planes (id))");
  await connection.execute("insert into planes values (1, 'D-EABC')");
  await connection.execute("insert into seats values (1)");
  return connection;
}

const rowsOf = async (connection: Connection, sql: string): Promise<unknown[]> =>
  (await connection.execute(sql)).rows.map((row) => Array.from(row));

const namesOf = (connection: Connection) => rowsOf(connection, "select name from planes");

const refusesOrphans = (connection: Connection) =>
  expect(connection.execute("insert into seats values (7)")).rejects.toThrow("FOREIGN KEY");

test("migrate can rebuild a table that others reference, and foreign keys are checked afterwards", async () => {
  const planes = await newPlanes();
  await planes.migrate([
    "create table new_planes (id integer primary key, name text not null)",
    "insert into new_planes select * from planes",
    "drop table planes",
    "alter table new_planes rename to planes",
  ]);
  expect(await namesOf(planes)).toEqual([["D-EABC"]]);
  expect(await rowsOf(planes, "select plane from seats")).toEqual([[1]]);
  await refusesOrphans(planes);
});

test("a failed migration is rolled back at once, and foreign keys are checked afterwards", async () => {
  const planes = await newPlanes();
  const failing = planes.migrate(["update planes set name = 'D-EXYZ'", "insert into nowhere values (1)"]);
  await expect(failing).rejects.toThrow("no such table: nowhere");
  expect(await namesOf(planes)).toEqual([["D-EABC"]]);
  await refusesOrphans(planes);
});

test("a write rolls back an earlier one that was left open", async () => {
  const planes = await newPlanes();
  await planes.transaction();
  await planes.execute("update planes set name = 'D-EXYZ'");
  const { execute, commit } = await planes.transaction();
  await execute("insert into planes values (2, 'D-EDEF')");
  await commit();
  expect(await namesOf(planes)).toEqual([["D-EABC"], ["D-EDEF"]]);
});

test("a repeated statement is not prepared again", async () => {
  const planes = await newPlanes();
  const prepare = spyOn(Database.prototype, "prepare");
  try {
    const named = (name: string) => planes.execute({ sql: "select count(*) from planes where name = ?", args: [name] });
    const answers = [await named("D-EABC"), await named("D-EXYZ"), await named("D-EABC")];
    expect(answers.map(({ rows }) => Array.from(rows[0] ?? []))).toEqual([[1], [0], [1]]);
    expect(prepare).toHaveBeenCalledTimes(1);
  } finally {
    prepare.mockRestore();
  }
});

test("of all connections' statements, those that were not used for the longest time are prepared again", async () => {
  const [busy, idle] = [await newPlanes(), await newPlanes()];
  const prepare = spyOn(Database.prototype, "prepare");
  const preparesAgain = async (connection: Connection) => {
    prepare.mockClear();
    await namesOf(connection);
    return prepare.mock.calls.length > 0;
  };
  try {
    for (const connection of [busy, idle]) await namesOf(connection);
    for (let count = 0; count < 4100; count += 1) {
      await busy.execute(`select ${count}`);
      if (count % 1000 === 0) expect(await preparesAgain(busy)).toBe(false);
    }
    expect(await preparesAgain(busy)).toBe(false);
    expect(await preparesAgain(idle)).toBe(true);
    expect(await preparesAgain(idle)).toBe(false);
  } finally {
    prepare.mockRestore();
  }
});
