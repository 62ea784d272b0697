import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { expectStatus, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { tenantOf } from "../maintenance/maintaining.ts";
import { booked, cancel, during, lesson, solo, wish, wishOf } from "./booking.ts";

const alone = (school: School, start: string, minutes = 60) => ({ ...solo(school, start, minutes), student_ids: [] });
const statusOf = async (school: School, one: { id: string }) => (await wishOf(school, one)).status;

describe("what can't be booked is not offered", () => {
  test("an aircraft that is grounded or has a work order", async () => {
    const school = await newSchool();
    const { owner, aircraftId } = school;
    const session = await booked(owner, alone(school, "2098-07-01T10:00Z"));
    const other = await booked(owner, alone(school, "2098-07-02T10:00Z"));
    const waiting = await wish(school.student);
    expectStatus(201, await owner.post("/maintenance/work-orders", { aircraft_id: aircraftId, title: "Annual" }));
    await cancel(school, session);
    expect(await statusOf(school, waiting)).toBe("waiting");
    expectStatus(200, await owner.patch("/planning/settings", { out_of_service: "off" }));
    expectStatus(200, await owner.post(`/aircraft/${aircraftId}/ground`, { reason: "Smells of fuel." }));
    await cancel(school, other);
    expect(await statusOf(school, waiting)).toBe("waiting");
  });

  test("nothing that flies or teaches: a class room", async () => {
    const school = await newSchool();
    const session = await booked(school.owner, { ...during("2098-07-01T10:00Z"), kind: "ground" });
    const waiting = await wish(school.student, { icao_type: null });
    await cancel(school, session);
    expect(await statusOf(school, waiting)).toBe("waiting");
  });

  test("an instructor who is away; the aircraft alone is", async () => {
    const school = await newSchool();
    const { owner, student, instructor } = school;
    const session = await booked(owner, { ...lesson(school, "2098-07-01T10:00Z"), student_ids: [] });
    const taught = await wish(student, { instructor_id: instructor.personId });
    const flown = await wish(owner);
    const away = { person_id: instructor.personId, from_on: "2098-07-01", until_on: "2098-07-01" };
    expectStatus(201, await owner.post("/planning/absences", away));
    await cancel(school, session);
    expect(await statusOf(school, taught)).toBe("waiting");
    expect(await wishOf(school, flown)).toMatchObject({
      ...{ status: "offered", offered_aircraft_id: school.aircraftId, offered_instructor_id: null },
    });
  });

  test("an instructor who would be on duty too long; a shorter wish is met", async () => {
    const school = await newSchool();
    const { owner, student, instructor } = school;
    expectStatus(200, await owner.patch("/planning/settings", { duty_day_minutes: 90 }));
    const teach = (start: string, minutes: number) => ({
      ...{ kind: "ground", instructor_id: instructor.personId },
      ...during(start, minutes),
    });
    const session = await booked(owner, teach("2098-07-01T10:00Z", 60));
    await booked(owner, teach("2098-07-01T12:00Z", 30));
    const any = { icao_type: null, instructor_id: instructor.personId };
    const short = await wish(owner, { ...any, minutes: 15 });
    const long = await wish(student, { ...any, minutes: 60 });
    await booked(owner, teach("2098-07-02T12:00Z", 1));
    expectStatus(200, await owner.patch("/planning/settings", { duty_day_minutes: 80 }));
    await cancel(school, session);
    expect([await statusOf(school, long), await statusOf(school, short)]).toEqual(["waiting", "offered"]);
  });

  test("the part outside the opening hours, and the buffers", async () => {
    const school = await newSchool();
    const { owner } = school;
    // Until 13:00 in Berlin, 11:00 UTC.
    for (const weekday of [1, 2, 3, 4, 5, 6, 7])
      expectStatus(201, await owner.post("/planning/hours", { weekday, from_time: "08:00", to_time: "13:00" }));
    const session = await booked(owner, alone(school, "2098-07-01T09:00Z", 180));
    await booked(owner, alone(school, "2098-07-01T08:00Z", 60));
    expectStatus(200, await owner.patch("/planning/settings", { aircraft_buffer_minutes: 15 }));
    const waiting = await wish(school.student);
    await cancel(school, session);
    expect(await wishOf(school, waiting)).toMatchObject({
      ...{ offered_start_at: "2098-07-01T09:15:00.000Z", offered_end_at: "2098-07-01T11:00:00.000Z" },
    });
  });

  test("what begins too soon or too late for a student to book; an offer ends when it is too late to book it", async () => {
    const school = await newOwnSchool();
    const { owner, student } = school;
    // It is 14 June at 9:00 UTC.
    expectStatus(200, await owner.patch("/planning/settings", { min_hours_ahead: 3, max_days_ahead: 2 }));
    const session = await booked(owner, alone(school, "2026-06-14T10:00Z", 180));
    const late = await booked(owner, alone(school, "2026-06-16T08:30Z", 180));
    const any = { from_at: "2026-06-14T06:00:00Z", until_at: "2026-06-18T06:00:00Z" };
    const long = await wish(student, { ...any, minutes: 90 });
    const short = await wish(student, { ...any, minutes: 45 });
    const next = await wish(student, { ...any, from_at: "2026-06-16T09:01:00Z" });
    const other = await wish(student, { ...any, from_at: "2026-06-16T09:00:00Z", minutes: 120 });
    await cancel(school, session);
    expect(await statusOf(school, long)).toBe("waiting");
    const offered = await wishOf(school, short);
    expect(offered).toMatchObject({
      ...{ offered_start_at: "2026-06-14T12:00:00.000Z", offered_end_at: "2026-06-14T13:00:00.000Z" },
      // 45 minutes before 13:00, and three hours before that.
      offered_until: "2026-06-14T09:15:00.000Z",
    });
    await booked(student, solo(school, offered.offered_start_at, 45));
    expectStatus(200, await owner.post(`/planning/wishes/${long.id}/withdraw`));
    await cancel(school, late);
    expect([await statusOf(school, next), await statusOf(school, other)]).toEqual(["waiting", "offered"]);
    await booked(student, solo(school, "2026-06-16T09:00:00Z", 120));
  });
});

test("nobody is offered a time at which they are away or booked, and the next is; what is left to them is", async () => {
  const school = await newOwnSchool();
  const { owner, student, instructor, installation } = school;
  const { clock } = installation;
  const [booker, third] = [await school.join(["student"], "Second"), await school.join(["student"], "Third")];
  const day = { from_on: "2098-07-01", until_on: "2098-07-01" };
  expectStatus(201, await owner.post("/planning/absences", { person_id: student.personId, ...day }));
  await booked(owner, { ...during("2098-07-01T10:30Z"), kind: "ground", student_ids: [booker.personId] });
  const sessions = [
    await booked(owner, alone(school, "2098-07-01T10:00Z", 120)),
    await booked(owner, alone(school, "2098-07-02T10:00Z")),
  ];
  const wishes: { id: string }[] = [];
  for (const [by, change] of [
    [student, {}],
    [booker, {}],
    [booker, { minutes: 30, instructor_id: instructor.personId }],
    [third, { until_at: "2098-07-01T18:00:00Z" }],
  ] as const) {
    wishes.push(await wish(by, change));
    clock.advance(1000);
  }
  const startsOf = async () =>
    (await Promise.all(wishes.map((one) => wishOf(school, one)))).map(({ offered_start_at: at }) => at?.slice(0, 16));
  await cancel(school, sessions[0]);
  // The second is there for 30 minutes before and after the class, so the first of their wishes isn't met.
  expect(await startsOf()).toEqual([undefined, undefined, "2098-07-01T10:00", "2098-07-01T10:30"]);
  await cancel(school, sessions[1]);
  expect(await startsOf()).toEqual(["2098-07-02T10:00", undefined, "2098-07-01T10:00", "2098-07-01T10:30"]);
});

test("what an offer leaves of a long time goes to the next at once, with time between them", async () => {
  const school = await newOwnSchool();
  const { owner, student, installation } = school;
  expectStatus(200, await owner.patch("/planning/settings", { aircraft_buffer_minutes: 15 }));
  const session = await booked(owner, alone(school, "2098-07-01T06:00Z", 600));
  const on = (from: string, until: string, minutes = 60) => {
    installation.clock.advance(1000);
    return wish(student, { from_at: `2098-07-01T${from}Z`, until_at: `2098-07-01T${until}Z`, minutes });
  };
  const noon = await on("10:00:00", "12:00:00");
  const wishes = [
    await on("06:00:00", "10:00:00", 226),
    await on("06:00:00", "10:00:00", 225),
    await on("12:00:00", "18:00:00", 225),
    await on("06:00:00", "18:00:00"),
  ];
  await cancel(school, session);
  expect(await wishOf(school, noon)).toMatchObject({ offered_start_at: "2098-07-01T10:00:00.000Z" });
  const found = await Promise.all(wishes.map((one) => wishOf(school, one)));
  expect(
    found.map(({ offered_start_at: from, offered_end_at: to }) => [from?.slice(11, 16), to?.slice(11, 16)]),
  ).toEqual([
    [undefined, undefined],
    ["06:00", "09:45"],
    ["12:15", "16:00"],
    [undefined, undefined],
  ]);
});

describe("what a moved session leaves is offered", () => {
  test("only if it is left: not for other words, and not what it keeps", async () => {
    const school = await newSchool();
    const { owner, student, aircraftId } = school;
    const session = await booked(owner, alone(school, "2098-07-01T10:00Z", 120));
    const waiting = await wish(student);
    const path = `/planning/sessions/${session.id}`;
    expectStatus(200, await owner.patch(path, { title: "Other" }));
    expect(await statusOf(school, waiting)).toBe("waiting");
    expectStatus(200, await owner.post(`${path}/reschedule`, { start_at: "2098-07-01T11:00:00Z" }));
    expect(await wishOf(school, waiting)).toMatchObject({
      ...{ status: "offered", offered_aircraft_id: aircraftId },
      ...{ offered_start_at: "2098-07-01T10:00:00.000Z", offered_end_at: "2098-07-01T11:00:00.000Z" },
    });
  });

  test("the aircraft alone, if the instructor stays", async () => {
    const school = await newSchool();
    const { owner, student, instructor } = school;
    const plane = { registration: "D-EZZZ", model: "C152", icao_type: "C152", class: "SEP" };
    const other = expectStatus(201, await owner.post("/aircraft", plane)).body.data.id;
    const session = await booked(owner, { ...lesson(school, "2098-07-01T10:00Z"), student_ids: [] });
    const taught = await wish(student, { instructor_id: instructor.personId });
    const flown = await wish(owner);
    expectStatus(200, await owner.patch(`/planning/sessions/${session.id}`, { aircraft_id: other }));
    expect([await statusOf(school, taught), await statusOf(school, flown)]).toEqual(["waiting", "offered"]);
  });

  test("not what the next of its series takes", async () => {
    const school = await newSchool();
    const { owner, student, aircraftId } = school;
    const daily = { from_on: "2098-06-30", count: 3, weekdays: [1, 2, 3, 4, 5, 6, 7], from_time: "12:00", minutes: 60 };
    const series = { kind: "flight", aircraft_id: aircraftId, ...daily };
    const { sessions } = expectStatus(201, await owner.post("/planning/series", series)).body.data;
    const waiting = await wish(student);
    // The second is on 1 July: from then on the first has its time.
    const shifted = { start_at: sessions[1].start_at, scope: "following" };
    expectStatus(200, await owner.post(`/planning/sessions/${sessions[0].id}/reschedule`, shifted));
    expect(await statusOf(school, waiting)).toBe("waiting");
  });

  test("and what is left when nobody comes", async () => {
    const school = await newOwnSchool();
    const session = await booked(school.owner, alone(school, "2026-06-14T08:00Z", 180));
    const waiting = await wish(school.student, { from_at: "2026-06-14T06:00:00Z", until_at: "2026-06-14T18:00:00Z" });
    expectStatus(200, await school.owner.post(`/planning/sessions/${session.id}/no-show`));
    expect(await wishOf(school, waiting)).toMatchObject({
      ...{ offered_start_at: "2026-06-14T09:00:00.000Z", offered_end_at: "2026-06-14T11:00:00.000Z" },
    });
  });
});

describe("an offer", () => {
  test("that somebody else books ends, and what is left of it is offered again", async () => {
    const school = await newSchool();
    const { owner, student } = school;
    const session = await booked(owner, alone(school, "2098-07-01T10:00Z", 180));
    const first = await wish(student);
    await cancel(school, session);
    await booked(owner, alone(school, "2098-07-01T10:00Z", 120));
    expect(await wishOf(school, first)).toMatchObject({
      ...{ status: "offered", offered_start_at: "2098-07-01T12:00:00.000Z" },
    });
    const other = await booked(owner, alone(school, "2098-07-03T12:00Z"));
    expectStatus(200, await owner.patch(`/planning/sessions/${other.id}`, during("2098-07-01T12:00Z")));
    expect(await statusOf(school, first)).toBe("waiting");
  });

  test("is not taken by a class at the same time, but by a session that is moved into it", async () => {
    const school = await newSchool();
    const { owner, student } = school;
    const session = await booked(owner, alone(school, "2098-07-01T10:00Z"));
    const waiting = await wish(student);
    await cancel(school, session);
    const theory = { ...during("2098-07-01T10:00Z"), kind: "ground", student_ids: [student.personId] };
    await cancel(school, await booked(owner, theory));
    expect(await statusOf(school, waiting)).toBe("offered");
    const own = await booked(student, solo(school, "2098-07-02T10:00Z"));
    expectStatus(200, await student.patch(`/planning/sessions/${own.id}`, during("2098-07-01T10:00Z")));
    expect(await statusOf(school, waiting)).toBe("booked");
  });

  test("goes to who waits longest, past people who left and a hundred wishes that do not fit", async () => {
    const school = await newOwnSchool();
    const { installation } = school;
    const { owner, student } = school;
    const session = await booked(owner, alone(school, "2098-07-01T10:00Z"));
    const gone = expectStatus(201, await owner.post("/people", { name: "Ada Gone", types: ["student"] })).body.data.id;
    const left = await wish(owner, { person_id: gone });
    installation.clock.advance(1000);
    const unfit = await wish(owner, { icao_type: "DA42" });
    await tenantOf(school).write((tx) => {
      tx.unseen();
      return tx.values(sql`with recursive n(value) as (select 1 union all select value + 1 from n where value < 120)
        insert into planning_wishes (id, person_id, icao_type, from_at, until_at, minutes, status, created_at, updated_at)
        select printf('00000000-0000-7000-8000-%012d', value), person_id, icao_type, from_at, until_at, minutes, status, created_at, updated_at
        from planning_wishes, n where id = ${unfit.id}`);
    });
    const waiting = await wish(student);
    expectStatus(200, await owner.patch(`/people/${gone}`, { status: "archived" }));
    await cancel(school, session);
    expect([await statusOf(school, left), await statusOf(school, waiting)]).toEqual(["waiting", "offered"]);
  });

  test("of an instructor who is erased: the people wait on, or their wish for that instructor ends", async () => {
    const school = await newSchool();
    const { owner, student } = school;
    const teacher = { name: "Ada Gone", types: ["instructor"] };
    const instructor_id = expectStatus(201, await owner.post("/people", teacher)).body.data.id;
    const other = await wish(owner, { icao_type: null, instructor_id, from_at: "2098-07-02T00:00:00Z" });
    const any = await wish(student, { icao_type: null });
    const session = await booked(owner, { ...during("2098-07-01T10:00Z"), kind: "ground", instructor_id });
    await cancel(school, session);
    expect(await wishOf(school, any)).toMatchObject({ status: "offered", offered_instructor_id: instructor_id });
    expectStatus(200, await owner.post(`/people/${instructor_id}/erase`));
    expect(await wishOf(school, any)).toMatchObject({ status: "waiting", offered_instructor_id: null });
    expect(await statusOf(school, other)).toBe("withdrawn");
    expect((await owner.get("/audit-log")).text).toContain("planning_wish.instructor_left");
  });
});
