import { eq, inArray } from "drizzle-orm";
import type { Reader } from "../../../storage/store.ts";
import { trainingEnrollments as enrollments, trainingPrograms as programs } from "../training.tables.ts";
import { mayTrain, type OrganizationKind, type ProgramKind } from "./program-kinds.ts";

/** Returns the kinds of programs with students, whose training has not ended, that an organization of a kind may not train. */
export async function untrainedKinds(reader: Reader<"tenant">, organization: OrganizationKind): Promise<ProgramKind[]> {
  const found = await reader
    .selectDistinct({ kind: programs.kind })
    .from(enrollments)
    .innerJoin(programs, eq(programs.id, enrollments.program_id))
    .where(inArray(enrollments.status, ["active", "suspended"]))
    .orderBy(programs.kind);
  return found.flatMap(({ kind }) => (mayTrain(organization, kind) ? [] : [kind]));
}
