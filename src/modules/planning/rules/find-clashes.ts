/** Everything that is against a booking. */

import { toLegalDate } from "../../../core/dates.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { timeZoneOf } from "../../../storage/today.ts";
import type { Settings } from "../settings/settings.schemas.ts";
import { type Booking, type Finding, found, type Resource } from "./booking.ts";
import { around, dutiesOf, exceeded, limitsDuty, workedOn } from "./duty.ts";
import { clearanceFindings } from "./in-order.ts";
import { lessonFindings } from "./lessons.ts";
import type { OnBoard } from "./on-board.ts";
import { overlaps } from "./overlaps.ts";
import { absencesIn, dayOf, isCovered, presenceOf } from "./presence.ts";
import { workOrderOf } from "./work-orders.queries.ts";

interface Asked {
  booking: Booking;
  /** What it takes up. */
  resources: readonly Resource[];
  onBoard: OnBoard;
  settings: Settings;
}

/** Returns all findings: those that block, and those that warn. */
export async function findClashes(reader: Reader<"tenant">, asked: Asked): Promise<Finding[]> {
  const { booking, resources, onBoard, settings } = asked;
  const timeZone = await timeZoneOf(reader);
  const all: Finding[] = [];
  for (const resource of resources) all.push(...(await overlaps(reader, resource, booking, settings)));
  all.push(...(await whenPresent(reader, asked, timeZone)));
  const plane = resources.find(({ type }) => type === "aircraft");
  if (plane && booking.aircraft_id && settings.out_of_service !== "off" && booking.kind !== "maintenance") {
    const title = await workOrderOf(reader, booking.aircraft_id);
    const message = `${plane.name} is out of service: the work order "${title}" is open.`;
    if (title !== undefined)
      all.push(found(booking, { rule: "out_of_service", action: settings.out_of_service, message, resource: plane }));
  }
  const teacher = resources.find(({ type }) => type === "instructor");
  if (teacher && settings.duty !== "off" && limitsDuty(settings)) {
    const duties = await dutiesOf(reader, teacher.id, around(booking), booking.id);
    for (const limit of exceeded(workedOn(duties, timeZone), booking, timeZone, settings))
      all.push(
        found(booking, {
          rule: "duty",
          action: settings.duty,
          message: `${teacher.name}: ${limit}.`,
          resource: teacher,
        }),
      );
  }
  all.push(...(await lessonFindings(reader, booking, resources, settings)));
  return [...all, ...(await clearanceFindings(reader, booking, onBoard, resources))];
}

async function whenPresent(
  reader: Reader<"tenant">,
  { booking, resources, settings }: Asked,
  timeZone: string,
): Promise<Finding[]> {
  const from = toLegalDate(dayOf(timeZone, booking.start_at));
  const all: Finding[] = [];
  const action = settings.opening_hours;
  if (action !== "off" && booking.kind !== "maintenance") {
    const school = await presenceOf(reader, null, from);
    const report = (message: string) => all.push(found(booking, { rule: "opening_hours", action, message }));
    const [closed] = absencesIn(school, timeZone, booking);
    if (closed) report(`The school is closed from ${closed.from_on} to ${closed.until_on}.`);
    else if (!(await isCovered(school, timeZone, booking))) report("The school is not open all the time.");
  }
  if (settings.availability === "off") return all;
  for (const resource of resources) {
    if (resource.type !== "instructor" && resource.type !== "student") continue;
    const presence = await presenceOf(reader, resource.id as PersonId, from);
    const [away] = absencesIn(presence, timeZone, booking);
    const { name } = resource;
    const [rule, action] = ["availability", settings.availability];
    const to_others = { rule, message: `${name} is not available all the time.` };
    const message = away ? `${name} is away from ${away.from_on} to ${away.until_on}.` : to_others.message;
    if (away || !(await isCovered(presence, timeZone, booking)))
      all.push(found(booking, { rule, action, message, resource, to_others }));
  }
  return all;
}
