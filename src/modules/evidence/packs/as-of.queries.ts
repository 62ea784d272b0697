/** What the audit log knows about an earlier state. */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { auditLog } from "../../../storage/shared.tables.ts";
import type { AsOf } from "../../compliance/records/standing.queries.ts";

/**
 * The value of a resource that the first change after the day replaced. Null: it was not changed since, or it is not known.
 *
 * @param path in the payload of the audit row
 */
export function foundLater({ id }: { id: SQLiteColumn }, kind: string, { end }: AsOf, path: string): SQL {
  const { payload, subject_id, subject_kind, at, seq } = auditLog;
  const value = sql`json_extract(${payload}, ${path})`;
  return sql`(select ${value} from ${auditLog} where ${subject_id} = ${id} and ${subject_kind} = ${kind}
    and ${at} >= ${end} and ${value} is not null order by ${seq} limit 1)`;
}
