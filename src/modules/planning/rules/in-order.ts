/** Whether the aircraft and the people are in order: what the clearance finds. */
import { minutes } from "../../../core/clock.ts";
import type { Reader } from "../../../storage/store.ts";
import { factsOf } from "../../clearance/facts/facts.queries.ts";
import { judgeAircraft, judgePayer, judgePerson } from "../../clearance/judge.ts";
import type { CrewMember } from "../../flights/flight-rules.ts";
import { type Booking, type Finding, found, notClear, type Resource } from "./booking.ts";
import { enrollmentFor } from "./lessons.ts";

/** Who flies: with an instructor, the students are trained; without one, the first is alone in command. */
export function crewOf({ kind, instructor_id, student_ids }: Booking, pilots: ReadonlySet<string>): CrewMember[] {
  if (kind !== "flight" && kind !== "lesson") return [];
  const [first] = student_ids;
  const teacher = instructor_id === null ? [] : [{ person_id: instructor_id, function: "instructor" as const }];
  if (first === undefined) return teacher;
  if (instructor_id !== null) return [...teacher, { person_id: first, function: "dual" }];
  return [{ person_id: first, function: pilots.has(first) ? "pic" : "solo" }];
}

/** Returns the findings of the clearance. The rules of the clearance have their own actions. */
export async function clearanceFindings(
  reader: Reader<"tenant">,
  booking: Booking,
  crew: readonly CrewMember[],
  resources: readonly Resource[],
): Promise<Finding[]> {
  const { aircraft_id, start_at, end_at, kind, night } = booking;
  if (aircraft_id === null || (kind !== "flight" && kind !== "lesson")) return [];
  const length = (Date.parse(end_at) - Date.parse(start_at)) / minutes(1);
  const hundredths = Math.round((length * 100) / 60);
  const adds = { hobbs: hundredths, tacho: hundredths, airframe_minutes: Math.round(length), landings: 0 };
  const enrollment_id = await enrollmentFor(reader, booking);
  const use = { at: start_at, ends_at: end_at, adds, passengers: 0, night, enrollment_id };
  const facts = await factsOf(reader, { aircraft_id, crew, use });
  if (facts === undefined) return [];
  const of = { ...facts, use };
  const about = (id: string) => resources.find((one) => one.id === id);
  const shown = (
    findings: ReturnType<typeof judgeAircraft>,
    resource: Resource | undefined,
    to_others?: Finding["to_others"],
  ): Finding[] =>
    findings.map(({ rule, action, message }) =>
      found(booking, {
        ...{ rule, action, to_others },
        message: resource ? `${resource.name}: ${message}` : message,
        ...(resource && { resource }),
      }),
    );
  return [
    ...shown(judgeAircraft(of), about(aircraft_id)),
    ...crew.flatMap(({ person_id, function: onBoard }) => {
      const person = facts.people.find(({ id }) => id === person_id);
      return person ? shown(judgePerson(of, person, onBoard), about(person_id), notClear) : [];
    }),
    ...(facts.payer ? shown(judgePayer(of), about(facts.payer.id), notClear) : []),
  ];
}
