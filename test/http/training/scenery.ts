import type { Given, Scenery, StagedSchool } from "../../support/scenery.ts";
import { expectStatus } from "../../support/school.ts";
import { newStudent } from "../people/scenery.ts";

export const trainingScenery: Scenery = {
  params: {
    key: async (_, { template }) => (template.includes("/training/") ? "ppl-a" : undefined),
    enrollmentId: async (school, { method, name }) => {
      const enrolled = await enrollment(school, method === "GET" ? school.student.personId : undefined);
      if (name.endsWith("/complete")) await finish(school, enrolled);
      if (name.endsWith("/resume"))
        expectStatus(
          200,
          await school.owner.post(`/training/enrollments/${enrolled.id}/suspend`, { reason: "Abroad." }),
        );
      return enrolled.id;
    },
    signoffId: async (school, { method, name }) => {
      // Students read and acknowledge their own, and instructors void their own.
      const { instructor, student } = school;
      const isOwn = method === "GET" || name.endsWith("/acknowledge");
      const signoff = await newSignoff(school, isOwn ? student.personId : undefined);
      return expectStatus(201, await instructor.post("/training/signoffs", signoff)).body.data.id;
    },
    lessonRecordId: async (school, { method, name }) => {
      const { instructor, student } = school;
      const isOwn = method === "GET" || name.endsWith("/acknowledge");
      const record = await newLessonRecord(school, isOwn ? student.personId : undefined);
      return expectStatus(201, await instructor.post("/training/lesson-records", record)).body.data.id;
    },
    // Instructors void their own.
    groundSessionId: async (school, _, given) => {
      const session = { lesson_id: (await lessonsOf(school, given))[1]?.id, held_on: "2026-06-10", minutes: 45 };
      const path = `/training/enrollments/${given.enrollmentId}/ground-sessions`;
      return expectStatus(201, await school.instructor.post(path, session)).body.data.id;
    },
    examId: async (school, _, given) => {
      const exam = { kind: "theory", subject: "air_law", percent: 88, taken_on: "2026-06-01" };
      const path = `/training/enrollments/${given.enrollmentId}/exams`;
      return expectStatus(201, await school.instructor.post(path, exam)).body.data.id;
    },
    revisionId: async ({ owner }, { name }, { programId }) => {
      const path = `/training/programs/${programId}/revisions`;
      const { id } = expectStatus(201, await owner.post(path, smallSyllabus)).body.data;
      if (name.endsWith("/retire")) expectStatus(200, await owner.post(`${path}/${id}/publish`));
      return id;
    },
  },
  bodies: {
    "POST /orgs/{orgId}/training/enrollments/{enrollmentId}/migrate": otherRevision,
    "POST /orgs/{orgId}/training/enrollments/{enrollmentId}/ground-sessions": async (school, given) => ({
      instructor_id: null,
      lesson_id: (await lessonsOf(school, given))[1]?.id,
    }),
    "POST /orgs/{orgId}/training/signoffs": async (school) => newSignoff(school),
    "POST /orgs/{orgId}/training/lesson-records": async (school) => newLessonRecord(school),
    "POST /orgs/{orgId}/training/enrollments": async (school) => newEnrollment(school),
  },
  callers: {
    "POST /orgs/{orgId}/training/signoffs/{signoffId}/acknowledge": async ({ student }) => ({ caller: student.token }),
    "POST /orgs/{orgId}/training/lesson-records/{lessonRecordId}/acknowledge": async ({ student }) => ({
      caller: student.token,
    }),
  },
  arrivals: {
    "GET /orgs/{orgId}/training/enrollments/{enrollmentId}/migration-preview": async (school, given) => ({
      query: `revision_id=${(await otherRevision(school, given)).revision_id}`,
    }),
  },
};

/** A syllabus for tests of routes. */
const smallSyllabus = {
  ...{ format: "windsock-syllabus-1", kind: "ppl_a", name: "PPL(A)", legal_basis: "FCL.210.A", skill_test: true },
  ...{ effective_from: "2020-04-08", subjects: [{ code: "air_law", name: "Air law" }], minima: [], phases: [] },
  theory: { pass_percent: 75, attempts: 4, months: 18, valid_months: 24, legal_basis: "FCL.025" },
  scales: [{ code: "usual", grades: [{ code: "3", name: "As required", passed: true }] }],
  lessons: [
    { code: "1", name: "Circuits", kind: "dual", items: [{ code: "1", name: "Lands", scale: "usual" }] },
    { code: "2", name: "Briefing", kind: "ground", items: [{ code: "1", name: "Knows", scale: "usual" }] },
  ],
};

