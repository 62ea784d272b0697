import type { Issue } from "../../../core/errors.ts";
import { isId, type PersonId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { findMatches, presentOnes } from "../../people/import/person-matches.queries.ts";
import { throwIfAny } from "../flight-content.ts";
import type { CrewMember } from "../flight-rules.ts";
import { crewFunctions } from "../flights.tables.ts";
import type { FlightLine } from "./import.schemas.ts";

/** Returns the people whom a line names, with their functions. @throws VALIDATION_ERROR a person is unknown or named twice */
export async function crewOf(tx: Tx<"tenant">, line: FlightLine): Promise<CrewMember[]> {
  const { crew, issues } = await crewNamed(tx, line);
  throwIfAny(issues);
  return crew;
}

/** Returns the people whom a line names, and the issues of those who are unknown or named twice. */
export async function crewNamed(
  tx: Tx<"tenant">,
  line: FlightLine,
): Promise<{ crew: CrewMember[]; issues: readonly Issue[] }> {
  const crew: CrewMember[] = [];
  const issues: Issue[] = [];
  for (const name of crewFunctions) {
    for (const mark of line[name] ?? []) {
      const found = await personOf(tx, name, mark);
      if (typeof found !== "string") issues.push(found);
      else if (crew.some(({ person_id }) => person_id === found))
        issues.push(issue(name, "duplicate", "Name each person once."));
      else crew.push({ person_id: found, function: name });
    }
  }
  return { crew, issues };
}

/** @param mark an id, an e-mail address or a licence number. Of several people, the active ones count. */
async function personOf(tx: Tx<"tenant">, path: string, mark: string): Promise<PersonId | Issue> {
  const matches = await findMatches(
    tx,
    isId<"person">(mark) ? { id: mark } : mark.includes("@") ? { email: mark.toLowerCase() } : { licence_number: mark },
  );
  if (matches.some(({ erased }) => erased))
    return issue(
      path,
      "erased",
      "The person's data was erased. Import the flight without them, or add the person anew.",
    );
  const [found, ...others] = presentOnes(matches);
  if (found === undefined)
    return issue(path, "unknown", "There is no person with this e-mail address, licence number or id.");
  if (others.length > 0) return issue(path, "ambiguous", "Several people match. Name the person by id.");
  return found;
}

const issue = (path: string, code: string, message: string): Issue => ({ path, code, message });
