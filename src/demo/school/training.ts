/** Programs and the students in them: what they flew before the demo's months, what is signed off, and theory exams. */
import { z } from "zod";
import { atDesks } from "../api.ts";
import { isSolo, lessonsOf, pastDays } from "../plan/timetable.ts";
import { type DemoSchool, known } from "./demo-school.ts";
import { emailOf } from "./person.ts";
import { students } from "./students.ts";

const Revision = z.object({ data: z.object({ id: z.string(), program_id: z.string() }) });
const Lessons = z.object({
  data: z.array(z.object({ id: z.string(), code: z.string(), items: z.array(z.object({ id: z.string() })) })),
});

export interface Lesson {
  id: string;
  /** The ids of what a student is to show. */
  items: readonly string[];
}

/** The trainings of the students, by their keys. */
export type Trainings = ReadonlyMap<string, { enrollment: string; lessons: ReadonlyMap<string, Lesson> }>;

/** Exams: who, the subject, how many days ago, and the percent; 75 pass. */
const exams = [
  ["sam", "air_law", 96, 88],
  ["sam", "meteorology", 96, 62],
  ["sam", "communications", 95, 94],
  ["piotr", "air_law", 180, 91],
  ["piotr", "meteorology", 180, 83],
  ["piotr", "navigation", 151, 79],
  ["piotr", "principles_of_flight", 151, 86],
  ["jonas", "air_law", 120, 76],
  ["jonas", "human_performance", 120, 97],
] as const;

/** The briefings before the first flight. */
const onGround = ["1a", "1b"];

const daysBefore = 200;

export async function addTraining(school: DemoSchool): Promise<Trainings> {
  const { api, org, owner, person, dateOf } = school;
  const training = `${org}/training`;
  const revisions = new Map<string, { id: string; lessons: ReadonlyMap<string, Lesson> }>();
  for (const template of new Set(students.map(({ program }) => program))) {
    const { id, program_id } = (await api.post(`${training}/templates/${template}/apply`, Revision, undefined, owner))
      .data;
    const revision = `${training}/programs/${program_id}/revisions/${id}`;
    await api.act(`${revision}/publish`, owner);
    const { data } = await api.get(`${revision}/lessons`, Lessons, owner);
    const lessons = data.map((one) => [one.code, { id: one.id, items: one.items.map((item) => item.id) }] as const);
    revisions.set(template, { id, lessons: new Map(lessons) });
  }
  const trainings = new Map<string, { enrollment: string; lessons: ReadonlyMap<string, Lesson> }>();
  for (const { key, program, plannedUntil } of students) {
    const { id: revision_id, lessons } = known(revisions, program);
    const started_on = dateOf(-pastDays - daysBefore).toString();
    const planned_end_on = plannedUntil === null ? null : dateOf(plannedUntil).toString();
    const body = { student_id: person(key), revision_id, started_on, planned_end_on };
    trainings.set(key, { enrollment: await api.create(`${training}/enrollments`, body, owner), lessons });
  }
  await importFlights(school, trainings);
  await atDesks(students, async ({ key, program, stage }) => {
    const { enrollment, lessons } = known(trainings, key);
    for (const code of [...onGround, ...lessonsOf(program).slice(0, stage)])
      for (const item_id of known(lessons, code).items)
        await api.create(
          `${training}/signoffs`,
          { enrollment_id: enrollment, item_id, grade: "3" },
          school.account("juergen"),
        );
  });
  for (const [key, subject, daysAgo, percent] of exams) {
    const exam = { kind: "theory", subject, taken_on: dateOf(-daysAgo).toString(), percent };
    await api.create(`${training}/enrollments/${known(trainings, key).enrollment}/exams`, exam, school.account("ines"));
  }
  return trainings;
}

/** Flights of the students from before the school used Windsock: one for each lesson, and three for each solo. */
async function importFlights({ api, org, owner, dateOf }: DemoSchool, trainings: Trainings): Promise<void> {
  const columns =
    "date,off_block,on_block,registration,departure,arrival,day_landings,dual,solo,instructor,nature,lesson_id";
  const lines = students.flatMap(({ key, program, stage }, student) =>
    lessonsOf(program)
      .slice(0, stage)
      .map((code, at) => {
        const day = dateOf(-pastDays - daysBefore + 3 + at * 8).toString();
        const lesson = known(known(trainings, key).lessons, code).id;
        // One student after the other, so that neither the aircraft nor the instructor is in two flights at once.
        const [from, to] = [`${6 + student}:10`, `${7 + student}:00`];
        const flown = ["D-ELMN", "EDFE", "EDFE", 3];
        const crew = isSolo(code) ? ["", emailOf(key), ""] : [emailOf(key), "", emailOf("juergen")];
        return [day, from, to, ...flown, ...crew, "training", lesson];
      }),
  );
  await api.importCsv(`${org}/flights/import`, [columns.split(","), ...lines], owner);
}
