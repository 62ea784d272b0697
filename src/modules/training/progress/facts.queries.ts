/** What progress is computed from: approved flights, ground sessions, signoffs and exams. There is no other account of it. */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Instant, shift } from "../../../core/clock.ts";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import type { EnrollmentId, LessonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { startOf } from "../../../storage/today.ts";
import { complianceEvaluations } from "../../compliance/compliance.tables.ts";
import type { Summed } from "../../compliance/rules/training-minima.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { publicFlight } from "../../flights/flights.shapes.ts";
import { flightCrew, flights } from "../../flights/flights.tables.ts";
import { people } from "../../people/people.tables.ts";
import type { Credit } from "../enrollments/enrollments.schemas.ts";
import type { Sat } from "../exams/exam-sets.ts";
import {
  trainingEnrollments as enrollments,
  trainingExams as exams,
  trainingPrograms as programs,
  type RevisionId,
  trainingRevisions as revisions,
  trainingGroundSessions as sessions,
} from "../training.tables.ts";
import { type DoneItems, doneItemsIn } from "./done-items.queries.ts";
import type { PublicProgress } from "./progress.schemas.ts";

type TenantReader = Reader<"tenant">;

const block = publicFlight.fields.block_minutes.value;
const isSession = sql`${flights.nature} is 'simulator'`;
const solo = sql`${flightCrew.function} = 'solo' and not ${isSession}`;
const dual = sql`${flightCrew.function} = 'dual' and not ${isSession}`;
const away = sql`${flights.cross_country_km} is not null`;
/** Whether a flight counts, by the revision of its enrollment: one in an aircraft of another class only as a credit. */
export const countsIn = sql`(${isSession} or ${revisions.aircraft_classes} is null
  or instr(${revisions.aircraft_classes}, '"' || ${aircraft.class} || '"') > 0)`;
const sum = (when: SQL, what: SQLWrapper = block): SQL =>
  sql`total(iif(${when}, ${what}, 0)) filter (where ${countsIn})`;
const landings = sql`${flightCrew.day_landings} + ${flightCrew.night_landings}`;
const night = flights.night_minutes;

/** What the approved flights of an enrollment add up to. SPIC counts in total, and as neither dual nor solo. */
const flown: Record<Exclude<Summed, "ground_minutes">, SQL> = {
  total_minutes: sum(sql`not ${isSession}`),
  dual_minutes: sum(dual),
  solo_minutes: sum(solo),
  cross_country_minutes: sum(away),
  dual_cross_country_minutes: sum(sql`${away} and ${dual}`),
  solo_cross_country_minutes: sum(sql`${away} and ${solo}`),
  night_minutes: sum(sql`true`, night),
  dual_night_minutes: sum(dual, night),
  instrument_minutes: sum(sql`true`, flights.ifr_minutes),
  simulator_minutes: sum(isSession),
  landings: sum(sql`true`, landings),
  solo_landings: sum(solo, landings),
  solo_night_landings: sum(solo, flightCrew.night_landings),
};
const sums = Object.entries(flown);

/** The end of the day as of which facts are read. */
const end = sql.placeholder("end");

const wanted = sql`json_each(${sql.placeholder("ids")}) as wanted
  cross join ${enrollments} on ${enrollments.id} = wanted.value`;

/** Of the newest flight: SQLite takes the columns beside a `max()` from its row. */
const flownStatement = sql`
  select json_group_array(json(found)) from (
    select json_object('id', ${enrollments.id}, 'last', max(${flights.off_block_at}), 'lesson', ${flights.lesson_id},
      'sums', json_array(${sql.join(
        sums.map(([, value]) => sql`cast(${value} as integer)`),
        sql.raw(", "),
      )}),
      'away', json_group_array(json_array(${flights.cross_country_km}, ifnull(${flights.full_stops_elsewhere}, 0)))
        filter (where ${away} and ${solo} and ${countsIn})) as found
    from ${wanted}
    cross join ${revisions} on ${revisions.id} = ${enrollments.revision_id}
    cross join ${flights} on ${flights.enrollment_id} = ${enrollments.id} and ${flights.status} = 'approved'
      and ${flights.off_block_at} < ${end}
    cross join ${aircraft} on ${aircraft.id} = ${flights.aircraft_id}
    cross join ${flightCrew} on ${flightCrew.flight_id} = ${flights.id} and ${flightCrew.person_id} = ${enrollments.student_id}
    where ${flightCrew.function} in ('dual', 'solo', 'spic')
    group by ${enrollments.id})`;

const groundStatement = sql`
  select json_group_array(json(found)) from (
    select json_object('id', ${enrollments.id}, 'minutes', sum(${sessions.minutes}), 'last', max(${sessions.held_on}),
      'lesson', ${sessions.lesson_id}) as found
    from ${wanted}
    cross join ${sessions} on ${sessions.enrollment_id} = ${enrollments.id} and ${sessions.status} = 'recorded'
      and ${sessions.held_on} <= ${sql.placeholder("on")}
    group by ${enrollments.id})`;

const examStatement = sql`
  select json_group_array(json(found)) from (
    select json_object('id', ${enrollments.id}, 'kind', ${exams.kind}, 'subject', ${exams.subject},
      'sitting', ${exams.sitting}, 'taken_on', ${exams.taken_on}, 'passed', json(iif(${exams.passed}, 'true', 'false'))) as found
    from ${wanted}
    cross join ${exams} on ${exams.enrollment_id} = ${enrollments.id} and ${exams.status} = 'recorded'
    order by ${exams.taken_on}, ${exams}.rowid)`;

const enrolledStatement = sql`
  select json_group_array(json_object('id', ${enrollments.id}, 'revision_id', ${enrollments.revision_id},
    'status', ${enrollments.status}, 'started_on', ${enrollments.started_on}, 'planned_start_on', ${enrollments.planned_start_on},
    'planned_end_on', ${enrollments.planned_end_on}, 'credits', json(${enrollments.credits}),
    'student', json_object('id', ${people.id}, 'name', ${people.name}), 'date_of_birth', ${people.date_of_birth},
    'program', json_object('id', ${programs.id}, 'kind', ${programs.kind}, 'name', ${programs.name}),
    'compliance', (select json_object('status', ${complianceEvaluations.status}, 'reasons', json(${complianceEvaluations.reasons}))
      from ${complianceEvaluations} where ${complianceEvaluations.person_id} = ${people.id})))
  from ${wanted} cross join ${people} on ${people.id} = ${enrollments.student_id}
  cross join ${programs} on ${programs.id} = ${enrollments.program_id}`;

interface Enrolled {
  id: EnrollmentId;
  revision_id: RevisionId;
  status: PublicProgress["status"];
  started_on: LegalDate;
  planned_start_on: LegalDate | null;
  planned_end_on: LegalDate | null;
  credits: Credit[];
  student: PublicProgress["student"];
  date_of_birth: LegalDate | null;
  program: PublicProgress["program"];
  compliance: PublicProgress["compliance"] | null;
}

interface ExamFact extends Omit<Sat, "subject"> {
  kind: "theory" | "skill_test";
  subject: string | null;
}

export interface Facts extends Enrolled {
  flown: {
    last: Instant | null;
    lesson: LessonId | null;
    sums: Readonly<Record<Summed, number>>;
    away: readonly [km: number, stops: number][];
  };
  ground: { last: LegalDate | null; lesson: LessonId | null };
  done: DoneItems;
  exams: readonly ExamFact[];
}

/** Returns the facts of some enrollments as of a day, in the order of the ids. Of few: one statement each reads them all. */
export async function factsOf(
  reader: TenantReader,
  ids: readonly EnrollmentId[],
  day: Temporal.PlainDate,
): Promise<Facts[]> {
  const asked = { ids: JSON.stringify(ids), on: toLegalDate(day), end: await startOf(reader, day.add({ days: 1 })) };
  const read = async <T extends { id: EnrollmentId }>(statement: SQL): Promise<T[]> => {
    const row = await reader.first(statement, asked);
    return JSON.parse(String(row?.[0]));
  };
  const byId = <T extends { id: EnrollmentId }>(rows: T[]) => new Map(rows.map((row) => [row.id, row]));
  const enrolled = byId(await read<Enrolled>(enrolledStatement));
  const flownBy = byId(
    await read<{ id: EnrollmentId; last: Instant; lesson: LessonId; sums: number[]; away: [number, number][] }>(
      flownStatement,
    ),
  );
  const ground = byId(
    await read<{ id: EnrollmentId; minutes: number; last: LegalDate; lesson: LessonId }>(groundStatement),
  );
  const done = await doneItemsIn(reader, ids, shift(asked.end, -1));
  const sat = Map.groupBy(await read<ExamFact & { id: EnrollmentId }>(examStatement), ({ id }) => id);
  return ids.flatMap((id) => {
    const row = enrolled.get(id);
    if (row === undefined) return [];
    const flight = flownBy.get(id);
    const values = Object.fromEntries(sums.map(([name], at) => [name, flight?.sums[at] ?? 0]));
    const all = { ...values, ground_minutes: ground.get(id)?.minutes ?? 0 } as Record<Summed, number>;
    return {
      ...row,
      flown: { last: flight?.last ?? null, lesson: flight?.lesson ?? null, sums: all, away: flight?.away ?? [] },
      ground: { last: ground.get(id)?.last ?? null, lesson: ground.get(id)?.lesson ?? null },
      done: done.get(id) ?? new Set(),
      exams: sat.get(id) ?? [],
    };
  });
}

/** Returns the enrollments that have not ended, sorted by the students' names. */
export async function openEnrollments(reader: TenantReader): Promise<EnrollmentId[]> {
  const rows = await reader.values<[EnrollmentId]>(sql`
    select ${enrollments.id} from ${enrollments} cross join ${people} on ${people.id} = ${enrollments.student_id}
    where ${enrollments.status} in ('active', 'suspended') order by ${people.name}, ${enrollments.id}`);
  return rows.map(([id]) => id);
}
