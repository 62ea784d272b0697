/** When people are available, and when the school is open. */
import { type Placeholder, type SQL, sql } from "drizzle-orm";
import { yieldingEvery } from "../../../core/async.ts";
import { type Instant, toInstant } from "../../../core/clock.ts";
import { dateIn, type LegalDate, toLegalDate } from "../../../core/dates.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { planningAbsences as absences, planningHours as hours } from "../planning.tables.ts";
import type { Interval } from "./booking.ts";
import { common, earlier, later, united, without } from "./intervals.ts";

/** The weekly hours and the absences of a person, or of the school. */
export interface Presence {
  hours: {
    weekday: number;
    from_time: string;
    to_time: string;
    from_on: LegalDate | null;
    until_on: LegalDate | null;
  }[];
  absences: { from_on: LegalDate; until_on: LegalDate }[];
}

const value = sql.placeholder;
const presenceParts = (person_id: SQL | Placeholder) => {
  const isOf = (table: typeof hours | typeof absences) => sql`${table.person_id} is ${person_id}`;
  return sql`
  (select json_group_array(json_object('weekday', ${hours.weekday}, 'from_time', ${hours.from_time},
    'to_time', ${hours.to_time}, 'from_on', ${hours.from_on}, 'until_on', ${hours.until_on}))
    from ${hours} where ${isOf(hours)}),
  (select json_group_array(json_object('from_on', ${absences.from_on}, 'until_on', ${absences.until_on}))
    from ${absences} where ${isOf(absences)} and ${absences.until_on} >= ${value("from")})`;
};
const statement = sql`select ${presenceParts(value("person_id"))}`;

/** @param person_id null: of the school. @param from absences that ended earlier are left out */
export async function presenceOf(
  reader: Reader<"tenant">,
  person_id: PersonId | null,
  from: LegalDate,
): Promise<Presence> {
  const [weekly, away] = (await reader.first(statement, { person_id, from })) ?? ["[]", "[]"];
  return { hours: JSON.parse(String(weekly)), absences: JSON.parse(String(away)) };
}

const ofMany = sql<[PersonId, string, string]>`
  select wanted.value, ${presenceParts(sql`wanted.value`)} from json_each(${value("ids")}) as wanted`;

/** As `presenceOf`, of many people. */
export async function presencesOf(
  reader: Reader<"tenant">,
  ids: readonly string[],
  from: LegalDate,
): Promise<ReadonlyMap<string, Presence>> {
  const rows = await reader.rows(ofMany, { ids: JSON.stringify(ids), from });
  return new Map(
    rows.map(([id, weekly, away]) => [id, { hours: JSON.parse(weekly), absences: JSON.parse(away) }] as const),
  );
}

/** Returns the absences that an interval touches, as far as they are on its days. */
export function absencesIn({ absences }: Presence, timeZone: string, { start_at, end_at }: Interval) {
  const [first, last] = [toLegalDate(dayOf(timeZone, start_at)), toLegalDate(lastDayOf(timeZone, end_at))];
  return absences
    .filter(({ from_on, until_on }) => from_on <= last && until_on >= first)
    .map((one) => ({ ...one, first: later(one.from_on, first), last: earlier(one.until_on, last) }));
}

/** Returns whether the weekly hours cover the whole booking. Without any, they do. */
export const isCovered = async (presence: Presence, timeZone: string, booking: Interval): Promise<boolean> =>
  presence.hours.length === 0 ||
  (await openIn(presence, timeZone, booking)).some(
    (one) => one.start_at <= booking.start_at && one.end_at >= booking.end_at,
  );

/** Returns the weekly hours on the days of an interval, in order; those that adjoin are one. */
async function openIn({ hours }: Presence, timeZone: string, { start_at, end_at }: Interval): Promise<Interval[]> {
  const last = lastDayOf(timeZone, end_at);
  const found: Interval[] = [];
  const pause = yieldingEvery();
  for (let day = dayOf(timeZone, start_at); Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) {
    await pause();
    const date = toLegalDate(day);
    for (const { weekday, from_time, to_time, from_on, until_on } of hours)
      if (weekday === day.dayOfWeek && (from_on ?? date) <= date && (until_on ?? date) >= date)
        found.push({ start_at: localInstant(timeZone, day, from_time), end_at: localInstant(timeZone, day, to_time) });
  }
  return united(found);
}

/** Returns the times of an interval at which a person is there, or the school is open. */
export async function presentIn(presence: Presence, timeZone: string, whole: Interval): Promise<Interval[]> {
  const away = absencesIn(presence, timeZone, whole).map(({ first, last }) => ({
    start_at: localInstant(timeZone, Temporal.PlainDate.from(first), "00:00"),
    end_at: localInstant(timeZone, Temporal.PlainDate.from(last), "24:00"),
  }));
  const there = without(whole, away);
  return presence.hours.length === 0 ? there : common(there, await openIn(presence, timeZone, whole));
}

/**
 * Returns the moment of a local time. One that a clock change skips is as much later as the clock goes forward; of one that
 * exists twice, the first counts.
 *
 * @param time `HH:MM`, or `24:00` for the end of the day
 */
export function localInstant(timeZone: string, date: Temporal.PlainDate, time: string): Instant {
  const zoned =
    time === "24:00"
      ? date.add({ days: 1 }).toZonedDateTime(timeZone)
      : date.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) });
  return toInstant(new Date(zoned.epochMilliseconds));
}

export const dayOf = (timeZone: string, at: Instant): Temporal.PlainDate => dateIn(timeZone, new Date(at));

/** What ends at midnight does not reach into the next day. */
const lastDayOf = (timeZone: string, end_at: Instant): Temporal.PlainDate =>
  dateIn(timeZone, new Date(Date.parse(end_at) - 1));
