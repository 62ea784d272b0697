/** Times as people write them, in a time zone, and the instants that they are. */
import { kept } from "./kept.ts";

/** `1405`, `905`, `14:05` and `14.05` are times of a day. Returns `14:05`; `undefined` if it is none. */
export function timeOf(written: string): string | undefined {
  const [, hours = "", minutes = ""] = /^\s*(\d{1,2})[:.\s]?(\d{2})\s*[zZ]?\s*$/.exec(written) ?? [];
  if (hours === "" || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return `${hours.padStart(2, "0")}:${minutes}`;
}

const formatOf = kept(
  (zone: string) =>
    new Intl.DateTimeFormat("sv-SE", {
      ...{ timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit" },
      ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
    }),
);

/** The day and the time that clocks show at an instant. */
export function clockAt(instant: string | number, zone: string): { day: string; time: string } {
  const [day = "", time = ""] = formatOf(zone).format(new Date(instant)).split(" ");
  return { day, time: time.slice(0, 5) };
}

/** Milliseconds by which clocks are ahead of UTC. */
function offsetAt(at: number, zone: string): number {
  const [day = "", time = ""] = formatOf(zone).format(at).split(" ");
  return Date.parse(`${day}T${time}Z`) - Math.floor(at / 1000) * 1000;
}

/** The instant at which clocks show a day and a time. Where they show it twice, the first; where never, as before the change. */
export function instantAt(day: string, time: string, zone: string): string | undefined {
  const wall = Date.parse(`${day}T${time}:00Z`);
  if (Number.isNaN(wall)) return undefined;
  const isShownAt = (at: number) => clockAt(at, zone).day === day && clockAt(at, zone).time === time;
  const [before = wall, after = wall] = [wall - 86_400_000, wall + 86_400_000].map(
    (near) => wall - offsetAt(near, zone),
  );
  const [at = before] = [before, after].filter(isShownAt).sort((one, other) => one - other);
  return new Date(at).toISOString();
}

/** The calendar day some days later. */
export function dayAfter(day: string, days = 1): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}
