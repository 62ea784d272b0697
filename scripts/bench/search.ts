/**
 * A large school: how long the search takes in process, for what somebody types. The goal for each is a p99 under 10 ms.
 *
 *   bun scripts/bench/search.ts [flights=300000] [people=5000] [rounds=1000]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { controlMigrations } from "../../migrations/control/index.ts";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import type { MemberActor } from "../../src/core/actor.ts";
import { toInstant } from "../../src/core/clock.ts";
import type { Id } from "../../src/core/ids.ts";
import { permissionsOf, type Role } from "../../src/identity/roles.ts";
import { aircraftWords } from "../../src/modules/fleet/fleet.queries.ts";
import { workOrderWords } from "../../src/modules/maintenance/work-orders/work-orders.queries.ts";
import { memberWords } from "../../src/modules/organizations/organizations.queries.ts";
import { personWords } from "../../src/modules/people/people.queries.ts";
import { searchAll } from "../../src/modules/search/search-all.ts";
import { capabilitiesOf, findersOf } from "../../src/modules.ts";
import type { InOrganization } from "../../src/storage/context.ts";
import { keepWords } from "../../src/storage/search-words.ts";
import { SqliteFile } from "../../src/storage/sqlite-file.ts";

const [flights = 300_000, people = 5000, rounds = 1000] = process.argv.slice(2).map(Number);
const [planes, orders, invoices] = [100, Math.ceil(flights / 30), Math.ceil(flights / 3)];
const MINUTE = 60_000;
const start = Date.UTC(2016, 0, 1);
const clock = { now: () => new Date(Date.UTC(2026, 0, 1)) };
const now = toInstant(clock.now());

const id = <Kind extends string>(kind: number, n: number) =>
  `01890a5d-ac96-774b-8${String(kind).padStart(3, "0")}-${String(n).padStart(12, "0")}` as Id<Kind>;
const orgId = id<"organization">(9, 1);

/** Pseudo-random numbers below 1, the same in each run. */
let state = 1;
const random = () => {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
};
const one = (values: readonly string[]): string => values[Math.floor(values.length * random())] ?? "";
const first = "Anna Łukasz Sam Jörg Élise Mia Karl Nina Özgür Paul Ruth Søren Tom Ute Vera Wim Zoë Ines Olga Max".split(
  " ",
);
const last = "Weber Müller Berg Schmidt Żak Øst Groß Klein Lange Stein Vogt Wolf Zander Huber Koch Maier Bauer".split(
  " ",
);
const middle = Array.from({ length: 200 }, (_, n) => `${one(last)}${"aeiou"[n % 5]}${one(last).toLowerCase()}`);
const names = Array.from({ length: people }, () => `${one(first)} ${one(random() < 0.5 ? last : middle)}`);
const emails = names.map((_, n) => `person${n}@school.example`);
const registrations = Array.from(
  { length: planes },
  (_, n) => `D-E${[676, 26, 1].map((unit) => String.fromCharCode(65 + (Math.floor(n / unit) % 26))).join("")}`,
);

const directory = await mkdtemp(join(tmpdir(), "windsock-bench-"));
const options = { clock, onEffectError: console.error, fresh: true };
const tenant = await SqliteFile.open("tenant", join(directory, "school.db"), tenantMigrations, options);
const control = await SqliteFile.open("control", join(directory, "control.db"), controlMigrations, options);
const finders = findersOf(capabilitiesOf(new Set()));

const contextOf = (n: number, ...roles: Role[]): InOrganization => {
  const account = { userId: id<"user">(8, n), sessionId: id<"session">(7, n), email: emails[n] ?? "", name: "Ada" };
  const actor: MemberActor = { kind: "user", ...account, orgId, permissions: permissionsOf(roles) };
  return { actor, clock, requestId: "", tenant, control } as unknown as InOrganization;
};
const owner = contextOf(0, "owner");

const dayOf = (n: number) => new Date(start + n * 15 * MINUTE).toISOString().slice(0, 10);
const dotted = (date: string) => date.split("-").reverse().join(".");
const some = (n: number) => Math.floor(((n * 7919) % rounds) * (flights / rounds));
const plane = (n: number) => registrations[n % planes] ?? "";

