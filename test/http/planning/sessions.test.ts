import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isId } from "../../../src/core/ids.ts";
import { checkedInFor } from "../../../src/modules/planning/sessions/complete-session-of.ts";
import { planOf } from "../../support/query-plans.ts";
import { expectStatus, newOwnSchool, newSchool, type School, statuses, times } from "../../support/school.ts";
import { booked, during, lesson, refused, solo } from "./booking.ts";

describe("a booking", () => {
  test("is refused with the list of all that it clashes with", async () => {
    const school = await newSchool();
    const first = await booked(school.instructor, lesson(school, "2098-07-01T10:00Z"));
    const { body } = expectStatus(
      409,
      await school.owner.post("/planning/sessions", lesson(school, "2098-07-01T10:30Z")),
    );
    expect(body.error).toMatchObject({ code: "CONFLICT", reason: "booking_conflicts" });
    expect(body.error.message).toContain("D-EABC is booked from 2098-07-01T10:00:00.000Z");
    const clash = { rule: "overlap", session_id: first.id, start_at: first.start_at, end_at: first.end_at };
    expect(body.conflicts).toEqual([
      { ...clash, message: expect.any(String), resource: { type: "aircraft", id: school.aircraftId } },
      { ...clash, message: expect.any(String), resource: { type: "instructor", id: school.instructor.personId } },
      { ...clash, message: expect.any(String), resource: { type: "student", id: school.student.personId } },
    ]);
  });

  test("that begins when another ends is no conflict", async () => {
    const school = await newSchool();
    for (const start of ["10:00", "11:00", "09:00"]) await booked(school.owner, lesson(school, `2098-07-01T${start}Z`));
    expect(await refused(school.owner, solo(school, "2098-07-01T09:59:59Z", 1))).toEqual(times(4, () => "overlap"));
  });

  test("clashes with what contains it, and with what it contains", async () => {
    const school = await newSchool();
    await booked(school.owner, {
      ...during("2098-07-01T08:00Z", 60 * 24),
      kind: "maintenance",
      aircraft_id: school.aircraftId,
    });
    expect(await refused(school.owner, solo(school, "2098-07-01T12:00Z"))).toEqual(["overlap"]);
    expect(await refused(school.owner, solo(school, "2098-06-30T12:00Z", 60 * 72))).toEqual(["overlap"]);
  });

  test("takes up the time of what was cancelled, and of nobody who came", async () => {
    const school = await newSchool();
    const { id } = await booked(school.owner, solo(school, "2098-07-01T10:00Z"));
    const cancelled = await school.owner.post(`/planning/sessions/${id}/cancel`, { reason: "weather", note: "Fog." });
    expect(expectStatus(200, cancelled).body.data).toMatchObject({
      status: "cancelled",
      sequence: 1,
      cancellation: { reason: "weather", note: "Fog.", late: false },
    });
    await booked(school.owner, solo(school, "2098-07-01T10:00Z"));
    const again = await school.owner.post(`/planning/sessions/${id}/cancel`, { reason: "weather" });
    expect(expectStatus(409, again).body.error.message).toBe("The session is cancelled, not requested or planned.");
  });

  test("wins once when 32 are made at the same time", async () => {
    const school = await newSchool();
    const rounds = Number(process.env.PLANNING_ROUNDS ?? 5);
    for (let round = 0; round < rounds; round += 1) {
      const start = Date.UTC(2098, 0, 1) + round * 3_600_000;
      const answers = await Promise.all(
        times(32, () =>
          (Math.random() < 0.5 ? school.owner : school.instructor).post("/planning/sessions", {
            ...during(new Date(start + Math.floor(Math.random() * 30) * 60_000).toISOString(), 30),
            ...{ kind: "flight", aircraft_id: school.aircraftId },
          }),
        ).concat(),
      );
      // Starts differ by less than the length, so any two overlap.
      expect(statuses(answers)).toEqual([201, ...times(31, () => 409)]);
    }
  }, 300_000);

  test("is allowed exactly if a list of all intervals has none that overlaps", async () => {
    const school = await newSchool();
    const other = expectStatus(
      201,
      await school.owner.post("/aircraft", { registration: "D-EXYZ", model: "C152", class: "SEP" }),
    ).body.data.id;
    const planes = [school.aircraftId, other];
    let day = 0;
    const slot = fc.integer({ min: 0, max: 12 });
    const command = fc.oneof(
      fc.record({
        do: fc.constant("book" as const),
        plane: fc.nat(1),
        from: slot,
        length: fc.integer({ min: 1, max: 4 }),
      }),
      fc.record({
        do: fc.constant("move" as const),
        which: fc.nat(20),
        plane: fc.nat(1),
        from: slot,
        length: fc.integer({ min: 1, max: 4 }),
      }),
      fc.record({ do: fc.constant("cancel" as const), which: fc.nat(20) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
        day += 1;
        const at = (n: number) => new Date(Date.UTC(2090, 0, day) + n * 900_000).toISOString();
        const model: { id: string; plane: number; from: number; to: number }[] = [];
        for (const one of commands) {
          const known = "which" in one ? model[one.which % Math.max(1, model.length)] : undefined;
          if (one.do === "cancel") {
            if (!known) continue;
            expectStatus(200, await school.owner.post(`/planning/sessions/${known.id}/cancel`, { reason: "other" }));
            model.splice(model.indexOf(known), 1);
            continue;
          }
          if (one.do === "move" && !known) continue;
          const wanted = { plane: one.plane, from: one.from, to: one.from + one.length };
          const isFree = !model.some(
            (other) =>
              other !== known && other.plane === wanted.plane && other.from < wanted.to && wanted.from < other.to,
          );
          const body = { aircraft_id: planes[wanted.plane], start_at: at(wanted.from), end_at: at(wanted.to) };
          const answer = known
            ? await school.owner.patch(`/planning/sessions/${known.id}`, body)
            : await school.owner.post("/planning/sessions", { ...body, kind: "flight" });
          expect(answer.status).toBe(isFree ? (known ? 200 : 201) : 409);
          if (!isFree) continue;
          if (known) Object.assign(known, wanted);
          else model.push({ id: answer.body.data.id, ...wanted });
        }
      }),
      { numRuns: 15 },
    );
  }, 300_000);
});

