/** How many people and aircraft have a valid record of each type: the public summary. */
import { ne, sql } from "drizzle-orm";
import { z } from "zod";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import type { Reader } from "../../../storage/store.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { people } from "../../people/people.tables.ts";
import { subjects } from "../built-in-types.ts";
import { complianceEvaluations as evaluations, complianceTypes as types } from "../compliance.tables.ts";
import { type Holder, heldOn } from "../records/held.ts";
import { type AsOf, asOf, holdersOn } from "../records/standing.queries.ts";

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
 * Returns each type with its counts, by key: of each person or aircraft that is not archived, what they hold of the type. Who lacks
 * one of several types is counted at the first of them.
 */
export async function complianceSummary(
  reader: Reader<"tenant">,
  { soon_days }: { soon_days: number },
  date: LegalDate,
): Promise<string> {
  const today = Temporal.PlainDate.from(date);
  const soon = toLegalDate(today.add({ days: soon_days }));
  const counts = new Map<string, Counts>();
  const add = (type: string, count: keyof Counts, more = 1) => {
    const ofType = counts.get(type) ?? { ...none };
    ofType[count] += more;
    counts.set(type, ofType);
  };
  for await (const holder of holders(reader, await asOf(reader, date)))
    for (const type of new Set(holder.records.map((record) => record.type))) {
      const { state, record } = heldOn(holder, { any_of: [type] }, today);
      if (state === "expired") add(type, "expired");
      if (state === "valid") add(type, validUntil(record.valid_until, soon));
    }
  for (const [type, missing] of await reader.values<[string, number]>(lacking)) add(type, "missing", missing);
  const known = await reader.select({ key: types.key, subject: types.subject }).from(types).orderBy(types.key);
  const rows = known.map(({ key, subject }) => ({ type: key, subject, ...none, ...counts.get(key) }));
  return JSON.stringify({ data: rows });
}

const none = { valid: 0, expiring_soon: 0, expired: 0, missing: 0, unlimited: 0 };
type Counts = typeof none;

const validUntil = (last: LegalDate | null, soon: LegalDate) =>
  last === null ? "unlimited" : last > soon ? "valid" : "expiring_soon";

const lacking = sql`
  select reason.value ->> '$.any_of[0]', count(*)
  from ${evaluations}, json_each(${evaluations.reasons}) as reason
  where reason.value ->> '$.state' = 'missing' group by 1`;

/** So many are read at once. */
const BATCH = 500;

/** The people and aircraft that are not archived, with what they hold on the day. */
async function* holders(reader: Reader<"tenant">, asOf: AsOf): AsyncGenerator<Holder> {
  const all = {
    person_id: await reader.select({ id: people.id }).from(people).where(ne(people.status, "archived")),
    aircraft_id: await reader.select({ id: aircraft.id }).from(aircraft).where(ne(aircraft.status, "archived")),
  };
  for (const subject of ["person_id", "aircraft_id"] as const)
    for (let from = 0; from < all[subject].length; from += BATCH) {
      const ids = all[subject].slice(from, from + BATCH).map(({ id }) => id);
      yield* (await holdersOn(reader, subject, ids, asOf)).values();
    }
}
