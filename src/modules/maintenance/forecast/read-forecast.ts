/** What is due across the fleet: by the use of the aircraft, and by what is booked. */
import { authorize, type MemberActor } from "../../../core/actor.ts";
import { type Instant, minutes, shift, toInstant } from "../../../core/clock.ts";
import { dateIn, type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { ask } from "../../../storage/occasions.ts";
import type { Reader } from "../../../storage/store.ts";
import { timeZoneOf } from "../../../storage/today.ts";
import { aircraftInUse } from "../../fleet/fleet.queries.ts";
import { type UsedLimits, usedLimits } from "../assessment/assess.ts";
import { flownBy } from "../assessment/flown.queries.ts";
import { type ItemRow, itemsInUse } from "../items/items.queries.ts";
import { type BookedUse, bookedUse } from "../maintenance.occasions.ts";
import type { Forecast, ForecastQuery } from "./forecast.schemas.ts";
import { runsOutAt } from "./runs-out.ts";

type Row = Forecast["items"][number];
type Plane = Pick<Forecast["aircraft"][number], "id" | "registration">;

/** @throws FORBIDDEN */
export async function readForecast(
  reader: Reader<"tenant">,
  actor: MemberActor,
  { aircraft_id, status, until }: ForecastQuery,
  now: Instant,
): Promise<Forecast> {
  authorize(actor, "maintenance:read");
  const [all, items, timeZone] = await Promise.all([aircraftInUse(reader, {}), itemsInUse(reader), timeZoneOf(reader)]);
  const planes = all.filter(({ id }) => aircraft_id === undefined || id === aircraft_id);
  const [use = new Map()] = await ask(reader, bookedUse, { ids: planes.map(({ id }) => id), now });
  const today = dateIn(timeZone, new Date(now));
  const rowsOf = async (plane: Plane): Promise<Row[]> => {
    const booked = use.get(plane.id) ?? nothing;
    const at = { ...(await flownBy(reader, plane.id, now)), today };
    return items
      .filter((item) => item.aircraft_id === plane.id && (status === undefined || item.status === status))
      .map((item): Row => {
        const used = usedLimits(item, at);
        const runsOut = runsOutIn(item, used, booked);
        return {
          ...limitsOf(item),
          aircraft_registration: plane.registration,
          due_by: dueBy(item, used, toLegalDate(today)),
          booked_on: bookedOn(item, runsOut, timeZone),
          ...beyond(item, { booked, runsOut, timeZone, now }),
        };
      });
  };
  const rows: Row[] = [];
  for (const plane of planes) rows.push(...(await rowsOf(plane)));
  return {
    aircraft: planes.map((plane) => ({ ...plane, ...shownUse(use.get(plane.id) ?? nothing) })),
    items: rows
      .filter((row) => until === undefined || row.status === "overdue" || expectedOn(row) <= until)
      .sort((one, other) => (rank(one) < rank(other) ? -1 : 1)),
  };
}

const nothing: BookedUse = { sessions: [], per_hour: { airframe: null, hobbs: null, tacho: null } };

/** What is not expected to be due comes last. */
const expectedOn = ({ forecast_on, booked_on }: Pick<Row, "forecast_on" | "booked_on">): string =>
  [forecast_on ?? "~", booked_on ?? "~"].sort()[0] ?? "~";
const rank = (row: Row): string =>
  [row.status === "overdue" ? "0" : "1", expectedOn(row), row.aircraft_registration, row.name, row.item_id].join("\n");

const runsOutIn = (item: ItemRow, { hours }: UsedLimits, { sessions, per_hour }: BookedUse): Instant | undefined =>
  hours === null || hours.left === null
    ? undefined
    : runsOutAt(hours.left, per_hour[item.hours_counter] ?? 1, sessions);

function bookedOn({ due_on }: ItemRow, at: Instant | undefined, timeZone: string): LegalDate | null {
  const on = at === undefined ? null : toLegalDate(dateIn(timeZone, new Date(at)));
  return due_on === null || (on !== null && on < due_on) ? on : due_on;
}

interface Ahead {
  booked: BookedUse;
  runsOut: Instant | undefined;
  timeZone: string;
  now: Instant;
}

/** Returns from when on a booking is beyond the limit of the item, and how many are. */
function beyond({ due_on, status }: ItemRow, { booked: { sessions }, runsOut, timeZone, now }: Ahead) {
  const dayAfter = due_on === null ? undefined : startOfDay(timeZone, Temporal.PlainDate.from(due_on).add({ days: 1 }));
  const [first] = [runsOut, dayAfter && goingOnAt(dayAfter, sessions), status === "overdue" ? now : undefined]
    .filter(isKnown)
    .sort();
  const booked_beyond = first === undefined ? 0 : sessions.filter(({ start_at }) => start_at >= first).length;
  return { beyond_from: first ?? null, booked_beyond };
}

/** Returns when the session begins that is still going on then: it is beyond the limit before it ends. Without one, that moment. */
const goingOnAt = (at: Instant, sessions: BookedUse["sessions"]): Instant =>
  sessions.find((one) => one.start_at < at && shift(one.start_at, minutes(one.minutes)) > at)?.start_at ?? at;

const isKnown = (instant: Instant | undefined): instant is Instant => instant !== undefined;

const startOfDay = (timeZone: string, day: Temporal.PlainDate): Instant =>
  toInstant(new Date(day.toZonedDateTime(timeZone).epochMilliseconds));

/** Returns the limit that decides when the item is due. */
function dueBy(item: ItemRow, used: UsedLimits, today: LegalDate): Row["due_by"] {
  const { interval_hours, interval_months, interval_landings, due_on, forecast_on } = item;
  const { remaining_hours: hours, remaining_landings: landings } = item;
  const isOver = {
    date: interval_months !== null && (due_on === null || due_on < today),
    hours: interval_hours !== null && (hours === null || hours < 0),
    landings: interval_landings !== null && (landings === null || landings < 0),
  };
  for (const limit of ["hours", "landings", "date"] as const) if (isOver[limit]) return limit;
  if (forecast_on === null) return null;
  if (forecast_on === due_on) return "date";
  const reachedOn = (limit: UsedLimits["hours"]) => limit?.forecast?.toString() ?? "~";
  return reachedOn(used.hours) <= reachedOn(used.landings) && interval_hours !== null ? "hours" : "landings";
}

const hundredths = (value: number | null): string | null => (value === null ? null : (value / 100).toFixed(2));

const limitsOf = ({ id, interval_hours, due_hours, remaining_hours, ...item }: ItemRow) => ({
  item_id: id,
  ...{ aircraft_id: item.aircraft_id, name: item.name, critical: item.critical, status: item.status },
  ...{ past_tolerance: item.past_tolerance, hours_counter: item.hours_counter },
  ...{ interval_months: item.interval_months, interval_landings: item.interval_landings },
  ...{ due_on: item.due_on, due_landings: item.due_landings, remaining_landings: item.remaining_landings },
  interval_hours: hundredths(interval_hours),
  due_hours: hundredths(due_hours),
  remaining_hours: hundredths(remaining_hours),
  forecast_on: item.forecast_on,
});

function shownUse({ sessions, per_hour }: BookedUse) {
  const booked = sessions.reduce((sum, one) => sum + one.minutes, 0) / 60;
  const ratio = (counter: keyof BookedUse["per_hour"]) => (per_hour[counter] ?? 1).toFixed(2);
  return {
    booked_hours: booked.toFixed(2),
    per_booked_hour: { airframe: ratio("airframe"), hobbs: ratio("hobbs"), tacho: ratio("tacho") },
  };
}
