import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Answer } from "../../support/installation.ts";
import { expectStatus, type Member, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { booked, during, lesson, solo } from "./booking.ts";

const tried = (by: Member, body: object) => by.post("/planning/sessions/dry-run", body);
const triedOn = (by: Member, id: string, body: object) => by.post(`/planning/sessions/${id}/dry-run`, body);

/** Why an answer refuses: without what every request has of its own. */
function told({ body }: Answer) {
  const { request_id: _, ...error } = body.error ?? {};
  return { error, issues: body.issues, conflicts: body.conflicts };
}

/** A session without what only one that is kept has. */
const content = ({ id: _, created_at: _created, updated_at: _updated, ...session }: Record<string, unknown>) => session;

/** How much the school has written. */
async function written({ owner }: School) {
  const count = async (path: string) => expectStatus(200, await owner.get(`${path}?with_total=true`)).body.page.total;
  return [await count("/audit-log"), await count("/planning/sessions"), await count("/planning/wishes")];
}

/** A school with much that is against a booking. */
async function strictSchool() {
  const school = await newSchool();
  const { owner, instructor, student, aircraftId } = school;
  const plane = async (registration: string) =>
    expectStatus(201, await owner.post("/aircraft", { registration, model: "C152", class: "SEP" })).body.data.id;
  const [grounded, archived] = [await plane("D-EGRD"), await plane("D-EARC")];
  expectStatus(200, await owner.post(`/aircraft/${grounded}/ground`, { reason: "Nose wheel." }));
  expectStatus(200, await owner.patch(`/aircraft/${archived}`, { status: "archived" }));
  const room = expectStatus(201, await owner.post("/planning/rooms", { name: "Attic" })).body.data.id;
  const settings = {
    ...{ aircraft_buffer_minutes: 15, instructor_buffer_minutes: 10, duty_day_minutes: 240 },
    ...{ max_days_ahead: 700, min_hours_ahead: 2, max_open_bookings: 20, opening_hours: "block" },
  };
  expectStatus(200, await owner.patch("/planning/settings", settings));
  for (const weekday of [1, 2, 3, 4, 5, 6])
    expectStatus(
      201,
      await owner.post("/planning/hours", { person_id: null, weekday, from_time: "06:00", to_time: "22:00" }),
    );
  const away = { person_id: instructor.personId, from_on: "2027-07-03", until_on: "2027-07-03", reason: "Holiday" };
  expectStatus(201, await owner.post("/planning/absences", away));
  const nobody = "01890a5d-ac96-774b-bcce-b302099a8057";
  return {
    school,
    members: [owner, instructor, student],
    planes: [aircraftId, grounded, archived, nobody, null],
    instructors: [instructor.personId, student.personId, null],
    students: [[student.personId], [], [owner.personId, student.personId]],
    rooms: [room, null],
  };
}

const chosen = (length: number) => fc.nat(length - 1);
const change = {
  plane: chosen(5),
  instructor: chosen(3),
  room: chosen(2),
  day: fc.nat(2),
  quarter: fc.integer({ min: 16, max: 76 }),
  length: fc.integer({ min: -1, max: 16 }),
};
const command = fc.oneof(
  fc.record({
    ...{ do: fc.constant("book" as const), by: chosen(3), students: chosen(3), ...change },
    kind: fc.constantFrom("flight", "lesson", "ground", "maintenance"),
  }),
  fc.record({ do: fc.constant("move" as const), by: chosen(3), which: fc.nat(20), ...change }),
);

const history = fc.array(command, { minLength: 4, maxLength: 12 });
type Commands = typeof history extends fc.Arbitrary<infer C> ? C : never;

/** What is booked, refused, moved and not moved at the least, whatever else is tried. */
const usual = { by: 0, plane: 0, instructor: 2, room: 1, day: 0, length: 4 };
const flight = { ...usual, do: "book", kind: "flight", students: 0 } as const;
const known: Commands = [
  { ...flight, quarter: 40 },
  { ...flight, quarter: 42 },
  { ...flight, quarter: 60 },
  { ...flight, quarter: 30, length: -1 },
  { ...usual, do: "move", which: 0, quarter: 48 },
  { ...usual, do: "move", which: 1, quarter: 50 },
];

test("a dry run says what the booking then says, refusals included, and writes nothing", async () => {
  const { school, members, planes, instructors, students, rooms } = await strictSchool();
  const seen = new Set<string>();
  let month = 0;
  await fc.assert(
    fc.asyncProperty(history, async (commands) => {
      month += 1;
      const sessions: string[] = [];
      for (const one of commands) {
        const start = Date.UTC(2027, 5, 1 + 7 * month + one.day) + one.quarter * 900_000;
        const times = {
          start_at: new Date(start).toISOString(),
          end_at: new Date(start + one.length * 900_000).toISOString(),
        };
        const what = {
          ...{ aircraft_id: planes[one.plane], instructor_id: instructors[one.instructor], room_id: rooms[one.room] },
          ...times,
        };
        const by = members[one.by];
        const id = one.do === "move" ? sessions[one.which % Math.max(1, sessions.length)] : undefined;
        if (by === undefined || (one.do === "move" && id === undefined)) continue;
        const body = one.do === "book" ? { ...what, kind: one.kind, student_ids: students[one.students] } : what;

        const before = await written(school);
        const dry = id === undefined ? await tried(by, body) : await triedOn(by, id, body);
        expect(await written(school)).toEqual(before);

        const made =
          id === undefined
            ? await by.post("/planning/sessions", body)
            : await by.patch(`/planning/sessions/${id}`, body);
        seen.add(`${one.do} ${made.status} ${made.body.error?.reason ?? ""}`);
        expect(told(dry)).toEqual(told(made));
        if (made.status >= 400) {
          expect(dry.status).toBe(made.status);
          continue;
        }
        expect(dry.status).toBe(200);
        expect(content(dry.body.data.session)).toEqual(content(made.body.data));
        const checks = expectStatus(200, await by.get(`/planning/sessions/${made.body.data.id}/checks`)).body.data;
        expect(dry.body.data.checks).toEqual(checks);
        if (id === undefined) sessions.push(made.body.data.id);
      }
    }),
    { numRuns: Number(process.env.DRY_RUNS ?? 12), examples: [[known]] },
  );
  for (const outcome of [
    "book 201 ",
    "book 409 booking_conflicts",
    "book 400 ",
    "move 200 ",
    "move 409 booking_conflicts",
  ])
    expect([...seen]).toContain(outcome);
}, 120_000);

test("a dry run has the price: for the time of the booking, for who pays it and for who may see it", async () => {
  const school = await newSchool();
  const { owner, instructor, student, aircraftId } = school;
  const free = expectStatus(200, await tried(owner, lesson(school, "2098-07-01T10:00Z"))).body.data;
  expect(free).toMatchObject({ price: null, session: { status: "planned", kind: "lesson" } });

  const rate = { valid_from: "2020-01-01", vat_category: "standard", vat_rate: "19.00" };
  for (const one of [
    { kind: "aircraft", aircraft_id: aircraftId, price_minor: 20_000 },
    { kind: "instructor", price_minor: 5000 },
  ])
    expectStatus(201, await owner.post("/finance/rates", { ...rate, ...one }));
  const ofOwner = expectStatus(200, await tried(owner, lesson(school, "2098-07-01T10:00Z", 90))).body.data.price;
  expect(ofOwner).toMatchObject({
    ...{ payer_id: student.personId, net_minor: 37_500, vat_minor: 7125, gross_minor: 44_625, missing: [] },
    ...{ currency: "EUR", on: "2098-07-01" },
  });
  expect(ofOwner.lines).toMatchObject([
    { kind: "aircraft", quantity: "90.00", net_minor: 30_000 },
    { kind: "instructor", quantity: "90.00", net_minor: 7500 },
  ]);

  const ofStudent = expectStatus(200, await tried(student, solo(school, "2098-07-01T10:00Z"))).body.data.price;
  expect(ofStudent).toMatchObject({ payer_id: student.personId, net_minor: 20_000 });
  // The instructor does not see what the student pays.
  expect(expectStatus(200, await tried(instructor, lesson(school, "2098-07-01T10:00Z"))).body.data.price).toBeNull();

  const { id } = await booked(owner, lesson(school, "2098-07-01T10:00Z"));
  const stretched = expectStatus(200, await triedOn(owner, id, during("2098-07-01T10:00Z", 120))).body.data;
  expect(stretched).toMatchObject({
    session: { id, end_at: "2098-07-01T12:00:00.000Z" },
    price: { net_minor: 50_000 },
  });
  expect((await owner.get(`/planning/sessions/${id}`)).body.data.end_at).toBe("2098-07-01T11:00:00.000Z");
});

test("a dry run sends no mail and makes no offer", async () => {
  const school = await newOwnSchool();
  const { owner, student, installation } = school;
  const { id } = await booked(owner, lesson(school, "2098-07-01T10:00Z"));
  const wish = {
    ...{ person_id: student.personId, minutes: 60, icao_type: "C172" },
    ...{ from_at: "2098-07-01T06:00:00Z", until_at: "2098-07-01T18:00:00Z" },
  };
  expectStatus(201, await student.post("/planning/wishes", wish));
  await installation.scheduler.runNow("mail-sending");
  installation.mails.length = 0;
  expectStatus(200, await triedOn(owner, id, during("2098-07-02T10:00Z")));
  expectStatus(200, await tried(owner, lesson(school, "2098-07-03T10:00Z")));
  await installation.scheduler.runNow("mail-sending");
  expect(installation.mails).toEqual([]);
  expect((await student.get("/planning/wishes?status=offered")).body.data).toEqual([]);
});

test("an `Idempotency-Key` is not used up by a dry run: each answers as it is now, and the request itself is carried out once", async () => {
  const school = await newSchool();
  const { owner, orgId } = school;
  const send = (path: string, body: object, key: string) =>
    owner.call("POST", `/orgs/${orgId}/planning/${path}`, { body, headers: { "idempotency-key": key } });
  const body = solo(school, "2098-07-01T10:00Z");
  expect((await send("sessions/dry-run", body, "one")).status).toBe(200);
  await booked(owner, body);
  // A stored response would say that it is free still.
  expect((await send("sessions/dry-run", body, "one")).status).toBe(409);
  const day = { on: "2098-07-01", reason: "weather" };
  const tried = expectStatus(200, await send("cancellations", { ...day, dry_run: true }, "two")).body.data;
  expect(tried.sessions).toHaveLength(1);
  const first = expectStatus(200, await send("cancellations", day, "two"));
  const again = expectStatus(200, await send("cancellations", day, "two"));
  expect(again.body).toEqual(first.body);
  expect(first.body.data.sessions).toMatchObject([{ status: "cancelled" }]);
  expectStatus(422, await send("cancellations", { ...day, dry_run: true }, "two"));
});
