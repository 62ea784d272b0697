/** What the clearance finds about a flight that was made: kept with the flight. */
import type { Reader } from "../../storage/store.ts";
import { type Asked, factsOf } from "./facts/facts.queries.ts";
import type { FlightFinding } from "./findings.schemas.ts";
import { type Finding, judgeAircraft, judgePayer, judgePerson } from "./judge.ts";

/** Evaluates the rules once for the aircraft, for each crew member, and for the person who pays. */
export async function findingsOf(reader: Reader<"tenant">, asked: Asked): Promise<FlightFinding[]> {
  const facts = await factsOf(reader, asked);
  if (facts === undefined) return [];
  const of = { ...facts, use: asked.use };
  return [
    ...judgeAircraft(of).map((finding) => kept(finding, null)),
    ...asked.crew.flatMap(({ person_id, function: onBoard }) => {
      const person = facts.people.find(({ id }) => id === person_id);
      return person === undefined ? [] : judgePerson(of, person, onBoard).map((finding) => kept(finding, person_id));
    }),
    ...judgePayer(of).map((finding) => kept(finding, facts.payer?.id ?? null)),
  ];
}

const kept = ({ rule, action, message }: Finding, person_id: FlightFinding["person_id"]): FlightFinding => ({
  ...{ rule, action, person_id, message, acknowledged_by: null },
});
