/**
 * Whole databases between a namespace and a file, row by row: the server neither gives nor takes files. Both have the schema of
 * this program, and the tables are those of the file, since the server may have some of its own.
 */

import { yieldToEventLoop } from "../../core/async.ts";
import { minutes } from "../../core/clock.ts";
import { openReadOnly } from "../check/check-file.ts";
import { Connection } from "../connection.ts";
import { migrate } from "../migrations.ts";
import { migrationsOf } from "../migrations-of.ts";
import type { Kind, Value } from "../store.ts";
import { removeDatabase } from "../tenant-file.ts";
import { EngineError } from "./engine-error.ts";
import type { HranaStream, Statement } from "./hrana.ts";
import { migrateNamespace, plain, resultIn } from "./migrate-namespace.ts";
import { ServerTransaction } from "./server-transaction.ts";
import type { Session } from "./session.ts";
import { packed, type Result } from "./values.ts";

/** Milliseconds that one statement may take: the server counts the rows of a large table. */
const longestStatement = minutes(2);

/** Rows that are read at once, from either side; and of tables with bytes, such as the pieces of stored files. */
const mostRows = { usually: 500, withBytes: 8 };

/** The size of one transaction of a load: the server ends one that takes longer than some seconds. */
const mostBytes = 1024 * 1024;

/** The last row of the audit log. */
export interface LastAudited {
  seq: number;
  hash: string;
}

interface Table {
  name: string;
  columns: readonly string[];
  /** The rows that are read at once. */
  most: number;
}

/**
 * Writes what a namespace has at one moment to a file. Others go on writing meanwhile. The namespace has the schema of this program.
 *
 * @param to is replaced
 * @throws EngineError, or another error: the file is of no use
 */
export async function dumpNamespace(session: Session, kind: Kind, to: string): Promise<void> {
  await removeDatabase(to);
  const file = new Connection(to, "write");
  try {
    await migrate(file, kind, migrationsOf[kind], true);
    // Until this connection is collected, a `-wal` file of this name would be its own.
    for (const pragma of ["journal_mode = memory", "synchronous = off", "foreign_keys = off"])
      await file.execute(`PRAGMA ${pragma}`);
    await session.apart(longestStatement, async (stream) => {
      resultIn((await stream.batch([{ stmt: plain("BEGIN") }]))[0]);
      const version = Number((await inTransaction(stream, plain("PRAGMA user_version"))).rows[0]?.[0]);
      if (version !== migrationsOf[kind].length)
        throw new Error(`The namespace ${session.namespace} has the schema version ${version}, not this program's.`);
      for (const table of tablesOf(file)) await dumpTable(stream, file, table);
    });
  } finally {
    file.close();
  }
}

async function dumpTable(stream: HranaStream, file: Connection, table: Table): Promise<void> {
  const { name, insert } = statementsFor(table);
  await file.execute(`delete from ${name}`);
  let [written, most] = [0, table.most];
  for (let after = -1; ; ) {
    const page = await inTransaction(stream, pageOf(table, after, most)).catch((error: unknown) => {
      if (!(error instanceof EngineError && error.code === "RESPONSE_TOO_LARGE") || most === 1) throw error;
      return undefined;
    });
    if (page === undefined) {
      most = Math.floor(most / 2);
      continue;
    }
    const { commit } = await file.transaction();
    file.each(
      insert,
      page.rows.map(([, ...values]) => values),
    );
    await commit();
    written += page.rows.length;
    const [last] = page.rows.at(-1) ?? [];
    if (last === undefined) break;
    after = Number(last);
    await yieldToEventLoop();
  }
  const [[count] = []] = (await inTransaction(stream, plain(`select count(*) from ${name}`))).rows;
  if (count !== written) throw new Error(`The table ${name} has ${count} rows, and ${written} were read.`);
}

/** Only in the transaction: after its end, the server would answer of another moment. */
async function inTransaction(stream: HranaStream, stmt: Statement): Promise<Result> {
  const condition = { type: "not", cond: { type: "is_autocommit" } } as const;
  return resultIn((await stream.batch([{ stmt, condition }]))[0]);
}

