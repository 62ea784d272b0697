/** Tenant database: programs with their revisions, and the training of students by them. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, unique, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { LegalDate } from "../../core/dates.ts";
import type {
  EnrollmentId,
  FlightId,
  Id,
  LessonId,
  LessonRecordId,
  PersonId,
  ProgramId,
  UserId,
} from "../../core/ids.ts";
import { stamps } from "../../storage/stamps.ts";
import type { Minimum } from "../compliance/rules/training-minima.ts";
import { flights } from "../flights/flights.tables.ts";
import { people } from "../people/people.tables.ts";
import type { Credit } from "./enrollments/enrollments.schemas.ts";
import { programKinds } from "./programs/program-kinds.ts";
import type { Scale, TheoryRules } from "./revisions/syllabus.schemas.ts";
import {
  enrollmentStatuses,
  type FlownClass,
  lessonKinds,
  milestones,
  type Named,
  revisionStatuses,
} from "./training.values.ts";

export type RevisionId = Id<"revision">;
export type TrainingItemId = Id<"training_item">;
export type GroundSessionId = Id<"groundSession">;
export type SignoffId = Id<"signoff">;
export type ExamId = Id<"exam">;

export const trainingPrograms = sqliteTable(
  "training_programs",
  {
    id: text().$type<ProgramId>().primaryKey(),
    kind: text({ enum: programKinds }).notNull(),
    name: text().notNull(),
    ...stamps,
  },
  (table) => [index("training_programs_name").on(table.name, table.id)],
);

const ofProgram = () =>
  text()
    .$type<ProgramId>()
    .notNull()
    .references(() => trainingPrograms.id);

/** A syllabus. It never changes once a student is enrolled: a change is a new revision. */
export const trainingRevisions = sqliteTable(
  "training_revisions",
  {
    id: text().$type<RevisionId>().primaryKey(),
    program_id: ofProgram(),
    /** 1 for the first of the program. */
    number: integer().notNull(),
    status: text({ enum: revisionStatuses }).notNull(),
    legal_basis: text().notNull(),
    effective_from: text().$type<LegalDate>().notNull(),
    /** Whether the training ends with a skill test. */
    skill_test: integer({ mode: "boolean" }).notNull(),
    /** Null: there are no theory exams. */
    theory: text({ mode: "json" }).$type<TheoryRules | null>(),
    subjects: text({ mode: "json" }).$type<Named[]>().notNull(),
    minima: text({ mode: "json" }).$type<Minimum[]>().notNull(),
    /** Flights in aircraft of these classes count towards the minima. Null: of all classes. */
    aircraft_classes: text({ mode: "json" }).$type<FlownClass[] | null>(),
    /** The grading scales, by one of which an item is graded. */
    scales: text({ mode: "json" }).$type<Scale[]>().notNull(),
    phases: text({ mode: "json" }).$type<Named[]>().notNull(),
    /** Grows with each change of it, its lessons and items, so that no two states have the same tag. */
    revision: integer().notNull().default(1),
    published_at: text().$type<Instant>(),
    /** When the first student was enrolled in it. It stays frozen after they move to another revision. */
    frozen_at: text().$type<Instant>(),
    retired_at: text().$type<Instant>(),
    ...stamps,
  },
  (table) => [unique("training_revisions_number").on(table.program_id, table.number)],
);

const ofRevision = () =>
  text()
    .$type<RevisionId>()
    .notNull()
    .references(() => trainingRevisions.id);

export const trainingLessons = sqliteTable(
  "training_lessons",
  {
    id: text().$type<LessonId>().primaryKey(),
    revision_id: ofRevision(),
    position: integer().notNull(),
    /** Lessons of two revisions with the same code are the same lesson. */
    code: text().notNull(),
    name: text().notNull(),
    kind: text({ enum: lessonKinds }).notNull(),
    /** The code of its phase. */
    phase: text(),
    /** Codes of earlier lessons, whose items must be done first. */
    requires: text({ mode: "json" }).$type<string[]>().notNull(),
  },
  (table) => [
    unique("training_lessons_code").on(table.revision_id, table.code),
    index("training_lessons_position").on(table.revision_id, table.position, table.id),
  ],
);

