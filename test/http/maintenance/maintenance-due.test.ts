/** The job `maintenance-due`: what the calendar changes. */
import { expect, test } from "bun:test";
import { maintenanceDue } from "../../../src/modules/maintenance/maintenance.jobs.ts";
import { newOwnSchool } from "../../support/school.ts";
import { addItem, alertNames, fly, maintenanceDueOf, signedIn, tenantOf } from "./maintaining.ts";

test("an item becomes upcoming and overdue at midnight in the organization's time zone, reported once each", async () => {
  const school = await newOwnSchool();
  const { clock } = school.installation;
  const run = maintenanceDueOf(school);
  const statusNow = async (id: string) => {
    const { status, past_tolerance } = (await (await signedIn(school)).get(`/maintenance/items/${id}`)).body.data;
    return [status, past_tolerance];
  };
  const done = { interval_months: 12, tolerance_days: 5, last_done_on: "2025-08-01", critical: true };
  const { id } = await addItem(school, done);
  const dueFrom = () =>
    tenantOf(school).read(
      (reader) => maintenanceDue.dueFrom?.(reader, { eventRetentionDays: 30 }) ?? Promise.resolve(null),
    );

  expect(String(await dueFrom())).toBe("2026-07-01T22:00:00.000Z");
  clock.set("2026-07-01T21:59:59.999Z");
  expect(await run()).toBe("nothing_due");
  clock.set("2026-07-01T22:00:00.000Z");
  expect(await run()).toEqual({ summary: "Assessed 1 aircraft in 1 school.", failed: false });
  expect(await statusNow(id)).toEqual(["upcoming", false]);
  expect(await run()).toBe("nothing_due");

  expect(String(await dueFrom())).toBe("2026-08-01T22:00:00.000Z");
  clock.set("2026-08-01T22:00:00.000Z");
  await run();
  expect(await statusNow(id)).toEqual(["overdue", false]);
  clock.set("2026-08-06T21:59:59.999Z");
  expect(await run()).toBe("nothing_due");
  clock.set("2026-08-06T22:00:00.000Z");
  await run();
  expect(await statusNow(id)).toEqual(["overdue", true]);
  expect(await alertNames(school)).toEqual(["item_upcoming", "item_overdue", "aircraft_grounded"]);
  expect(await dueFrom()).toBeNull();

  const owner = await signedIn(school);
  const aircraft = (await owner.get(`/aircraft/${school.aircraftId}`)).body.data;
  expect(aircraft).toMatchObject({ status: "grounded", groundings: [{ kind: "maintenance", grounded_by: null }] });
});

test("an item of an archived aircraft changes without an alert, and grounds it when that is undone", async () => {
  const school = await newOwnSchool();
  const run = maintenanceDueOf(school);
  await addItem(school, { interval_months: 12, last_done_on: "2025-08-01", critical: true });
  await school.owner.patch(`/aircraft/${school.aircraftId}`, { status: "archived" });
  school.installation.clock.set("2026-09-01T10:00:00.000Z");
  await run();
  expect(await alertNames(school)).toEqual([]);
  const owner = await signedIn(school);
  expect((await owner.get(`/aircraft/${school.aircraftId}`)).body.data).toMatchObject({
    status: "archived",
    groundings: [{ kind: "maintenance" }],
  });
});

test("a forecast whose day has passed, because less is flown than before, becomes a later one, and none without any use", async () => {
  const school = await newOwnSchool();
  const { clock } = school.installation;
  const run = maintenanceDueOf(school);
  const forecastNow = async () => {
    const by = await signedIn(school);
    const [item] = (await by.get("/maintenance/items")).body.data;
    const { items } = (await by.get("/maintenance/forecast")).body.data;
    expect([items[0].forecast_on, items[0].due_by]).toEqual([item.forecast_on, item.forecast_on && "hours"]);
    return [item.status, item.remaining_hours, item.forecast_on];
  };
  // Ten hours in 90 days; 5 of 15 are left: 45 days.
  await addItem(school, { interval_hours: "15.00", last_done_on: "2026-01-10", last_done_airframe_minutes: 74_070 });
  await fly(school, 300, { off_block_at: "2026-06-12T06:00:00Z", on_block_at: "2026-06-12T11:00:00Z" });
  await fly(school, 300, { off_block_at: "2026-06-13T06:00:00Z", on_block_at: "2026-06-13T11:00:00Z" });
  expect(await forecastNow()).toEqual(["upcoming", "5.00", "2026-07-29"]);
  clock.set("2026-07-29T21:59:59Z");
  expect(await run()).toBe("nothing_due");
  clock.set("2026-07-29T22:00:00Z");
  await run();
  expect(await forecastNow()).toEqual(["upcoming", "5.00", "2026-09-13"]);
  clock.set("2026-09-13T22:00:00Z");
  await run();
  expect(await forecastNow()).toEqual(["upcoming", "5.00", null]);
  clock.set("2027-09-13T22:00:00Z");
  expect(await run()).toBe("nothing_due");
});
