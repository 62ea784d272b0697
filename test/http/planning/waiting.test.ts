import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { planningOffers } from "../../../src/modules/planning/planning.jobs.ts";
import { bound } from "../../support/jobs.ts";
import { expectStatus, newOwnSchool, newSchool } from "../../support/school.ts";
import { tenantOf } from "../maintenance/maintaining.ts";
import { booked, cancel, during, lesson, solo, wish, wishOf } from "./booking.ts";

test("what is cancelled is offered to who waits longest for such a thing, and to the next if it is declined", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const others = [await school.join(["student"], "Second"), await school.join(["student"], "Third")] as const;
  const session = await booked(school.owner, solo(school, "2098-07-01T10:00Z"));
  const busy = { instructor_id: school.instructor.personId, ...during("2098-07-01T10:00Z"), kind: "ground" };
  await booked(school.owner, busy);
  const notFitting = [
    await wish(others[0], { icao_type: "DA42" }),
    await wish(others[0], { instructor_id: school.instructor.personId }),
    await wish(others[0], { minutes: 90 }),
    await wish(others[0], { from_at: "2098-07-01T10:30:00Z" }),
  ];
  const first = await wish(others[0]);
  installation.clock.advance(1000);
  const second = await wish(others[1], { icao_type: null });
  await cancel(school, session);
  for (const one of notFitting) expect((await wishOf(school, one)).status).toBe("waiting");
  expect(await wishOf(school, first)).toMatchObject({
    ...{ status: "offered", offered_aircraft_id: school.aircraftId },
    ...{ offered_start_at: session.start_at, offered_end_at: session.end_at },
  });
  expect((await wishOf(school, second)).status).toBe("waiting");
  expectStatus(404, await others[1].post(`/planning/wishes/${first.id}/decline`));
  expectStatus(200, await others[0].post(`/planning/wishes/${first.id}/decline`));
  expect((await wishOf(school, first)).status).toBe("waiting");
  expect((await wishOf(school, second)).status).toBe("offered");
  await booked(others[1], { ...solo(school, "2098-07-01T10:00Z"), student_ids: [others[1].personId] });
  expect((await wishOf(school, second)).status).toBe("booked");
  expect((await others[1].get("/planning/wishes")).body.data).toHaveLength(1);
});

test("who has as many bookings as the school allows is passed over", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const [first, second] = [await school.join(["student"], "First"), await school.join(["student"], "Second")];
  await booked(school.owner, { ...solo(school, "2098-06-01T10:00Z"), student_ids: [first.personId] });
  const session = await booked(school.owner, solo(school, "2098-07-01T10:00Z"));
  expectStatus(200, await school.owner.patch("/planning/settings", { max_open_bookings: 1 }));
  const full = await wish(first);
  installation.clock.advance(1000);
  const free = await wish(second);
  await cancel(school, session);
  expect([(await wishOf(school, full)).status, (await wishOf(school, free)).status]).toEqual(["waiting", "offered"]);
});

test("what was booked again is offered to nobody", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const other = await school.join(["student"], "Second");
  const first = await wish(other);
  installation.clock.advance(1000);
  const second = await wish(school.student);
  const session = await booked(school.owner, { ...solo(school, "2098-07-01T10:00Z"), student_ids: [] });
  await cancel(school, session);
  expect((await wishOf(school, first)).status).toBe("offered");
  await booked(school.owner, { ...solo(school, "2098-07-01T10:30Z"), student_ids: [] });
  expect((await wishOf(school, first)).status).toBe("waiting");
  expectStatus(409, await other.post(`/planning/wishes/${first.id}/decline`));
  expect((await wishOf(school, second)).status).toBe("waiting");
});

test("an offer that nobody takes goes to the next", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const other = await school.join(["student"], "Second");
  const first = await wish(school.student);
  installation.clock.advance(1000);
  const second = await wish(other);
  const session = await booked(school.owner, solo(school, "2098-07-01T10:00Z"));
  await cancel(school, session);
  const { clock, storage } = installation;
  const { control, tenants } = storage;
  const log = { error: (details: object) => expect(details).toEqual({}) };
  const services = { control, tenant: tenants.tenant.bind(tenants), clock, log, settings: { eventRetentionDays: 30 } };
  const run = (hours: number) => {
    clock.advance(hours * 3_600_000);
    return bound(planningOffers, services).run(clock.now());
  };
  // Not by requests: the tokens expire on the test's clock.
  const statusOf = (id: string) =>
    tenantOf(school).read(async (reader) => {
      const [row] = await reader.values<[string]>(sql`select status from planning_wishes where id = ${id}`);
      return row?.[0];
    });
  await run(11);
  expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(["offered", "waiting"]);
  await run(2);
  expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(["waiting", "offered"]);
});

