import type { PersonId } from "../../../core/ids.ts";
import type { FlightRow } from "../../flights/flights.queries.ts";
import type { CrewMember } from "../../rules/crew.values.ts";

/** Who pays, unless a member names somebody else: the first of these in the crew. */
const paying: readonly CrewMember["function"][] = ["dual", "solo", "spic", "picus", "pic"];

/** Nobody pays such a flight, unless a member names somebody. */
const free: readonly FlightRow["nature"][] = ["maintenance", "ferry"];

type Flown = Pick<FlightRow, "nature"> & { crew: readonly CrewMember[] };

/** Returns the person named by a member, or the one who follows from the crew; null: nobody. */
export function payerOf({ nature, crew }: Flown, named: PersonId | null): PersonId | null {
  if (named !== null || free.includes(nature)) return named;
  const [first] = paying.flatMap((one) => crew.filter((member) => member.function === one));
  return first?.person_id ?? null;
}

export const isFree = ({ nature }: Flown, named: PersonId | null): boolean => named === null && free.includes(nature);
