/** Whatever happens to flights, packages and their charges: the figures equal those computed anew. */
import { expect, test } from "bun:test";
import { getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import fc from "fast-check";
import type { OrgId } from "../../../src/core/ids.ts";
import * as charging from "../../../src/modules/finance/finance.tables.ts";
import * as invoices from "../../../src/modules/finance/invoices.tables.ts";
import * as ledger from "../../../src/modules/finance/ledger.tables.ts";
import * as payments from "../../../src/modules/finance/payments.tables.ts";
import { newSellingSchool } from "../../support/money.ts";
import { expectStatus, type School } from "../../support/school.ts";
import { addRate } from "./school.ts";

const HOURLY = 23_333;

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("fly" as const), minutes: fc.integer({ min: 1, max: 300 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("sell" as const), minutes: fc.integer({ min: 1, max: 40_000 }) }),
  },
  fc.record({ kind: fc.constantFrom("reverse" as const, "charge" as const, "waive" as const), which: fc.nat(20) }),
);

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

/** The nearest integer, half away from zero, by another way than the code's: of the magnitude, with a remainder. */
function nearest(dividend: bigint, divisor: bigint): bigint {
  const sign = dividend < 0n ? -1n : 1n;
  const magnitude = dividend * sign;
  const rest = magnitude % divisor;
  return sign * (magnitude / divisor + (rest * 2n >= divisor ? 1n : 0n));
}

const hundredths = (text: string): number => Number(text.replace(".", ""));
const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

async function check({ owner }: School, flights: ReadonlyMap<string, { minutes: number; state: string }>) {
  const charges: Body[] = expectStatus(200, await owner.get("/finance/charges?limit=500")).body.data;
  const packages: Body[] = expectStatus(200, await owner.get("/finance/packages?limit=500")).body.data;
  for (const { quantity, unit_price_minor, price_per, net_minor } of charges)
    expect(BigInt(net_minor)).toBe(
      nearest(BigInt(hundredths(quantity)) * BigInt(unit_price_minor), 100n * BigInt(price_per)),
    );
  for (const { id, quantity, remaining, draws } of packages) {
    const drawn = sum(
      charges.filter((one) => one.package_id === id && one.status === "package").map((one) => hundredths(one.quantity)),
    );
    expect(hundredths(remaining)).toBe(hundredths(quantity) - drawn);
    expect(hundredths(remaining)).toBeGreaterThanOrEqual(0);
    expect(sum(draws.map((one: Body) => hundredths(one.quantity)))).toBe(drawn);
  }
  let open = 0n;
  for (const [id, { minutes, state }] of flights) {
    const own = charges.filter((one) => one.flight_id === id);
    const quantity = sum(own.map((one) => hundredths(one.quantity)));
    expect(quantity).toBe(state === "charged" ? minutes * 100 : 0);
    const drawn = sum(own.filter((one) => one.status === "package").map((one) => hundredths(one.quantity)));
    open += nearest(BigInt(quantity - drawn) * BigInt(HOURLY), 6000n);
  }
  const fees = charges.filter((one) => one.flight_id !== null);
  expect(BigInt(sum(fees.map((one) => one.net_minor)))).toBe(open);
  expect(BigInt(sum(fees.filter((one) => one.status === "open").map((one) => one.net_minor)))).toBe(open);
  expect(sum(fees.filter((one) => one.status === "offset").map((one) => one.net_minor))).toBe(0);
}

test("open charges and packages equal a recomputation, after any approvals, reversals, waivers and new charges", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const school = await newSellingSchool();
      const { owner, student } = school;
      await addRate(school, { price_minor: HOURLY });
      const flights = new Map<string, { minutes: number; state: string }>();
      for (const one of steps) {
        if (one.kind === "fly") {
          const { id } = await school.submitFlight(owner, { blockMinutes: one.minutes });
          expectStatus(200, await owner.post(`/flights/${id}/approve`));
          flights.set(id, { minutes: one.minutes, state: "charged" });
        } else if (one.kind === "sell") {
          const quantity = `${Math.trunc(one.minutes / 100)}.${String(one.minutes % 100).padStart(2, "0")}`;
          const hours = { name: "Hours", uses: "aircraft", quantity, price_minor: 1, valid_from: "2026-01-01" };
          expectStatus(201, await owner.post("/finance/packages", { person_id: student.personId, ...hours }));
        } else {
          const [id, flight] = [...flights][one.which % Math.max(flights.size, 1)] ?? [];
          if (id === undefined || flight === undefined) continue;
          const body = one.kind === "charge" ? undefined : { reason: "Random." };
          const path = one.kind === "reverse" ? `/flights/${id}/reverse` : `/finance/flights/${id}/${one.kind}`;
          expectStatus(flight.state === "reversed" ? 409 : 200, await owner.post(path, body));
          const next = { reverse: "reversed", waive: "waived", charge: "charged" }[one.kind];
          flight.state = flight.state === "reversed" ? "reversed" : next;
        }
      }
      await check(school, flights);
    }),
    { numRuns: 8 },
  );
}, 300_000);

test("no column of the money is a float, and no value in it", async () => {
  const school = await newSellingSchool();
  await addRate(school, {});
  const { id } = await school.submitFlight(school.owner, { blockMinutes: 61 });
  expectStatus(200, await school.owner.post(`/flights/${id}/approve`));
  const tenant = school.installation.storage.tenants.tenant(school.orgId as OrgId);
  const names = Object.values({ ...charging, ...invoices, ...payments, ...ledger }).flatMap((table) =>
    is(table, SQLiteTable) ? [getTableName(table)] : [],
  );
  expect(names).toHaveLength(6 + 10);
  for (const name of names) {
    const read = (sql: string) => tenant.read((reader) => reader.values<unknown[]>(sql));
    const columns = await read(`select name, type from pragma_table_info('${name}')`);
    for (const [column, type] of columns) {
      expect([column, ["TEXT", "INTEGER"].includes(String(type).toUpperCase())]).toEqual([column, true]);
      expect(await read(`select 1 from "${name}" where typeof("${column}") = 'real'`)).toEqual([]);
    }
  }
});
