import { describe, expect, test } from "bun:test";
import type { LegalDate } from "../../../src/core/dates.ts";
import { occurrences } from "../../../src/modules/planning/series/occurrences.ts";
import { expectStatus, newSchool, type School } from "../../support/school.ts";
import { booked, lesson, solo } from "./booking.ts";

const tuesdays = (school: School, change: object = {}) => {
  const { start_at: _, end_at: __, ...content } = lesson(school, "2098-01-01T00:00Z");
  // 2098-03-18 and the four Tuesdays after it; the clock changes on 30 March.
  return { ...content, from_on: "2098-03-18", count: 4, weekdays: [2], from_time: "18:00", minutes: 90, ...change };
};
interface Occurrence {
  id: string;
  start_at: string;
}
const starts = (sessions: Occurrence[]) => sessions.map(({ start_at }) => start_at);

test("a series keeps its local time; one conflict is named and the others are offered", async () => {
  const school = await newSchool();
  const { owner } = school;
  const blocking = await booked(owner, solo(school, "2098-03-25T17:30Z"));
  const { body } = expectStatus(409, await owner.post("/planning/series", tuesdays(school)));
  expect(body.error.message).toStartWith("1 of 4 sessions can't be booked. D-EABC is booked from 2098-03-25T17:30");
  expect(new Set(body.conflicts.map(({ session_id }: { session_id: string }) => session_id))).toEqual(
    new Set([blocking.id]),
  );
  const dryRun = expectStatus(200, await owner.post("/planning/series", tuesdays(school, { dry_run: true })));
  const dry = dryRun.body.data;
  expect(dryRun.headers.get("location")).toBeNull();
  expect((await owner.get("/planning/sessions")).body.data).toHaveLength(1);
  const booking = await owner.post("/planning/series", tuesdays(school, { on_conflict: "skip" }));
  const taken = expectStatus(201, booking).body.data;
  const skipped = await owner.post("/planning/series", tuesdays(school, { on_conflict: "skip" }));
  expect(expectStatus(200, skipped).body.data.sessions).toEqual([]);
  const expected = ["2098-03-18T17:00:00.000Z", "2098-04-01T16:00:00.000Z", "2098-04-08T16:00:00.000Z"];
  expect(starts(dry.sessions)).toEqual(expected);
  expect(starts(taken.sessions)).toEqual(expected);
  expect(taken.conflicts).toEqual(body.conflicts);
  const listed = await owner.call("GET", booking.headers.get("location") ?? "");
  expect(listed.body.data).toEqual(taken.sessions);
});

test("this and following: moved to the same local time, or cancelled; all or none", async () => {
  const school = await newSchool();
  const { owner } = school;
  const series = expectStatus(201, await owner.post("/planning/series", tuesdays(school))).body.data;
  const [, second, third, fourth] = series.sessions;
  const move = (by: string, body: object) => owner.post(`/planning/sessions/${by}/reschedule`, body);
  // The second to Wednesday, 09:00 in Berlin; the third and fourth are in summer time.
  const later = { start_at: "2098-03-26T08:00:00Z", scope: "following" };
  const { id } = await booked(owner, solo(school, "2098-04-09T07:30Z"));
  expectStatus(409, await move(second.id, later));
  const all = async () => starts((await owner.get(`/planning/sessions?series_id=${series.series_id}`)).body.data);
  expect(await all()).toEqual(starts(series.sessions));
  expectStatus(200, await owner.post(`/planning/sessions/${id}/cancel`, { reason: "other" }));
  expect(expectStatus(200, await move(second.id, later)).body.data).toMatchObject({
    sequence: 1,
    end_at: "2098-03-26T09:30:00.000Z",
  });
  const moved = [
    "2098-03-18T17:00:00.000Z",
    "2098-03-26T08:00:00.000Z",
    "2098-04-02T07:00:00.000Z",
    "2098-04-09T07:00:00.000Z",
  ];
  expect(await all()).toEqual(moved);
  // By less than their length: a session does not clash with its own former time.
  expectStatus(200, await move(second.id, { start_at: "2098-03-26T08:30:00Z", scope: "following" }));
  expectStatus(
    200,
    await owner.post(`/planning/sessions/${third.id}/cancel`, { reason: "school", scope: "following" }),
  );
  const statusOf = async (one: string) => (await owner.get(`/planning/sessions/${one}`)).body.data.status;
  expect(await statusOf(second.id)).toBe("planned");
  expect([await statusOf(third.id), await statusOf(fourth.id)]).toEqual(["cancelled", "cancelled"]);
});

