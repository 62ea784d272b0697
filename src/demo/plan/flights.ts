/** What was flown in the bookings: routes, times, landings and readings that fit each other. */
import type { Random } from "../random.ts";
import { fleet, grounded } from "../school/fleet.ts";
import type { Booking, PlannedFlight } from "./booking.ts";
import { destinations } from "./timetable.ts";

/** Minutes from off-block to take-off, and from landing to on-block. */
export const taxi = { out: 7, in: 5 };

const home = "EDFE";

interface Wanted {
  /** How many in all: so many of the trips to another aerodrome are two flights. */
  flights: number;
  random: Random;
}

/** Fills in the flights of bookings that were flown. */
export function flyingOf(flown: readonly Booking[], { flights, random }: Wanted): void {
  let trips = flights - flown.length;
  for (const booking of flown) {
    const isTrip = booking.instructor === null && trips > 0;
    if (isTrip) trips -= 1;
    booking.flights.push(...(isTrip ? thereAndBack(random) : [fromHome(booking, random)]));
  }
  for (const { registration, hobbs } of fleet) readMeter(flown, registration, hobbs);
}

const unread = { hobbs: [0, 0] as [number, number], status: "approved" as const, litres: null, crossCountryKm: null };

function thereAndBack(random: Random): PlannedFlight[] {
  const [place, minutes] = destinations[random.between(0, destinations.length - 1)] ?? destinations[0];
  const passengers = random.between(0, 1);
  const leg = { ...unread, block: tenths(minutes), landings: 1, passengers, crossCountryKm: minutes * 2 };
  return [
    { ...leg, offBlock: 3, from: home, to: place },
    { ...leg, offBlock: 3 + leg.block + 6, from: place, to: home },
  ];
}

function fromHome({ lesson, instructor }: Booking, random: Random): PlannedFlight {
  const offBlock = random.between(5, 12);
  const isCircuits = lesson !== null && ["12", "13", "12/13E", "14"].includes(lesson);
  const isFar = lesson?.startsWith("18") === true;
  return {
    ...unread,
    offBlock,
    block: tenths(isFar ? random.between(66, 78) : random.between(42, 66)),
    from: home,
    to: home,
    landings: isCircuits ? random.between(5, 9) : isFar ? 2 : random.between(1, 3),
    passengers: instructor === null ? random.between(0, 1) : 0,
    crossCountryKm: isFar ? random.between(95, 150) : null,
  };
}

const tenths = (minutes: number) => Math.round(minutes / 6) * 6;

/** The last flights of an aircraft that are not approved, the last one first. Nothing follows that has to fit. */
const unfinished: Readonly<Record<string, readonly PlannedFlight["status"][]>> = {
  "D-ELMN": ["draft", "draft", "submitted", "submitted", "submitted"],
  "D-EIJK": ["submitted", "submitted"],
  "D-KIWI": ["rejected"],
  [grounded.registration]: ["reversed"],
};

function readMeter(flown: readonly Booking[], registration: string, from: number): void {
  const flights = flown
    .filter((booking) => booking.registration === registration)
    .flatMap((booking) => booking.flights);
  const litresPerHour = fleet.find((one) => one.registration === registration)?.litresPerHour ?? 0;
  let reading = from;
  for (const [at, flight] of flights.entries()) {
    flight.hobbs = [reading, reading + flight.block / 6];
    [, reading] = flight.hobbs;
    if (at % 2 === 1) flight.litres = Math.round((litresPerHour * flight.block) / 30);
    flight.status = unfinished[registration]?.[flights.length - 1 - at] ?? "approved";
  }
}

/** Returns the airborne minutes of an aircraft that its counters have in the end. */
export const minutesFlown = (plan: readonly Booking[], registration: string): number =>
  plan
    .filter((booking) => booking.registration === registration)
    .flatMap(({ flights }) => flights)
    .filter(({ status }) => status === "approved")
    .reduce((sum, { block }) => sum + block - taxi.out - taxi.in, 0);
