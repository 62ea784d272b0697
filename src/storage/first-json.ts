import type { SQL } from "drizzle-orm";
import type { Reader, Value } from "./store.ts";

/** Returns the parsed JSON of a statement that selects one text. */
export async function firstJson(reader: Reader, statement: SQL, values: Record<string, Value>): Promise<unknown> {
  const row = await reader.first(statement, values);
  return JSON.parse(String(row?.[0]));
}
