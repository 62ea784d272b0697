import { expect, test } from "bun:test";
import { findings, release } from "../../support/release.ts";
import { expectStatus, newSchool, type School } from "../../support/school.ts";
import { booked, during, lesson, refused, solo } from "./booking.ts";

const settings = async ({ owner }: School, change: object) =>
  expectStatus(200, await owner.patch("/planning/settings", change));

const warnings = async ({ owner }: School, { id }: { id: string }): Promise<string[]> =>
  expectStatus(200, await owner.get(`/planning/sessions/${id}/checks`))
    .body.data.filter(({ action }: { action: string }) => action === "warn")
    .map(({ rule }: { rule: string }) => rule);

test("buffers: time between two bookings of an aircraft, and of an instructor", async () => {
  const school = await newSchool();
  await settings(school, { aircraft_buffer_minutes: 15, instructor_buffer_minutes: 10 });
  await booked(school.owner, lesson(school, "2098-07-01T10:00Z"));
  expect(await refused(school.owner, solo(school, "2098-07-01T11:14Z"))).toEqual(["buffers"]);
  expect(await refused(school.owner, solo(school, "2098-07-01T08:46Z"))).toEqual(["buffers"]);
  const briefing = { kind: "ground", instructor_id: school.instructor.personId };
  expect(await refused(school.owner, { ...briefing, ...during("2098-07-01T11:09Z") })).toEqual(["buffers"]);
  await booked(school.owner, { ...briefing, ...during("2098-07-01T11:10Z", 5) });
  await booked(school.owner, solo(school, "2098-07-01T11:15Z"));
  // A buffer is no booking: a session with another instructor's buffer over it is free for the student.
  await settings(school, { buffers: "warn" });
  expect(await warnings(school, await booked(school.owner, solo(school, "2098-07-01T12:20Z")))).toContain("buffers");
});

test("opening hours and availability are local times, on both sides of a clock change", async () => {
  const school = await newSchool(); // Europe/Berlin
  const { owner, instructor } = school;
  await settings(school, { opening_hours: "block" });
  for (const weekday of [6, 7])
    expectStatus(201, await owner.post("/planning/hours", { weekday, from_time: "08:00", to_time: "24:00" }));
  expectStatus(201, await owner.post("/planning/hours", { weekday: 1, from_time: "00:00", to_time: "12:00" }));
  // 2098-03-29 is the day before the change (30 March), a Saturday; both are winter and summer time of the weekend.
  await booked(owner, solo(school, "2098-03-29T07:00Z"));
  expect(await refused(owner, solo(school, "2098-03-29T06:59Z"))).toContain("opening_hours");
  await booked(owner, solo(school, "2098-03-30T06:00Z"));
  expect(await refused(owner, solo(school, "2098-03-30T05:59Z"))).toContain("opening_hours");
  // Over midnight: what ends at 24:00 and begins at 00:00 is one.
  await booked(owner, solo(school, "2098-03-30T21:30Z", 120));
  expect(await refused(owner, solo(school, "2098-04-01T10:00Z"))).toEqual(["opening_hours"]);
  await booked(owner, { ...during("2098-04-02T10:00Z"), kind: "maintenance", aircraft_id: school.aircraftId });

  const mine = { person_id: instructor.personId };
  const saturday = { ...mine, weekday: 6, from_time: "09:00", to_time: "17:00" };
  expectStatus(201, await instructor.post("/planning/hours", { ...saturday, until_on: "2098-05-31" }));
  expect(await refused(owner, lesson(school, "2098-04-05T06:30Z"))).toEqual(["availability"]);
  await booked(owner, lesson(school, "2098-04-05T07:00Z"));
  expect(await refused(owner, lesson(school, "2098-06-07T07:00Z"))).toEqual(["availability"]);
  const away = { ...mine, from_on: "2098-04-12", until_on: "2098-04-13", reason: "Holidays" };
  const { id } = expectStatus(201, await instructor.post("/planning/absences", away)).body.data;
  expect(await refused(owner, lesson(school, "2098-04-12T10:00Z"))).toEqual(["availability"]);
  expectStatus(200, await instructor.delete(`/planning/absences/${id}`));
  await booked(owner, lesson(school, "2098-04-12T10:00Z"));
  expectStatus(201, await owner.post("/planning/absences", { from_on: "2098-04-19", until_on: "2098-04-19" }));
  expect(await refused(owner, solo(school, "2098-04-19T10:00Z"))).toEqual(["opening_hours"]);
});

