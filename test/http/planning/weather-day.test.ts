import { expect, test } from "bun:test";
import { getTableColumns, sql } from "drizzle-orm";
import { newId } from "../../../src/core/ids.ts";
import { most } from "../../../src/modules/planning/cancellations/cancellations.schemas.ts";
import { planningSessions } from "../../../src/modules/planning/planning.tables.ts";
import { expectStatus, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { tenantOf } from "../maintenance/maintaining.ts";
import { booked, cancel, during, lesson, solo, wish, wishOf } from "./booking.ts";

const day = { on: "2098-07-01", reason: "weather", note: "Ceiling at 600 ft." };
const cancelled = async ({ owner }: School, body: object = {}) =>
  expectStatus(200, await owner.post("/planning/cancellations", { ...day, ...body })).body.data;
const idsOf = (sessions: readonly { id: string }[]) => sessions.map(({ id }) => id);

/** In Berlin, it is two hours later: the day is from 22:00Z to 22:00Z. */
async function fullDay() {
  const school = await newSchool();
  const { owner, aircraftId } = school;
  const other = expectStatus(
    201,
    await owner.post("/aircraft", { registration: "D-EXYZ", model: "C152", class: "SEP" }),
  );
  const simulator = expectStatus(
    201,
    await owner.post("/aircraft", { registration: "FNPT", model: "AL", class: "FSTD" }),
  );
  const [second, fstd] = [other.body.data.id, simulator.body.data.id];
  const book = (body: object) => booked(owner, body);
  return {
    school,
    second,
    late: await book(solo(school, "2098-06-30T21:00Z")),
    over: await book(solo(school, "2098-06-30T22:00Z")),
    morning: await book(lesson(school, "2098-07-01T07:00Z")),
    noon: await book({ ...solo(school, "2098-07-01T09:30Z"), aircraft_id: second }),
    inSimulator: await book({ ...lesson(school, "2098-07-01T12:00Z"), aircraft_id: fstd }),
    theory: await book({ kind: "ground", ...during("2098-07-01T15:00Z") }),
    workshop: await book({ kind: "maintenance", aircraft_id: aircraftId, ...during("2098-07-01T15:00Z") }),
    next: await book(solo(school, "2098-07-01T22:00Z")),
  };
}

test("a weather day cancels what is flown on the day, and nothing else", async () => {
  const { school, over, morning, noon, ...others } = await fullDay();
  const { sessions } = await cancelled(school);
  expect(idsOf(sessions)).toEqual([over.id, morning.id, noon.id]);
  for (const one of sessions)
    expect(one).toMatchObject({ status: "cancelled", cancellation: { reason: "weather", note: "Ceiling at 600 ft." } });
  const { school: _, second: __, ...left } = { school, ...others };
  for (const { id } of Object.values(left))
    expect((await school.owner.get(`/planning/sessions/${id}`)).body.data.status).toBe("planned");
  expect((await cancelled(school)).sessions).toEqual([]);
});

test("a weather day can be some hours, an aircraft, an instructor, or other kinds", async () => {
  const { school, second, over, morning, noon, inSimulator, theory } = await fullDay();
  const found = async (filter: object) => idsOf((await cancelled(school, { dry_run: true, ...filter })).sessions);
  // What reaches into the hours, and not what ends when they begin.
  expect(await found({ from_time: "10:00", to_time: "12:00" })).toEqual([noon.id]);
  expect(await found({ from_time: "09:59", to_time: "11:30" })).toEqual([morning.id]);
  expect(await found({ aircraft_id: second })).toEqual([noon.id]);
  expect(await found({ instructor_id: school.instructor.personId })).toEqual([morning.id]);
  expect(await found({ kinds: ["lesson"], flown_only: false })).toEqual([morning.id, inSimulator.id]);
  expect(await found({ kinds: ["ground"], flown_only: false })).toEqual([theory.id]);
  expect(await found({})).toEqual([over.id, morning.id, noon.id]);
});

test("a dry run of a weather day says what it would cancel and offer, and does nothing", async () => {
  const school = await newOwnSchool();
  const { owner, student, installation } = school;
  const both = [
    await booked(owner, lesson(school, "2098-07-01T10:00Z")),
    await booked(owner, lesson(school, "2098-07-01T14:00Z")),
  ];
  const waiting = await wish(student);
  await installation.scheduler.runNow("mail-sending");
  installation.mails.length = 0;

  const dry = await cancelled(school, { dry_run: true });
  expect({ ids: idsOf(dry.sessions), offered: dry.offered }).toEqual({ ids: idsOf(both), offered: 1 });
  for (const { id } of both) expect((await owner.get(`/planning/sessions/${id}`)).body.data.status).toBe("planned");
  expect((await wishOf(school, waiting)).status).toBe("waiting");
  await installation.scheduler.runNow("mail-sending");
  expect(installation.mails).toEqual([]);

  const real = await cancelled(school);
  expect({ ids: idsOf(real.sessions), offered: real.offered }).toEqual({ ids: idsOf(both), offered: 1 });
  expect((await wishOf(school, waiting)).status).toBe("offered");
  await installation.scheduler.runNow("mail-sending");
  // One for each person about both sessions, and one about the offer.
  const to = installation.mails.map((mail) => `${mail.to}`);
  expect(to.filter((one) => one.includes("ines"))).toHaveLength(1);
  expect(to.filter((one) => one.includes("sam"))).toHaveLength(2);
});

test("a weather day offers nothing if it is told so", async () => {
  const school = await newSchool();
  await booked(school.owner, lesson(school, "2098-07-01T10:00Z"));
  const waiting = await wish(school.student);
  expect((await cancelled(school, { offers: false })).offered).toBe(0);
  expect((await wishOf(school, waiting)).status).toBe("waiting");
});

test("a student cancels no day, hours end after they begin, and what is refused cancels nothing", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const { id } = await booked(owner, lesson(school, "2098-07-01T07:00Z"));
  expect(expectStatus(403, await student.post("/planning/cancellations", day)).body.error.reason).toBe(
    "permission_missing",
  );
  const backwards = { ...day, from_time: "12:00", to_time: "12:00" };
  expect(expectStatus(400, await owner.post("/planning/cancellations", backwards)).body.issues).toMatchObject([
    { path: "body.to_time", code: "not_after" },
  ]);
  expect((await owner.get(`/planning/sessions/${id}`)).body.data.status).toBe("planned");
});

