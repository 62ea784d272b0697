/** When the sun sets at the home aerodrome, and when the day ends for aviation. */
import { formatTime, zone } from "../../app/format.ts";
import { instantAt } from "../../app/local-time.ts";
import { type Position, sunOf } from "./sun.ts";
import { planningText } from "./words.ts";

export function SunTimes({ day, position }: { day: string; position: Position | null }) {
  const words = planningText();
  if (!position) return null;
  const noon = Date.parse(instantAt(day, "12:00", zone()) ?? "");
  const { day: sun, light } = sunOf(noon, position);
  const said = [
    typeof sun === "object" && words.sunset(formatTime(new Date(sun.to).toISOString())),
    typeof light === "object" && words.twilight(formatTime(new Date(light.to).toISOString())),
  ].filter(Boolean);
  if (said.length === 0) return null;
  return (
    <p class="quiet small" title={words.sunSource}>
      {said.join(" · ")}
    </p>
  );
}
