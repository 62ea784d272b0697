/**
 * A school with many sessions: how long a week's list, a booking with all its checks, and a search for free slots take in
 * process. The goal for each is a p99 under 10 ms.
 *
 *   bun scripts/bench/planning.ts [sessions=50000] [rounds=300]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import type { MemberActor } from "../../src/core/actor.ts";
import { type Instant, toInstant } from "../../src/core/clock.ts";
import type { Id } from "../../src/core/ids.ts";
import { permissions } from "../../src/core/permissions.ts";
import { bookSession } from "../../src/modules/planning/sessions/book-session.ts";
import { listSessions } from "../../src/modules/planning/sessions/sessions.queries.ts";
import { findSlots } from "../../src/modules/planning/slots/find-slots.ts";
import type { InOrganization } from "../../src/storage/context.ts";
import { SqliteFile } from "../../src/storage/sqlite-file.ts";

const count = Number(process.argv[2] ?? 50_000);
const rounds = Number(process.argv[3] ?? 300);
const planes = 20;
const students = 200;
/** Hours of a day in which each aircraft flies, each with its instructor: from 06:00 UTC on. */
const perDay = 8;
const HOUR = 3_600_000;
const start = Date.UTC(2026, 0, 1);

const id = <Kind extends string>(kind: number, n: number) =>
  `01890a5d-ac96-774b-8${String(kind).padStart(3, "0")}-${String(n).padStart(12, "0")}` as Id<Kind>;
const plane = (n: number) => id<"aircraft">(1, n);
const instructor = (n: number) => id<"person">(2, n);
const student = (n: number) => id<"person">(3, n);
const at = (time: number): Instant => toInstant(new Date(time));

const directory = await mkdtemp(join(tmpdir(), "windsock-bench-"));
const clock = { now: () => new Date(start) };
const file = await SqliteFile.open("tenant", join(directory, "school.db"), tenantMigrations, {
  clock,
  onEffectError: console.error,
  fresh: true,
});
const actor: MemberActor = {
  ...{ kind: "user", userId: id(9, 1), sessionId: id(9, 2), orgId: id(9, 3), email: "ada@example.com", name: "Ada" },
  permissions: new Set(permissions),
};
const context = { actor, clock, requestId: "", tenant: file } as unknown as InOrganization;
const days = Math.ceil(count / planes / perDay);
try {
  await seed();
  const week = (n: number) => start + (n % Math.max(1, days - 7)) * 24 * HOUR;
  console.log(`| of ${count} sessions | median, ms | p99, ms | longest, ms |`);
  console.log("| --- | --- | --- | --- |");
  await measure("a week's list, first 100", (n) =>
    file.read((reader) =>
      listSessions(reader, actor, { from: at(week(n)), to: at(week(n) + 7 * 24 * HOUR), limit: 100 }),
    ),
  );
  await measure("a week's list of an aircraft", (n) =>
    file.read((reader) =>
      listSessions(reader, actor, {
        ...{ from: at(week(n)), to: at(week(n) + 7 * 24 * HOUR), limit: 100 },
        aircraft_id: plane(n % planes),
      }),
    ),
  );
  await measure("a booking", (n) => {
    // In the evening, when the aircraft is free.
    const from = start + (n % days) * 24 * HOUR + (16 + (Math.floor(n / days) % 6)) * HOUR;
    return bookSession(context, {
      ...{ kind: "lesson", start_at: at(from), end_at: at(from + HOUR), aircraft_id: plane(n % planes) },
      ...{ instructor_id: instructor(n % planes), student_ids: [student(n % students)], room_id: null },
      ...{ lesson_id: null, night: false, title: null, notes: null },
    });
  });
  await measure("a search for free slots", (n) =>
    file.read((reader) =>
      findSlots(
        reader,
        actor,
        {
          ...{ icao_type: "C172", instructor_id: instructor(n % planes), student_id: student(n % students) },
          ...{ minutes: 60, limit: 5, from: at(week(n) + 7 * HOUR) },
        },
        at(start),
      ),
    ),
  );
} finally {
  await file.close();
  await rm(directory, { recursive: true });
}

async function measure(name: string, work: (n: number) => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let n = 0; n < rounds; n += 1) {
    const begin = performance.now();
    await work(n);
    times.push(performance.now() - begin);
  }
  times.sort((one, other) => one - other);
  const part = (share: number) => (times[Math.min(rounds - 1, Math.floor(rounds * share))] ?? 0).toFixed(2);
  console.log(`| ${name} | ${part(0.5)} | ${part(0.99)} | ${part(1)} |`);
}

async function seed(): Promise<void> {
  const now = at(start);
  const value = sql.placeholder;
  await file.write(async (tx) => {
    await tx.run(sql`insert into meta (org_id, name, time_zone, created_at, data_key, sealed_by)
      values (${id(9, 3)}, 'School', 'Europe/Berlin', ${now}, '', '')`);
    await tx.each(
      sql`insert into aircraft (id, registration, model, icao_type, class, billing_basis, status, hobbs, tacho, airframe_minutes,
            opening_hobbs, opening_tacho, opening_airframe_minutes, created_at, updated_at)
          values (${value("id")}, ${value("name")}, 'Cessna 172S', 'C172', 'SEP', 'block', 'available', 0, 0, 0, 0, 0, 0, ${now}, ${now})`,
      Array.from({ length: planes }, (_, n) => ({ id: plane(n), name: `D-E${String(n).padStart(3, "0")}` })),
    );
    const people = [
      ...Array.from({ length: planes }, (_, n) => ({
        id: instructor(n),
        name: `Instructor ${n}`,
        types: '["instructor"]',
      })),
      ...Array.from({ length: students }, (_, n) => ({ id: student(n), name: `Student ${n}`, types: '["student"]' })),
    ];
    await tx.each(
      sql`insert into people (id, name, status, types, ratings, restricted_instructor, receives_mails, created_at, updated_at)
          values (${value("id")}, ${value("name")}, 'active', ${value("types")}, '[]', 0, 1, ${now}, ${now})`,
      people,
    );
    const sessions = Array.from({ length: count }, (_, n) => {
      const slot = Math.floor(n / planes);
      const from = start + Math.floor(slot / perDay) * 24 * HOUR + (6 + (slot % perDay)) * HOUR;
      const [start_at, end_at] = [at(from), at(from + HOUR)];
      return { id: id(4, n), start_at, end_at, plane: plane(n % planes), instructor: instructor(n % planes), n };
    });
    await tx.each(
      sql`insert into planning_sessions (id, kind, status, start_at, end_at, aircraft_id, instructor_id, sequence, created_at, updated_at)
          values (${value("id")}, 'lesson', 'planned', ${value("start_at")}, ${value("end_at")}, ${value("plane")}, ${value("instructor")}, 0, ${now}, ${now})`,
      sessions.map(({ n: _, ...row }) => row),
    );
    for (const [position, type] of ["aircraft", "instructor", "student"].entries())
      await tx.each(
        sql`insert into planning_session_resources (session_id, position, type, resource_id, start_at, end_at, blocks)
            values (${value("id")}, ${position}, ${type}, ${value("resource")}, ${value("start_at")}, ${value("end_at")}, 1)`,
        sessions.map(({ id, start_at, end_at, n, plane, instructor }) => ({
          ...{ id, start_at, end_at },
          // Each slot has other students, none of them twice.
          resource: [plane, instructor, student((n + Math.floor(n / planes) * 7) % students)][position] ?? "",
        })),
      );
  });
}
