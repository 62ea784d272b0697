import { eq, or } from "drizzle-orm";
import { touchRows } from "../../storage/changes.ts";
import { answer, type Follower, on } from "../../storage/occasions.ts";
import { enrollmentOf, flightMoved } from "../flights/flights.occasions.ts";
import { untrainedBy } from "../organizations/organizations.occasions.ts";
import { ownAffairs, personRenamed } from "../people/people.occasions.ts";
import { enrollmentOfFlight } from "./enrollment-of-flight.ts";
import { ownTrainingAffairs } from "./own-affairs.queries.ts";
import { untrainedKinds } from "./programs/untrained-kinds.queries.ts";
import { signoffEntity } from "./signoffs/signoffs.queries.ts";
import { trainingSignoffs as table } from "./training.tables.ts";

/** Signoffs show the student, the instructor, and whether they count, which depends on their flight. */
export const trainingFollows: readonly Follower[] = [
  on(personRenamed, (tx, { id }) =>
    touchRows(tx, signoffEntity, or(eq(table.student_id, id), eq(table.instructor_id, id))),
  ),
  on(flightMoved, (tx, { id }) => touchRows(tx, signoffEntity, eq(table.flight_id, id))),
  answer(untrainedBy, (reader, { kind }) => untrainedKinds(reader, kind)),
  answer(enrollmentOf, enrollmentOfFlight),
  answer(ownAffairs, ownTrainingAffairs),
];
