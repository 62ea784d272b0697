/** When the sun sets at the home aerodrome, and when the day ends for aviation. */
import { formatTime, zone } from "../../app/format.ts";
import { instantAt } from "../../app/local-time.ts";
import { NoPosition } from "./no-position.tsx";
import { type Position, sunOf } from "./sun.ts";
import { planningText } from "./words.ts";

/** @returns nothing of a day without a sunset */
export function saidOfSun(day: string, position: Position): string[] {
  const words = planningText();
  const noon = Date.parse(instantAt(day, "12:00", zone()) ?? "");
  const { day: sun, light } = sunOf(noon, position);
  return [
    ...(typeof sun === "object" ? [words.sunset(formatTime(new Date(sun.to).toISOString()))] : []),
    ...(typeof light === "object" ? [words.twilight(formatTime(new Date(light.to).toISOString()))] : []),
  ];
}

export function SunTimes({ day, position }: { day: string; position: Position | null }) {
  if (!position) return <NoPosition />;
  const said = saidOfSun(day, position);
  if (said.length === 0) return null;
  return (
    <p class="quiet small" title={planningText().sunSource}>
      {said.join(" · ")}
    </p>
  );
}
