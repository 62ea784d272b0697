/** The instructor who authorizes a solo flight and supervises it from the ground (FCL.020). */
import { conflict, type Issue, invalid } from "../../core/errors.ts";
import type { PersonId } from "../../core/ids.ts";
import type { Reader } from "../../storage/store.ts";
import { findPersonRow } from "../people/people.queries.ts";
import type { CrewMember } from "../rules/crew.values.ts";
import type { FlightContent } from "./flights.schemas.ts";

/**
 * @param present the supervisor before the change, who may be archived since, and no instructor any more
 * @throws VALIDATION_ERROR no such instructor, one on board, or a flight that is not solo; CONFLICT a new one is archived
 */
export async function checkSupervisor(
  reader: Reader<"tenant">,
  { supervisor_id, crew }: Pick<FlightContent, "supervisor_id"> & { crew: readonly CrewMember[] },
  present: PersonId | null = null,
): Promise<void> {
  if (supervisor_id === null) return;
  // The crew of a draft may follow.
  if (crew.length > 0 && !crew.some(({ function: onBoard }) => onBoard === "solo"))
    throw invalid(issue("impossible", "Only a solo flight is supervised from the ground."));
  if (crew.some(({ person_id }) => person_id === supervisor_id))
    throw invalid(issue("impossible", "The instructor who supervises a solo flight is not on board."));
  const person = await findPersonRow(reader, supervisor_id);
  if (person === undefined) throw invalid(issue("unknown", "There is no such person."));
  if (supervisor_id === present) return;
  if (!person.types.includes("instructor"))
    throw invalid(issue("unknown", "The person is no instructor of the school."));
  if (person.status === "archived") throw conflict("person_archived", "The instructor is archived.");
}

const issue = (code: Issue["code"], message: string): Issue => ({ path: "supervisor_id", code, message });
