/**
 * The bookings and flights of the demo school, without a server: two months that have passed, this week and the next. It is
 * the same for everybody on the same day.
 */
import { createRandom, type Random } from "../random.ts";
import { grounded, nearlyDue } from "../school/fleet.ts";
import type { Pilot, Student } from "../school/person.ts";
import { pilots } from "../school/pilots.ts";
import { instructors } from "../school/staff.ts";
import { students } from "../school/students.ts";
import type { Booking } from "./booking.ts";
import { flyingOf } from "./flights.ts";
import { comingDays, isBadWeather, lessonsOf, pastDays, perWeekday, starts } from "./timetable.ts";

/** Of those that were neither cancelled by the weather nor by the defect, each so-manyth. */
const everyNoShow = 43;
const everyCancelled = 29;

/** How likely the next flight is the next lesson. */
const learned = 0.4;

interface Wanted {
  /** How many are flown in all. */
  flights: number;
  today: Temporal.PlainDate;
}

export function makePlan({ flights, today }: Wanted): Booking[] {
  const random = createRandom(2_604);
  const progress = new Map(students.map(({ key, stage }) => [key, stage]));
  const booked: Booking[] = [];
  let kept = 0;
  for (let day = -pastDays; day < comingDays; day += 1) {
    const { dayOfWeek } = today.add({ days: day });
    for (const booking of bookingsOn({ day, dayOfWeek, random, progress })) {
      if (day >= 0) booking.outcome = "planned";
      else if (isBadWeather(day, dayOfWeek)) booking.outcome = "weather";
      else if (booking.registration === grounded.registration && day > grounded.since) booking.outcome = "aircraft";
      else if (++kept % everyNoShow === 0) booking.outcome = "no_show";
      else if (kept % everyCancelled === 0) booking.outcome = "student";
      else if (booking.lesson !== null && random.next() < learned) {
        booking.isLearned = true;
        progress.set(booking.person, (progress.get(booking.person) ?? 0) + 1);
      }
      booked.push(booking);
    }
  }
  flyingOf(
    booked.filter(({ outcome }) => outcome === "flown"),
    { flights, random },
  );
  return booked;
}

interface PlannedDay {
  day: number;
  dayOfWeek: number;
  random: Random;
  /** The next lesson of each student. */
  progress: ReadonlyMap<string, number>;
}

function bookingsOn({ day, dayOfWeek, random, progress }: PlannedDay): Booking[] {
  const taken = new Set<string>();
  const bookings: Booking[] = [];
  for (let at = 0; at < (perWeekday[dayOfWeek - 1] ?? 0); at += 1) {
    const start = starts[at % starts.length] ?? "09:00";
    const isFree = (name: string) => !(taken.has(`${name} ${start}`) || isInWorkshop(name, day));
    const isToday = (key: string) => taken.has(key);
    const booking = random
      .shuffled(candidates)
      .filter(({ person }) => !isToday(person.key) && (person.until ?? day) >= day)
      .map(({ person }) => offerTo(person, { day, start, isFree, progress, random }))
      .find((offer) => offer !== undefined);
    if (booking === undefined) throw new Error(`Nobody can fly on day ${day} at ${start}.`);
    for (const name of [booking.registration, booking.instructor]) taken.add(`${name} ${start}`);
    taken.add(booking.person);
    bookings.push(booking);
  }
  return bookings.sort((a, b) => (a.start < b.start ? -1 : 1));
}

const isInWorkshop = (name: string, day: number) => name === nearlyDue.registration && day === nearlyDue.workshopOn;

type Candidate = Pilot & Partial<Pick<Student, "program">>;

/** Students as often as their pace says, and pilots twice. */
const candidates: readonly { person: Candidate }[] = [
  ...students.flatMap((person) => Array.from({ length: person.pace + 1 }, () => ({ person }))),
  ...pilots.flatMap((person) => [{ person }, { person }]),
];

interface Offer {
  day: number;
  start: string;
  isFree(name: string): boolean;
  progress: ReadonlyMap<string, number>;
  random: Random;
}

/** Returns what a person books, unless no aircraft or instructor is free. */
function offerTo(person: Candidate, { day, start, isFree, progress, random }: Offer): Booking | undefined {
  const registration = random.shuffled(person.flies).find(isFree);
  if (registration === undefined) return undefined;
  const booking = {
    day,
    start,
    registration,
    person: person.key,
    isLearned: false,
    outcome: "flown" as const,
    flights: [],
  };
  if (person.program === undefined) return { ...booking, instructor: null, lesson: null };
  const teaching = random.shuffled(instructors).find(({ key }) => isFree(key));
  if (teaching === undefined) return undefined;
  const lessons = lessonsOf(person.program);
  const at = Math.min(progress.get(person.key) ?? 0, lessons.length - 1);
  return { ...booking, instructor: teaching.key, lesson: lessons[at] ?? null };
}