test("a student cancels and moves no sessions of others, also if they are of the same series", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const other = await school.join(["student"], "Other Student");
  const { sessions } = expectStatus(201, await student.post("/planning/series", tuesdays(school))).body.data;
  const [first, , third] = sessions;
  expectStatus(200, await owner.patch(`/planning/sessions/${third.id}`, { student_ids: [other.personId] }));
  const path = `/planning/sessions/${first.id}`;
  const following = { reason: "student", scope: "following" };
  const refusal = expectStatus(403, await student.post(`${path}/cancel`, following));
  expect(refusal.body.error.reason).toBe("not_own_session");
  const later = { start_at: "2098-03-18T18:00:00Z", scope: "following" };
  expectStatus(403, await student.post(`${path}/reschedule`, later));
  const statuses = async () =>
    (await owner.get("/planning/sessions")).body.data.map(({ status }: { status: string }) => status);
  expect(await statuses()).toEqual(["planned", "planned", "planned", "planned"]);
  expectStatus(200, await owner.post(`${path}/cancel`, following));
  expect(await statuses()).toEqual(["cancelled", "cancelled", "cancelled", "cancelled"]);
});

test("what the school does not allow a student is a conflict of those sessions; the others are booked", async () => {
  const school = await newSchool();
  expectStatus(200, await school.owner.patch("/planning/settings", { max_open_bookings: 2 }));
  const series = tuesdays(school, { on_conflict: "skip" });
  const { sessions, conflicts } = expectStatus(201, await school.student.post("/planning/series", series)).body.data;
  expect(sessions).toHaveLength(2);
  const rules = conflicts.map(({ rule, start_at }: { rule: string; start_at: string }) => [
    rule,
    start_at.slice(0, 10),
  ]);
  expect(rules).toEqual([
    ["booking_limited", "2098-04-01"],
    ["booking_limited", "2098-04-08"],
  ]);
});

test("a series is bounded, and of days that exist", async () => {
  const school = await newSchool();
  const faultOf = async (change: object) =>
    expectStatus(400, await school.owner.post("/planning/series", tuesdays(school, change))).body.issues[0].path;
  expect(await faultOf({ count: null })).toBe("body.count");
  expect(await faultOf({ count: null, until_on: "2198-01-01" })).toBe("body.until_on");
  expect(await faultOf({ count: null, from_on: "2098-03-19", until_on: "2098-03-20" })).toBe("body.weekdays");
  const daily = { count: null, weekdays: [1, 2, 3, 4, 5, 6, 7], dry_run: true };
  const hundred = tuesdays(school, { ...daily, until_on: "2098-06-25" });
  expect(expectStatus(200, await school.owner.post("/planning/series", hundred)).body.data.sessions).toHaveLength(100);
  expect(await faultOf({ ...daily, until_on: "2098-06-26" })).toBe("body.until_on");
});

describe("occurrences on days of a clock change", () => {
  const on = (timeZone: string, date: string, from_time: string) =>
    occurrences(
      {
        from_on: date as LegalDate,
        until_on: date as LegalDate,
        count: null,
        weekdays: [1, 2, 3, 4, 5, 6, 7],
        from_time,
        minutes: 60,
      },
      timeZone,
    );
  test.each([
    // The clock goes forward: the time does not exist.
    ["Europe/Berlin", "2026-03-29", "02:30", "2026-03-29T01:30:00.000Z"],
    ["America/St_Johns", "2026-03-08", "02:30", "2026-03-08T06:00:00.000Z"],
    // The clock goes back: the time exists twice.
    ["Europe/Berlin", "2026-10-25", "02:30", "2026-10-25T00:30:00.000Z"],
    ["America/St_Johns", "2026-11-01", "01:30", "2026-11-01T04:00:00.000Z"],
    // The days around.
    ["Europe/Berlin", "2026-03-28", "18:00", "2026-03-28T17:00:00.000Z"],
    ["Europe/Berlin", "2026-03-29", "18:00", "2026-03-29T16:00:00.000Z"],
    ["America/St_Johns", "2026-10-31", "18:00", "2026-10-31T20:30:00.000Z"],
    ["America/St_Johns", "2026-11-01", "18:00", "2026-11-01T21:30:00.000Z"],
  ])("%s %s %s is %s", (timeZone, date, at, start) => {
    const [found] = on(timeZone, date, at);
    expect(found?.start_at as string).toBe(start);
    expect(Date.parse(found?.end_at ?? "") - Date.parse(start)).toBe(3_600_000);
  });
});
