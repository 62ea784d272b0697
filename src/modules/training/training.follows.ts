import { sql } from "drizzle-orm";
import { touching } from "../../storage/changes.ts";
import { answer, type Follower, on, onPrepared } from "../../storage/occasions.ts";
import { enrollmentOf, flightMoved, isOnRecord } from "../flights/flights.occasions.ts";
import { untrainedBy } from "../organizations/organizations.occasions.ts";
import { ownAffairs, personRenamed } from "../people/people.occasions.ts";
import { enrollmentOfFlight } from "./enrollment-of-flight.ts";
import { ownTrainingAffairs } from "./own-affairs.queries.ts";
import { untrainedKinds } from "./programs/untrained-kinds.queries.ts";
import { signoffEntity } from "./signoffs/signoffs.queries.ts";
import { trainingSignoffs as table } from "./training.tables.ts";

const id = sql.placeholder("id");
const touchSignoffsOf = touching(signoffEntity, sql`${table.student_id} = ${id} or ${table.instructor_id} = ${id}`);
const touchSignoffsOn = touching(signoffEntity, sql`${table.flight_id} = ${id}`);

const signoffOn = sql`select 1 from ${table} where ${table.flight_id} = ${id} limit 1`;

/** Signoffs show the student, the instructor, and whether they count, which depends on their flight. */
export const trainingFollows: readonly Follower[] = [
  on(personRenamed, (tx, { id }) => touchSignoffsOf(tx, { id })),
  onPrepared(
    flightMoved,
    (reader, { id }) => touchSignoffsOn.find(reader, { id }),
    (tx, _, found) => touchSignoffsOn.touch(tx, found),
  ),
  answer(untrainedBy, (reader, { kind }) => untrainedKinds(reader, kind)),
  answer(isOnRecord, async (reader, { id }) => (await reader.first(signoffOn, { id })) !== undefined),
  answer(enrollmentOf, enrollmentOfFlight),
  answer(ownAffairs, ownTrainingAffairs),
];
