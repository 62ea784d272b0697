import { type Issue, invalid } from "../../../core/errors.ts";
import { isId, type PersonId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { findMatches, presentOnes } from "../../people/import/person-matches.queries.ts";
import type { CrewMember } from "../flight-rules.ts";
import { crewFunctions } from "../flights.tables.ts";
import type { FlightLine } from "./import.schemas.ts";

/** Returns the people whom a line names, with their functions. @throws VALIDATION_ERROR a person is unknown or named twice */
export async function crewOf(tx: Tx<"tenant">, line: FlightLine): Promise<CrewMember[]> {
  const crew: CrewMember[] = [];
  for (const name of crewFunctions) {
    for (const mark of line[name] ?? []) {
      const person_id = await personOf(tx, name, mark);
      if (crew.some((member) => member.person_id === person_id))
        throw invalid(issue(name, "duplicate", "Name each person once."));
      crew.push({ person_id, function: name });
    }
  }
  return crew;
}

/** @param mark an id, an e-mail address or a licence number. Of several people, the active ones count. */
async function personOf(tx: Tx<"tenant">, path: string, mark: string): Promise<PersonId> {
  const matches = await findMatches(
    tx,
    isId<"person">(mark) ? { id: mark } : mark.includes("@") ? { email: mark.toLowerCase() } : { licence_number: mark },
  );
  const [found, ...others] = presentOnes(matches);
  if (found === undefined)
    throw invalid(issue(path, "unknown", "There is no person with this e-mail address, licence number or id."));
  if (others.length > 0) throw invalid(issue(path, "ambiguous", "Several people match. Name the person by id."));
  return found;
}

const issue = (path: string, code: string, message: string): Issue => ({ path, code, message });