test("offers that ended between two runs go on in the order in which they ended", async () => {
  const school = await newOwnSchool();
  const { owner, student, installation } = school;
  const { clock, scheduler } = installation;
  const [second, third] = [await school.join(["student"], "Second"), await school.join(["student"], "Third")];
  const sessions = [
    await booked(owner, { ...solo(school, "2098-07-01T10:00Z"), student_ids: [] }),
    await booked(owner, { ...solo(school, "2098-07-02T10:00Z"), student_ids: [] }),
  ];
  const wishes: { id: string }[] = [];
  for (const by of [student, second, third]) {
    wishes.push(await wish(by));
    clock.advance(1000);
  }
  for (const session of sessions) {
    await cancel(school, session);
    clock.advance(60_000);
  }
  clock.advance(12 * 3_600_000);
  await scheduler.runNow("planning-offers");
  const later = { ...school, owner: await owner.signedInAgain() };
  const found = await Promise.all(wishes.map((one) => wishOf(later, one)));
  // When the first ended, the second still had an offer, so it went to the third.
  expect(found.map(({ offered_start_at }) => offered_start_at)).toEqual([null, null, sessions[0].start_at]);
});

test("a wish ends with its time window", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const past = await wish(school.student, { from_at: "2026-06-14T06:00:00Z", until_at: "2026-06-14T10:00:00Z" });
  const open = await wish(school.student, { from_at: "2026-06-14T06:00:00Z", until_at: "2026-06-15T10:00:00Z" });
  installation.clock.advance(5 * 60_000);
  await installation.scheduler.runNow("planning-offers");
  expect((await wishOf(school, past)).status).toBe("waiting");
  installation.clock.advance(3_600_000);
  await installation.scheduler.runNow("planning-offers");
  const statuses = await tenantOf(school).read((reader) =>
    reader.values<[string]>(
      sql`select status from planning_wishes where id in (${past.id}, ${open.id}) order by until_at`,
    ),
  );
  expect(statuses.flat()).toEqual(["expired", "waiting"]);
});

test("students wait for themselves, within bounds", async () => {
  const school = await newSchool();
  const { student, owner } = school;
  const body = {
    person_id: owner.personId,
    from_at: "2098-07-01T06:00:00Z",
    until_at: "2098-07-02T18:00:00Z",
    minutes: 60,
  };
  expectStatus(403, await student.post("/planning/wishes", body));
  expectStatus(400, await owner.post("/planning/wishes", { ...body, until_at: "2098-06-30T00:00:00Z" }));
  expectStatus(400, await owner.post("/planning/wishes", { ...body, until_at: "2098-09-01T00:00:00Z" }));
  const faultOf = async (change: object) =>
    expectStatus(400, await owner.post("/planning/wishes", { ...body, ...change })).body.issues[0].path;
  expect(await faultOf({ until_at: "2098-07-01T06:59:00Z" })).toBe("body.minutes");
  expect(await faultOf({ until_at: "2098-08-01T06:00:01Z" })).toBe("body.until_at");
  for (const until_at of ["2098-07-01T07:00:00Z", "2098-08-01T06:00:00Z"])
    expectStatus(201, await owner.post("/planning/wishes", { ...body, until_at }));
  expect(await faultOf({ instructor_id: student.personId })).toBe("body.instructor_id");
});

