/** Documents of people and aircraft, of which some expire soon and one has expired, and what the workshop looks after. */
import { atDesks } from "../api.ts";
import { minutesFlown } from "../plan/flights.ts";
import { type DemoSchool, known } from "./demo-school.ts";
import { fleet, nearlyDue } from "./fleet.ts";
import { people } from "./people.ts";

const inspection = {
  name: "100-hour or annual inspection",
  critical: true,
  interval_hours: "100.00",
  interval_months: 12,
  tolerance_hours: "10.00",
  tolerance_months: 1,
};

/** Last days, counted from today. */
const aircraftDocuments = { arc: 210, insurance: 120, elt_battery: 600 };
const endsSoon = { registration: "D-KIWI", insurance: 21 };

/** @returns the ids of the inspections, by registration */
export async function addDocuments(school: DemoSchool): Promise<ReadonlyMap<string, string>> {
  const { api, org, owner, aircraft, person, dateOf } = school;
  const record = (subject: object, type: string, lastDay: number | null, level: string | null = null) => {
    const until = lastDay === null ? null : dateOf(lastDay);
    const issued_on = (until ?? dateOf(-400)).subtract({ years: 2 }).toString();
    const body = { ...subject, type, level, issued_on, valid_until: until?.toString() ?? null };
    return api.create(`${org}/compliance/records`, body, owner);
  };
  await atDesks(
    people.flatMap(({ key, records }) => records.map((one) => ({ subject: { person_id: person(key) }, one }))),
    ({ subject, one: [type, level, lastDay] }) => record(subject, type, lastDay, level),
  );
  const inspections = new Map<string, string>();
  const mechanic = school.account("max");
  for (const { registration, hobbs, hoursFlown } of fleet) {
    const aircraft_id = known(aircraft, registration);
    const { insurance } = registration === endsSoon.registration ? endsSoon : aircraftDocuments;
    for (const [type, lastDay] of Object.entries({ ...aircraftDocuments, insurance }))
      await record({ aircraft_id }, type, lastDay);
    const later = registration === nearlyDue.registration ? minutesFlown(school.plan, registration) : 0;
    const item = {
      aircraft_id,
      ...inspection,
      last_done_on: dateOf(-150).toString(),
      last_done_airframe_minutes: hobbs * 6 - Math.round(hoursFlown * 60) + later,
      last_done_by: mechanic.name,
    };
    inspections.set(registration, await api.create(`${org}/maintenance/items`, item, mechanic));
    const propeller = { name: "Propeller overhaul", interval_months: 72, last_done_on: dateOf(-900).toString() };
    await api.create(`${org}/maintenance/items`, { aircraft_id, ...propeller }, mechanic);
  }
  return inspections;
}
