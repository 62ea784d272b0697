/** How many people and aircraft have a valid record of each type: the public summary. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import type { Reader } from "../../../storage/store.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { people } from "../../people/people.tables.ts";
import { subjects } from "../built-in-types.ts";
import {
  complianceEvaluations as evaluations,
  complianceRecords as records,
  complianceTypes as types,
} from "../compliance.tables.ts";

const count = (description: string) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [3] });

export const summaryRow = z
  .strictObject({
    type: z.string().meta({ description: "The key of the record type.", examples: ["medical"] }),
    subject: z.enum(subjects).meta({ examples: ["person"] }),
    valid: count("Valid for more than `soon_days`."),
    expiring_soon: count("Valid today, and expired after `soon_days`."),
    expired: count("The record that counts has expired."),
    missing: count("Required, and no record."),
    unlimited: count("Valid without an expiry."),
  })
  .meta({ id: "PublicComplianceSummary" });

/**
 * Returns JSON text: each type with its counts, by key. Of each person or aircraft that is not archived, the record of the
 * type that counts is the newest current one. Who lacks one of several types is counted at the first of them.
 */
export async function complianceSummary(
  reader: Reader<"tenant">,
  { soon_days }: { soon_days: number },
  date: LegalDate,
): Promise<string> {
  const soon = toLegalDate(Temporal.PlainDate.from(date).add({ days: soon_days }));
  const [row] = await reader.values<[string]>(sql`
    with newest as (
      select ${records.type} as type, ${records.valid_until} as valid_until, row_number() over (
        partition by ifnull(${records.person_id}, ${records.aircraft_id}), ${records.type}
        order by ${records.issued_on} desc, ${records.id} desc) as place
      from ${records}
      left join ${people} on ${people.id} = ${records.person_id}
      left join ${aircraft} on ${aircraft.id} = ${records.aircraft_id}
      where ${records.status} = 'current' and ifnull(${people.status}, ${aircraft.status}) <> 'archived'),
    counted as (
      select type, sum(valid_until > ${soon}) as valid, sum(valid_until between ${date} and ${soon}) as soon,
        sum(valid_until < ${date}) as expired, sum(valid_until is null) as unlimited
      from newest where place = 1 group by type),
    lacking as (
      select reason.value ->> '$.any_of[0]' as type, count(*) as missing
      from ${evaluations}, json_each(${evaluations.reasons}) as reason
      where reason.value ->> '$.state' = 'missing' group by 1)
    select json_object('data', json_group_array(json_object('type', key, 'subject', subject, 'valid', valid,
      'expiring_soon', soon, 'expired', expired, 'missing', missing, 'unlimited', unlimited)))
    from (
      select ${types.key} as key, ${types.subject} as subject, ifnull(valid, 0) as valid, ifnull(soon, 0) as soon,
        ifnull(expired, 0) as expired, ifnull(missing, 0) as missing, ifnull(unlimited, 0) as unlimited
      from ${types} left join counted on counted.type = ${types.key} left join lacking on lacking.type = ${types.key}
      order by ${types.key})`);
  return z.string().parse(row?.[0]);
}
