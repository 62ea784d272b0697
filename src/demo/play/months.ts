/** Plays the demo's months, day by day. */
import { type Api, atDesks } from "../api.ts";
import type { DemoClock } from "../clock.ts";
import type { Booking } from "../plan/booking.ts";
import { comingDays, pastDays } from "../plan/timetable.ts";
import { type DemoSchool, instantAt } from "../school/demo-school.ts";
import { addDocuments } from "../school/documents.ts";
import { addPrices } from "../school/prices.ts";
import { signUp } from "../school/sign-up.ts";
import { addTraining } from "../school/training.ts";
import { type Booked, book, fillWaitingList, openSchool } from "./bookings.ts";
import { cancel, type Day, fly } from "./flying.ts";
import { openOffice } from "./money.ts";
import { workInWorkshop } from "./workshop.ts";

/** When the demo's months begin. */
export const firstMorning = (today: Temporal.PlainDate): Temporal.Instant =>
  instantAt(today.subtract({ days: pastDays }), "06:00");

/** Signs up a school and plays its months until now. */
export async function playMonths(api: Api, clock: DemoClock, today: Temporal.PlainDate): Promise<DemoSchool> {
  const school = await signUp(api, clock, today);
  const { dateOf } = school;
  const inspections = await addDocuments(school);
  await addPrices(school);
  const trainings = await addTraining(school);
  const theory = await openSchool(school);
  const booked: Booked = new Map();
  const office = openOffice(school);
  for (let day = -pastDays; day < 0; day += 1) {
    clock.moveTo(instantAt(dateOf(day), "07:30"));
    // Each week plans itself, and the last one also the weeks that are to come.
    if ((day + pastDays) % 7 === 0)
      await book(school, trainings, { from: day, until: day === -7 ? comingDays : day + 7, booked });
    const today = { school, trainings, booked };
    const bookings = school.plan.filter((booking) => booking.day === day);
    for (const booking of bookings) await cancel(today, booking);
    clock.moveTo(instantAt(dateOf(day), "20:00"));
    await flyAll(today, bookings);
    await workInWorkshop(school, inspections, day);
    await hold(school, theory.get(day));
    await office.work(day);
  }
  await fillWaitingList(school);
  clock.catchUp();
  await publish(school);
  return school;
}

/** The aircraft fly at the same time, and each makes one flight after the other. */
async function flyAll(today: Day, bookings: readonly Booking[]): Promise<void> {
  const byAircraft = Object.values(Object.groupBy(bookings, ({ registration }) => registration));
  await atDesks(byAircraft, async (flown = []) => {
    for (const booking of flown) await fly(today, booking);
  });
}

/** The theory lesson of an evening was held. */
async function hold({ api, org, account }: DemoSchool, session: string | undefined): Promise<void> {
  if (session === undefined) return;
  await api.act(`${org}/planning/sessions/${session}/check-in`, account("juergen"));
  await api.act(`${org}/planning/sessions/${session}/complete`, account("juergen"));
}

/** Puts the school into the public directory. */
async function publish({ api, org, owner }: DemoSchool): Promise<void> {
  const place = { place: "EDFE", country: "DE", latitude: "49.960833", longitude: "8.645833" };
  const texts = { headline: "Learn to fly south of Frankfurt", languages: ["de", "en"], ...place };
  const fields = ["headline", "languages", "place", "country", "coordinates", "kind"];
  await api.patch(`${org}/directory/school`, { published: true, fields, ...texts }, owner);
}