try {
  await seedSchool();
  await seedMembers();
  Bun.gc(true);
  console.log(`Load average: ${loadavg().map((load) => load.toFixed(1))}`);
  console.log(`| of ${flights} flights and ${people} people | median, ms | p99, ms | processor, ms: median | p99 |`);
  console.log("| --- | --- | --- | --- | --- |");
  await measure("a name, letter by letter", (n) => {
    const name = (names[n % people] ?? "").slice(0, 1 + (n % 8));
    return searchAll(owner, finders, name.trim());
  });
  await measure("one letter", (n) => searchAll(owner, finders, String.fromCharCode(97 + (n % 26))));
  await measure("a whole name", (n) => searchAll(owner, finders, names[n % people] ?? ""));
  await measure("two letters that many have", (n) => searchAll(owner, finders, n % 2 ? "s m" : "w a"));
  await measure("an e-mail address", (n) => searchAll(owner, finders, emails[n % people] ?? ""));
  await measure("a registration", (n) => searchAll(owner, finders, plane(n)));
  await measure("`d-e`, all aircraft", () => searchAll(owner, finders, "d-e"));
  await measure("a day", (n) => searchAll(owner, finders, dotted(dayOf(some(n)))));
  await measure("a registration and a day", (n) => searchAll(owner, finders, `${plane(some(n))} ${dayOf(some(n))}`));
  await measure("an invoice's number", (n) => searchAll(owner, finders, `INV-2025-${String(n + 1).padStart(5, "0")}`));
  await measure("`2025`, a tenth of the invoices", () => searchAll(owner, finders, "2025"));
  await measure("a word of all work orders", () => searchAll(owner, finders, "inspection"));
  await measure("two words of all work orders", () => searchAll(owner, finders, "hour inspection"));
  await measure("what nothing has", (n) => searchAll(owner, finders, `xyz${n}`));
  await measure("a student: a name", (n) =>
    searchAll(contextOf(n % people, "student"), finders, names[n % people] ?? ""),
  );
  await measure("a student: a registration", (n) => searchAll(contextOf(n % people, "student"), finders, plane(n)));
} finally {
  await tenant.close();
  await control.close();
  await rm(directory, { recursive: true });
}

/** The processor's time tells more than the clock while the machine does other work. */
async function measure(name: string, work: (n: number) => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  const processor: number[] = [];
  for (let n = 0; n < rounds; n += 1) {
    const [begin, before] = [performance.now(), process.cpuUsage()];
    await work(n);
    const { user, system } = process.cpuUsage(before);
    times.push(performance.now() - begin);
    processor.push((user + system) / 1000);
  }
  const part = (values: number[], share: number) =>
    (values.toSorted((one, other) => one - other)[Math.min(rounds - 1, Math.floor(rounds * share))] ?? 0).toFixed(2);
  const cells = [times, processor].flatMap((values) => [0.5, 0.99].map((share) => part(values, share)));
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}

