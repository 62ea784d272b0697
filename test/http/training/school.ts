/** A school with a program, for the tests of training. */
import type { SharedInstallation } from "../../support/installation.ts";
import { expectStatus, newSchool, type School } from "../../support/school.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

const grades = [
  { code: "fail", name: "Not yet", passed: false },
  { code: "ok", name: "As required", passed: true },
];
export const item = (code: string) => ({ code, name: `Item ${code}`, scale: "usual" });

/** A small syllabus: a dual lesson, one in a simulator, one on the ground, and a solo that requires the first. */
export const small = {
  ...{ format: "windsock-syllabus-1", kind: "ppl_a", name: "Small", legal_basis: "FCL.210.A", skill_test: false },
  ...{ effective_from: "2020-04-08", theory: null, subjects: [], minima: [], phases: [{ code: "a", name: "All" }] },
  scales: [{ code: "usual", grades }],
  lessons: [
    { code: "1", name: "Circuits", kind: "dual", phase: "a", requires: [], items: [item("1"), item("2")] },
    { code: "2", name: "Solo", kind: "solo", phase: null, requires: ["1"], items: [item("1")] },
    { code: "3", name: "Briefing", kind: "ground", phase: null, requires: [], items: [item("1")] },
    { code: "4", name: "Instruments", kind: "simulator", phase: null, requires: [], items: [item("1")] },
  ],
};

const revisions = (programId: string) => `/training/programs/${programId}/revisions`;

/** @returns a published revision of a new program, with its lessons */
export async function publish({ owner }: Pick<School, "owner">, syllabus: object): Promise<Body> {
  const draft = expectStatus(201, await owner.post("/training/programs/import", syllabus)).body.data;
  return publishDraft({ owner }, draft);
}

export async function publishDraft({ owner }: Pick<School, "owner">, draft: Body): Promise<Body> {
  const path = `${revisions(draft.program_id)}/${draft.id}`;
  const revision = expectStatus(200, await owner.post(`${path}/publish`)).body.data;
  const lessons = expectStatus(200, await owner.get(`${path}/lessons?limit=500`)).body.data;
  const lesson = (code: string) => lessons.find((one: Body) => one.code === code);
  return { ...revision, path, lessons, lesson };
}

/** Adds a revision to a program. @returns it, published */
export async function revise(school: Pick<School, "owner">, programId: string, syllabus: object): Promise<Body> {
  const draft = expectStatus(201, await school.owner.post(revisions(programId), syllabus)).body.data;
  return publishDraft(school, draft);
}

/** @returns a school with a published program */
export async function newTrainingSchool(syllabus: object = small, installation?: SharedInstallation) {
  const school = await (installation ? newSchool(installation) : newSchool());
  return { ...school, revision: await publish(school, syllabus) };
}

type TrainingSchool = Awaited<ReturnType<typeof newTrainingSchool>>;

/** Enrolls the school's student. @returns the id */
export async function enroll(
  { owner, student, revision }: Pick<TrainingSchool, "owner" | "student" | "revision">,
  more: object = {},
): Promise<string> {
  const body = { student_id: student.personId, revision_id: revision.id, started_on: "2026-01-15", ...more };
  return expectStatus(201, await owner.post("/training/enrollments", body)).body.data.id;
}

interface Flown {
  /** The code of a lesson. */
  lesson?: string;
  minutes?: number;
  /** Days ago. */
  ago?: number;
  function?: "dual" | "solo" | "spic";
  body?: object;
}

/** The body of a training flight that ended some days ago. */
export function flightOf(
  school: TrainingSchool,
  { lesson, minutes = 60, ago = 1, function: role = "dual", body }: Flown,
): Record<string, unknown> {
  const onBlock = school.installation.clock.now().getTime() - ago * 86_400_000;
  const trainee = { person_id: school.student.personId, function: role };
  const instructor = { person_id: school.instructor.personId, function: "instructor" };
  return school.flightBody({
    body: {
      off_block_at: new Date(onBlock - minutes * 60_000).toISOString(),
      on_block_at: new Date(onBlock).toISOString(),
      crew: role === "solo" ? [trainee] : [trainee, instructor],
      nature: "training",
      lesson_id: lesson === undefined ? null : school.revision.lesson(lesson).id,
      ...body,
    },
  });
}

/** Submits and approves a flight. @returns its id */
export async function fly(school: TrainingSchool, flown: Flown): Promise<string> {
  const { owner } = school;
  const { id } = expectStatus(201, await owner.post("/flights", flightOf(school, flown))).body.data;
  expectStatus(200, await owner.post(`/flights/${id}/submit`));
  expectStatus(200, await owner.post(`/flights/${id}/approve`));
  return id;
}

export const progressOf = async ({ owner }: Pick<School, "owner">, id: string): Promise<Body> =>
  expectStatus(200, await owner.get(`/training/enrollments/${id}/progress`)).body.data;

/** What is done of each minimum. */
export const doneOf = (progress: Body): Record<string, number | null> =>
  Object.fromEntries(progress.minima.map(({ name, done }: { name: string; done: number }) => [name, done]));

/** A minimum of one for each measure, so that progress shows all sums. */
export const everyMinimum = [
  ...["total_minutes", "dual_minutes", "solo_minutes", "cross_country_minutes", "dual_cross_country_minutes"],
  ...["solo_cross_country_minutes", "night_minutes", "dual_night_minutes", "instrument_minutes", "simulator_minutes"],
  ...["ground_minutes", "landings", "solo_landings", "solo_night_landings", "long_cross_country", "age"],
].map((measure) => ({
  ...{ measure, required: 1, legal_basis: "Test", effective_from: "2020-01-01" },
  ...(measure === "long_cross_country" && { distance_km: 270, full_stops_elsewhere: 2 }),
}));