test("an absence until the last of days counts west of Greenwich, and past ones count against no limit", async () => {
  const school = await newSchool();
  const { owner, instructor } = school;
  expectStatus(200, await owner.patch("", { time_zone: "America/St_Johns" }));
  const away = { person_id: instructor.personId, from_on: "2026-06-16", until_on: "9999-12-31" };
  expectStatus(201, await owner.post("/planning/absences", away));
  const query = `instructor_id=${instructor.personId}&minutes=60&limit=50&from=2026-06-15T22:00:00Z`;
  const slots = expectStatus(200, await owner.get(`/planning/free-slots?${query}`)).body.data;
  // Midnight in St John's is at 02:30 UTC.
  expect(slots.map(({ end_at }: { end_at: string }) => end_at.slice(0, 16))).toEqual([
    "2026-06-15T23:00",
    "2026-06-16T00:00",
    "2026-06-16T01:00",
    "2026-06-16T02:00",
  ]);
  const past = { ...away, from_on: "2020-01-01", until_on: "2020-01-02" };
  for (let count = 0; count < 200; count += 1) expectStatus(201, await owner.post("/planning/absences", past));
  expectStatus(201, await owner.post("/planning/absences", away));
});

test("an aircraft is out of service while a work order is open, unless its defects are deferred", async () => {
  const school = await newSchool();
  const { owner, aircraftId } = school;
  const order = { aircraft_id: aircraftId, title: "100-hour inspection", findings };
  const { id } = expectStatus(201, await owner.post("/maintenance/work-orders", order)).body.data;
  expect(await refused(owner, solo(school, "2098-07-01T10:00Z"))).toEqual(["out_of_service"]);
  await booked(owner, { ...during("2098-07-01T08:00Z"), kind: "maintenance", aircraft_id: aircraftId });
  expectStatus(200, await owner.post(`/maintenance/work-orders/${id}/start`));
  expect(await refused(owner, solo(school, "2098-07-01T10:00Z"))).toEqual(["out_of_service"]);
  expectStatus(200, await owner.post(`/maintenance/work-orders/${id}/complete`, release));
  const defects = `/aircraft/${aircraftId}/defects`;
  const reported = await owner.post(defects, { description: "Landing light out.", grounding: false });
  expect(await refused(owner, solo(school, "2098-07-01T10:00Z"))).toEqual(["out_of_service"]);
  const deferral = { reason: "Day VFR only.", until: "2099-12-31" };
  const deferred = await owner.post(`${defects}/${expectStatus(201, reported).body.data.id}/defer`, deferral);
  expect(deferred.text).toContain("deferred");
  await booked(owner, solo(school, "2098-07-01T10:00Z"));
});

test("a grounded aircraft can't be booked; findings of the clearance that warn are in the checks", async () => {
  const school = await newSchool();
  const { owner, aircraftId } = school;
  const session = await booked(owner, solo(school, "2098-07-01T10:00Z"));
  expect(await warnings(school, session)).toContain("solo_medical");
  expectStatus(200, await owner.post(`/aircraft/${aircraftId}/ground`, { reason: "Smells of fuel." }));
  expect(await refused(owner, solo(school, "2098-07-01T12:00Z"))).toEqual(["aircraft_grounded"]);
  expectStatus(200, await owner.patch("/clearance/rules/aircraft_grounded", { action: "warn" }));
  await booked(owner, solo(school, "2098-07-01T12:00Z"));
});

test("a booking is refused if a medical ends before it does, by the day where the school is", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const medical = { person_id: student.personId, type: "medical", level: "lapl" };
  const dates = { issued_on: "2026-01-15", valid_until: "2098-10-25" };
  expectStatus(201, await owner.post("/compliance/records", { ...medical, ...dates }));
  // The clock goes back on the 26th in Berlin, where it begins at 22:00 UTC.
  expect(await refused(owner, solo(school, "2098-10-25T21:00Z", 61))).toEqual(["medical_expired"]);
  await booked(owner, solo(school, "2098-10-25T21:00Z", 60));
});

