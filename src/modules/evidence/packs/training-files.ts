/** The training files of a student for the PDF of a pack: what counts at another school, and nothing that is only for this one. */
import type { PersonId } from "../../../core/ids.ts";
import type { Tenant } from "../../../storage/store.ts";
import type { Organization } from "../../organizations/organizations.shapes.ts";
import { readTrainingFile, type TrainingFile } from "../../training/file/read-file.queries.ts";
import { rowsOf } from "./json-parts.ts";
import { packedRecords } from "./pilot.queries.ts";
import { listHeld } from "./training.queries.ts";

interface Asked {
  student: PersonId;
  school: Organization;
  now: Date;
}

export async function trainingFiles(
  tenant: Pick<Tenant, "read">,
  { student, school, now }: Asked,
): Promise<TrainingFile[]> {
  const packed = await tenant.read((reader) => packedRecords(reader, student, now));
  const files: TrainingFile[] = [];
  for await (const row of rowsOf(tenant, (reader, page) => listHeld(reader, student, page))) {
    const { id: enrollmentId } = row as TrainingFile["enrollment"];
    files.push(forOthers(await readTrainingFile(tenant, { enrollmentId, school, now, withRecords: true }), packed));
  }
  return files;
}

const isRecorded = ({ status }: { status: string }): boolean => status === "recorded";

/** Without what was voided or does not count, and without remarks that are not written for the student's use elsewhere. */
const forOthers = (file: TrainingFile, packed: ReadonlySet<string>): TrainingFile => ({
  ...file,
  enrollment: { ...file.enrollment, remarks: null, reason: null },
  lessons: file.lessons.filter(({ id }) => file.countingLessons.has(id)),
  signoffs: file.signoffs.filter(({ counts }) => counts),
  sessions: file.sessions.filter(isRecorded).map((session) => ({ ...session, remarks: null })),
  exams: file.exams.filter(isRecorded).map((exam) => ({ ...exam, remarks: null })),
  records: file.records?.filter(({ id }) => packed.has(id)) ?? null,
  waitingFlights: 0,
  isWhole: false,
});
