/** Looks for a person's words in all that a school and the control database keep, files included. */
import { getTableColumns, getTableName, is, type SQL, sql } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { isId } from "../../src/core/ids.ts";
import { tables } from "../../src/modules.ts";
import type { Reader, Store } from "../../src/storage/store.ts";
import type { Installation } from "./installation.ts";
import type { School } from "./school.ts";

/** What is an account's own and no school's. */
export const ofAccount = ["control.email_tokens.email", "control.users.email", "control.users.name"];

/**
 * Returns the columns, as `tenant.table.column`, in which one of the words is, in any case; of a blob, the text in UTF-8. A table of
 * the control database that has the organization's id is searched for the rows of this one.
 */
export async function tracesOf({ installation, orgId }: School<Installation>, ...words: string[]): Promise<string[]> {
  if (!isId<"organization">(orgId)) throw new Error("A school has an id.");
  const { control, tenants } = installation.storage;
  return [
    ...(await tracesIn(control, { kind: "control", orgId, words })),
    ...(await tracesIn(tenants.tenant(orgId), { kind: "tenant", orgId, words })),
  ];
}

interface Searched {
  kind: "control" | "tenant";
  orgId: string;
  words: readonly string[];
}

async function tracesIn(store: Store, { kind, orgId, words }: Searched): Promise<string[]> {
  const wanted = words.map((word) => word.toLowerCase());
  const has = (value: unknown) => {
    const text = textOf(value).toLowerCase();
    return wanted.some((word) => text.includes(word));
  };
  return store.read(async (reader) => {
    const found: string[] = [];
    for (const table of Object.values(tables[kind])) {
      if (!is(table, SQLiteTable)) continue;
      const columns = getTableColumns(table);
      const { org_id } = columns;
      const isOfSchool = kind === "control" && org_id ? sql`where ${org_id} = ${orgId}` : sql``;
      for (const { name } of Object.values(columns))
        if ((await valuesOf(reader, table, { name, isOfSchool })).some(has))
          found.push(`${kind}.${getTableName(table)}.${name}`);
    }
    return found.sort();
  });
}

const valuesOf = async (
  reader: Reader,
  table: SQLiteTable,
  { name, isOfSchool }: { name: string; isOfSchool: SQL },
): Promise<unknown[]> =>
  (await reader.values<[unknown]>(sql`select ${sql.identifier(name)} from ${table} ${isOfSchool}`)).flat();

function textOf(value: unknown): string {
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString();
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString();
  return typeof value === "string" ? value : "";
}
