/** The lesson that a flight counts for: of the program in which a student on board is enrolled. */
import type { Signal } from "@preact/signals";
import type { CrewEntry } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { Combobox } from "../../ui/combobox.tsx";

export function LessonField({ crew, value }: { crew: readonly CrewEntry[]; value: Signal<string> }) {
  const student = crew.find(({ function: as }) => as === "dual" || as === "solo" || as === "spic")?.person_id;
  const mayRead = may("training:read", "training:read_own");
  const enrollments = useResource(
    mayRead && student !== undefined ? "GET /orgs/{orgId}/training/enrollments" : undefined,
    { query: { student_id: student, status: "active" } },
  );
  const enrollment = enrollments.data?.data[0];
  const path = { programId: enrollment?.program_id ?? "", revisionId: enrollment?.revision_id ?? "" };
  const lessons = useResource(
    enrollment && "GET /orgs/{orgId}/training/programs/{programId}/revisions/{revisionId}/lessons",
    { path, query: { limit: 500 } },
  );
  if (!enrollment || !lessons.data) return null;
  return (
    <Combobox
      name="lesson_id"
      label={text().flights.lesson}
      hint={enrollment.program.name}
      value={value}
      options={lessons.data.data.map(({ id, code, name }) => ({ value: id, label: `${code} ${name}` }))}
    />
  );
}
