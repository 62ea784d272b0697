/** Reads an audit log from a place on. The place must still be in it: a file that was restored from an older copy lacks it. */
import { sql } from "drizzle-orm";
import type { OrgId } from "../../core/ids.ts";
import { placeOf, seqOf } from "../../storage/history.ts";
import { lookUpAll } from "../../storage/lookup.ts";
import { auditLog } from "../../storage/shared.tables.ts";
import type { Control, Tenant } from "../../storage/store.ts";

/** A row of the log, without what changed. */
export interface LogRow {
  kind: string;
  id: string;
  /** The place of this row. */
  place: string;
}

/** The rows of one organization, in one of the two logs. */
export interface OrganizationLog {
  /** Returns the last place. */
  present(): Promise<string>;
  /** Returns the rows after a place; undefined if the log does not contain it, or has more than `most` rows after it. */
  after(place: string, most: number): Promise<LogRow[] | undefined>;
}

const { seq, hash, subject_kind: kind, subject_id: id } = auditLog;
const columns = { seq, hash, kind, id };
const value = sql.placeholder;

/** The row of the place itself comes first. */
const inTenant = lookUpAll(
  columns,
  sql`from ${auditLog} where ${seq} >= ${value("from")} order by ${seq} limit ${value("limit")}`,
);
const lastInTenant = lookUpAll(columns, sql`from ${auditLog} order by ${seq} desc limit 1`);
const isOfOrganization = sql`${auditLog.org_id} = ${value("orgId")}`;
const inControl = lookUpAll(
  columns,
  sql`from ${auditLog} where ${isOfOrganization} and ${seq} >= ${value("from")} order by ${seq} limit ${value("limit")}`,
);
const lastInControl = lookUpAll(columns, sql`from ${auditLog} where ${isOfOrganization} order by ${seq} desc limit 1`);

type Row = Awaited<ReturnType<typeof inTenant>>[number];

export const logOfTenant = (tenant: Pick<Tenant, "read">): OrganizationLog =>
  logOf(
    (from, limit) => tenant.read((reader) => inTenant(reader, { from, limit })),
    () => tenant.read((reader) => lastInTenant(reader, {})),
  );

export const logInControl = (control: Pick<Control, "read">, orgId: OrgId): OrganizationLog =>
  logOf(
    (from, limit) => control.read((reader) => inControl(reader, { orgId, from, limit })),
    () => control.read((reader) => lastInControl(reader, { orgId })),
  );

function logOf(from: (seq: number, limit: number) => Promise<Row[]>, last: () => Promise<Row[]>): OrganizationLog {
  return {
    async present() {
      const [row] = await last();
      return row ? placeOf(row.seq, row.hash) : placeOf(0, null);
    },
    async after(place, most) {
      const start = seqOf(place);
      const rows = await from(start, most + 2);
      const first = start === 0 ? undefined : rows.shift();
      const isThere = place === (start === 0 ? placeOf(0, null) : first && placeOf(first.seq, first.hash));
      if (!isThere || rows.length > most) return undefined;
      return rows.map((row) => ({ kind: row.kind, id: row.id, place: placeOf(row.seq, row.hash) }));
    },
  };
}