async function seedSchool(): Promise<void> {
  const value = sql.placeholder;
  await tenant.write(async (tx) => {
    await tx.run(sql`insert into meta (org_id, name, time_zone, created_at, data_key, sealed_by)
      values (${orgId}, 'School', 'Europe/Berlin', ${now}, '', '')`);
    await tx.each(
      sql`insert into aircraft (id, registration, model, icao_type, class, billing_basis, status, hobbs, tacho,
            airframe_minutes, opening_hobbs, opening_tacho, opening_airframe_minutes, created_at, updated_at)
          values (${value("id")}, ${value("name")}, 'Cessna 172S', 'C172', 'SEP', 'block', 'available', 0, 0, 0, 0, 0, 0, ${now}, ${now})`,
      registrations.map((name, n) => ({ id: id(1, n), name })),
    );
    await tx.each(
      sql`insert into people (id, name, email, user_id, status, types, ratings, restricted_instructor, receives_mails, created_at, updated_at)
          values (${value("id")}, ${value("name")}, ${value("email")}, ${value("user")}, ${value("status")}, '["student"]', '[]', 0, 1, ${now}, ${now})`,
      names.map((name, n) => ({
        ...{ id: id(2, n), name, email: emails[n] ?? "", user: id(8, n) },
        status: n % 3 === 0 ? "archived" : "active",
      })),
    );
    const flown = Array.from({ length: flights }, (_, n) => {
      const at = start + n * 15 * MINUTE;
      const [off, on] = [toInstant(new Date(at)), toInstant(new Date(at + 60 * MINUTE))];
      return { id: id(3, n), off, on, plane: id(1, n % planes), person: id(2, n % people), user: id(8, 0) };
    });
    await tx.each(
      sql`insert into flights (id, status, revision, aircraft_id, off_block_at, on_block_at, departure, arrival, day_landings,
            night_landings, night_minutes, ifr_minutes, warnings, created_by, created_at, updated_at)
          values (${value("id")}, 'approved', 1, ${value("plane")}, ${value("off")}, ${value("on")}, 'EDFE', 'EDKB', 1, 0, 0, 0, '[]',
            ${value("user")}, ${now}, ${now})`,
      flown.map(({ person: _, ...row }) => row),
    );
    await tx.each(
      sql`insert into flight_crew (flight_id, position, person_id, function, off_block_at, status, aircraft_id)
          values (${value("id")}, 0, ${value("person")}, 'pic', ${value("off")}, 'approved', ${value("plane")})`,
      flown.map(({ on: _, user: __, ...row }) => row),
    );
    await tx.each(
      sql`insert into work_orders (id, number, aircraft_id, title, status, parts, worked_minutes, created_at, updated_at)
          values (${value("id")}, ${value("number")}, ${value("plane")}, ${value("title")}, ${value("status")}, '[]', 0, ${now}, ${now})`,
      Array.from({ length: orders }, (_, n) => ({
        ...{
          id: id(4, n),
          number: `2026-${String(n).padStart(3, "0")}`,
          plane: id(1, n % planes),
          title: `${50 * (1 + (n % 4))}-hour inspection`,
        },
        status: n % 50 === 0 ? "open" : "done",
      })),
    );
    const years = 10;
    const numbered = Array.from({ length: invoices }, (_, n) => {
      const [year, number] = [2016 + (n % years), 1 + Math.floor(n / years)];
      return { id: id(5, n), person: id(2, n % people), number: `INV-${year}-${String(number).padStart(5, "0")}` };
    });
    await tx.each(
      sql`insert into finance_invoices (id, kind, status, person_id, currency, number, issued_on, net_minor, vat_minor,
            gross_minor, vat, paid_minor, credited_minor, reminders, created_at, updated_at)
          values (${value("id")}, 'invoice', 'paid', ${value("person")}, 'EUR', ${value("number")}, ${now}, 0, 0, 0, '[]', 0, 0, 0, ${now}, ${now})`,
      numbered,
    );
    for (let year = 2016; year < 2016 + years; year += 1)
      await tx.run(sql`insert into finance_numbers (series, year, last) values ('INV', ${year}, ${invoices / years})`);
    await keepWords(
      tx,
      aircraftWords,
      Array.from({ length: planes }, (_, n) => id(1, n)),
    );
    await keepWords(
      tx,
      personWords,
      Array.from({ length: people }, (_, n) => id(2, n)),
    );
    await keepWords(
      tx,
      workOrderWords,
      Array.from({ length: orders }, (_, n) => id(4, n)),
    );
  });
}

async function seedMembers(): Promise<void> {
  const value = sql.placeholder;
  await control.write(async (tx) => {
    await tx.run(sql`insert into organizations (id, name, kind, time_zone, currency, created_at, updated_at)
      values (${orgId}, 'School', 'ato', 'Europe/Berlin', 'EUR', ${now}, ${now})`);
    const members = names.map((name, n) => ({ id: id(8, n), name, email: emails[n] ?? "" }));
    await tx.each(
      sql`insert into users (id, name, email, created_at) values (${value("id")}, ${value("name")}, ${value("email")}, ${now})`,
      members,
    );
    await tx.each(
      sql`insert into memberships (org_id, user_id, roles, created_at) values (${orgId}, ${value("id")}, '["student"]', ${now})`,
      members.map(({ id }) => ({ id })),
    );
    await keepWords(
      tx,
      memberWords,
      members.map(({ id }) => id),
      orgId,
    );
  });
}
