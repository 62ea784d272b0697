import type { PersonId } from "../../core/ids.ts";

/** Functions on board, as in a logbook (AMC1 FCL.050). `solo`, `spic` and `picus` count as PIC. */
export const crewFunctions = ["pic", "solo", "spic", "picus", "co_pilot", "dual", "instructor"] as const;
export type CrewFunction = (typeof crewFunctions)[number];

export interface CrewMember {
  person_id: PersonId;
  function: CrewFunction;
}
