/** The items that a student has done: the newest signoff of each counts. */
import { sql } from "drizzle-orm";
import type { EnrollmentId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { trainingItems as items, trainingSignoffs as signoffs } from "../training.tables.ts";

/** Items of two revisions with the same codes are the same item. */
const statement = sql`
  select json_group_array(json_array(lesson, code)) from (
    select ${items.lesson_code} as lesson, ${items.code} as code, ${signoffs.passed} as passed,
      row_number() over (
        partition by ${items.lesson_code}, ${items.code} order by ${signoffs.signed_at} desc, ${signoffs}.rowid desc) as place
    from ${signoffs} cross join ${items} on ${items.id} = ${signoffs.item_id}
    where ${signoffs.enrollment_id} = ${sql.placeholder("id")} and ${signoffs.status} = 'recorded')
  where place = 1 and passed`;

/** Returns the codes of lesson and item, as JSON. */
export async function doneItems(reader: Reader<"tenant">, id: EnrollmentId): Promise<ReadonlySet<string>> {
  const row = await reader.first(statement, { id });
  return new Set((JSON.parse(String(row?.[0])) as [string, string][]).map((codes) => JSON.stringify(codes)));
}
