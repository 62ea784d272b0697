/** The last flight of the demo: subscribed, submitted, approved, delivered. */
import { z } from "zod";
import type { Delivery } from "./receiver.ts";
import { type DemoSchool, known } from "./school/demo-school.ts";

const Counters = z.object({ data: z.object({ hobbs: z.string() }) });

/** A flight, its effect on the Hobbs meter, and the deliveries of its events. */
export interface DeliveredFlight {
  registration: string;
  minutes: number;
  from: string;
  to: string;
  student: string;
  instructor: string;
  hobbs: { before: string; after: string };
  submitted: Delivery;
  approved: Delivery;
}

interface Inbox {
  take(type: string): Promise<Delivery>;
}

const minutes = 60;
const flight = { registration: "D-EABC", minutes, from: "EDFE", to: "EDFE" };

/** A solo flight of Sam, which ended a moment ago. */
export async function deliverFlight(school: DemoSchool, deliveries: Inbox): Promise<DeliveredFlight> {
  const { api, org, aircraft } = school;
  const [student, instructor] = [school.account("sam"), school.account("ines")];
  const aircraft_id = known(aircraft, flight.registration);
  const readHobbs = async () => (await api.get(`${org}/aircraft/${aircraft_id}`, Counters, school.owner)).data.hobbs;
  const before = await readHobbs();
  // Times of flights are whole minutes.
  const now = Temporal.Now.instant().round({ smallestUnit: "minute", roundingMode: "trunc" });
  const ago = (of: number) => now.subtract({ minutes: of }).toString();
  const body = {
    aircraft_id,
    off_block_at: ago(minutes + 2),
    take_off_at: ago(minutes - 5),
    landing_at: ago(7),
    on_block_at: ago(2),
    departure: flight.from,
    arrival: flight.to,
    day_landings: 4,
    lesson: "15 advanced turning",
    hobbs_start: before,
    hobbs_end: (Number(before) + minutes / 60).toFixed(2),
    crew: [{ person_id: school.person("sam"), function: "solo" }],
    supervisor_id: school.person("ines"),
  };
  const path = `${org}/flights/${await api.create(`${org}/flights`, body, student)}`;
  await api.act(`${path}/submit`, student);
  const submitted = await deliveries.take("flight.submitted");
  await api.act(`${path}/approve`, instructor);
  const approved = await deliveries.take("flight.approved");
  const hobbs = { before, after: await readHobbs() };
  return { ...flight, student: student.name, instructor: instructor.name, hobbs, submitted, approved };
}