/** Adds a program, and returns the id of its published revision. */
async function publishedRevision({ owner }: StagedSchool): Promise<string> {
  const { id, program_id } = expectStatus(201, await owner.post("/training/programs/import", smallSyllabus)).body.data;
  expectStatus(200, await owner.post(`/training/programs/${program_id}/revisions/${id}/publish`));
  return id;
}

const newEnrollment = async (school: StagedSchool, studentId?: string) => ({
  student_id: studentId ?? (await newStudent(school)),
  revision_id: await publishedRevision(school),
  // Before the dates of the examples.
  started_on: "2025-06-01",
});

/** Enrolls a new student, or the given one. */
export async function enrollment(
  school: StagedSchool,
  studentId?: string,
): Promise<{ id: string; program_id: string }> {
  const body = await newEnrollment(school, studentId);
  return expectStatus(201, await school.owner.post("/training/enrollments", body)).body.data;
}

/** Returns the lessons of an enrollment. */
async function lessonsOf({ owner }: StagedSchool, { enrollmentId }: Given): Promise<{ id: string; code: string }[]> {
  return expectStatus(200, await owner.get(`/training/enrollments/${enrollmentId}/progress`)).body.data.lessons;
}

/** Signs off all that the program of an enrollment asks for: it is moved to a revision with a lesson on the ground. */
async function finish({ owner, instructor }: StagedSchool, { id, program_id }: { id: string; program_id: string }) {
  const path = `/training/programs/${program_id}/revisions`;
  const unexamined = { skill_test: false, theory: null, subjects: [] };
  const syllabus = { ...smallSyllabus, ...unexamined, lessons: smallSyllabus.lessons.slice(1) };
  const revision = expectStatus(201, await owner.post(path, syllabus)).body.data;
  expectStatus(200, await owner.post(`${path}/${revision.id}/publish`));
  expectStatus(200, await owner.post(`/training/enrollments/${id}/migrate`, { revision_id: revision.id }));
  const [{ items }] = expectStatus(200, await owner.get(`${path}/${revision.id}/lessons`)).body.data;
  const signoff = { enrollment_id: id, item_id: items[0].id, grade: "3" };
  expectStatus(201, await instructor.post("/training/signoffs", signoff));
}

/** A signoff of a lesson on the ground. */
async function newSignoff(school: StagedSchool, studentId?: string) {
  const { id } = await enrollment(school, studentId);
  const { revision_id, program_id } = expectStatus(200, await school.owner.get(`/training/enrollments/${id}`)).body
    .data;
  const path = `/training/programs/${program_id}/revisions/${revision_id}/lessons`;
  const [item] = expectStatus(200, await school.owner.get(path)).body.data[1].items;
  return { enrollment_id: id, item_id: item.id, flight_id: null, instructor_id: null, grade: "3", signed_at: null };
}

/** A record of a lesson on the ground, with a grade. */
async function newLessonRecord(school: StagedSchool, studentId?: string) {
  const { item_id, enrollment_id, ...signed } = await newSignoff(school, studentId);
  const progress = expectStatus(200, await school.owner.get(`/training/enrollments/${enrollment_id}/progress`)).body
    .data;
  const grades = [{ item_id, grade: signed.grade, remarks: null }];
  return {
    ...{ enrollment_id, lesson_id: progress.lessons[1].id, flight_id: null, instructor_id: null, signed_at: null },
    ...{ grades, remarks: "Well prepared.", instructor_notes: "Ask for the fuel plan next time." },
  };
}

/** Publishes another revision of the program of an enrollment. */
async function otherRevision({ owner }: StagedSchool, { enrollmentId }: Given): Promise<{ revision_id: string }> {
  const { program_id } = expectStatus(200, await owner.get(`/training/enrollments/${enrollmentId}`)).body.data;
  const path = `/training/programs/${program_id}/revisions`;
  const { id } = expectStatus(201, await owner.post(path, smallSyllabus)).body.data;
  expectStatus(200, await owner.post(`${path}/${id}/publish`));
  return { revision_id: id };
}
