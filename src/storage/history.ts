/**
 * The place of a database in its history, by the chain of its audit log. A file that was restored from an older copy does not have
 * a later place, nor does what is written to it afterwards: each row's hash contains those of all rows before.
 */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { lastRow } from "./audit.ts";
import { lookUp } from "./lookup.ts";
import { auditLog } from "./shared.tables.ts";
import type { Kind, Reader } from "./store.ts";

/** The number of an audit row and the beginning of its hash: `42.3f0c…`. */
export const Place = z.string().regex(/^\d{1,15}\.[0-9a-f]{0,16}$/);

/** Returns the place of a row; without a hash, that before the first. */
export const placeOf = (seq: number, hash: string | null): string => `${seq}.${(hash ?? "").slice(0, 16)}`;

/** Returns the number of the row of a place. */
export const seqOf = (place: string): number => Number.parseInt(place, 10);

/** Returns the present place. */
export async function presentPlace<K extends Kind>(reader: Reader<K>): Promise<string> {
  const { seq, hash } = (await lastRow(reader, {})) ?? { seq: 0, hash: "" };
  return placeOf(seq ?? 0, hash);
}

/** Returns whether the history of the database contains the place. */
export async function containsPlace<K extends Kind>(reader: Reader<K>, place: string): Promise<boolean> {
  const seq = seqOf(place);
  const row = await rowAt(reader, { seq });
  return place === placeOf(seq, row?.hash ?? "");
}

const rowAt = lookUp({ hash: auditLog.hash }, sql`from ${auditLog} where ${auditLog.seq} = ${sql.placeholder("seq")}`);