test("a booking at night needs a night rating", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  expectStatus(200, await owner.patch("/clearance/rules/night_rating", { action: "block" }));
  const flight = solo(school, "2098-07-01T20:00Z");
  expect(await refused(owner, { ...flight, night: true })).toEqual(["night_rating"]);
  const session = await booked(owner, flight);
  expect(session.night).toBe(false);
  const changed = await owner.patch(`/planning/sessions/${session.id}`, { night: true });
  expect(expectStatus(409, changed).body.conflicts).toMatchObject([{ rule: "night_rating" }]);
  const rating = { person_id: student.personId, type: "night", issued_on: "2026-01-15" };
  expectStatus(201, await owner.post("/compliance/records", rating));
  const later = await owner.patch(`/planning/sessions/${session.id}`, { night: true });
  expect(expectStatus(200, later).body.data.night).toBe(true);
});

test("a mechanic does not learn that a medical is missing", async () => {
  const school = await newSchool();
  const mechanic = await school.join(["mechanic"]);
  expectStatus(200, await school.owner.patch("/clearance/rules/solo_medical", { action: "block" }));
  expect(await refused(mechanic, solo(school, "2098-07-01T10:00Z"))).toEqual(["person"]);
  expect(await refused(school.student, solo(school, "2098-07-01T10:00Z"))).toEqual(["solo_medical"]);
});

test("duty limits of an instructor: per local day, and in any seven days", async () => {
  const school = await newSchool();
  await settings(school, { duty_day_minutes: 240, duty_week_minutes: 600 });
  await booked(school.owner, lesson(school, "2098-07-01T08:00Z", 180));
  expect(await refused(school.owner, lesson(school, "2098-07-01T12:00Z", 61))).toEqual(["duty"]);
  await booked(school.owner, lesson(school, "2098-07-01T12:00Z", 60));
  // 22:00 UTC is the next day in Berlin.
  await booked(school.owner, lesson(school, "2098-07-01T22:00Z", 240));
  expect(await refused(school.owner, lesson(school, "2098-07-07T10:00Z", 121))).toEqual(["duty"]);
  await booked(school.owner, lesson(school, "2098-07-07T10:00Z", 120));
  await booked(school.owner, lesson(school, "2098-07-08T10:00Z", 240));
  // Either limit without the other.
  for (const one of [{ duty_day_minutes: null }, { duty_day_minutes: 240, duty_week_minutes: null }]) {
    await settings(school, one);
    expect(await refused(school.owner, lesson(school, "2098-07-08T15:00Z", 240))).toEqual(["duty"]);
  }
  // From 22:00 to 02:00 in Berlin, half of it is of either day.
  await booked(school.owner, lesson(school, "2098-07-10T20:00Z", 240));
  for (const start of ["2098-07-10T10:00Z", "2098-07-11T10:00Z"]) {
    expect(await refused(school.owner, lesson(school, start, 121))).toEqual(["duty"]);
    await booked(school.owner, lesson(school, start, 120));
  }
  await settings(school, { duty: "off" });
  await booked(school.owner, lesson(school, "2098-07-08T15:00Z", 240));
});

test("impossible bookings are refused with the field", async () => {
  const school = await newSchool();
  const faultOf = async (change: object) => {
    const answer = await school.owner.post("/planning/sessions", { ...lesson(school, "2098-07-01T10:00Z"), ...change });
    return expectStatus(400, answer).body.issues.map(({ path }: { path: string }) => path);
  };
  expect(await faultOf(during("2098-07-01T10:00Z", 0))).toEqual(["body.end_at"]);
  expect(await faultOf(during("2098-07-01T10:00Z", 31 * 1440 + 1))).toEqual(["body.end_at"]);
  expect(await faultOf({ kind: "flight", aircraft_id: null })).toEqual(["body.aircraft_id"]);
  expect(await faultOf({ instructor_id: null })).toEqual(["body.instructor_id"]);
  expect(await faultOf({ instructor_id: school.student.personId, student_ids: [] })).toEqual(["body.instructor_id"]);
  expect(await faultOf({ student_ids: [school.instructor.personId] })).toEqual(["body.student_ids"]);
  expect(await faultOf({ lesson_id: school.aircraftId })).toEqual(["body.lesson_id"]);
  expect(await faultOf({ room_id: school.aircraftId })).toEqual(["body.room_id"]);
});
