/** Upgrades a school whose releases and items were done on a day, in a time zone that it then leaves. */
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { asc, sql } from "drizzle-orm";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import { lastDoneOf } from "../../src/modules/maintenance/items/last-done.ts";
import { maintenanceItems, workOrders } from "../../src/modules/maintenance/maintenance.tables.ts";
import { releaseOf } from "../../src/modules/maintenance/work-orders/release-readings.ts";
import { SqliteFile } from "../../src/storage/sqlite-file.ts";
import { TestClock } from "../support/clock.ts";
import { cleanUp, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

const options = { clock: new TestClock(), onEffectError: () => undefined, fresh: true };
const created = "2026-06-01T00:00:00.000Z";
const updated = "2026-06-20T00:00:00.000Z";

/** The day ends at 12:00 in UTC. */
const inAuckland = { on: "2026-06-10", ends: "2026-06-10T12:00:00.000Z" };

const corrections = [
  { at: "2026-06-09T00:00:00.000Z", hobbs: 100 },
  { at: "2026-06-12T00:00:00.000Z", hobbs: -500 },
  { at: "2026-06-25T00:00:00.000Z", hobbs: 7000 },
];

/** A file of the version before. */
async function oldFile(path: string) {
  const before = tenantMigrations.findIndex((text) => text.includes("zone_of_dates"));
  const old = await SqliteFile.open("tenant", path, tenantMigrations.slice(0, before), options);
  await old.write(async (tx) => {
    await tx.run(sql`insert into meta (org_id, name, time_zone, created_at, data_key, sealed_by)
      values ('o', 'School', 'Pacific/Auckland', ${created}, 'k', 'k')`);
    for (const id of ["corrected", "untouched"])
      await tx.run(sql`insert into aircraft (id, registration, model, class, billing_basis, status, hobbs, tacho,
          airframe_minutes, landings, opening_hobbs, opening_tacho, opening_airframe_minutes, opening_landings,
          created_at, updated_at)
        values (${id}, ${id}, 'C172', 'SEP', 'block', 'available', 7600, 0, 0, 0, 1000, 0, 0, 0, ${created}, ${created})`);
    for (const { at, hobbs } of corrections)
      await tx.run(sql`insert into counter_corrections (aircraft_id, hobbs, tacho, airframe_minutes, landings, corrected_at)
        values ('corrected', ${hobbs}, 0, 60, 0, ${at})`);
  });
  const item = (
    id: string,
    {
      on = inAuckland.on as string | null,
      at = null as string | null,
      given = {},
      hobbs = 1100 as number | null,
      aircraft = "corrected",
    },
  ) =>
    old.write((tx) =>
      tx.run(sql`insert into maintenance_items (id, aircraft_id, name, critical, hours_counter, tolerance_hours,
          tolerance_months, tolerance_days, tolerance_landings, upcoming_hours, upcoming_days, upcoming_landings,
          last_done_on, last_done_at, last_done_given, last_done_hobbs, status, past_tolerance, created_at, updated_at)
        values (${id}, ${aircraft}, ${id}, 0, 'hobbs', 0, 0, 0, 0, 0, 0, 0, ${on}, ${at}, ${JSON.stringify(given)}, ${hobbs},
          'ok', 0, ${created}, ${updated})`),
    );
  const release = (id: string, completed: string, given = {}) =>
    old.write((tx) =>
      tx.run(sql`insert into work_orders (id, aircraft_id, title, status, parts, worked_minutes, completed_at, release_on,
          release_given, release_hobbs, created_at, updated_at)
        values (${id}, 'corrected', 'Oil', 'done', '[]', 0, ${completed}, ${inAuckland.on}, ${JSON.stringify(given)}, 1100,
          ${created}, ${updated})`),
    );
  return { close: () => old.close(), item, release };
}

test("after an upgrade, what was done on a day stays there when the school moves to another time zone", async () => {
  const path = join(await newDirectory(), "school.db");
  const old = await oldFile(path);
  const onTheDay = "2026-06-10T03:00:00.000Z";
  await old.item("at its moment", { at: onTheDay });
  await old.item("on its day", {});
  await old.item("read", { given: { hobbs: 1100 } });
  await old.item("never", { on: null, hobbs: null });
  await old.item("undated", { on: null, given: { hobbs: 1100 } });
  await old.item("of another aircraft", { aircraft: "untouched" });
  await old.release("entered later", updated);
  await old.release("on the day", onTheDay);
  await old.release("was read", updated, { hobbs: 1100 });
  await old.close();

  const file = await SqliteFile.open("tenant", path, tenantMigrations, options);
  await file.write((tx) => tx.run(sql`update meta set time_zone = 'America/Los_Angeles'`));

  const found: Record<string, unknown> = await file.read(async (reader) => {
    const items = await reader.select().from(maintenanceItems);
    const orders = await reader.select().from(workOrders).orderBy(asc(workOrders.id));
    const done = [
      ...(await Promise.all(items.map(async (row) => [row.id, await lastDoneOf(reader, row)] as const))),
      ...(await Promise.all(orders.map(async (row) => [row.id, await releaseOf(reader, row)] as const))),
    ];
    return Object.fromEntries(
      done.map(([id, one]) => [id, one && [one.at, one.corrected.hobbs, one.corrected.airframe_minutes]]),
    );
  });
  expect(found).toEqual({
    "at its moment": [onTheDay, 100, 60],
    "on its day": [inAuckland.ends, 100, 60],
    // It may have been put right, to what the instrument shows since the correction.
    read: [inAuckland.ends, -400, 60],
    never: undefined,
    undated: [updated, -400, 120],
    "of another aircraft": [inAuckland.ends, 0, 0],
    "entered later": [inAuckland.ends, 100, 60],
    "on the day": [onTheDay, 100, 60],
    "was read": [inAuckland.ends, -400, 60],
  });
  const due = await file.read((reader) =>
    reader.values<[string]>(sql`select id from maintenance_items where changes_on is null`),
  );
  expect(due.map(([id]) => id)).toEqual(["of another aircraft"]);
  await file.close();
});