test("a weather day cancels 300 sessions at most, and of more none", async () => {
  const school = await newSchool();
  const { owner, installation } = school;
  const { id } = await booked(owner, solo(school, "2098-07-01T09:00Z"));
  const { id: _, ...others } = getTableColumns(planningSessions);
  const columns = sql.join(Object.values(others), sql.raw(", "));
  const names = sql.raw(
    Object.values(others)
      .map(({ name }) => name)
      .join(", "),
  );
  const ids = Array.from({ length: most }, () => newId<"session">(installation.clock));
  await tenantOf(school).write((tx) =>
    tx.run(sql`insert into planning_sessions (id, ${names}) select copies.value, ${columns}
      from ${planningSessions}, json_each(${JSON.stringify(ids)}) as copies where ${planningSessions.id} = ${id}`),
  );
  const refused = expectStatus(409, await owner.post("/planning/cancellations", day)).body.error;
  expect(refused).toMatchObject({ reason: "limit_reached", max: 300 });
  const planned = async () => (await owner.get("/planning/sessions?status=planned&limit=500")).body.data.length;
  expect(await planned()).toBe(301);
  await cancel(school, { id });
  expect((await cancelled(school)).sessions).toHaveLength(300);
  expect(await planned()).toBe(0);
}, 60_000);
