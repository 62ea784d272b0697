import { type MemberActor, permits } from "../../core/actor.ts";
import { type Instant, minutes, shift } from "../../core/clock.ts";
import { toLegalDate } from "../../core/dates.ts";
import { conflict, invalid } from "../../core/errors.ts";
import type { Reader } from "../../storage/store.ts";
import { requireUsable } from "../fleet/fleet.queries.ts";
import { checkSupervisor } from "../flights/supervisor.ts";
import { findPersonRow } from "../people/people.queries.ts";
import type { Clearance, ClearanceQuery } from "./clearance.schemas.ts";
import { factsOf } from "./facts/facts.queries.ts";
import type { PersonFacts, Use } from "./facts/facts.shapes.ts";
import {
  decisionOf,
  type Finding,
  judgeAircraft,
  judgePayer,
  judgePerson,
  judgeSupervisor,
  metRecency,
} from "./judge.ts";

/**
 * Answers whether a person may fly an aircraft in a function at a time, with every reason against it.
 *
 * @throws VALIDATION_ERROR no such aircraft or person, or another person than the actor's, who may ask only about their own; a
 *   supervisor as of a flight: no instructor, or the person on board
 * @throws CONFLICT the aircraft, the person or the supervisor is archived
 */
export async function askClearance(
  reader: Reader<"tenant">,
  actor: MemberActor,
  query: ClearanceQuery & { at: Instant },
): Promise<Clearance> {
  const { aircraft_id, person_id, function: onBoard, at, supervisor_id = null } = query;
  const row = await findPersonRow(reader, person_id);
  const isOwn = row?.user_id === actor.userId;
  if (row === undefined || !(isOwn || permits(actor, "compliance:read")))
    throw invalid({ path: "person_id", code: "unknown", message: "There is no such person, or you may not see them." });
  const plane = await requireUsable(reader, aircraft_id);
  if (row.status === "archived") throw conflict("person_archived", "The person is archived.");

  const crew = [{ person_id, function: onBoard }];
  await checkSupervisor(reader, { supervisor_id, crew });
  const use = { ...plannedUse(query), supervisor_id };
  const facts = await factsOf(reader, { aircraft_id, crew, use });
  const person = facts?.people.find(({ id }) => id === person_id);
  if (facts === undefined || person === undefined) throw new Error("The aircraft or the person was removed meanwhile.");
  const flight = { ...facts, use };
  const findings = [
    ...judgeAircraft(flight),
    ...judgePerson(flight, person, onBoard),
    ...supervisorFindings(flight, permits(actor, "compliance:read")),
    ...judgePayer(flight),
  ];
  const seesHealth = isOwn || permits(actor, "medicals:read");
  return {
    decision: decisionOf(findings),
    aircraft: { id: aircraft_id, registration: plane.registration },
    person: { id: person_id, name: row.name },
    function: onBoard,
    at,
    reasons: findings.map((finding) => reasonOf(finding, seesHealth)),
    recency: metRecency(flight, person, onBoard).map(({ rule, until, missing }) => ({
      rule,
      until: toLegalDate(until),
      missing: missing.map(lackOf),
    })),
  };
}

/** Without `compliance:read`, the caller learns that there is something, not what. */
function supervisorFindings(
  flight: Parameters<typeof judgeSupervisor>[0] & { people: readonly PersonFacts[] },
  seesAll: boolean,
): Finding[] {
  const supervisor = flight.people.find(({ id }) => id === flight.use.supervisor_id);
  if (supervisor === undefined) return [];
  return judgeSupervisor(flight, supervisor).map((finding) => ({
    ...finding,
    ...(seesAll ? {} : { record: null, needed: null }),
    message: seesAll
      ? `${supervisor.name}: ${finding.message}`
      : `${supervisor.name} can't supervise the flight as it is.`,
    lifted_by: seesAll ? finding.lifted_by : "Ask the instructor.",
  }));
}

type Planned = Pick<ClearanceQuery, "minutes" | "passengers" | "night"> & { at: Instant };

/** Returns what a flight that is asked about would be. */
export function plannedUse({ at, minutes: length, passengers, night }: Planned): Use {
  const hundredths = Math.round((length * 100) / 60);
  const adds = { hobbs: hundredths, tacho: hundredths, airframe_minutes: length, landings: 0 };
  return { at, ends_at: shift(at, minutes(length)), adds, passengers, night, enrollment_id: null, supervisor_id: null };
}

/** Medicals are health data: the caller learns that there is something, and members with `medicals:read` which record it is. */
function reasonOf(
  { record, health, missing, needed, ...reason }: Finding,
  seesHealth: boolean,
): Clearance["reasons"][number] {
  const shown = health && !seesHealth ? null : record;
  return {
    ...reason,
    needed: needed && { ...needed, any_of: [...needed.any_of], levels: [...needed.levels] },
    record_id: shown?.id ?? null,
    valid_until: shown?.valid_until ?? null,
    missing: missing.map(lackOf),
  };
}

const lackOf = ({ by, ...lack }: Finding["missing"][number]) => ({ ...lack, by: by && toLegalDate(by) });
