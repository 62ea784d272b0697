/** A student half way through the PPL(A): flights from before, and what the instructor has signed off. */
import { z } from "zod";
import type { DemoSchool } from "./demo-school.ts";

const Revision = z.object({ data: z.object({ id: z.string(), program_id: z.string() }) });
const Lessons = z.object({
  data: z.array(
    z.object({ id: z.string(), code: z.string(), kind: z.string(), items: z.array(z.object({ id: z.string() })) }),
  ),
});

/** Dual flights of two hours: the lesson of each. */
const flown = ["4", "6", "7", "8", "9", "10a", "10b", "11", "12", "13"];

/** Publishes the built-in syllabus of the PPL(A), enrolls the student, and adds what they have done of it. */
export async function addTraining(school: DemoSchool): Promise<void> {
  const { api, id, owner, instructor, student } = school;
  const training = `/orgs/${id}/training`;
  const today = Temporal.Now.plainDateISO("Europe/Berlin");
  const draft = (await api.post(`${training}/templates/ppl-a/apply`, Revision, undefined, owner.token)).data;
  const revision = `${training}/programs/${draft.program_id}/revisions/${draft.id}`;
  await api.post(`${revision}/publish`, z.unknown(), undefined, owner.token);
  const { data: lessons } = await api.get(`${revision}/lessons`, Lessons, owner.token);
  const enrollment = {
    student_id: student.personId,
    revision_id: draft.id,
    started_on: today.subtract({ months: 6 }).toString(),
    credits: [{ measure: "simulator_minutes", amount: 120, reason: "Two hours at another school." }],
  };
  const enrollment_id = await api.create(`${training}/enrollments`, enrollment, owner.token);

  const lines = flown.map((code, at) => {
    const lesson = lessons.find((one) => one.code === code)?.id;
    const day = today.subtract({ days: 160 - 7 * at });
    return [
      day,
      "09:00",
      "11:00",
      "D-EABC",
      "EDFE",
      "EDFE",
      4,
      student.email,
      instructor.email,
      "training",
      lesson,
    ].join();
  });
  const columns =
    "date,off_block,on_block,registration,departure,arrival,day_landings,dual,instructor,nature,lesson_id";
  await api.importCsv(`/orgs/${id}/flights/import`, [columns, ...lines].join("\n"), owner.token);

  const last = lessons.findIndex(({ code }) => code === flown.at(-1));
  for (const { items } of lessons.slice(0, last))
    for (const { id: item_id } of items)
      await api.create(`${training}/signoffs`, { enrollment_id, item_id, grade: "3" }, instructor.token);
}
