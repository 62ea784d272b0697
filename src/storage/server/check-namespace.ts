/** What is wrong with a namespace, by the server's own checks and by what a check of a file reads. */
import { isUtf8 } from "node:buffer";
import { minutes } from "../../core/clock.ts";
import { EngineError } from "./engine-error.ts";
import type { HranaStream, Statement } from "./hrana.ts";
import { plain, resultIn } from "./migrate-namespace.ts";
import type { Session } from "./session.ts";
import { packed, type Result } from "./values.ts";

/** Milliseconds that the server may check a large namespace. */
const longestCheck = minutes(10);

/** The faults that are listed of one kind. */
const listed = 20;

/** Rows whose text is read as one value. The server returns values up to 4 MiB. */
const rowsAtOnce = 256;

/**
 * Returns what can be found without reading a value as text: the server ends the connection where one is not UTF-8, so nothing else may be
 * read then.
 *
 * @throws EngineError
 */
export const structureFaults = (session: Session): Promise<string[]> =>
  session.apart(longestCheck, async (stream) => {
    const integrity = await query(stream, plain(`PRAGMA integrity_check(${listed})`));
    const faults = integrity.rows.flatMap(([line]) => String(line).split("\n")).filter((line) => line !== "ok");
    if (faults.length > 0) return faults;
    for (const table of await namesIn(stream, "select name from sqlite_schema where type = 'table'"))
      faults.push(...(await invalidIn(stream, table)));
    const orphans = `select "table", rowid, parent from pragma_foreign_key_check limit ${listed}`;
    for (const [table, row, parent] of (await query(stream, plain(orphans))).rows)
      faults.push(`${table} of row ${row} names a row of ${parent} that is not there`);
    return faults;
  });

/** As `check/invalid-text.ts` reads a file. */
async function invalidIn(stream: HranaStream, table: string): Promise<string[]> {
  const columns = await namesIn(stream, `select name from pragma_table_info('${table.replaceAll("'", "''")}')`);
  const text = columns.map(textOf).join(" || char(10) || ");
  const joined = `select max(n), count(*), cast(group_concat(text, char(10)) as blob) from (
    select rowid as n, ${text} as text from ${quoted(table)} where rowid > ? order by rowid limit ?)`;
  const faults: string[] = [];
  for (let [after, most] = [Number.MIN_SAFE_INTEGER, rowsAtOnce]; ; ) {
    const read = await query(stream, { sql: joined, args: [packed(after), packed(most)] }).catch(tooLarge);
    if (read === undefined && most > 1) {
      most = Math.floor(most / 2);
      continue;
    }
    const [last, count, bytes] = read?.rows[0] ?? (await nextRow(stream, table, after));
    if (typeof last !== "number") return faults;
    if (bytes instanceof Uint8Array && !isUtf8(bytes))
      faults.push(...(await invalidAmong(stream, { table, columns, range: [after, last] })));
    if (count !== most) return faults;
    after = last;
  }
}

/** A row whose values can be returned one by one only. */
async function nextRow(stream: HranaStream, table: string, after: number): Promise<Result["rows"][number]> {
  const next = `select min(rowid), 1 from ${quoted(table)} where rowid > ?`;
  const [row = []] = (await query(stream, { sql: next, args: [packed(after)] })).rows;
  return [...row, Buffer.from([0xff])];
}

interface Among {
  table: string;
  columns: readonly string[];
  /** The rows after the first and up to the second number. */
  range: readonly [number, number];
}

async function invalidAmong(stream: HranaStream, { table, columns, range }: Among): Promise<string[]> {
  const faults: string[] = [];
  const args = range.map(packed);
  const within = `select rowid from ${quoted(table)} where rowid > ? and rowid <= ? order by rowid`;
  for (const [row] of (await query(stream, { sql: within, args })).rows)
    for (const column of columns) {
      const value = `select cast(${textOf(column)} as blob) from ${quoted(table)} where rowid = ?`;
      const read = await query(stream, { sql: value, args: [packed(Number(row))] }).catch(tooLarge);
      const [bytes] = read?.rows[0] ?? [];
      if (read === undefined) faults.push(`${table}.${column} of row ${row} is larger than the server returns`);
      else if (bytes instanceof Uint8Array && !isUtf8(bytes))
        faults.push(`${table}.${column} of row ${row} is not UTF-8`);
      if (faults.length === listed) return faults;
    }
  return faults;
}

const textOf = (column: string): string => `iif(typeof(${quoted(column)}) = 'text', ${quoted(column)}, '')`;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const query = async (stream: HranaStream, stmt: Statement): Promise<Result> =>
  resultIn((await stream.batch([{ stmt }]))[0]);

const namesIn = async (stream: HranaStream, sql: string): Promise<string[]> =>
  (await query(stream, plain(sql))).rows.map(([name]) => String(name));

/** @throws other errors */
function tooLarge(error: unknown): undefined {
  if (!(error instanceof EngineError && /^(RESPONSE_TOO_LARGE|SQLITE_TOOBIG)$/.test(error.code))) throw error;
}
