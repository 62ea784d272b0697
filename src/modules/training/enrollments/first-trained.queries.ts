import { sql } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import type { EnrollmentId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { flights } from "../../flights/flights.tables.ts";
import {
  trainingExams as exams,
  trainingGroundSessions as sessions,
  trainingSignoffs as signoffs,
} from "../training.tables.ts";

/** Returns the first day on which training is recorded in an enrollment. A theory exam may be earlier. */
export async function firstTrained(reader: Reader<"tenant">, id: EnrollmentId): Promise<LegalDate | undefined> {
  type Row = [Instant | null, Instant | null, LegalDate | null, LegalDate | null];
  const [row] = await reader.values<Row>(sql`select
    (select min(${flights.off_block_at}) from ${flights}
      where ${flights.enrollment_id} = ${id} and ${flights.status} in ('submitted', 'approved')),
    (select min(${signoffs.signed_at}) from ${signoffs}
      where ${signoffs.enrollment_id} = ${id} and ${signoffs.status} = 'recorded'),
    (select min(${sessions.held_on}) from ${sessions}
      where ${sessions.enrollment_id} = ${id} and ${sessions.status} = 'recorded'),
    (select min(${exams.taken_on}) from ${exams}
      where ${exams.enrollment_id} = ${id} and ${exams.status} = 'recorded' and ${exams.kind} = 'skill_test')`);
  const [flown = null, signed = null, held = null, tested = null] = row ?? [];
  const days = [held, tested].filter((day) => day !== null);
  for (const at of [flown, signed]) if (at !== null) days.push(toLegalDate(await today(reader, at)));
  return days.sort()[0];
}
