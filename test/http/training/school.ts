/** A school with a programme, for the tests of training. */
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

const revisions = (programId: string) => `/training/programmes/${programId}/revisions`;

/** @returns a published revision of a new programme, with its lessons */
export async function publish({ owner }: Pick<School, "owner">, syllabus: object): Promise<Body> {
  const draft = expectStatus(201, await owner.post("/training/programmes/import", syllabus)).body.data;
  return publishDraft({ owner }, draft);
}

export async function publishDraft({ owner }: Pick<School, "owner">, draft: Body): Promise<Body> {
  const path = `${revisions(draft.program_id)}/${draft.id}`;
  const revision = expectStatus(200, await owner.post(`${path}/publish`)).body.data;
  const lessons = expectStatus(200, await owner.get(`${path}/lessons?limit=500`)).body.data;
  const lesson = (code: string) => lessons.find((one: Body) => one.code === code);
  return { ...revision, path, lessons, lesson };
}

/** Adds a revision to a programme. @returns it, published */
export async function revise(school: Pick<School, "owner">, programId: string, syllabus: object): Promise<Body> {
  const draft = expectStatus(201, await school.owner.post(revisions(programId), syllabus)).body.data;
  return publishDraft(school, draft);
}

/** @returns a school with a published programme */
export async function newTrainingSchool(syllabus: object = small, installation?: SharedInstallation) {
  const school = await (installation ? newSchool(installation) : newSchool());
  return { ...school, revision: await publish(school, syllabus) };
}
