/** Reads the training file of a student. Its readers do not check an actor. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { EnrollmentId, ProgramId } from "../../../core/ids.ts";
import { lastRow } from "../../../storage/audit.ts";
import { firstJson } from "../../../storage/first-json.ts";
import { lookUpAll } from "../../../storage/lookup.ts";
import type { Fields, Resource, Shape } from "../../../storage/shape.ts";
import type { Reader, Tenant } from "../../../storage/store.ts";
import { timeZoneOf } from "../../../storage/today.ts";
import { complianceRecords } from "../../compliance/compliance.tables.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { flightCrew, flights } from "../../flights/flights.tables.ts";
import type { Organization } from "../../organizations/organizations.shapes.ts";
import { personEntity } from "../../people/people.queries.ts";
import { type EnrollmentRow, enrollmentEntity } from "../enrollments/enrollments.queries.ts";
import { exam } from "../exams/exams.schemas.ts";
import { lessonsById } from "../flown-lesson.queries.ts";
import { groundSession } from "../ground-sessions/ground-sessions.schemas.ts";
import { withoutNotes } from "../lesson-records/lesson-records.shapes.ts";
import { onCountingFlight } from "../progress/done-items.queries.ts";
import { progressWithFacts } from "../progress/progress.queries.ts";
import { signoff } from "../signoffs/signoffs.shapes.ts";
import {
  trainingEnrollments as enrollments,
  trainingExams as exams,
  trainingGroundSessions as groundSessions,
  trainingItems as items,
  trainingLessonRecords as lessonRecords,
  trainingRevisions as revisions,
  trainingSignoffs as signoffs,
} from "../training.tables.ts";
import { flownFlight, heldRecord } from "./file.shapes.ts";

type TenantReader = Reader<"tenant">;

/** The rows that a file lists, in their order. */
function ofEnrollment<F extends Fields>(shape: Shape<F>, from: SQL, orderBy: SQL) {
  const statement = sql`select json_group_array(json(ordered.value)) from (
    select ${shape.json} as value ${from} order by ${orderBy}) as ordered`;
  return async (reader: TenantReader, id: EnrollmentId): Promise<Resource<Shape<F>>[]> =>
    (await firstJson(reader, statement, { id })) as Resource<Shape<F>>[];
}

const id = sql.placeholder("id");

const flown = ofEnrollment(
  flownFlight,
  sql`from ${enrollments} cross join ${revisions} on ${revisions.id} = ${enrollments.revision_id}
    cross join ${flights} on ${flights.enrollment_id} = ${enrollments.id} and ${flights.status} = 'approved'
    cross join ${aircraft} on ${aircraft.id} = ${flights.aircraft_id}
    cross join ${flightCrew} on ${flightCrew.flight_id} = ${flights.id} and ${flightCrew.person_id} = ${enrollments.student_id}
      and ${flightCrew.function} in ('dual', 'solo', 'spic')
    where ${enrollments.id} = ${id}`,
  sql`${flights.off_block_at}, ${flights.id}`,
);

/** With those that were voided: what is recorded never disappears. */
const lessons = ofEnrollment(
  withoutNotes,
  sql`from ${lessonRecords} where ${lessonRecords.enrollment_id} = ${id}`,
  sql`${lessonRecords.signed_at}, ${lessonRecords.id}`,
);

/** Those that are no grade of a lesson's record. */
const signedAlone = ofEnrollment(
  signoff,
  sql`from ${signoffs} where ${signoffs.enrollment_id} = ${id} and ${signoffs.lesson_record_id} is null`,
  sql`${signoffs.signed_at}, ${signoffs.id}`,
);

const held = ofEnrollment(
  groundSession,
  sql`from ${groundSessions} where ${groundSessions.enrollment_id} = ${id}`,
  sql`${groundSessions.held_on}, ${groundSessions.id}`,
);

const taken = ofEnrollment(
  exam,
  sql`from ${exams} where ${exams.enrollment_id} = ${id}`,
  sql`${exams.taken_on}, ${exams.id}`,
);

const documents = ofEnrollment(
  heldRecord,
  sql`from ${enrollments} cross join ${complianceRecords} on ${complianceRecords.person_id} = ${enrollments.student_id}
    where ${enrollments.id} = ${id} and not ${complianceRecords.entered_by_mistake}`,
  sql`${complianceRecords.type}, ${complianceRecords.issued_on}, ${complianceRecords.id}`,
);

