/**
 * How long a school with many flights takes to show a page of them, and of its audit log: at the beginning, at the end,
 * and by filters that match nothing. The median of 9.
 *
 *   bun scripts/bench/deep-pages.ts [flights=300000]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import { type Cursor, decodeCursor } from "../../src/core/cursor.ts";
import type { Id } from "../../src/core/ids.ts";
import type { Bytes } from "../../src/core/kept-body.ts";
import { listPublicFlights } from "../../src/modules/flights/flights.queries.ts";
import { listAuditLog } from "../../src/modules/operations/audit-log.queries.ts";
import { SqliteFile } from "../../src/storage/sqlite-file.ts";
import type { Reader } from "../../src/storage/store.ts";

type List = (reader: Reader<"tenant">) => Promise<Bytes>;

const count = Number(process.argv[2] ?? 300_000);
const limit = 100;
const id = <Kind extends string>(n: number) => `01890a5d-ac96-774b-bcce-${String(n).padStart(12, "0")}` as Id<Kind>;
const directory = await mkdtemp(join(tmpdir(), "windsock-bench-"));
const file = await SqliteFile.open("tenant", join(directory, "school.db"), tenantMigrations, {
  clock: { now: () => new Date() },
  onEffectError: console.error,
  fresh: true,
});
try {
  await seed();
  const aircraft_id = id<"aircraft">(1);
  const end = count - limit;
  const cursor = await cursorAt((reader) => listPublicFlights(reader, { limit: 1, offset: end - 1 }));
  const auditCursor = await cursorAt((reader) => listAuditLog(reader, { limit: 1, offset: end - 1 }));
  const lists: [name: string, list: List][] = [
    ["flights: first page", (reader) => listPublicFlights(reader, { limit })],
    ["last page by offset", (reader) => listPublicFlights(reader, { limit, offset: end })],
    ["last page by cursor", (reader) => listPublicFlights(reader, { limit, cursor })],
    ["of one aircraft in ten", (reader) => listPublicFlights(reader, { limit, aircraft_id })],
    ["of it, rejected (none)", (reader) => listPublicFlights(reader, { limit, aircraft_id, status: "rejected" })],
    ["audit log: first page", (reader) => listAuditLog(reader, { limit })],
    ["last page by offset", (reader) => listAuditLog(reader, { limit, offset: end })],
    ["last page by cursor", (reader) => listAuditLog(reader, { limit, cursor: auditCursor })],
    ["by an action without any", (reader) => listAuditLog(reader, { limit, action: "none" })],
  ];
  console.log(`| of ${count}, ${limit} at once | ms |`);
  console.log("| --- | --- |");
  for (const [name, list] of lists) console.log(`| ${name} | ${(await medianOf(list)).toFixed(2)} |`);
} finally {
  await file.close();
  await rm(directory, { recursive: true });
}

async function medianOf(list: List): Promise<number> {
  const times = [];
  for (let round = 0; round < 9; round += 1) {
    const start = performance.now();
    await file.read(list);
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[4] ?? 0;
}

async function cursorAt(list: List): Promise<Cursor | undefined> {
  return decodeCursor(JSON.parse(String(await file.read(list))).page.next_cursor);
}

/** Flights of ten aircraft, ten minutes apart, each with an audit row of 1 KB. */
async function seed(): Promise<void> {
  const at = "2026-01-01T00:00:00.000Z";
  const n = sql.placeholder("n");
  const flightId = sql.placeholder("id");
  await file.write(async (tx) => {
    await tx.each(
      sql`insert into aircraft (id, registration, model, class, billing_basis, status, hobbs, tacho, airframe_minutes,
            opening_hobbs, opening_tacho, opening_airframe_minutes, created_at, updated_at)
          values (${flightId}, ${n}, 'Cessna 172S', 'SEP', 'block', 'available', 0, 0, 0, 0, 0, 0, ${at}, ${at})`,
      Array.from({ length: 10 }, (_, n) => ({ n: `D-EAA${n}`, id: id(n) })),
    );
    const flights = Array.from({ length: count }, (_, n) => ({
      ...{ n: n + 1, id: id(n), aircraft: id(n % 10) },
      off: new Date(Date.UTC(2020, 0, 1) + n * 600_000).toISOString(),
    }));
    await tx.each(
      sql`insert into flights (id, status, revision, aircraft_id, off_block_at, day_landings, night_landings,
            night_minutes, ifr_minutes, warnings, created_by, created_at, updated_at)
          values (${flightId}, 'approved', 1, ${sql.placeholder("aircraft")}, ${sql.placeholder("off")}, 1, 0, 0, 0,
            '[]', '', ${at}, ${at})`,
      flights,
    );
    await tx.each(
      sql`insert into audit_log (seq, at, actor_kind, action, subject_kind, subject_id, request_id, payload, salt,
            digest, hash)
          values (${n}, ${at}, 'job', 'flight.approved', 'flight', ${flightId}, '', ${`{"after":"${"x".repeat(1000)}"}`},
            '', '', '')`,
      flights,
    );
  });
}
