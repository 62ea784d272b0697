import { eq, or } from "drizzle-orm";
import { touchRows } from "../../storage/changes.ts";
import type { Dependents } from "../../storage/dependents.ts";
import { signoffEntity } from "./signoffs/signoffs.queries.ts";
import { trainingSignoffs as table } from "./training.tables.ts";

/** Signoffs show the student, the instructor, and whether they count, which depends on their flight. */
export const trainingDependents: Dependents = {
  person: (tx, id) => touchRows(tx, signoffEntity, or(eq(table.student_id, id), eq(table.instructor_id, id))),
  flight: (tx, id) => touchRows(tx, signoffEntity, eq(table.flight_id, id)),
};
