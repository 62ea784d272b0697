import type { DemoSchool } from "./demo-school.ts";

/** Adds rooms, opening hours and the bookings of the coming weeks. */
export async function addPlanning({ api, id, owner, instructor, student, aircraft }: DemoSchool): Promise<void> {
  const planning = `/orgs/${id}/planning`;
  const today = Temporal.Now.plainDateISO("Europe/Berlin");
  const room_id = await api.create(`${planning}/rooms`, { name: "Briefing room", seats: 6 }, owner.token);
  for (const weekday of [1, 2, 3, 4, 5, 6, 7])
    await api.create(`${planning}/hours`, { weekday, from_time: "07:00", to_time: "21:00" }, owner.token);
  const from = today.add({ days: 2 });
  const instants = (days: number, start: string, end: string) => {
    const at = (plainTime: string) =>
      from.add({ days }).toZonedDateTime({ timeZone: "Europe/Berlin", plainTime }).toInstant().toString();
    return { start_at: at(start), end_at: at(end) };
  };
  const taught = { instructor_id: instructor.personId, student_ids: [student.personId] };
  const lesson = { kind: "lesson", aircraft_id: aircraft.get("D-EABC"), ...taught };
  for (const days of [0, 7, 14, 21])
    await api.create(
      `${planning}/sessions`,
      { ...lesson, title: "Circuits", ...instants(days, "18:00", "19:30") },
      owner.token,
    );
  const briefing = { kind: "ground", title: "Navigation", room_id, ...taught };
  await api.create(`${planning}/sessions`, { ...briefing, ...instants(3, "09:00", "10:00") }, instructor.token);
}
