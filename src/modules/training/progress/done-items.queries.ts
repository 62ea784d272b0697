/** The items that a student has done: the newest signoff of each that counts decides. */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import type { EnrollmentId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { flights } from "../../flights/flights.tables.ts";
import { trainingItems as items, trainingSignoffs as signoffs } from "../training.tables.ts";

/** What is recorded on a flight counts while the flight does, or may: not if it was rejected or reversed. */
export const onCountingFlight = (record: { flight_id: SQLWrapper; enrollment_id: SQLWrapper }): SQL =>
  sql`(${record.flight_id} is null or exists (select 1 from ${flights} where ${flights.id} = ${record.flight_id}
    and ${flights.enrollment_id} = ${record.enrollment_id} and ${flights.status} in ('submitted', 'approved')))`;

export const countingSignoff = sql`${signoffs.status} = 'recorded' and ${onCountingFlight(signoffs)}`;

/** Of two signoffs of the same time, the one entered last. Items of two revisions with the same codes are the same item. */
const statement = sql`
  select json_group_array(json_array(enrollment, lesson, code)) from (
    select ${signoffs.enrollment_id} as enrollment, ${items.lesson_code} as lesson, ${items.code} as code,
      ${signoffs.passed} as passed, row_number() over (
        partition by ${signoffs.enrollment_id}, ${items.lesson_code}, ${items.code}
        order by ${signoffs.signed_at} desc, ${signoffs}.rowid desc) as place
    from json_each(${sql.placeholder("ids")}) as wanted
    cross join ${signoffs} on ${signoffs.enrollment_id} = wanted.value and ${countingSignoff}
      and ${signoffs.signed_at} <= ${sql.placeholder("until")}
    cross join ${items} on ${items.id} = ${signoffs.item_id})
  where place = 1 and passed`;

export type DoneItems = ReadonlySet<string>;

export const itemKey = (lesson: string, item: string): string => JSON.stringify([lesson, item]);

/** Sorts after every moment. */
const ever = "~";

/** Returns the keys of the items that are done in each of some enrollments, or were at a moment. */
export async function doneItemsIn(
  reader: Reader<"tenant">,
  ids: readonly EnrollmentId[],
  until: Instant | typeof ever = ever,
): Promise<ReadonlyMap<EnrollmentId, DoneItems>> {
  const row = await reader.first(statement, { ids: JSON.stringify(ids), until });
  const done = new Map(ids.map((id) => [id, new Set<string>()]));
  for (const [id, lesson, item] of JSON.parse(String(row?.[0])) as [EnrollmentId, string, string][])
    done.get(id)?.add(itemKey(lesson, item));
  return done;
}

/** As `doneItemsIn`, of one enrollment. */
export const doneItems = async (reader: Reader<"tenant">, id: EnrollmentId, until?: Instant): Promise<DoneItems> =>
  (await doneItemsIn(reader, [id], until)).get(id) ?? new Set();

interface WithItems {
  code: string;
  items: readonly { code: string }[];
}

/** Returns the lessons that a lesson requires, and of which an item is not done. */
export const missingBefore = <Lesson extends WithItems>(
  lessons: readonly Lesson[],
  { requires }: { requires: readonly string[] },
  done: DoneItems,
): Lesson[] =>
  lessons.filter(
    ({ code, items }) => requires.includes(code) && !items.every((item) => done.has(itemKey(code, item.code))),
  );
