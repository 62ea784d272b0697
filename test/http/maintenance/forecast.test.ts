import { expect, test } from "bun:test";
import { expectStatus, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { booked, during, solo } from "../planning/booking.ts";
import { addItem, fly } from "./maintaining.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

const forecastOf = async ({ owner }: School, query = ""): Promise<Body> =>
  expectStatus(200, await owner.get(`/maintenance/forecast${query}`)).body.data;
const itemsOf = async (school: School, query = "") =>
  Object.fromEntries((await forecastOf(school, query)).items.map((item: Body) => [item.name, item]));

/** Of 1234.50 hours, that many are left of 100. */
const left = (hours: number) => ({
  ...{ interval_hours: "100.00", last_done_on: "2026-01-10" },
  last_done_airframe_minutes: 74_070 - (100 - hours) * 60,
});
/** An hour, that many days ago. */
const daysAgo = (days: number) => ({
  off_block_at: new Date(Date.parse("2026-06-14T06:00Z") - days * 86_400_000).toISOString(),
  on_block_at: new Date(Date.parse("2026-06-14T07:00Z") - days * 86_400_000).toISOString(),
});

/** Books each day from a day on for two hours. */
async function book(school: School, first: string, count: number) {
  for (let at = 0; at < count; at += 1)
    await booked(
      school.owner,
      solo(school, new Date(Date.parse(`${first}T10:00Z`) + at * 86_400_000).toISOString(), 120),
    );
}

test("items are due by what is booked: in the session that uses more than is left, or on their date", async () => {
  const school = await newOwnSchool();
  const { owner, aircraftId } = school;
  await book(school, "2026-09-01", 4);
  const cancelled = await booked(owner, solo(school, "2026-08-01T10:00Z", 600));
  expectStatus(200, await owner.post(`/planning/sessions/${cancelled.id}/cancel`, { reason: "weather" }));
  await booked(owner, { kind: "maintenance", aircraft_id: aircraftId, ...during("2026-08-02T08:00Z", 600) });
  await addItem(school, { name: "Third", ...left(5) });
  await addItem(school, { name: "Exactly all", ...left(8) });
  await addItem(school, { name: "By its date", ...left(5), interval_months: 8 });
  await addItem(school, { name: "Before its date", ...left(5), interval_months: 12 });
  await addItem(school, { name: "Calendar", interval_months: 12, last_done_on: "2026-01-10" });
  await addItem(school, { name: "Unknown", interval_hours: "50.00" });

  const { aircraft } = await forecastOf(school);
  expect(aircraft).toEqual([
    {
      ...{ id: aircraftId, registration: "D-EABC", status: "available", booked_hours: "8.00" },
      per_booked_hour: { airframe: "1.00", hobbs: "1.00", tacho: "1.00" },
    },
  ]);
  const items = await itemsOf(school);
  expect(items.Third).toMatchObject({
    ...{ aircraft_registration: "D-EABC", remaining_hours: "5.00", due_hours: "1239.50", interval_hours: "100.00" },
    ...{ booked_on: "2026-09-03", forecast_on: null, due_by: null, status: "upcoming" },
  });
  expect(items["Exactly all"]).toMatchObject({ booked_on: null, beyond_from: null, booked_beyond: 0 });
  // The bookings from the session on in which the hours run out; those after its last day; all of what is overdue.
  expect(items.Third).toMatchObject({ beyond_from: "2026-09-03T10:00:00.000Z", booked_beyond: 2 });
  expect(items.Calendar).toMatchObject({ beyond_from: "2027-01-10T23:00:00.000Z", booked_beyond: 0 });
  expect(items.Unknown).toMatchObject({ beyond_from: "2026-06-14T09:00:00.000Z", booked_beyond: 4 });
  expect(items["By its date"]).toMatchObject({ booked_on: "2026-09-03", due_on: "2026-09-10", due_by: "date" });
  expect(items["Before its date"]).toMatchObject({ booked_on: "2026-09-03", due_on: "2027-01-10" });
  expect(items.Calendar).toMatchObject({ booked_on: "2027-01-10", forecast_on: "2027-01-10", due_by: "date" });
  expect(items.Unknown).toMatchObject({ status: "overdue", due_by: "hours", booked_on: null });

  // What is overdue first, then the earliest.
  expect(Object.keys(items)).toEqual(["Unknown", "Before its date", "By its date", "Third", "Calendar", "Exactly all"]);
  expect(Object.keys(await itemsOf(school, "?until=2026-09-03"))).toEqual([
    ...["Unknown", "Before its date", "By its date", "Third"],
  ]);
  expect(Object.keys(await itemsOf(school, "?status=overdue"))).toEqual(["Unknown"]);
});

test("by its use an item is due by what is reached first, hours or landings, not by what has the smaller share left", async () => {
  const school = await newSchool();
  for (let flight = 0; flight < 2; flight += 1) await fly(school, 60, daysAgo(flight + 1));
  const of = { last_done_landings: 0, last_done_on: "2026-01-10" };
  // An hour and a landing in 45 days each.
  await addItem(school, { name: "Hours", ...left(10), ...of, interval_landings: 12 });
  await addItem(school, { name: "Landings", ...left(50), ...of, interval_landings: 10 });
  const { Hours, Landings } = await itemsOf(school);
  expect(Hours).toMatchObject({ remaining_hours: "8.00", remaining_landings: 10, due_by: "hours" });
  expect(Hours.forecast_on).toBe("2027-06-09");
  expect(Landings).toMatchObject({ remaining_hours: "48.00", remaining_landings: 8, due_by: "landings" });
  expect(Landings.forecast_on).toBe("2027-06-09");
});

test("a booking that uses exactly the minutes that are left is within the limit, as its checks say, and one of a minute more is not", async () => {
  const school = await newOwnSchool();
  const { owner } = school;
  // 20 minutes of 5 hours are used.
  await addItem(school, { interval_hours: "5.00", last_done_on: "2026-01-10", last_done_airframe_minutes: 74_050 });
  const { id } = await booked(owner, solo(school, "2026-09-01T10:00Z", 280));
  const found = async () => {
    const { items } = await forecastOf(school);
    const { data } = expectStatus(200, await owner.get(`/planning/sessions/${id}/checks`)).body;
    const isDue = data.some(({ rule }: Body) => rule === "maintenance_due");
    return [items[0].booked_on, items[0].beyond_from, items[0].booked_beyond, isDue];
  };
  expect(await found()).toEqual([null, null, 0, false]);
  expectStatus(200, await owner.patch(`/planning/sessions/${id}`, during("2026-09-01T10:00Z", 281)));
  expect(await found()).toEqual(["2026-09-01", "2026-09-01T10:00:00.000Z", 1, true]);
});

test("a booking that ends after the last day is beyond the limit, as its checks say, and one until midnight is not", async () => {
  const school = await newOwnSchool();
  const { owner } = school;
  await addItem(school, { interval_months: 12, last_done_on: "2025-09-05" });
  // Until 6 September at 00:00 in Berlin.
  const { id } = await booked(owner, solo(school, "2026-09-04T10:00Z", 36 * 60));
  const found = async () => {
    const { items } = await forecastOf(school);
    const { data } = expectStatus(200, await owner.get(`/planning/sessions/${id}/checks`)).body;
    return [items[0].beyond_from, items[0].booked_beyond, data.some(({ rule }: Body) => rule === "maintenance_due")];
  };
  expect(await found()).toEqual(["2026-09-05T22:00:00.000Z", 0, false]);
  expectStatus(200, await owner.patch(`/planning/sessions/${id}`, during("2026-09-04T10:00Z", 36 * 60 + 1)));
  expect(await found()).toEqual(["2026-09-04T10:00:00.000Z", 1, true]);
});

test("what is booked counts by as much as was flown of earlier bookings", async () => {
  const school = await newOwnSchool();
  const { owner, instructor, aircraftId } = school;
  const now = school.installation.clock.now().getTime();
  await addItem(school, { name: "Check", ...left(8) });
  // Five sessions of two hours, of which one hour was flown each.
  for (let day = 1; day <= 5; day += 1) {
    const start = new Date(now - day * 86_400_000);
    const { id } = await booked(owner, solo(school, start.toISOString(), 120));
    const { flight_id } = expectStatus(200, await owner.post(`/planning/sessions/${id}/check-in`)).body.data;
    const flight = {
      ...{ off_block_at: start.toISOString(), on_block_at: new Date(start.getTime() + 3_600_000).toISOString() },
      ...{ departure: "EDFE", arrival: "EDFE", day_landings: 1 },
    };
    expectStatus(200, await owner.patch(`/flights/${flight_id}`, flight));
    expectStatus(200, await owner.post(`/flights/${flight_id}/submit`));
    expectStatus(200, await instructor.post(`/flights/${flight_id}/approve`));
    if (day === 4) expect((await forecastOf(school)).aircraft[0].per_booked_hour.airframe).toBe("1.00");
  }
  await book(school, "2026-09-01", 4);
  const { aircraft, items } = await forecastOf(school, `?aircraft_id=${aircraftId}`);
  expect(aircraft[0].per_booked_hour).toEqual({ airframe: "0.50", hobbs: "1.00", tacho: "1.00" });
  // 3 of 8 hours are left, and a session uses one: the fourth exceeds them.
  expect(items[0]).toMatchObject({ remaining_hours: "3.00", booked_on: "2026-09-04" });
  expect(items[0].forecast_on).not.toBeNull();
  expect(items[0].due_by).toBe("hours");
});

test("the forecast is for those who may read the maintenance, and without archived aircraft", async () => {
  const school = await newSchool();
  const { owner } = school;
  const other = expectStatus(
    201,
    await owner.post("/aircraft", { registration: "D-EOLD", model: "C152", class: "SEP" }),
  );
  const { id } = other.body.data;
  await addItem(school, { name: "Here", interval_months: 12 });
  await addItem(school, { name: "Gone", aircraft_id: id, interval_months: 12 });
  expect(Object.keys(await itemsOf(school)).sort()).toEqual(["Gone", "Here"]);
  expectStatus(200, await owner.patch(`/aircraft/${id}`, { status: "archived" }));
  expect(Object.keys(await itemsOf(school))).toEqual(["Here"]);
  expectStatus(200, await (await school.join(["mechanic"])).get("/maintenance/forecast"));
  expectStatus(403, await school.student.get("/maintenance/forecast"));
});