describe("statuses", () => {
  test("go from planned through check-in, with a draft of the flight, to completed", async () => {
    const school = await newSchool();
    const later = await booked(school.owner, lesson(school, "2026-06-14T22:00Z"));
    // In Berlin it is the next day already.
    const tooEarly = await school.instructor.post(`/planning/sessions/${later.id}/check-in`);
    expect(expectStatus(409, tooEarly).body.error.message).toBe("The session is on 2026-06-15. Check in on that day.");
    const { id } = await booked(school.owner, { ...lesson(school, "2026-06-14T06:00Z"), title: "Circuits" });
    const session = `/planning/sessions/${id}`;
    expectStatus(409, await school.instructor.post(`${session}/complete`));
    const { flight_id, status } = expectStatus(200, await school.instructor.post(`${session}/check-in`)).body.data;
    expect(status).toBe("checked_in");
    expect((await school.instructor.get(`/flights/${flight_id}`)).body.data).toMatchObject({
      ...{
        status: "draft",
        nature: "training",
        lesson: "Circuits",
        off_block_at: null,
      },
      crew: [
        { person_id: school.instructor.personId, function: "instructor" },
        { person_id: school.student.personId, function: "dual" },
      ],
    });
    expectStatus(409, await school.owner.post(`${session}/check-in`));
    expectStatus(409, await school.owner.patch(session, { title: "Late" }));
    expect(expectStatus(200, await school.instructor.post(`${session}/complete`)).body.data.status).toBe("completed");
    expectStatus(409, await school.owner.post(`${session}/cancel`, { reason: "other" }));
    // One that has not begun is not completed.
    const soon = await booked(school.owner, lesson(school, "2026-06-14T18:00Z"));
    expectStatus(200, await school.instructor.post(`/planning/sessions/${soon.id}/check-in`));
    expectStatus(409, await school.instructor.post(`/planning/sessions/${soon.id}/complete`));
  });

  /** Checks in, and submits the flight that this drafts. */
  const flownFrom = async (school: School, start: string) => {
    const { owner } = school;
    const { id } = await booked(owner, lesson(school, start));
    const { flight_id } = expectStatus(200, await owner.post(`/planning/sessions/${id}/check-in`)).body.data;
    const times = { off_block_at: "2026-06-14T06:00:00Z", on_block_at: "2026-06-14T07:00:00Z" };
    const flown = { ...times, departure: "EDFE", arrival: "EDFE", day_landings: 1 };
    expectStatus(200, await owner.patch(`/flights/${flight_id}`, flown));
    expectStatus(200, await owner.post(`/flights/${flight_id}/submit`));
    const read = async () => expectStatus(200, await owner.get(`/planning/sessions/${id}`)).body.data;
    const act = async (verb: string, body: object = {}) =>
      expectStatus(200, await owner.post(`/flights/${flight_id}/${verb}`, body));
    return { id, read, act };
  };

  test("the approval of the flight completes its session, and a reversal leaves it completed", async () => {
    const school = await newOwnSchool();
    const { owner, installation } = school;
    // Flown before its time.
    const { id, read, act } = await flownFrom(school, "2026-06-14T18:00Z");
    await act("reject", { reason: "Wrong times." });
    expect((await read()).status).toBe("checked_in");
    await act("submit");
    const before = await read();
    installation.clock.advance(60_000);
    await act("approve");
    const after = await read();
    expect(after).toEqual({ ...before, status: "completed", updated_at: expect.any(String) });
    expect(after.updated_at > before.updated_at).toBe(true);
    const log = await owner.get(`/audit-log?subject_id=${id}&action=planning_session.completed`);
    expect(expectStatus(200, log).body.data).toMatchObject([{ after: { status: "completed" } }]);
    expectStatus(409, await owner.post(`/planning/sessions/${id}/complete`));
    await act("reverse", { reason: "Wrong aircraft." });
    expect((await read()).status).toBe("completed");
  });

  test("a session that was completed by hand stays as it is when its flight is approved", async () => {
    const school = await newSchool();
    const { id, read, act } = await flownFrom(school, "2026-06-14T06:00Z");
    expectStatus(200, await school.owner.post(`/planning/sessions/${id}/complete`));
    const before = await read();
    await act("approve");
    expect(await read()).toEqual(before);
  });

  test("the session of a flight is looked up in an index", async () => {
    const { installation, orgId } = await newSchool();
    if (!isId<"organization">(orgId)) throw new Error("It is an id.");
    const plan = await installation.storage.tenants
      .tenant(orgId)
      .read((reader) => planOf(reader, (reader) => checkedInFor(reader, { flightId: "any" })));
    expect(plan).toEqual(["SEARCH planning_sessions USING INDEX planning_sessions_flight (flight_id=?)"]);
  });

  test("no-show only once the session has begun, and it frees the rest", async () => {
    const school = await newSchool();
    const soon = await booked(school.owner, solo(school, "2098-07-01T10:00Z"));
    expectStatus(409, await school.owner.post(`/planning/sessions/${soon.id}/no-show`));
    const past = await booked(school.owner, solo(school, "2020-07-01T10:00Z"));
    expect(expectStatus(200, await school.owner.post(`/planning/sessions/${past.id}/no-show`)).body.data.status).toBe(
      "no_show",
    );
    await booked(school.owner, solo(school, "2020-07-01T10:00Z"));
  });
});

