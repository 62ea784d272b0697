/**
 * A month's run of invoices in process: its preview, and the run that sends them, each with how long the longest turn of the
 * event loop was meanwhile. A flight has three charges: aircraft, instructor and landing.
 *
 *   bun scripts/bench/invoices.ts [people=500] [flights=3000]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import type { MemberActor } from "../../src/core/actor.ts";
import type { LegalDate } from "../../src/core/dates.ts";
import type { Id } from "../../src/core/ids.ts";
import { netOf } from "../../src/core/money.ts";
import { permissions } from "../../src/core/permissions.ts";
import { previewRun, runInvoices } from "../../src/modules/finance/invoices/run-invoices.ts";
import type { TenantContext } from "../../src/storage/context.ts";
import { SqliteFile } from "../../src/storage/sqlite-file.ts";

const people = Number(process.argv[2] ?? 500);
const flights = Number(process.argv[3] ?? 3000);
const now = "2026-07-01T08:00:00.000Z";
const until = "2026-06-30" as LegalDate;

const id = <Kind extends string>(kind: number, n: number) =>
  `01890a5d-ac96-774b-8${String(kind).padStart(3, "0")}-${String(n).padStart(12, "0")}` as Id<Kind>;

const directory = await mkdtemp(join(tmpdir(), "windsock-bench-"));
const clock = { now: () => new Date(now) };
const file = await SqliteFile.open("tenant", join(directory, "school.db"), tenantMigrations, {
  clock,
  onEffectError: console.error,
  fresh: true,
});
const actor: MemberActor = {
  ...{ kind: "user", userId: id(9, 1), sessionId: id(9, 2), orgId: id(9, 3), email: "ada@example.com", name: "Ada" },
  permissions: new Set(permissions),
};
const control = { read: async () => ({ value: { currency: "EUR", name: "Windy Hill" } }) };
const context = { actor, clock, requestId: "", control, tenant: file } as unknown as TenantContext;
const lines = [
  { kind: "aircraft", description: "D-EABC, EDFE–EDKB", quantity: 6200, unit: "minute", price: 22_500, per: 60 },
  { kind: "instructor", description: "Instructor", quantity: 6200, unit: "minute", price: 5000, per: 60 },
  { kind: "landing", description: "Landing at EDKB", quantity: 100, unit: "landing", price: 1500, per: 1 },
];

try {
  await seed();
  console.log(
    `| ${people} people, ${flights} flights, ${flights * 3} charges | took, s | longest turn, ms | invoices |`,
  );
  console.log("| --- | --- | --- | --- |");
  await measure("preview", () => previewRun(context, { until }));
  await measure("run and send", () => runInvoices(context, { until, send: true, payment_days: null, note: null }));
  await measure("a second run", () => runInvoices(context, { until, send: true, payment_days: null, note: null }));
} finally {
  await file.close();
  await rm(directory, { recursive: true });
}

async function seed(): Promise<void> {
  await file.write(async (tx) => {
    await tx.run(
      sql`insert into meta (org_id, name, time_zone, created_at, data_key, sealed_by)
      values (${id(9, 3)}, 'Windy Hill', 'Europe/Berlin', ${now}, '', '')`,
    );
    await tx.run(sql`insert into finance_settings (id, street, postcode, city, country, vat_id, vat_category, vat_rate,
        payment_days, invoice_series, credit_note_series, updated_at)
      values (1, 'Am Flugplatz 1', '63329', 'Egelsbach', 'DE', 'DE123456789', 'standard', 1900, 14, 'INV', 'CN', ${now})`);
    const person = sql`insert into people (id, name, street, postcode, city, country, status, types, ratings, restricted_instructor, receives_mails,
      created_at, updated_at)
      values (${sql.placeholder("id")}, ${sql.placeholder("name")}, 'Feldweg 1', '63225', 'Langen', 'DE', 'active', '["student"]', '[]', 0, 1, ${now}, ${now})`;
    await tx.each(
      person,
      Array.from({ length: people }, (_, n) => ({ id: id(1, n), name: `Person ${n}` })),
    );
    const charge = sql`insert into finance_charges (id, person_id, kind, status, description, quantity, unit,
        unit_price_minor, price_per, currency, vat_category, vat_rate, net_minor, "on", created_at, updated_at)
      values (${sql.placeholder("id")}, ${sql.placeholder("person")}, ${sql.placeholder("kind")}, 'open',
        ${sql.placeholder("description")}, ${sql.placeholder("quantity")}, ${sql.placeholder("unit")},
        ${sql.placeholder("price")}, ${sql.placeholder("per")}, 'EUR', 'standard', 1900, ${sql.placeholder("net")},
        ${sql.placeholder("on")}, ${now}, ${now})`;
    const rows = Array.from({ length: flights }, (_, n) =>
      lines.map((line, at) => ({
        ...{ ...line, id: id(2, n * 3 + at), person: id(1, n % people) },
        net: netOf(line.quantity, { unit_price_minor: line.price, price_per: line.per }),
        on: `2026-06-${String((n % 30) + 1).padStart(2, "0")}`,
      })),
    );
    await tx.each(charge, rows.flat());
  });
}

async function measure(name: string, work: () => Promise<unknown[]>): Promise<void> {
  let longest = 0;
  let last = performance.now();
  const tick = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const timer = setInterval(tick, 1);
  const began = performance.now();
  const made = await work();
  tick();
  clearInterval(timer);
  console.log(
    `| ${name} | ${((performance.now() - began) / 1000).toFixed(2)} | ${longest.toFixed(1)} | ${made.length} |`,
  );
}
