import { type Follower, on } from "../../storage/occasions.ts";
import { aircraftAdded, requirementsChanged } from "../fleet/fleet.occasions.ts";
import { personAdded, personChanged } from "../people/people.occasions.ts";
import { evaluateAircraft, evaluatePerson, reevaluateOne } from "./evaluations/evaluate.ts";

/** Types of people and classes of aircraft decide what is required. */
export const complianceFollows: readonly Follower[] = [
  on(personAdded, (tx, { id }) => evaluatePerson(tx, id)),
  on(personChanged, (tx, { id }) => evaluatePerson(tx, id)),
  on(aircraftAdded, (tx, { id }) => evaluateAircraft(tx, id)),
  on(requirementsChanged, (tx, { id, by }) => reevaluateOne(tx, by, { person_id: null, aircraft_id: id })),
];
