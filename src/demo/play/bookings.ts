/** What the office plans: opening hours, the bookings of a week, theory lessons, and who waits for a free time. */
import { atDesks } from "../api.ts";
import type { Booking } from "../plan/booking.ts";
import { comingDays, minutesBooked, pastDays } from "../plan/timetable.ts";
import { type DemoSchool, instantAt, known } from "../school/demo-school.ts";
import { nearlyDue } from "../school/fleet.ts";
import type { Trainings } from "../school/training.ts";

/** The ids of bookings. */
export type Booked = Map<Booking, string>;

/** Adds opening hours and a room, and returns the theory lessons of every Wednesday by their days. */
export async function openSchool({
  api,
  org,
  owner,
  person,
  dateOf,
}: DemoSchool): Promise<ReadonlyMap<number, string>> {
  const planning = `${org}/planning`;
  for (const weekday of [1, 2, 3, 4, 5, 6, 7])
    await api.create(`${planning}/hours`, { weekday, from_time: "07:00", to_time: "21:00" }, owner);
  const room_id = await api.create(`${planning}/rooms`, { name: "Briefing room", seats: 8 }, owner);
  const student_ids = ["lena", "greta", "emre", "sophie"].map(person);
  const evenings = new Map<number, string>();
  for (let day = -pastDays; day < comingDays; day += 1) {
    const date = dateOf(day);
    if (date.dayOfWeek !== 3) continue;
    const times = { start_at: `${instantAt(date, "18:00")}`, end_at: `${instantAt(date, "19:30")}` };
    const lesson = {
      kind: "ground",
      title: "Theory",
      room_id,
      instructor_id: person("juergen"),
      student_ids,
      ...times,
    };
    evenings.set(day, await api.create(`${planning}/sessions`, lesson, owner));
  }
  return evenings;
}

/** Books what is planned from one day until another. */
export async function book(
  school: DemoSchool,
  trainings: Trainings,
  { from, until, booked }: { from: number; until: number; booked: Booked },
): Promise<void> {
  const { api, org, aircraft, person, dateOf } = school;
  const wanted = school.plan.filter(({ day }) => day >= from && day < until);
  await atDesks(wanted, async (booking) => {
    const { day, start, registration, person: key, instructor, lesson } = booking;
    const start_at = instantAt(dateOf(day), start);
    const body = {
      kind: lesson === null ? "flight" : "lesson",
      start_at: `${start_at}`,
      end_at: `${start_at.add({ minutes: minutesBooked })}`,
      aircraft_id: known(aircraft, registration),
      instructor_id: instructor && person(instructor),
      student_ids: [person(key)],
      lesson_id: lesson && known(known(trainings, key).lessons, lesson).id,
      title: lesson ?? null,
    };
    booked.set(booking, await api.create(`${org}/planning/sessions`, body, school.deskOf(instructor)));
  });
}

/** Books the workshop, and adds the wishes of those who found nothing in the coming weeks. */
export async function fillWaitingList({ api, org, account, person, aircraft, dateOf }: DemoSchool): Promise<void> {
  const planning = `${org}/planning`;
  const at = (day: number, time: string) => `${instantAt(dateOf(day), time)}`;
  const { registration, workshopOn } = nearlyDue;
  const workshop = { kind: "maintenance", title: "100-hour inspection", aircraft_id: known(aircraft, registration) };
  const times = { start_at: at(workshopOn, "08:00"), end_at: at(workshopOn, "17:00") };
  await api.create(`${planning}/sessions`, { ...workshop, ...times }, account("max"));
  const wish = (key: string, icao_type: string | null, from: number, until: number) =>
    api.create(
      `${planning}/wishes`,
      { person_id: person(key), icao_type, from_at: at(from, "08:00"), until_at: at(until, "18:00"), minutes: 90 },
      key === "sam" ? account("sam") : account("juergen"),
    );
  await wish("sam", "C152", 1, 4);
  await wish("henrik", "DA40", 2, 7);
  await wish("lena", null, 1, 3);
}