export const trainingItems = sqliteTable(
  "training_items",
  {
    id: text().$type<TrainingItemId>().primaryKey(),
    revision_id: ofRevision(),
    lesson_id: text()
      .$type<LessonId>()
      .notNull()
      .references(() => trainingLessons.id),
    position: integer().notNull(),
    lesson_code: text().notNull(),
    code: text().notNull(),
    name: text().notNull(),
    /** The code of its grading scale. */
    scale: text().notNull(),
    milestone: text({ enum: milestones }),
  },
  (table) => [
    unique("training_items_code").on(table.revision_id, table.lesson_code, table.code),
    index("training_items_lesson").on(table.lesson_id, table.position),
  ],
);

/** Enrollments that have not ended. A literal, because SQLite uses a partial index only for the same condition. */
export const isOpen = sql`status in ('active', 'suspended')`;

export const trainingEnrollments = sqliteTable(
  "training_enrollments",
  {
    id: text().$type<EnrollmentId>().primaryKey(),
    student_id: text()
      .$type<PersonId>()
      .notNull()
      .references(() => people.id),
    program_id: ofProgram(),
    revision_id: ofRevision(),
    status: text({ enum: enrollmentStatuses }).notNull(),
    started_on: text().$type<LegalDate>().notNull(),
    ended_on: text().$type<LegalDate>(),
    /** What was agreed with the student; null: nothing. Without a start, the day on which it began. */
    planned_start_on: text().$type<LegalDate>(),
    planned_end_on: text().$type<LegalDate>(),
    /** Why it is suspended, or was withdrawn. */
    reason: text(),
    /** Earlier training that counts. */
    credits: text({ mode: "json" }).$type<Credit[]>().notNull(),
    remarks: text(),
    ...stamps,
  },
  (table) => [
    index("training_enrollments_status").on(table.status, table.id),
    index("training_enrollments_program").on(table.program_id, table.id),
    index("training_enrollments_student").on(table.student_id, table.id),
    uniqueIndex("training_enrollments_open").on(table.student_id, table.program_id).where(isOpen),
    index("training_enrollments_open_program").on(table.program_id, table.student_id).where(isOpen),
  ],
);

/** What is recorded about a student's training is never edited: a mistake is voided. */
export const recordedStatuses = ["recorded", "voided"] as const;

/** The enrollment, who recorded it, and whether it was voided. */
const recorded = () => ({
  enrollment_id: text()
    .$type<EnrollmentId>()
    .notNull()
    .references(() => trainingEnrollments.id),
  student_id: text()
    .$type<PersonId>()
    .notNull()
    .references(() => people.id),
  remarks: text(),
  status: text({ enum: recordedStatuses }).notNull(),
  void_reason: text(),
  voided_at: text().$type<Instant>(),
  created_by: text().$type<UserId>().notNull(),
  ...stamps,
});

const byInstructor = () =>
  text()
    .$type<PersonId>()
    .notNull()
    .references(() => people.id);

/** Briefings and theory lessons, without a flight. */
export const trainingGroundSessions = sqliteTable(
  "training_ground_sessions",
  {
    id: text().$type<GroundSessionId>().primaryKey(),
    lesson_id: text()
      .$type<LessonId>()
      .notNull()
      .references(() => trainingLessons.id),
    instructor_id: byInstructor(),
    held_on: text().$type<LegalDate>().notNull(),
    minutes: integer().notNull(),
    ...recorded(),
  },
  (table) => [
    index("training_ground_sessions_enrollment").on(table.enrollment_id, table.id),
    index("training_ground_sessions_student").on(table.student_id, table.id),
    index("training_ground_sessions_instructor").on(table.instructor_id, table.id),
    index("training_ground_sessions_lesson").on(table.lesson_id),
  ],
);

