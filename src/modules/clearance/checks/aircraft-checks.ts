/** The checks of the rules about an aircraft. */
import type { Counters } from "../../fleet/fleet.queries.ts";
import { assess } from "../../maintenance/assessment/assess.ts";
import type { RulesAbout } from "../clearance-rules.ts";
import type { AircraftFacts } from "../facts/facts.shapes.ts";
import { type Case, type Found, found, recordIssues } from "./found.ts";

export const aircraftChecks: Record<RulesAbout<"aircraft">, (of: Case) => Found[]> = {
  aircraft_grounded: (of) => [
    ...of.aircraft.groundings.map((grounding) => found(`Grounded: ${grounding.note}`, liftedBy(grounding))),
    ...groundedByThen(of),
  ],

  maintenance_due: maintenanceDue,

  aircraft_record(of) {
    const { school, aircraft } = of;
    const role = aircraft.class === "FSTD" ? "simulator" : "aircraft";
    return school.requirements
      .filter(({ applies_to }) => applies_to === role)
      .flatMap((required) => recordIssues(of, aircraft.records, required));
  },
};

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

/** The counters at another time are not known. */
const noCounters = { interval_hours: null, interval_landings: null };

const unused = { hobbs: 0, tacho: 0, airframe_minutes: 0, landings: 0 };

/** A critical item that is past its tolerance by date when the flight begins grounds the aircraft by then. */
function groundedByThen({ aircraft: { counters, items, groundings }, on }: Case): Found[] {
  if (groundings.some(({ kind }) => kind === "maintenance")) return [];
  const at = { counters, today: on, recent: unused };
  return items
    .filter((item) => item.critical && assess({ ...item, ...noCounters }, at).past_tolerance)
    .map(({ name }) => found(`Grounded by then: ${name} is overdue by more than its tolerance.`, causes.maintenance));
}

function maintenanceDue({ aircraft, use, on, ends_on }: Case): Found[] {
  const { counters, items } = aircraft;
  const after = {
    hobbs: counters.hobbs + use.adds.hobbs,
    tacho: counters.tacho + use.adds.tacho,
    airframe_minutes: counters.airframe_minutes + use.adds.airframe_minutes,
    landings: counters.landings + use.adds.landings,
  };
  return items.flatMap((item) => {
    const isOverdue = (now: Counters, today: Temporal.PlainDate) =>
      assess(item, { counters: now, today, recent: unused }).status === "overdue";
    if (!isOverdue(after, ends_on)) return [];
    const state = isOverdue(counters, on) ? "Overdue" : "Falls due before the end of the flight";
    return [found(`${state}: ${item.name}.`, `The maintenance item is done: ${item.name}.`)];
  });
}