test("an archived room does not keep anybody from flying, and the checks name it", async () => {
  const school = await newSchool();
  const { owner, instructor } = school;
  const { id: room_id } = expectStatus(201, await owner.post("/planning/rooms", { name: "Attic" })).body.data;
  const { id } = await booked(owner, { ...lesson(school, "2026-06-14T10:00Z"), room_id });
  expectStatus(200, await owner.patch(`/planning/rooms/${room_id}`, { status: "archived" }));
  const checks = expectStatus(200, await owner.get(`/planning/sessions/${id}/checks`)).body.data;
  expect(checks).toContainEqual(
    expect.objectContaining({ rule: "room_archived", action: "block", resource: { type: "room", id: room_id } }),
  );
  expectStatus(409, await owner.patch(`/planning/sessions/${id}`, { title: "Other" }));
  expectStatus(200, await instructor.post(`/planning/sessions/${id}/check-in`));
});

describe("students", () => {
  test("learn about others only that somebody is not ready", async () => {
    const school = await newSchool();
    const { owner, student, instructor } = school;
    const other = await school.join(["student"], "Other Student");
    const students = { student_ids: [student.personId, other.personId] };
    const session = await booked(owner, { ...during("2098-07-01T10:00Z"), kind: "ground", ...students });
    for (const person_id of [other.personId, instructor.personId])
      expectStatus(
        201,
        await owner.post("/planning/absences", { person_id, from_on: "2098-07-01", until_on: "2098-07-02" }),
      );
    const checks = expectStatus(200, await student.get(`/planning/sessions/${session.id}/checks`)).body.data;
    const message = "Another person who takes part is not ready, or not available.";
    const hidden = { rule: "person", message, resource: null, session_id: null };
    expect(checks).toEqual([{ ...hidden, action: "block", start_at: session.start_at, end_at: session.end_at }]);
    expect((await owner.get(`/planning/sessions/${session.id}/checks`)).text).toContain("Other Student is away");
    const answer = await student.post("/planning/sessions", lesson(school, "2098-07-02T10:00Z"));
    expect(expectStatus(409, answer).body.conflicts).toEqual([expect.objectContaining(hidden)]);
    expect(answer.text).not.toContain("Ines");
  });

  test("change and cancel their own sessions only until they begin", async () => {
    const school = await newSchool();
    const { student, owner } = school;
    const { id } = await booked(owner, solo(school, "2026-06-14T08:30Z"));
    const session = `/planning/sessions/${id}`;
    for (const answer of [
      await student.post(`${session}/cancel`, { reason: "student" }),
      await student.patch(session, during("2026-06-15T10:00Z")),
      await student.post(`${session}/reschedule`, { start_at: "2026-06-15T10:00:00Z" }),
    ])
      expect(expectStatus(409, answer).body.error.message).toBe("The session has begun. Ask the school to change it.");
    expectStatus(200, await owner.post(`${session}/cancel`, { reason: "student" }));
  });

  test("find only slots that the school lets them book", async () => {
    const school = await newSchool();
    const { owner, student, aircraftId } = school;
    const settings = async (change: object) => expectStatus(200, await owner.patch("/planning/settings", change));
    const slots = async (by: Pick<typeof owner, "get"> = student, more = "limit=50") =>
      expectStatus(
        200,
        await by.get(`/planning/free-slots?aircraft_id=${aircraftId}&minutes=1440&${more}`),
      ).body.data.map(({ start_at }: { start_at: string }) => start_at.slice(0, 16));
    await settings({ min_hours_ahead: 24, max_days_ahead: 2 });
    expect(await slots()).toEqual(["2026-06-15T09:00", "2026-06-16T09:00"]);
    expect(await slots(student, "from=2026-06-17T00:00:00Z")).toEqual([]);
    expect((await slots(owner)).slice(0, 1)).toEqual(["2026-06-14T09:00"]);
    await settings({ max_open_bookings: 1 });
    await booked(student, solo(school, "2026-06-15T12:00Z"));
    expect(await slots()).toEqual([]);
    await settings({ max_open_bookings: null, students_book: false });
    expect(await slots()).toEqual([]);
  });

  test("book for themselves only, and see only their own sessions", async () => {
    const school = await newSchool();
    const { student, instructor } = school;
    const other = await school.join(["student"], "Other Student");
    const own = await booked(student, lesson(school, "2098-07-01T10:00Z"));
    const foreign = { ...lesson(school, "2098-07-01T12:00Z"), student_ids: [other.personId] };
    expect(expectStatus(403, await student.post("/planning/sessions", foreign)).body.error.reason).toBe(
      "not_own_session",
    );
    expectStatus(
      403,
      await student.post("/planning/sessions", {
        ...during("2098-07-02T10:00Z"),
        kind: "maintenance",
        aircraft_id: school.aircraftId,
      }),
    );
    const theirs = await booked(instructor, foreign);
    expect((await student.get("/planning/sessions")).body.data.map(({ id }: { id: string }) => id)).toEqual([own.id]);
    expect((await student.get(`/planning/sessions?person_id=${other.personId}`)).body.data).toEqual([]);
    expectStatus(404, await student.get(`/planning/sessions/${theirs.id}`));
    expectStatus(404, await student.post(`/planning/sessions/${theirs.id}/cancel`, { reason: "other" }));
    expectStatus(404, await student.patch(`/planning/sessions/${theirs.id}`, { title: "Mine" }));
    const busy = await student.get(
      `/planning/busy?resource_id=${school.aircraftId}&from=2098-07-01T11:00:00Z&to=2098-07-02T00:00:00Z`,
    );
    expect(busy.body.data).toEqual([{ type: "aircraft", start_at: foreign.start_at, end_at: foreign.end_at }]);
    expectStatus(200, await student.post(`/planning/sessions/${own.id}/cancel`, { reason: "student" }));
  });

  test("book from the earliest to the latest start that the school allows, and see at most 31 days of who is busy", async () => {
    const school = await newSchool();
    const { owner, student, installation } = school;
    const after = (seconds: number) => new Date(installation.clock.now().getTime() + seconds * 1000).toISOString();
    expectStatus(200, await owner.patch("/planning/settings", { min_hours_ahead: 2, max_days_ahead: 3 }));
    const hour = 3600;
    for (const tooFar of [2 * hour - 60, 72 * hour + 60])
      expectStatus(409, await student.post("/planning/sessions", solo(school, after(tooFar))));
    for (const allowed of [2 * hour, 72 * hour]) await booked(student, solo(school, after(allowed)));

    const busy = (to: string) =>
      student.get(`/planning/busy?resource_id=${school.aircraftId}&from=2098-07-01T00:00:00Z&to=${to}`);
    for (const to of ["2098-07-01T00:00:00Z", "2098-08-01T00:00:00Z"]) expectStatus(200, await busy(to));
    for (const to of ["2098-06-30T23:59:59Z", "2098-08-01T00:00:01Z"]) expectStatus(400, await busy(to));
  });

  test("book within the limits of the school", async () => {
    const school = await newSchool();
    const { owner, student, installation } = school;
    const inHours = (hours: number) => new Date(installation.clock.now().getTime() + hours * 3_600_000).toISOString();
    const limits = { min_hours_ahead: 2, max_days_ahead: 3, max_open_bookings: 1 };
    expectStatus(200, await owner.patch("/planning/settings", limits));
    const messageOf = async (hours: number) =>
      expectStatus(409, await student.post("/planning/sessions", solo(school, inHours(hours)))).body.error.message;
    expect(await messageOf(1)).toBe("Book at least 2 hours before the start.");
    expect(await messageOf(73)).toBe("Book at most 3 days before the start.");
    const first = await booked(student, solo(school, inHours(3)));
    expect(await messageOf(30)).toContain("may not have more");
    // The limit counts others: the session itself may be moved.
    expectStatus(200, await student.patch(`/planning/sessions/${first.id}`, during(inHours(5))));
    await booked(owner, solo(school, inHours(100)));
    expect(
      expectStatus(200, await student.post(`/planning/sessions/${first.id}/cancel`, { reason: "student" })).body.data
        .cancellation.late,
    ).toBe(true);
  });

  test("request what the school confirms; a request takes up its time already", async () => {
    const school = await newSchool();
    expectStatus(200, await school.owner.patch("/planning/settings", { confirm_requests: true }));
    const { id, status } = await booked(school.student, lesson(school, "2098-07-01T10:00Z"));
    expect(status).toBe("requested");
    expect(await refused(school.owner, solo(school, "2098-07-01T10:00Z"))).toContain("overlap");
    expectStatus(403, await school.student.post(`/planning/sessions/${id}/confirm`));
    expectStatus(409, await school.instructor.post(`/planning/sessions/${id}/check-in`));
    expect(expectStatus(200, await school.instructor.post(`/planning/sessions/${id}/confirm`)).body.data.status).toBe(
      "planned",
    );
    // A student who writes what they bring does not ask again.
    const noted = { title: "Circuits", notes: "I bring the headset.", ...during("2098-07-01T10:00Z") };
    expect(await school.student.patch(`/planning/sessions/${id}`, noted)).toMatchObject({
      status: 200,
      body: { data: { status: "planned", title: "Circuits" } },
    });
    const sameStart = await school.student.post(`/planning/sessions/${id}/reschedule`, {
      start_at: "2098-07-01T12:00:00+02:00",
    });
    expect(expectStatus(200, sameStart).body.data.status).toBe("planned");
    // One who moves it does.
    const moved = await school.student.patch(`/planning/sessions/${id}`, during("2098-07-01T12:00Z"));
    expect(expectStatus(200, moved).body.data.status).toBe("requested");
  });
});

