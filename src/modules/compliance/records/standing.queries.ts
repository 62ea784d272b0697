/**
 * The twin of `held.ts` in SQL, for statements over many people and aircraft: which of their records stand on a day, as far as was
 * known at its end. A test compares the two.
 */
import { and, eq, inArray, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import type { Instant } from "../../../core/clock.ts";
import { dateIn, type LegalDate } from "../../../core/dates.ts";
import { dateField } from "../../../http/fields.ts";
import { field, part } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { startOf, timeZoneOf } from "../../../storage/today.ts";
import { people } from "../../people/people.tables.ts";
import { complianceRecords as records } from "../compliance.tables.ts";
import { oneAtATime } from "../rules/rules.ts";
import type { Holder } from "./held.ts";
import { heldIn, storedRecord } from "./records.shapes.ts";

type TenantReader = Reader<"tenant">;

/** A day where the organization is, and the moment at which it ends. */
export interface AsOf {
  date: LegalDate;
  end: Instant;
}

export const asOf = async (reader: TenantReader, date: LegalDate): Promise<AsOf> => ({
  date,
  end: await startOf(reader, Temporal.PlainDate.from(date).add({ days: 1 })),
});

const newer = alias(records, "newer");
const superseding = alias(records, "superseding");
type Columns = Readonly<
  Record<"created_at" | "updated_at" | "issued_on" | "entered_by_mistake" | "superseded_by", SQLWrapper>
>;

/** Entered and issued by then, and not known by then to be a mistake. */
const counts = (
  record: Columns,
  { date, end }: AsOf,
): SQL => sql`(${record.created_at} < ${end} and ${record.issued_on} <= ${date}
  and not (${record.entered_by_mistake} and ${record.updated_at} < ${end}))`;

const supersedingOf = (record: Columns, asOf: AsOf): SQL => sql`from ${records} as ${superseding}
  where ${superseding.id} = ${record.superseded_by} and ${counts(superseding, asOf)}`;

const isLeft = (record: Columns, asOf: AsOf): SQL =>
  sql`(${counts(record, asOf)} and not exists (select 1 ${supersedingOf(record, asOf)}))`;

const wasWithdrawn = ({ end }: AsOf): SQL => sql`(${records.status} = 'withdrawn' and ${records.updated_at} < ${end})`;

/** The newest of its type and level. */
const isNewest = (asOf: AsOf): SQL => sql`(${isLeft(records, asOf)} and not exists (
  select 1 from ${records} as ${newer}
  where (${newer.person_id} = ${records.person_id} or ${newer.aircraft_id} = ${records.aircraft_id})
    and ${newer.type} = ${records.type} and ${newer.level} is ${records.level} and ${isLeft(newer, asOf)}
    and (${newer.issued_on}, ${newer.created_at}, ${newer.id}) > (${records.issued_on}, ${records.created_at}, ${records.id})))`;

/** The documents of which a person holds one at a time that were withdrawn, as JSON. */
export async function withdrawnOnes(reader: TenantReader, asOf: AsOf): Promise<string> {
  const time_zone = await timeZoneOf(reader);
  const rows = await reader
    .select({ person_id: records.person_id, type: records.type, at: records.updated_at })
    .from(records)
    .where(
      and(
        inArray(records.type, [...oneAtATime]),
        eq(records.status, "withdrawn"),
        counts(records, asOf),
        wasWithdrawn(asOf),
      ),
    );
  return JSON.stringify(
    rows.map(({ at, ...withdrawn }) => ({ ...withdrawn, on: dateIn(time_zone, new Date(at)).toString() })),
  );
}

/** Whether the withdrawal of another one has not ended a record. @param withdrawn see `withdrawnOnes` */
export const isNotEnded = (withdrawn: string): SQL => sql`not exists (select 1 from json_each(${withdrawn}) as one
  where one.value ->> '$.person_id' = ${records.person_id} and one.value ->> '$.type' = ${records.type}
    and ${records.issued_on} < one.value ->> '$.on')`;

/** As `standingOn`. @param withdrawn see `withdrawnOnes` */
export const stands = (asOf: AsOf, withdrawn: string): SQL | undefined =>
  and(isNewest(asOf), not(wasWithdrawn(asOf)), isNotEnded(withdrawn));

/**
 * Returns who of these had records that count on the day, or were withdrawn, with these: what `heldOn` needs, which answers by them
 * for this day only.
 */
export async function holdersOn(
  reader: TenantReader,
  subjects: "person_id" | "aircraft_id",
  ids: readonly string[],
  asOf: AsOf,
): Promise<ReadonlyMap<string, Holder>> {
  const then = part({
    ...storedRecord.fields,
    superseded_on: field(dateField.nullable(), sql`null`),
    withdrawn_at: field(
      storedRecord.fields.withdrawn_at.schema,
      sql`iif(${wasWithdrawn(asOf)}, ${records.updated_at}, null)`,
    ),
  });
  const rows = await reader.values<[string, LegalDate | null, string]>(sql`
    select ${records[subjects]}, ${people.date_of_birth}, json_group_array(${then.json})
    from json_each(${JSON.stringify(ids)}) as wanted
    cross join ${records} on ${records[subjects]} = wanted.value
    left join ${people} on ${people.id} = ${records.person_id}
    where ${isNewest(asOf)} or ${counts(records, asOf)} and ${wasWithdrawn(asOf)}
    group by 1`);
  const held = heldIn(await timeZoneOf(reader));
  const stored = z.array(then.schema);
  return new Map(
    rows.map(([id, date_of_birth, json]) => [id, { date_of_birth, records: stored.parse(JSON.parse(json)).map(held) }]),
  );
}
