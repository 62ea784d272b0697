/** Whether a part of a time is at night at the home aerodrome: what is booked then needs what a flight at night needs. */
import type { PlanningResources } from "../../api/operations.ts";
import { dayOf, zone } from "../../app/format.ts";
import { dayAfter, instantAt } from "../../app/local-time.ts";
import { shadesIn } from "../planning/sun.ts";

export function isAtNight(
  { start_at, end_at }: { start_at: string; end_at: string },
  home: PlanningResources["home"] | undefined,
): boolean {
  if (!home) return false;
  const day = dayOf(new Date(start_at));
  const [from, to] = [day, dayAfter(day, 2)].map((one) =>
    Date.parse(instantAt(one, "00:00", zone()) ?? `${one}T00:00Z`),
  );
  const position = { latitude: Number(home.latitude), longitude: Number(home.longitude) };
  const [start, end] = [Date.parse(start_at), Date.parse(end_at)];
  return shadesIn(from ?? start, to ?? end, position).some(
    (shade) => shade.kind === "night" && shade.from < end && start < shade.to,
  );
}