test("the public API lists sessions by start, kind, aircraft and instructor", async () => {
  const school = await newSchool();
  const key = await school.apiKey("public.planning:read");
  const flight = await booked(school.owner, solo(school, "2098-07-01T10:00Z"));
  const taught = await booked(school.owner, { ...lesson(school, "2098-07-02T10:00Z"), notes: "Private." });
  const ids = async (query: string) =>
    expectStatus(200, await school.publicGet(`/planning/sessions?${query}`, key)).body.data.map(
      ({ id }: { id: string }) => id,
    );
  expect(await ids("")).toEqual([flight.id, taught.id]);
  expect(await ids("kind=lesson")).toEqual([taught.id]);
  expect(await ids("from=2098-07-01T10:00:00Z&to=2098-07-02T10:00:00Z")).toEqual([flight.id]);
  expect(await ids(`aircraft_id=${school.aircraftId}&instructor_id=${school.instructor.personId}`)).toEqual([
    taught.id,
  ]);
  const one = expectStatus(200, await school.publicGet(`/planning/sessions/${taught.id}`, key)).body.data;
  expect(one).toMatchObject({ kind: "lesson", resource: { type: "aircraft", id: school.aircraftId } });
  expect(one).not.toHaveProperty("notes");
  expectStatus(404, await school.publicGet("/planning/sessions/01890a5d-ac96-774b-bcce-b302099a8057", key));
});
