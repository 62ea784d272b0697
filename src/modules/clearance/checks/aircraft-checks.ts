/** The checks of the rules about an aircraft. */
import { toLegalDate } from "../../../core/dates.ts";
import { groundingNotes } from "../../compliance/built-in-types.ts";
import { heldThrough } from "../../compliance/records/held.ts";
import type { Counters } from "../../fleet/counters.queries.ts";
import { isOverdue, isPastByDate } from "../../maintenance/assessment/assess.ts";
import type { RulesAbout } from "../../rules/clearance-rules.ts";
import type { AircraftFacts, SchoolFacts } from "../facts/facts.shapes.ts";
import { type Case, type Found, found, recordIssues } from "./found.ts";

export const aircraftChecks: Record<RulesAbout<"aircraft">, (flightCase: Case) => readonly Found[]> = {
  aircraft_grounded: (flightCase) => [
    ...flightCase.aircraft.groundings.map((grounding) => found(`Grounded: ${grounding.note}`, liftedBy(grounding))),
    ...groundedByThen(flightCase),
  ],

  maintenance_due: maintenanceDue,

  aircraft_record: (flightCase) =>
    requiredOf(flightCase).flatMap((required) => recordIssues(flightCase, flightCase.aircraft, required)),
};

function requiredOf({ school, aircraft }: Case): SchoolFacts["requirements"] {
  const role = aircraft.class === "FSTD" ? "simulator" : "aircraft";
  return school.requirements.filter(({ applies_to }) => applies_to === role);
}

function liftedBy({ kind, lifted_at }: AircraftFacts["groundings"][number]): string {
  if (lifted_at !== null) return `It was lifted at ${lifted_at}. If the times of the flight are wrong, correct them.`;
  return causes[kind];
}

const causes = {
  by_hand: "A member who manages the aircraft lifts the reason.",
  defect: "The defect is rectified or deferred.",
  maintenance: "The maintenance item is done.",
  record: "A valid record is entered.",
};

const unused = { hobbs: 0, tacho: 0, airframe_minutes: 0, landings: 0 };

/** What grounds the aircraft by the end of the flight, if nothing of its kind does now. */
function groundedByThen(flightCase: Case): Found[] {
  const byThen = {
    maintenance: overdueItems(flightCase),
    record: expiredRecords(flightCase),
    defect: endedDeferrals(flightCase),
  };
  return (["maintenance", "record", "defect"] as const).flatMap((cause) =>
    flightCase.aircraft.groundings.some(({ kind }) => kind === cause)
      ? []
      : byThen[cause].map((note) => found(`Grounded by then: ${note}`, causes[cause])),
  );
}

/** Critical items that are past their tolerance by date: the counters at another time are not known. */
const overdueItems = ({ aircraft: { items }, ends_on }: Case): string[] =>
  items
    .filter((item) => item.critical && isPastByDate(item, ends_on))
    .map(({ name }) => `${name} is overdue by more than its tolerance.`);

/** As `groundByRecords`. One that was withdrawn grounds from then on: it says nothing about an earlier flight. */
const expiredRecords = (flightCase: Case): string[] =>
  requiredOf(flightCase)
    .filter((required) => heldThrough(flightCase.aircraft, required, flightCase.days).state === "expired")
    .flatMap(({ any_of }) => any_of.flatMap((key) => groundingNotes[key] ?? []));

const endedDeferrals = ({ aircraft: { deferred }, ends_on }: Case): string[] =>
  deferred
    .filter(({ deferred_until: until }) => until !== null && until < toLegalDate(ends_on))
    .map(({ description }) => `The deferral has ended: ${description}`);

function maintenanceDue({ aircraft, use, on, ends_on }: Case): Found[] {
  const { counters, corrected, items } = aircraft;
  const after = {
    hobbs: counters.hobbs + use.adds.hobbs,
    tacho: counters.tacho + use.adds.tacho,
    airframe_minutes: counters.airframe_minutes + use.adds.airframe_minutes,
    landings: counters.landings + use.adds.landings,
  };
  const dueItems = items.flatMap((item) => {
    const isOverdueAt = (now: Counters, today: Temporal.PlainDate) =>
      isOverdue(item, { counters: now, corrected, today, recent: unused });
    if (!isOverdueAt(after, ends_on)) return [];
    const state = isOverdueAt(counters, on) ? "Overdue" : "Falls due before the end of the flight";
    return [found(`${state}: ${item.name}.`, `The maintenance item is done: ${item.name}.`)];
  });
  return [...dueItems, ...usedUpDeferrals(after, { aircraft, use })];
}

/** Those whose hours end with the flight, if it lands after the deferral (`assessDeferral`): its approval grounds the aircraft. */
const usedUpDeferrals = (after: Counters, { aircraft, use }: Pick<Case, "aircraft" | "use">): Found[] =>
  aircraft.deferred.flatMap(({ description, deferred_at: since, deferred_until_airframe_minutes: limit }) =>
    isUsedUp(limit, aircraft.counters, after) && (since === null || use.ends_at > since)
      ? [found(`The deferral ends before the end of the flight: ${description}`, causes.defect)]
      : [],
  );

/** One that has ended before has grounded the aircraft. */
const isUsedUp = (limit: number | null, before: Counters, after: Counters): boolean =>
  limit !== null && before.airframe_minutes <= limit && after.airframe_minutes > limit;
