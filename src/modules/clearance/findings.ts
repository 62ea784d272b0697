/** What the clearance finds about a flight that was made: kept with the flight. */
import type { Reader } from "../../storage/store.ts";
import { counterDifferences } from "../flights/flight-rules.ts";
import type { FlownFlight } from "../flights/flights.occasions.ts";
import type { FlightFinding } from "../rules/findings.schemas.ts";
import { factsOf } from "./facts/facts.queries.ts";
import type { PersonFacts, Use } from "./facts/facts.shapes.ts";
import { type Finding, judgeAircraft, judgePayer, judgePerson, judgeSupervisor } from "./judge.ts";

/** Evaluates the rules for the aircraft, for each crew member, for the supervisor of a solo flight, and for the person who pays. */
export async function findingsOf(reader: Reader<"tenant">, flight: FlownFlight): Promise<FlightFinding[]> {
  const { aircraft_id, crew } = flight;
  const use = useOf(flight);
  const found = await factsOf(reader, { aircraft_id, crew, use, flight });
  if (found === undefined) return [];
  const facts = { ...found, use };
  return [
    ...judgeAircraft(facts).map((finding) => kept(finding, null)),
    ...crew.flatMap(({ person_id, function: onBoard }) => {
      const person = facts.people.find(({ id }) => id === person_id);
      return person === undefined ? [] : judgePerson(facts, person, onBoard).map((finding) => kept(finding, person_id));
    }),
    ...supervisorFindings(facts),
    ...judgePayer(facts).map((finding) => kept(finding, facts.payer?.id ?? null)),
  ];
}

function supervisorFindings(facts: Parameters<typeof judgeSupervisor>[0] & { people: readonly PersonFacts[] }) {
  const { supervisor_id } = facts.use;
  const person = facts.people.find(({ id }) => id === supervisor_id);
  return person === undefined ? [] : judgeSupervisor(facts, person).map((finding) => kept(finding, person.id));
}

function useOf(flight: FlownFlight): Use {
  const { off_block_at, on_block_at, passengers, night_landings, night_minutes, enrollment_id, supervisor_id } = flight;
  if (off_block_at === null || on_block_at === null) throw new Error("A submitted flight has both times.");
  const night = night_landings > 0 || night_minutes > 0;
  return {
    at: off_block_at,
    ends_at: on_block_at,
    adds: counterDifferences(flight),
    passengers,
    night,
    enrollment_id,
    supervisor_id,
  };
}

const kept = ({ rule, action, message }: Finding, person_id: FlightFinding["person_id"]): FlightFinding => ({
  rule,
  action,
  person_id,
  message,
  acknowledged_by: null,
});
