/** Values and rows as the protocol has them (Hrana 3 in JSON). */
import type { ResultSet } from "@libsql/client";
import { z } from "zod";
import type { Value } from "../store.ts";
import { EngineError } from "./engine-error.ts";

/** A value on the wire. An integer is text: JSON's numbers have 53 bits. */
type WireValue =
  | { type: "null" }
  | { type: "integer"; value: string }
  | { type: "float"; value: number }
  | { type: "text"; value: string }
  | { type: "blob"; base64: string };

/** A value of a result, unpacked. */
type Unpacked = null | number | string | Buffer;

/** The largest value in bytes: of larger ones, the server takes the row and can't return it. */
const largestValue = 4 * 1024 * 1024;

/** @throws EngineError nobody could read the value again. As an error of the server's: drizzle puts the values into the messages of others. */
function requireReadable(bytes: number): void {
  if (bytes > largestValue)
    throw new EngineError(
      "VALUE_TOO_LARGE",
      `a value has ${bytes} bytes, and the server returns at most ${largestValue}`,
    );
}

const nothing: WireValue = { type: "null" };

/** @throws TypeError SQLite can't store the value, EngineError it is too large. As `connection.ts`, so that both stores take the same. */
export function packed(value: Value | undefined): WireValue {
  if (value === null) return nothing;
  switch (typeof value) {
    case "string":
      // A character of UTF-16 has three bytes at most.
      if (3 * value.length > largestValue) requireReadable(Buffer.byteLength(value));
      return { type: "text", value };
    case "number":
      if (!Number.isFinite(value)) break;
      // Also a whole number: the driver of files binds every number so, and `? / 2` would be another value.
      return { type: "float", value };
    case "bigint":
      return { type: "integer", value: String(value) };
    case "boolean":
      return { type: "float", value: value ? 1 : 0 };
    case "object":
      requireReadable(value.byteLength);
      return { type: "blob", base64: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64") };
  }
  throw new TypeError(`${value} can't be stored.`);
}

function unpacked(value: WireValue): Unpacked {
  switch (value.type) {
    case "null":
      return null;
    case "integer":
      return Number(value.value);
    case "blob":
      return Buffer.from(value.base64, "base64");
    default:
      return value.value;
  }
}

/** The result of one statement. Its rows are those of the server: a schema would take longer than SQLite to read them. */
export const StatementResult = z.object({
  rows: z.custom<readonly WireValue[][]>(Array.isArray),
  affected_row_count: z.number(),
});

export interface Result {
  rows: Unpacked[][];
  changes: number;
}

export const resultOf = ({ rows, affected_row_count }: z.infer<typeof StatementResult>): Result => ({
  rows: rows.map((row) => row.map(unpacked)),
  changes: affected_row_count,
});

/** The result of a statement as drizzle reads it: rows are arrays in the order of the columns. */
export const resultSet = ({ rows, changes }: Result): ResultSet => ({
  columns: [],
  columnTypes: [],
  rows: rows as unknown as ResultSet["rows"],
  rowsAffected: changes,
  lastInsertRowid: undefined,
  toJSON: () => rows,
});
