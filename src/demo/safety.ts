/** What makes the demo school worth looking after: documents that expire, an aircraft that is nearly due, and one that is grounded. */
import { z } from "zod";
import type { DemoSchool } from "./demo-school.ts";

const Airframe = z.object({ data: z.object({ airframe_minutes: z.number() }) });

const inspection = {
  name: "100-hour or annual inspection",
  critical: true,
  interval_hours: "100.00",
  interval_months: 12,
  tolerance_hours: "10.00",
  tolerance_months: 1,
};

/** Adds documents of people and aircraft, maintenance, a defect, a simulator and flights from before. */
export async function addSafety(school: DemoSchool): Promise<void> {
  const { api, id, owner, instructor, student, aircraft } = school;
  const org = `/orgs/${id}`;
  const add = (path: string, body: unknown, by = owner) => api.create(`${org}${path}`, body, by.token);
  const today = Temporal.Now.plainDateISO("Europe/Berlin");
  const record = (subject: object, type: string, valid_until: Temporal.PlainDate | null, level?: string) =>
    add("/compliance/records", {
      ...subject,
      type,
      ...(level !== undefined && { level }),
      issued_on: (valid_until ?? today).subtract({ years: 2 }).toString(),
      valid_until: valid_until?.toString() ?? null,
    });

  for (const [registration, aircraft_id] of aircraft) {
    await record({ aircraft_id }, "arc", today.add({ months: 7 }));
    await record({ aircraft_id }, "insurance", today.add({ months: 4 }));
    const { data } = await api.get(`${org}/aircraft/${aircraft_id}`, Airframe, owner.token);
    const used = Math.round((registration === "D-EIJK" ? 98.7 : 31.5) * 60);
    await add("/maintenance/items", {
      aircraft_id,
      ...inspection,
      last_done_on: today.subtract({ months: 5 }).toString(),
      last_done_airframe_minutes: data.airframe_minutes - used,
    });
  }
  const grounded = aircraft.get("D-EFGH");
  const defect = { description: "The nose wheel shimmies on landing.", grounding: true };
  await add(`/aircraft/${grounded}/defects`, defect, instructor);
  await add("/aircraft", { registration: "FNPT-1", model: "FNPT II MCC", class: "FSTD" });

  const ofStudent = { person_id: student.personId };
  await record(ofStudent, "medical", today.add({ days: 14 }), "class_2");
  const ofInstructor = { person_id: instructor.personId };
  await record(ofInstructor, "medical", today.add({ months: 10 }), "class_1");
  await record(ofInstructor, "licence", null, "cpl");
  for (const rating of ["sep", "mep", "fi"]) await record(ofInstructor, rating, today.add({ months: 8 }));
  await record(ofInstructor, "elp", null, "6");
  const member = {
    name: "Łukasz Wiśniewski",
    types: ["pilot"],
    date_of_birth: "1979-02-28",
    licence_number: "PL.FCL.4711",
  };
  const ofMember = { person_id: await add("/people", member) };
  await record(ofMember, "medical", today.add({ months: 16 }), "class_2");
  await record(ofMember, "licence", null, "ppl");
  await record(ofMember, "sep", today.subtract({ days: 12 }));

  await importFlights(school, member.licence_number, today);
}

/** Flights of the club member from before the school used Windsock. */
async function importFlights({ api, id, owner }: DemoSchool, pic: string, today: Temporal.PlainDate): Promise<void> {
  const line = (days: number, from: string, to: string, landings: number) =>
    [today.subtract({ days }), "09:10", "10:22", "D-EABC", from, to, landings, pic, 2, "private"].join();
  const columns = "date,off_block,on_block,registration,departure,arrival,day_landings,pic,passengers,nature";
  const csv = [columns, line(140, "EDFE", "EDMA", 1), line(121, "EDMA", "EDFE", 1), line(96, "EDFE", "EDFE", 3)];
  await api.importCsv(`/orgs/${id}/flights/import`, csv.join("\n"), owner.token);
}
