import { expect, test } from "bun:test";
import type { Booking, PlannedFlight } from "../../src/demo/plan/booking.ts";
import { minutesFlown } from "../../src/demo/plan/flights.ts";
import { makePlan } from "../../src/demo/plan/plan.ts";
import { fleet } from "../../src/demo/school/fleet.ts";

const weekdays = [23, 24, 25, 26, 27, 28, 29].map((day) => Temporal.PlainDate.from({ year: 2026, month: 11, day }));
const planOf = (today: Temporal.PlainDate) => makePlan({ flights: 299, today });

const counted = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(names, (name) => name)).map(([name, all = []]) => [name, all.length]),
  );

const flightsOf = (plan: readonly Booking[]): PlannedFlight[] => plan.flatMap(({ flights }) => flights);

test("the demo's plan has the same figures on each weekday, and is the same again", () => {
  for (const today of weekdays) {
    const plan = planOf(today);
    expect(planOf(today)).toEqual(plan);
    expect(plan).toHaveLength(396);
    expect(counted(plan.map(({ outcome }) => outcome))).toMatchObject({ weather: 36, no_show: 6, planned: 72 });
    const statuses = counted(flightsOf(plan).map(({ status }) => status));
    expect(statuses).toEqual({ approved: 290, submitted: 5, draft: 2, rejected: 1, reversed: 1 });
  }
});

test("in the demo's plan, nobody and no aircraft is in two bookings at once, and readings follow each other", () => {
  for (const today of weekdays) {
    const plan = planOf(today);
    const taken = plan.flatMap(({ day, start, registration, person, instructor }) =>
      [registration, person, instructor ?? `${person}, alone`].map((name) => `${name} ${day} ${start}`),
    );
    expect(Object.entries(counted(taken)).filter(([, times]) => times > 1)).toEqual([]);
    for (const { registration, hobbs } of fleet) {
      const flown = flightsOf(plan.filter((booking) => booking.registration === registration));
      expect(flown.map((flight) => flight.hobbs[0])).toEqual(
        [hobbs, ...flown.map((flight) => flight.hobbs[1])].slice(0, -1),
      );
      // No aircraft reaches its next inspection, of which one is made in between.
      expect(minutesFlown(plan, registration)).toBeLessThan(98 * 60);
    }
  }
});
