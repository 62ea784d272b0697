/**
 * When the sun rises and sets, and when civil twilight begins and ends: the equations of NOAA's Global Monitoring Laboratory ("NOAA Solar
 * Calculations", after J. Meeus, Astronomical Algorithms), good to a minute or two up to 72° and to some minutes beyond. Sunset is when the upper edge of the
 * sun, with usual refraction, is at the horizon: 90.833° from the zenith. Civil twilight ends at 96°, and with it the day of SERA.
 */

export interface Position {
  /** Degrees, north positive. */
  latitude: number;
  /** Degrees, east positive. */
  longitude: number;
}

const zenith = { rise: 90.833, twilight: 96 } as const;
const DAY = 86_400_000;
const MINUTE = 60_000;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;
const sin = (angle: number): number => Math.sin(radians(angle));
const cos = (angle: number): number => Math.cos(radians(angle));

interface Sun {
  /** Degrees north of the equator. */
  declination: number;
  /** Minutes by which a sundial is ahead of a clock. */
  equationOfTime: number;
}

function sunAt(at: number): Sun {
  /** Julian centuries since the noon of 1 January 2000. */
  const t = (at - Date.UTC(2000, 0, 1, 12)) / (36_525 * DAY);
  const meanLongitude = (280.46646 + t * (36_000.76983 + t * 0.0003032)) % 360;
  const anomaly = 357.52911 + t * (35_999.05029 - 0.0001537 * t);
  const eccentricity = 0.016708634 - t * (0.000042037 + 0.0000001267 * t);
  const center =
    sin(anomaly) * (1.914602 - t * (0.004817 + 0.000014 * t)) +
    sin(2 * anomaly) * (0.019993 - 0.000101 * t) +
    sin(3 * anomaly) * 0.000289;
  const node = 125.04 - 1934.136 * t;
  const longitude = meanLongitude + center - 0.00569 - 0.00478 * sin(node);
  const meanObliquity = 23 + (26 + (21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))) / 60) / 60;
  const obliquity = meanObliquity + 0.00256 * cos(node);
  const y = Math.tan(radians(obliquity / 2)) ** 2;
  const equation =
    y * sin(2 * meanLongitude) -
    2 * eccentricity * sin(anomaly) +
    4 * eccentricity * y * sin(anomaly) * cos(2 * meanLongitude) -
    0.5 * y * y * sin(4 * meanLongitude) -
    1.25 * eccentricity * eccentricity * sin(2 * anomaly);
  return {
    declination: degrees(Math.asin(sin(obliquity) * sin(longitude))),
    equationOfTime: 4 * degrees(equation),
  };
}

/** When the sun is above an altitude around a noon; `always` and `never` near the poles. */
export type Up = { from: number; to: number } | "always" | "never";

/** @param noon near the local noon of the day, in milliseconds */
function up(noon: number, { latitude, longitude }: Position, from: number): Up {
  const transitNear = (at: number) => {
    const midnight = Math.floor((noon + longitude * 4 * MINUTE) / DAY) * DAY;
    return midnight + (720 - 4 * longitude - sunAt(at).equationOfTime) * MINUTE;
  };
  const transit = transitNear(transitNear(noon));
  /** Half of the time above, by the sun as it is then. */
  const half = (at: number): number => {
    const { declination } = sunAt(at);
    return (cos(from) - sin(latitude) * sin(declination)) / (cos(latitude) * cos(declination));
  };
  const first = half(transit);
  if (first < -1) return "always";
  if (first > 1) return "never";
  const edge = (direction: 1 | -1): number => {
    let at = transit;
    // The sun moves on while it rises: after three rounds nothing changes by a second.
    for (let round = 0; round < 3; round += 1)
      at = transit + direction * 4 * degrees(Math.acos(Math.min(Math.max(half(at), -1), 1))) * MINUTE;
    return at;
  };
  return { from: edge(-1), to: edge(1) };
}

/** Sunrise and sunset, and civil twilight with the day in between, of the day whose local noon is near. */
export const sunOf = (noon: number, position: Position): { day: Up; light: Up } => ({
  day: up(noon, position, zenith.rise),
  light: up(noon, position, zenith.twilight),
});

export interface Shade {
  kind: "night" | "twilight";
  from: number;
  to: number;
}

/** When it is night and when there is twilight in a time. */
export function shadesIn(from: number, to: number, position: Position): Shade[] {
  /** The intervals that are not in `ups`. */
  const without = (ups: readonly { from: number; to: number }[]): { from: number; to: number }[] => {
    const gaps: { from: number; to: number }[] = [];
    let at = from;
    for (const one of ups) {
      if (one.from > at) gaps.push({ from: at, to: Math.min(one.from, to) });
      at = Math.max(at, one.to);
    }
    if (at < to) gaps.push({ from: at, to });
    return gaps.filter((gap) => gap.from < gap.to);
  };
  const [days, lights]: [{ from: number; to: number }[], { from: number; to: number }[]] = [[], []];
  // A day before and after: what is up at midnight belongs to their noons.
  for (let noon = from - DAY / 2; noon <= to + DAY; noon += DAY) {
    const { day, light } = sunOf(noon, position);
    const whole = { from: noon - DAY / 2, to: noon + DAY / 2 };
    if (day !== "never") days.push(day === "always" ? whole : day);
    if (light !== "never") lights.push(light === "always" ? whole : light);
  }
  const nights = without(lights);
  const dark = without(days);
  return [
    ...nights.map((one) => ({ kind: "night" as const, ...one })),
    ...dark.flatMap((one) => subtract(one, nights).map((rest) => ({ kind: "twilight" as const, ...rest }))),
  ];
}

/** Returns the parts of an interval outside of others, which are in order. */
function subtract(one: { from: number; to: number }, others: readonly { from: number; to: number }[]) {
  const left: { from: number; to: number }[] = [];
  let at = one.from;
  for (const other of others) {
    if (other.to <= at || other.from >= one.to) continue;
    if (other.from > at) left.push({ from: at, to: other.from });
    at = Math.max(at, other.to);
  }
  if (at < one.to) left.push({ from: at, to: one.to });
  return left;
}
