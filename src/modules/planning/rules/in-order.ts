/** Whether the aircraft and the people are in order: what the clearance finds. */
import { minutes } from "../../../core/clock.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { factsOf } from "../../clearance/facts/facts.queries.ts";
import type { PersonFacts } from "../../clearance/facts/facts.shapes.ts";
import { judgeAircraft, judgePayer, judgePerson, judgeSupervisor } from "../../clearance/judge.ts";
import { type Booking, type Finding, found, notClear, type Resource } from "./booking.ts";
import { enrollmentFor } from "./lessons.ts";
import { isFlown, type OnBoard } from "./on-board.ts";

/** Returns the findings of the clearance. The rules of the clearance have their own actions. */
export async function clearanceFindings(
  reader: Reader<"tenant">,
  booking: Booking,
  { crew, supervisor_id }: OnBoard,
  resources: readonly Resource[],
): Promise<Finding[]> {
  const { aircraft_id, start_at, end_at, kind, night } = booking;
  if (aircraft_id === null || !isFlown(kind)) return [];
  const length = (Date.parse(end_at) - Date.parse(start_at)) / minutes(1);
  const hundredths = Math.round((length * 100) / 60);
  const adds = { hobbs: hundredths, tacho: hundredths, airframe_minutes: Math.round(length), landings: 0 };
  const enrollment_id = await enrollmentFor(reader, booking);
  const use = { at: start_at, ends_at: end_at, adds, passengers: 0, night, enrollment_id, supervisor_id };
  const known = await factsOf(reader, { aircraft_id, crew, use });
  if (known === undefined) return [];
  const facts = { ...known, use };
  const about = (id: string) => resources.find((one) => one.id === id);
  const shown = (
    findings: ReturnType<typeof judgeAircraft>,
    resource: Resource | undefined,
    to_others?: Finding["to_others"],
  ): Finding[] =>
    findings.map(({ rule, action, message }) =>
      found(booking, {
        rule,
        action,
        to_others,
        message: resource ? `${resource.name}: ${message}` : message,
        ...(resource && { resource }),
      }),
    );
  const judged = (id: PersonId, judge: (person: PersonFacts) => ReturnType<typeof judgePerson>) => {
    const person = facts.people.find((one) => one.id === id);
    return person ? shown(judge(person), about(id), notClear) : [];
  };
  return [
    ...shown(judgeAircraft(facts), about(aircraft_id)),
    ...crew.flatMap(({ person_id, function: onBoard }) =>
      judged(person_id, (person) => judgePerson(facts, person, onBoard)),
    ),
    ...(supervisor_id === null ? [] : judged(supervisor_id, (person) => judgeSupervisor(facts, person))),
    ...(facts.payer ? shown(judgePayer(facts), about(facts.payer.id), notClear) : []),
  ];
}
