/** What a training file is made from: the records, without what is computed from them and the day. */

import { canonicalJson } from "../../../core/canonical-json.ts";
import { sha256 } from "../../../core/crypto.ts";
import type { TrainingFile } from "./read-file.queries.ts";

/** Returns the SHA-256 of the records in a file, in canonical JSON (RFC 8785): files with the same digest are of the same records. */
export function digestOf(file: TrainingFile): string {
  const { school, student, program, enrollment, revision, flights, lessons, signoffs, sessions, exams, records } = file;
  const { id, number, legal_basis, effective_from, minima, theory, subjects, scales } = revision;
  const syllabus = {
    id,
    number,
    legal_basis,
    effective_from,
    minima,
    theory,
    subjects,
    scales,
    lessons: revision.lessons,
  };
  return sha256(
    canonicalJson({
      school,
      student,
      program,
      enrollment,
      syllabus,
      flights,
      lessons,
      signoffs,
      sessions,
      exams,
      records,
    }),
  );
}