/** The items that were graded, which may be of an earlier revision, with the codes of their scales. */
const graded = lookUpAll(
  { id: items.id, scale: items.scale, revision_id: items.revision_id, milestone: items.milestone },
  sql`from ${items} where ${items.id} in (
    select ${signoffs.item_id} from ${signoffs} where ${signoffs.enrollment_id} = ${id})`,
);

const revisionsOf = (reader: TenantReader, program: ProgramId) =>
  reader
    .select({ id: revisions.id, number: revisions.number, scales: revisions.scales })
    .from(revisions)
    .where(eq(revisions.program_id, program));

/** The records of lessons that count: not those on a flight that was rejected or reversed. */
async function countingLessons(reader: TenantReader, enrollment: EnrollmentId): Promise<ReadonlySet<string>> {
  const rows = await reader.values<[string]>(sql`select ${lessonRecords.id} from ${lessonRecords}
    where ${lessonRecords.enrollment_id} = ${enrollment} and ${lessonRecords.status} = 'recorded'
      and ${onCountingFlight(lessonRecords)}`);
  return new Set(rows.map(([id]) => id));
}

/** Flights that were submitted and are not approved yet: they are not in the file. */
const waiting = (reader: TenantReader, enrollment: EnrollmentId): Promise<number> =>
  reader.$count(flights, and(eq(flights.enrollment_id, enrollment), eq(flights.status, "submitted")));

export type School = Pick<Organization, "id" | "name" | "kind" | "approval_number" | "authority" | "home_icao">;

export interface Asked {
  enrollmentId: EnrollmentId;
  school: School;
  now: Date;
  /** Whether the reader may see the student's records. */
  withRecords: boolean;
}

export type TrainingFile = Awaited<ReturnType<typeof readParts>>;

async function readParts(reader: TenantReader, { enrollmentId, school, now, withRecords }: Asked) {
  const enrollment: EnrollmentRow = await enrollmentEntity.row(reader, { enrollmentId });
  const student = await personEntity.row(reader, { personId: enrollment.student_id });
  const { progress, facts, revision } = await progressWithFacts(reader, enrollment, now);
  const { name, date_of_birth, licence_number, licence_authority } = student;
  const sessions = await held(reader, enrollmentId);
  const { id: _, name: schoolName, kind, approval_number, authority, home_icao } = school;
  return {
    school: { id: school.id, name: schoolName, kind, approval_number, authority, home_icao },
    student: { id: student.id, name, date_of_birth, licence_number, licence_authority },
    program: progress.program,
    enrollment,
    revision,
    progress,
    facts,
    flights: await flown(reader, enrollmentId),
    waitingFlights: await waiting(reader, enrollmentId),
    lessons: await lessons(reader, enrollmentId),
    countingLessons: await countingLessons(reader, enrollmentId),
    signoffs: await signedAlone(reader, enrollmentId),
    sessions,
    /** Of the ground sessions: they may be of an earlier revision. */
    sessionLessons: await lessonsById(reader, { ids: JSON.stringify(sessions.map(({ lesson_id }) => lesson_id)) }),
    exams: await taken(reader, enrollmentId),
    /** Null: the reader may not see them. */
    records: withRecords ? await documents(reader, enrollmentId) : null,
    items: await graded(reader, { id: enrollmentId }),
    revisions: await revisionsOf(reader, enrollment.program_id),
    now,
    time_zone: await timeZoneOf(reader),
    /** Whether it has what was voided, and what is only for the school. */
    isWhole: true,
  };
}

/** How often it is read anew, while others write. */
const mostAttempts = 5;

/** Reads all of it as it is at one moment, which several statements do only if nothing is written meanwhile. @throws NOT_FOUND */
export async function readTrainingFile(tenant: Pick<Tenant, "read">, asked: Asked): Promise<TrainingFile> {
  return tenant.read(async (reader) => {
    const state = async () => (await lastRow(reader, {}))?.seq;
    for (let attempt = 1; ; attempt++) {
      const before = await state();
      const file = await readParts(reader, asked);
      if ((await state()) === before || attempt === mostAttempts) return file;
    }
  });
}
