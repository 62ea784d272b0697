/** What of the school runs out when: the current records of people and aircraft that are not archived, the soonest first. */
import { and, isNotNull, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { MemberActor } from "../../../core/actor.ts";
import { dateField, idOf } from "../../../http/fields.ts";
import { fromAndToDays, paging, period } from "../../../http/query.ts";
import { columns } from "../../../storage/columns.ts";
import { ascending, pageBody } from "../../../storage/page.ts";
import { shape } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { people } from "../../people/people.tables.ts";
import { subjects } from "../built-in-types.ts";
import { complianceRecords as table } from "../compliance.tables.ts";
import { visibleTo } from "../records/records.queries.ts";
import { record } from "../records/records.shapes.ts";
import { isNotEnded } from "../records/standing.queries.ts";

export const ExpiryListQuery = period(
  z.strictObject({
    ...paging,
    ...fromAndToDays,
    subject: z.enum(subjects).optional().meta({ description: "Only records of people, or of aircraft." }),
  }),
);

/** SQLite would rather find all that is current, and sort it. */
const inOrder = sql`${table} indexed by compliance_records_expiry`;
/** Of these records the day is never null, by which the index is sorted. */
const expiring = shape("ExpiringRecord", columns(table, { id: idOf<"record">(), valid_until: dateField }));
const orderBy = ascending(expiring, "valid_until", "id");
// Spelled out: the index has these rows only.
const isCounted = sql`${table.status} = 'current' and ${table.valid_until} is not null`;
const isInUse = sql`not exists (select 1 from ${people} where ${people.id} = ${table.person_id} and ${people.status} = 'archived')
  and not exists (select 1 from ${aircraft} where ${aircraft.id} = ${table.aircraft_id} and ${aircraft.status} = 'archived')`;

/** Returns JSON text. Callers see the records that their permissions allow. @param withdrawn see `withdrawnOnes` @throws FORBIDDEN */
export function listExpiries(
  reader: Reader<"tenant">,
  actor: MemberActor,
  { from, to, subject, ...page }: z.infer<typeof ExpiryListQuery>,
  withdrawn: string,
) {
  const where = and(
    isCounted,
    from === undefined ? undefined : sql`${table.valid_until} >= ${from}`,
    to === undefined ? undefined : sql`${table.valid_until} < ${to}`,
    subject && ofSubject[subject],
    isInUse,
    isNotEnded(withdrawn),
    visibleTo(actor),
  );
  return pageBody(reader, record, { ...page, from: inOrder, where, orderBy });
}

const ofSubject: Record<(typeof subjects)[number], SQL> = {
  person: isNotNull(table.person_id),
  aircraft: isNotNull(table.aircraft_id),
};