/** What an instructor records after a lesson: a text for the student, one among instructors, and the grades (`training_signoffs`). */
export const trainingLessonRecords = sqliteTable(
  "training_lesson_records",
  {
    id: text().$type<LessonRecordId>().primaryKey(),
    lesson_id: text()
      .$type<LessonId>()
      .notNull()
      .references(() => trainingLessons.id),
    flight_id: text()
      .$type<FlightId>()
      .references(() => flights.id),
    instructor_id: byInstructor(),
    /** As of a signoff. */
    signed_by_instructor: integer({ mode: "boolean" }).notNull(),
    signed_at: text().$type<Instant>().notNull(),
    /** Among instructors: the student never reads it. */
    instructor_notes: text(),
    acknowledged_at: text().$type<Instant>(),
    ...recorded(),
  },
  (table) => [
    index("training_lesson_records_signed").on(table.signed_at, table.id),
    index("training_lesson_records_student").on(table.student_id, table.signed_at, table.id),
    index("training_lesson_records_enrollment").on(table.enrollment_id, table.signed_at, table.id),
    index("training_lesson_records_instructor").on(table.instructor_id, table.signed_at, table.id),
    index("training_lesson_records_lesson").on(table.lesson_id),
    index("training_lesson_records_flight").on(table.flight_id).where(sql`${table.flight_id} is not null`),
  ],
);

export const trainingSignoffs = sqliteTable(
  "training_signoffs",
  {
    id: text().$type<SignoffId>().primaryKey(),
    program_id: ofProgram(),
    item_id: text()
      .$type<TrainingItemId>()
      .notNull()
      .references(() => trainingItems.id),
    /** The record of the lesson that it is a grade of. Null: signed off alone. */
    lesson_record_id: text()
      .$type<LessonRecordId>()
      .references(() => trainingLessonRecords.id),
    flight_id: text()
      .$type<FlightId>()
      .references(() => flights.id),
    instructor_id: byInstructor(),
    /** Whether the instructor recorded it with their own account. Otherwise another member named them. */
    signed_by_instructor: integer({ mode: "boolean" }).notNull().default(false),
    signed_at: text().$type<Instant>().notNull(),
    grade: text().notNull(),
    /** Whether the grade is one of those that pass. */
    passed: integer({ mode: "boolean" }).notNull(),
    acknowledged_at: text().$type<Instant>(),
    ...recorded(),
  },
  (table) => [
    index("training_signoffs_signed").on(table.signed_at, table.id),
    index("training_signoffs_program").on(table.program_id, table.signed_at, table.id),
    index("training_signoffs_student").on(table.student_id, table.signed_at, table.id),
    index("training_signoffs_instructor").on(table.instructor_id, table.signed_at, table.id),
    index("training_signoffs_enrollment").on(table.enrollment_id, table.item_id, table.signed_at, table.id),
    index("training_signoffs_item").on(table.item_id),
    index("training_signoffs_flight").on(table.flight_id).where(sql`${table.flight_id} is not null`),
    index("training_signoffs_lesson_record")
      .on(table.lesson_record_id)
      .where(sql`${table.lesson_record_id} is not null`),
    index("training_signoffs_updated").on(table.updated_at, table.id),
  ],
);

export const examKinds = ["theory", "skill_test"] as const;

export const trainingExams = sqliteTable(
  "training_exams",
  {
    id: text().$type<ExamId>().primaryKey(),
    kind: text({ enum: examKinds }).notNull(),
    /** Of a theory exam: the code of the subject. */
    subject: text(),
    /** Of a theory exam: the number of the sitting, in which several subjects are examined. */
    sitting: integer(),
    taken_on: text().$type<LegalDate>().notNull(),
    percent: integer(),
    passed: integer({ mode: "boolean" }).notNull(),
    examiner: text(),
    ...recorded(),
  },
  (table) => [
    index("training_exams_enrollment").on(table.enrollment_id, table.taken_on, table.id),
    index("training_exams_student").on(table.student_id, table.id),
  ],
);