/**
 * Fills a namespace, which is new, with the rows of a school's file, and compares the numbers of rows of each table.
 *
 * @returns the last row of the file's audit log
 * @throws EngineError, or another error: the namespace is of no use
 */
export async function loadNamespace(session: Session, from: string): Promise<LastAudited> {
  await migrateNamespace(session, migrationsOf.tenant);
  return loadRows(session, from);
}

/** As `loadNamespace`, of a database of any kind, into its tables. */
export async function loadRows(session: Session, from: string): Promise<LastAudited> {
  const file = openReadOnly(from);
  try {
    const tables = tablesOf(file);
    await session.apart(longestStatement, async (stream) => {
      resultIn((await stream.batch([{ stmt: plain("PRAGMA foreign_keys = off") }]))[0]);
      for (const table of tables) await loadTable(stream, file, table);
    });
    const counts = await session.read(tables.map(({ name }) => plain(`select count(*) from ${quoted(name)}`)));
    for (const [at, { name }] of tables.entries()) {
      const [count] = resultIn(counts[at]).rows[0] ?? [];
      const [expected] = file.first(`select count(*) from ${quoted(name)}`, []) ?? [];
      if (count !== expected) throw new Error(`The table ${name} has ${count} rows on the server, not ${expected}.`);
    }
    const [seq, hash] = file.first("select seq, hash from audit_log order by seq desc limit 1", []) ?? [];
    return { seq: Number(seq ?? 0), hash: String(hash ?? "") };
  } finally {
    file.close();
  }
}

async function loadTable(stream: HranaStream, file: Connection, table: Table): Promise<void> {
  const { name, insert } = statementsFor(table);
  let transaction = new ServerTransaction(stream);
  // Those that the migrations insert.
  transaction.add(plain(`delete from ${name}`));
  let bytes = 0;
  for (let after = -1; ; ) {
    const { sql } = pageOf(table, after, table.most);
    const rows = file.rows<[number, ...unknown[]]>(sql, [after]);
    for (const [, ...row] of rows) {
      const values = row.map(valueIn);
      transaction.add({ sql: insert, args: values.map(packed) });
      bytes += values.reduce<number>((sum, value) => sum + sizeOf(value), 0);
      if (bytes < mostBytes) continue;
      await transaction.commit([]);
      transaction = new ServerTransaction(stream);
      bytes = 0;
    }
    const [last] = rows.at(-1) ?? [];
    if (last === undefined) break;
    after = last;
  }
  await transaction.commit([]);
}

/** SQLite's own `sqlite_sequence` comes last: the rows of the others move it. */
function tablesOf(file: Connection): Table[] {
  const names = file.rows<[string]>(
    "select name from sqlite_schema where type = 'table' order by name = 'sqlite_sequence', rowid",
    [],
  );
  return names.map(([name]) => {
    const columns = file.rows<[string, string]>("select name, lower(type) from pragma_table_info(?)", [name]);
    const hasBytes = columns.some(([, type]) => type === "blob");
    return { name, columns: columns.map(([column]) => column), most: hasBytes ? mostRows.withBytes : mostRows.usually };
  });
}

const quoted = (name: string): string => `"${name}"`;

const statementsFor = ({ name, columns }: Table) => ({
  name: quoted(name),
  insert: `insert into ${quoted(name)} (${columns.map(quoted).join(", ")}) values (${columns.map(() => "?").join(", ")})`,
});

/** The next rows, each with its `rowid` before it. */
const pageOf = ({ name, columns }: Table, after: number, most: number): Statement => ({
  sql: `select rowid, ${columns.map(quoted).join(", ")} from ${quoted(name)} where rowid > ? order by rowid limit ${most}`,
  args: [packed(after)],
});

/** A value as SQLite's driver returns it. */
function valueIn(value: unknown): Value {
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  if (value === null || typeof value === "string" || typeof value === "number" || value instanceof Uint8Array)
    return value;
  throw new TypeError(`The driver returned a ${typeof value}.`);
}

const sizeOf = (value: Value): number =>
  typeof value === "string" ? value.length : value instanceof Uint8Array ? value.byteLength : 8;
