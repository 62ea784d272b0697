/** Upgrades a school whose corrections were part of the opening readings, and whose items have readings only. */
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import { SqliteFile } from "../../src/storage/sqlite-file.ts";
import { TestClock } from "../support/clock.ts";
import { cleanUp, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

const options = { clock: new TestClock(), onEffectError: () => undefined, fresh: true };
const at = "2026-01-01T00:00:00.000Z";
const later = "2026-01-02T00:00:00.000Z";

test("an upgrade finds the corrections in the audit log, and keeps the readings of items and releases", async () => {
  const path = join(await newDirectory(), "school.db");
  const before = tenantMigrations.findIndex((text) => text.includes("counter_corrections"));
  const old = await SqliteFile.open("tenant", path, tenantMigrations.slice(0, before), options);
  await old.write(async (tx) => {
    for (const id of ["corrected", "untouched"])
      await tx.run(sql`insert into aircraft (id, registration, model, class, billing_basis, status, hobbs, tacho,
          airframe_minutes, landings, opening_hobbs, opening_tacho, opening_airframe_minutes, opening_landings,
          created_at, updated_at)
        values (${id}, ${id}, 'C172', 'SEP', 'block', 'available', 1250, 900, 700, 8, 1200, 850, 640, 5, ${at}, ${at})`);
    const corrections = [
      { before: readings("10.00", "9.00", 600), after: { ...readings("11.00", "8.50", 640), reason: "Read again." } },
      { before: readings("11.00", "8.50", 640, 3), after: { ...readings("12.00", "8.50", 640, 5), reason: "Again." } },
      undefined, // erased
    ];
    for (const [index, payload] of corrections.entries())
      await tx.run(sql`insert into audit_log (seq, at, actor_kind, action, subject_kind, subject_id, request_id, payload,
          salt, digest, hash)
        values (${index + 1}, ${later}, 'user', 'aircraft.counters_corrected', 'aircraft', 'corrected', 'r',
          ${payload === undefined ? null : JSON.stringify(payload)}, 's', 'd', 'h')`);
    await tx.run(sql`insert into maintenance_items (id, aircraft_id, name, critical, hours_counter, tolerance_hours,
        tolerance_months, tolerance_days, tolerance_landings, upcoming_hours, upcoming_days, upcoming_landings,
        last_done_hobbs, last_done_airframe_minutes, status, past_tolerance, created_at, updated_at)
      values ('item', 'corrected', 'Oil', 0, 'hobbs', 0, 0, 0, 0, 0, 0, 0, 1000, 600, 'ok', 0, ${at}, ${at})`);
    for (const [id, status, hobbs] of [
      ["done", "done", 1000],
      ["open", "open", null],
    ])
      await tx.run(sql`insert into work_orders (id, aircraft_id, title, status, parts, worked_minutes, release_hobbs,
          created_at, updated_at)
        values (${id}, 'corrected', 'Oil', ${status}, '[]', 0, ${hobbs}, ${at}, ${at})`);
  });
  await old.close();

  const file = await SqliteFile.open("tenant", path, tenantMigrations, options);

  const rows = (query: ReturnType<typeof sql>) => file.read((reader) => reader.values<unknown[]>(query)).then(plain);
  expect(
    await rows(
      sql`select aircraft_id, hobbs, tacho, airframe_minutes, landings, corrected_at from counter_corrections`,
    ),
  ).toEqual([
    ["corrected", 100, -50, 40, 0, later],
    ["corrected", 100, 0, 0, 2, later],
  ]);
  expect(
    await rows(sql`select id, hobbs, landings, opening_hobbs, opening_tacho, opening_airframe_minutes, opening_landings
      from aircraft order by 1`),
  ).toEqual([
    ["corrected", 1250, 8, 1000, 900, 600, 3],
    ["untouched", 1250, 8, 1200, 850, 640, 5],
  ]);
  const nulls = { tacho: null, airframe_minutes: null, landings: null };
  expect((await rows(sql`select last_done_given from maintenance_items`)).map(parsed)).toEqual([
    { ...nulls, hobbs: 1000, airframe_minutes: 600 },
  ]);
  expect((await rows(sql`select release_given from work_orders order by id`)).map(parsed)).toEqual([
    { ...nulls, hobbs: 1000 },
    {},
  ]);
  await file.close();
});

const readings = (hobbs: string, tacho: string, airframe_minutes: number, landings?: number) => ({
  ...{ hobbs, tacho, airframe_minutes },
  ...(landings !== undefined && { landings }),
});

const plain = (rows: readonly unknown[][]) => rows.map((row) => [...row]);
const parsed = ([text]: unknown[]): unknown => JSON.parse(String(text));
