/** Shows that nothing has changed in the databases of an installation, or what. */
import { sql } from "drizzle-orm";
import { tenantMarks } from "../../src/storage/control.tables.ts";
import type { Storage } from "../../src/storage/storage.ts";
import type { Reader, Store } from "../../src/storage/store.ts";
import { areOnServer } from "./on-server.ts";

/** The rows as text, by database and table. */
export type Snapshot = ReadonlyMap<string, readonly string[]>;

/**
 * Returns a number for each database that every commit changes. Equal numbers: nothing was written in between. This takes a
 * fraction of the time of a `snapshot`, which shows what has changed.
 */
export async function commits({ control, tenants }: Pick<Storage, "control" | "tenants">) {
  // The server does not say, but counts.
  if (areOnServer) return rowsOfAll({ control, tenants }, true);
  const version = async (store: Store): Promise<unknown> => {
    // A store's reads have one connection, and never write with it.
    const [row] = await store.read((reader) => reader.values<[unknown]>(sql`pragma data_version`));
    return row?.[0];
  };
  const found: Record<string, unknown> = { control: await version(control) };
  const owned = await control.read((reader) => reader.select({ id: tenantMarks.org_id }).from(tenantMarks));
  for (const { id } of owned) found[id] = await version(tenants.tenant(id));
  return found;
}

/** What the nodes of a server note for each other: no record of anybody's. */
const ofNodes: readonly string[] = ["nodes", "namespaces", "leases", "tenant_activity", "rate_buckets"];

/** What counts the commits of a school on a server. */
const counters: readonly string[] = ["writes", "changes"];

/** Returns every row of every table of the control database and of every organization. */
export const snapshot = (of: Pick<Storage, "control" | "tenants">): Promise<Snapshot> => rowsOfAll(of, !areOnServer);

async function rowsOfAll(
  { control, tenants }: Pick<Storage, "control" | "tenants">,
  withCounters: boolean,
): Promise<Snapshot> {
  const taken = new Map<string, readonly string[]>();
  const add = async (name: string, store: Store): Promise<void> => {
    await store.read(async (reader) => {
      for (const table of await tablesOf(reader))
        if (!(areOnServer && ofNodes.includes(table)))
          taken.set(`${name}.${table}`, await rowsOf(reader, table, table === "meta" && !withCounters ? counters : []));
    });
  };
  await add("control", control);
  const owned = await control.read((reader) => reader.select({ id: tenantMarks.org_id }).from(tenantMarks));
  for (const { id } of owned) await add(id, tenants.tenant(id));
  return taken;
}

/** Returns the rows added and removed between two snapshots, one line for each. */
export function changes(before: Snapshot, after: Snapshot): string[] {
  const found: string[] = [];
  for (const table of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(table) ?? [], after.get(table) ?? []];
    const [gone, come] = [without(old, now), without(now, old)];
    found.push(...gone.map((row) => `${table}: - ${row}`), ...come.map((row) => `${table}: + ${row}`));
  }
  return found;
}

async function tablesOf(reader: Reader): Promise<string[]> {
  const rows = await reader.values<[string]>(
    sql`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`,
  );
  return rows.map(([name]) => name);
}

async function rowsOf(reader: Reader, table: string, left: readonly string[]): Promise<string[]> {
  const columns = await reader.values<[string]>(sql`select name from pragma_table_info(${table})`);
  const read = columns.filter(([name]) => !left.includes(name)).map(([name]) => sql.identifier(name));
  const rows = await reader.values(sql`select ${sql.join(read, sql`, `)} from ${sql.identifier(table)}`);
  return rows.map((row) => JSON.stringify(row, plain)).sort();
}

/** JSON has no bytes and no big integers. */
const plain = (_: string, value: unknown): unknown => {
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value))
    return Buffer.from(value as ArrayBuffer).toString("hex");
  return value;
};

function without(rows: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return rows.filter((row) => !known.has(row));
}