test("free slots: the next times that can be booked, and each of them can", async () => {
  const school = await newSchool();
  const { owner, instructor, student, aircraftId } = school;
  const add = async (registration: string) =>
    expectStatus(
      201,
      await owner.post("/aircraft", { registration, model: "Cessna 172S", icao_type: "C172", class: "SEP" }),
    ).body.data.id;
  const second = await add("D-EZZZ");
  const grounded = await add("D-EGND");
  expectStatus(200, await owner.post(`/aircraft/${grounded}/ground`, { reason: "Smells of fuel." }));
  for (const weekday of [1, 2, 3, 4, 5])
    expectStatus(
      201,
      await owner.post("/planning/hours", {
        person_id: instructor.personId,
        weekday,
        from_time: "09:00",
        to_time: "13:00",
      }),
    );
  expectStatus(200, await owner.patch("/planning/settings", { aircraft_buffer_minutes: 15, duty_day_minutes: 120 }));
  // A Monday; 09:00 in Berlin is 07:00 UTC.
  await booked(owner, { ...during("2098-06-30T07:00Z", 90), kind: "maintenance", aircraft_id: aircraftId });
  await booked(owner, { ...lesson(school, "2098-06-30T10:00Z", 60), student_ids: [], aircraft_id: second });
  const query = `icao_type=C172&instructor_id=${instructor.personId}&student_id=${student.personId}&minutes=60&from=2098-06-30T00:00:00Z&limit=6`;
  const { data } = expectStatus(200, await student.get(`/planning/free-slots?${query}`)).body;
  // A type is written in capitals, as that of an aircraft is.
  const inSmall = expectStatus(200, await student.get(`/planning/free-slots?${query.replace("C172", "%20c172")}`)).body;
  expect(inSmall.data).toEqual(data);
  expect(
    data.map((slot: { start_at: string; aircraft: { registration: string } }) => [
      slot.start_at.slice(0, 16),
      slot.aircraft.registration,
    ]),
  ).toEqual([
    ["2098-06-30T07:00", "D-EZZZ"],
    ["2098-06-30T08:00", "D-EZZZ"],
    ["2098-06-30T08:45", "D-EABC"],
    ["2098-07-01T07:00", "D-EABC"],
    ["2098-07-01T07:00", "D-EZZZ"],
    ["2098-07-01T08:00", "D-EABC"],
  ]);
  for (const { start_at, end_at, aircraft } of data) {
    const body = {
      kind: "lesson",
      start_at,
      end_at,
      aircraft_id: aircraft.id,
      instructor_id: instructor.personId,
      student_ids: [student.personId],
    };
    const { id } = await booked(student, body);
    expectStatus(200, await owner.post(`/planning/sessions/${id}/cancel`, { reason: "other" }));
  }
  expectStatus(403, await student.get(`/planning/free-slots?icao_type=C172&student_id=${owner.personId}`));
  expectStatus(400, await student.get("/planning/free-slots?minutes=60"));
});

test("an aircraft that becomes free is offered with the instructor whom a wish names, when both are free", async () => {
  const school = await newOwnSchool();
  const { owner, student, instructor, aircraftId, installation } = school;
  const session = await booked(owner, { ...solo(school, "2098-07-01T10:00Z", 180), student_ids: [] });
  const taught = { instructor_id: instructor.personId };
  // Two hours with the instructor are not free, one is from 11:00 on.
  const long = await wish(owner, { ...taught, minutes: 150 });
  installation.clock.advance(1000);
  const first = await wish(student, { ...taught, minutes: 60 });
  installation.clock.advance(1000);
  // Not what the offer leaves, from 10:00 to 11:00.
  const next = await wish(owner, { from_at: "2098-07-01T10:30:00Z" });
  const busy = { ...taught, ...during("2098-07-01T10:00Z"), kind: "ground" };
  await booked(owner, busy);
  await cancel(school, session);
  expect((await wishOf(school, long)).status).toBe("waiting");
  expect(await wishOf(school, first)).toMatchObject({
    ...{ status: "offered", offered_aircraft_id: aircraftId, offered_instructor_id: instructor.personId },
    ...{ offered_start_at: "2098-07-01T11:00:00.000Z", offered_end_at: "2098-07-01T13:00:00.000Z" },
  });
  expect((await wishOf(school, next)).status).toBe("waiting");
  // Who does not want it leaves it to the next, who waits for any instructor or none.
  expectStatus(200, await student.post(`/planning/wishes/${first.id}/decline`));
  expect(await wishOf(school, next)).toMatchObject({ status: "offered", offered_aircraft_id: aircraftId });
});
