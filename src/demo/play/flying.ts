/** A day at the school: who does not fly, what is flown, entered and approved, and what students have learned. */
import { z } from "zod";
import { type Booking, flownBy, type PlannedFlight } from "../plan/booking.ts";
import { taxi } from "../plan/flights.ts";
import { type DemoSchool, instantAt, known } from "../school/demo-school.ts";
import { hours } from "../school/sign-up.ts";
import type { Trainings } from "../school/training.ts";
import type { Booked } from "./bookings.ts";

const CheckedIn = z.object({ data: z.object({ flight_id: z.string() }) });

const notes = {
  weather: "Low cloud and fog until the afternoon.",
  aircraft: "The aircraft is grounded.",
  student: "Has a cold.",
};

export interface Day {
  school: DemoSchool;
  trainings: Trainings;
  booked: Booked;
}

export async function cancel({ school, booked }: Day, booking: Booking): Promise<void> {
  const { outcome } = booking;
  if (outcome !== "weather" && outcome !== "aircraft" && outcome !== "student") return;
  const session = `${school.org}/planning/sessions/${known(booked, booking)}`;
  const desk = school.deskOf(booking.instructor);
  await school.api.post(`${session}/cancel`, z.unknown(), { reason: outcome, note: notes[outcome] }, desk);
}

/** Checks in, enters the flights, and approves those that are. In the order of the times: counters follow each other. */
export async function fly(day: Day, booking: Booking): Promise<void> {
  const { school, booked } = day;
  const { api, org } = school;
  const session = `${org}/planning/sessions/${known(booked, booking)}`;
  const desk = school.deskOf(booking.instructor);
  if (booking.outcome === "no_show") await api.act(`${session}/no-show`, desk);
  if (booking.outcome !== "flown") return;
  const { flight_id } = (await api.post(`${session}/check-in`, CheckedIn, undefined, desk)).data;
  for (const [at, flight] of booking.flights.entries()) {
    const entered = bodyOf(school, booking, flight);
    const crew = [{ person_id: school.person(booking.person), function: flownBy(booking) }];
    const another = { aircraft_id: known(school.aircraft, booking.registration), ...entered, crew };
    const id = at === 0 ? flight_id : await api.create(`${org}/flights`, another, desk);
    if (at === 0) await api.patch(`${org}/flights/${id}`, entered, desk);
    await settle(school, `${org}/flights/${id}`, { booking, flight });
    if (flight.status === "approved") await recordLesson(day, booking, id);
  }
}

function bodyOf({ dateOf }: DemoSchool, { day, start, lesson }: Booking, flight: PlannedFlight) {
  const offBlock = instantAt(dateOf(day), start).add({ minutes: flight.offBlock });
  const after = (minutes: number) => `${offBlock.add({ minutes })}`;
  return {
    off_block_at: `${offBlock}`,
    take_off_at: after(taxi.out),
    landing_at: after(flight.block - taxi.in),
    on_block_at: after(flight.block),
    departure: flight.from,
    arrival: flight.to,
    day_landings: flight.landings,
    passengers: flight.passengers,
    cross_country_km: flight.crossCountryKm,
    fuel_uplift_litres: flight.litres === null ? null : flight.litres.toFixed(2),
    hobbs_start: hours(flight.hobbs[0]),
    hobbs_end: hours(flight.hobbs[1]),
    nature: lesson === null ? "private" : "training",
  };
}

const reasons = {
  rejected: "The landings don't fit the landing list of the tower: please check.",
  reversed: "Entered for the wrong day: the flight was made a day earlier.",
};

/** Brings an entered flight to its status. */
async function settle(
  school: DemoSchool,
  path: string,
  { booking, flight: { status } }: { booking: Booking; flight: PlannedFlight },
): Promise<void> {
  const { api, owner } = school;
  if (status === "draft") return;
  await api.act(`${path}/submit`, school.deskOf(booking.instructor));
  if (status === "submitted") return;
  const reason = status === "approved" ? undefined : { reason: reasons[status] };
  if (status === "rejected") await api.post(`${path}/reject`, z.unknown(), reason, owner);
  else await api.act(`${path}/approve`, booking.instructor === "ines" ? owner : school.account("ines"));
  if (status === "reversed") await api.post(`${path}/reverse`, z.unknown(), reason, owner);
}

/** Among instructors, of some lessons. */
const amongInstructors = [
  "Looks inside too long on final. Cover the airspeed indicator once.",
  "Gets quiet when it is busy on the radio: give more time on downwind.",
  "Knows the checklists by heart. May fly more on their own.",
];

/** Records the lesson: what the student can do now, or the first of it as done with help. Sam signs what is some days old. */
async function recordLesson({ school, trainings }: Day, booking: Booking, flight_id: string): Promise<void> {
  const { person, lesson, isLearned, instructor, day } = booking;
  if (lesson === null || instructor === null) return;
  const { enrollment: enrollment_id, lessons } = known(trainings, person);
  const { id: lesson_id, items } = known(lessons, lesson);
  const grades = isLearned
    ? items.map((item_id, at) => ({ item_id, grade: at === 0 ? "4" : "3" }))
    : items.slice(0, 1).map((item_id) => ({ item_id, grade: "2" }));
  const record = {
    ...{ enrollment_id, lesson_id, flight_id, grades, instructor_id: school.person(instructor) },
    remarks: isLearned ? "Steady and calm. On to the next lesson." : "Better than last time. Again on the next flight.",
    instructor_notes: amongInstructors[Math.abs(day) % 5] ?? null,
  };
  const desk = instructor === "katarzyna" ? school.owner : school.account(instructor);
  const records = `${school.org}/training/lesson-records`;
  const id = await school.api.create(records, record, desk);
  if (person === "sam" && day < -4) await school.api.act(`${records}/${id}/acknowledge`, school.account("sam"));
}
