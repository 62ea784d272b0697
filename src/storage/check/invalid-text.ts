import { isUtf8 } from "node:buffer";
import type { Connection } from "../connection.ts";

/** Rows whose text is read as one value. */
const rowsAtOnce = 256;

/**
 * Yields each text value that is not UTF-8, with its table, column and row. libSQL ends the process when it reads such a
 * value as text (tursodatabase/libsql#1223). So SQLite joins the text of many rows, and this reads the result as bytes.
 *
 * @param onTable called before a table is read
 */
export async function* invalidText(connection: Connection, onTable: (table: string) => void): AsyncGenerator<string> {
  for (const [table] of await rowsOf(connection, "select name from sqlite_schema where type = 'table'")) {
    onTable(String(table));
    yield* invalidIn(connection, String(table));
  }
}

/** Reads all columns of a table: a damaged record can have text in a column of numbers. */
export async function* invalidIn(connection: Connection, table: string): AsyncGenerator<string> {
  const columns = (await rowsOf(connection, "select name from pragma_table_info(?)", [table])).map(String);
  if (columns.length === 0) throw new Error(`no such table: ${table}`);
  // With a line feed between two values, the end of one and the start of the next can't form a valid character.
  const text = columns.map(textOf).join(" || char(10) || ");
  const joined = `select max(n), count(*), cast(group_concat(text, char(10)) as blob) from (
    select rowid as n, ${text} as text from ${quoted(table)} where rowid > ? order by rowid limit ${rowsAtOnce})`;
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const [last, count, bytes] = connection.first(joined, [after]) ?? [];
    if (typeof last !== "number") return;
    if (!isValid(bytes)) yield* invalidAmong(connection, table, columns, [after, last]);
    if (count !== rowsAtOnce) return;
    after = last;
  }
}

/** Finds the values in the rows after the first and up to the second number. */
async function* invalidAmong(
  connection: Connection,
  table: string,
  columns: readonly string[],
  range: [number, number],
): AsyncGenerator<string> {
  const values = columns.map((column) => `cast(${textOf(column)} as blob)`).join(", ");
  const each = `select rowid, ${values} from ${quoted(table)} where rowid > ? and rowid <= ? order by rowid`;
  for (const [row, ...found] of await rowsOf(connection, each, range)) {
    for (const [index, column] of columns.entries()) {
      if (!isValid(found[index])) yield `${table}.${column} of row ${row} is not UTF-8`;
    }
  }
}

const isValid = (bytes: unknown): boolean => !(bytes instanceof Uint8Array) || isUtf8(bytes);

const textOf = (column: string): string => `iif(typeof(${quoted(column)}) = 'text', ${quoted(column)}, '')`;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

async function rowsOf(connection: Connection, sql: string, args: (string | number)[] = []): Promise<unknown[][]> {
  const { rows } = await connection.execute({ sql, args });
  return rows.map((row) => Array.from(row));
}
