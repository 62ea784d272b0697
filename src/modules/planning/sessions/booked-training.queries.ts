import { sql } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import type { BookedTraining } from "../../training/training.occasions.ts";
import { planningResources as resources, planningSessions as sessions } from "../planning.tables.ts";

const value = sql.placeholder;

/** By the index of what is booked for each student. */
const statement = sql`
  select json_group_array(json_object('student_id', ${resources.resource_id}, 'lesson_id', ${sessions.lesson_id}))
  from json_each(${value("students")}) as wanted
  cross join ${resources} on ${resources.resource_id} = wanted.value and ${resources.start_at} >= ${value("from")}
    and ${resources.start_at} < ${value("to")} and ${resources.type} = 'student'
  cross join ${sessions} on ${sessions.id} = ${resources.session_id}
  where ${sessions.status} in ('requested', 'planned', 'checked_in')
    and (${sessions.lesson_id} is not null or ${sessions.instructor_id} is not null)`;

/** Returns the sessions of students that name a lesson, or have an instructor. */
export async function bookedFor(
  reader: Reader<"tenant">,
  { students, from, to }: { students: readonly PersonId[]; from: Instant; to: Instant },
): Promise<BookedTraining[]> {
  const row = await reader.first(statement, { students: JSON.stringify(students), from, to });
  return JSON.parse(String(row?.[0]));
}
