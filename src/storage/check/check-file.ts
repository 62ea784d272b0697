import { pathToFileURL } from "node:url";
import { messageOf } from "../../core/system-error.ts";
import { Connection } from "../connection.ts";
import { pragma } from "../migrations.ts";
import { isLocked } from "../sqlite-error.ts";
import { missingParts, otherFile } from "./expected-file.ts";
import { invalidJson } from "./invalid-json.ts";
import { invalidIn, invalidText } from "./invalid-text.ts";
import type { Checked, Expected } from "./messages.ts";

/** The number of faults that are listed of one file. */
const mostFaults = 20;

/** Limits SQLite's memory in this process. A damaged record can claim any length. */
export function limitMemory(): void {
  const connection = new Connection(":memory:", "read");
  connection.first(`PRAGMA hard_heap_limit = ${256 * 1024 * 1024}`, []);
  connection.close();
}

/**
 * Opens a database so that SQLite writes nothing to it, neither at a checkpoint nor at the close. It sees the rows of the
 * `-wal` file.
 */
export function openReadOnly(path: string): Connection {
  return new Connection(`${pathToFileURL(path).href}?mode=ro`, "read");
}

/**
 * Returns the faults of a database file, and its version. Reads all rows and indexes. Throws if the file is locked. A fault that SQLite or libSQL does not survive ends the process: call it in a process of its own.
 *
 * @param onTable called before a table is read
 */
export async function checkFile(path: string, expected: Expected, onTable: (table: string) => void): Promise<Checked> {
  const found: string[] = [];
  let connection: Connection | undefined;
  let version: number | undefined;
  try {
    connection = openReadOnly(path);
    for await (const fault of faultsOf(connection, expected, onTable)) {
      if (found.push(fault) === mostFaults) break;
    }
    version = await pragma(connection, "user_version");
  } catch (error) {
    if (isLocked(error)) throw error;
    found.push(messageOf(error));
  } finally {
    connection?.close();
  }
  return { faults: found, version };
}

async function* faultsOf(
  connection: Connection,
  expected: Expected,
  onTable: (table: string) => void,
): AsyncGenerator<string> {
  const [encoding] = connection.first("PRAGMA encoding", []) ?? [];
  // In another encoding the same bytes are another text.
  if (encoding !== "UTF-8") {
    yield `the encoding is ${encoding}, not UTF-8`;
    return;
  }
  // First, because the other statements and SQLite's messages contain names from the schema.
  onTable("sqlite_schema");
  for await (const fault of invalidIn(connection, "sqlite_schema")) return void (yield fault);
  const [other] = await otherFile(connection, expected);
  if (other !== undefined) return void (yield other);
  yield* await missingParts(connection, expected);
  yield* invalidText(connection, onTable);
  onTable("json");
  yield* await invalidJson(connection);
  onTable("integrity_check");
  // Not quick_check, which does not compare indexes with their tables: some queries read text from an index alone.
  const { rows } = await connection.execute(`PRAGMA integrity_check(${mostFaults})`);
  for (const [message] of rows.map((row) => Array.from(row))) {
    if (message !== "ok") yield* String(message).split("\n");
  }
}
