/** What the search finds, and in which order, against a model that reads all records. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { toInstant } from "../../../src/core/clock.ts";
import type { Id } from "../../../src/core/ids.ts";
import { wordsIn, wordsOf } from "../../../src/core/words.ts";
import { aircraft } from "../../../src/modules/fleet/fleet.tables.ts";
import { flightFinder } from "../../../src/modules/flights/find-flights.queries.ts";
import { flights } from "../../../src/modules/flights/flights.tables.ts";
import { peopleFinder } from "../../../src/modules/people/find-people.queries.ts";
import { personWords } from "../../../src/modules/people/people.queries.ts";
import { people } from "../../../src/modules/people/people.tables.ts";
import type { InOrganization } from "../../../src/storage/context.ts";
import type { Finder } from "../../../src/storage/finder.ts";
import { keepWords } from "../../../src/storage/search-words.ts";
import { newStorage, owner } from "../../support/list-plans.ts";

const id = <K extends string>(n: number) => `01890a5d-ac96-774b-bcce-${String(n).padStart(12, "0")}` as Id<K>;
const limit = fc.integer({ min: 1, max: 8 });

type Tenant = Awaited<ReturnType<typeof newStorage>>["tenant"];

async function ask(tenant: Tenant, finder: Finder, q: string, limit: number): Promise<string[]> {
  const context = { actor: owner, tenant } as unknown as InOrganization;
  const found = await finder.find(context, { q, words: wordsIn(q), limit });
  return found.map(({ json }) => JSON.parse(json).id);
}

/** By keys that are compared in turn. */
const inOrder = <T>(rows: readonly T[], ...keys: ((row: T) => string | number)[]): T[] =>
  rows.toSorted((one, other) => {
    const key = keys.find((key) => key(one) !== key(other));
    if (key === undefined) return 0;
    return key(one) < key(other) ? -1 : 1;
  });

const beginning = (words: readonly string[], begin: string) => words.filter((word) => word.startsWith(begin));

test("people are in the order of their words, whole ones first, and the newest of equal ones first", async () => {
  const { tenant } = await newStorage();
  // Some of them have several words that begin alike.
  const part = fc.constantFrom("Sam", "Samuel", "Sammet", "Müller", "Mia", "Mi", "Weber", "We");
  const person = fc.record({
    name: fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(" ")),
    status: fc.constantFrom("active" as const, "archived" as const),
  });
  const queries = fc.array(
    fc.array(fc.constantFrom("s", "sa", "sam", "samu", "m", "mi", "mu", "mue", "w", "we", "weber", "x"), {
      minLength: 1,
      maxLength: 4,
    }),
    { minLength: 6, maxLength: 6 },
  );
  const persons = fc.array(person, { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(persons, queries, limit, async (persons, queries, limit) => {
      const rows = persons.map((row, n) => ({ ...row, id: id<"person">(n), words: wordsOf(row.name) }));
      await tenant.write(async (tx) => {
        const before = await tx.delete(people).returning({ id: people.id });
        const stamps = { created_at: tx.now, updated_at: tx.now };
        for (const { words: _, ...row } of rows)
          await tx
            .insert(people)
            .values({ ...row, types: ["pilot"], ratings: [], restricted_instructor: false, ...stamps });
        await keepWords(
          tx,
          personWords,
          [...before, ...rows].map(({ id }) => id),
        );
      });
      for (const asked of queries.map((words) => [...new Set(words)])) {
        const having = (begin: string) => rows.filter(({ words }) => beginning(words, begin).length > 0);
        const wordsBegun = (begin: string) => rows.flatMap(({ words }) => beginning(words, begin)).length;
        const [narrowest = ""] = inOrder(asked, wordsBegun);
        const expected = inOrder(
          asked.reduce((left, begin) => left.filter((row) => having(begin).includes(row)), rows).toReversed(),
          ({ status }) => (status === "archived" ? 1 : 0),
          ({ words }) => -asked.filter((word) => words.includes(word)).length,
          ({ words }) => beginning(words, narrowest).toSorted()[0] ?? "",
        );
        const ids = expected.slice(0, limit).map(({ id }) => id);
        expect([asked, await ask(tenant, peopleFinder, asked.join(" "), limit)]).toEqual([asked, ids]);
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);

test("flights are the newest of all aircraft together, also of aircraft that flew at the same time", async () => {
  const { tenant } = await newStorage();
  const registrations = ["D-EABX", "D-EABD", "D-EFGH", "OE-ABC", "D-MXYZ"];
  const hours = ["14T23", "15T08", "15T09", "15T10", "16T08"].map((hour) => toInstant(new Date(`2026-05-${hour}:00Z`)));
  const flight = fc.record({ plane: fc.nat(registrations.length - 1), off_block_at: fc.constantFrom(null, ...hours) });
  const drafted = {
    ...{ status: "draft" as const, revision: 1, created_by: owner.userId, warnings: [] },
    ...{ day_landings: 0, night_landings: 0, night_minutes: 0, ifr_minutes: 0 },
  };
  await tenant.write(async (tx) => {
    const stamps = { created_at: tx.now, updated_at: tx.now };
    const counters = { hobbs: 0, tacho: 0, airframe_minutes: 0 };
    const kind = { model: "C172", class: "SEP", billing_basis: "block", status: "available" } as const;
    const opening = { opening_hobbs: 0, opening_tacho: 0, opening_airframe_minutes: 0 };
    const rows = registrations.map((registration, n) => ({ id: id<"aircraft">(100 + n), registration }));
    for (const row of rows) await tx.insert(aircraft).values({ ...row, ...kind, ...counters, ...opening, ...stamps });
  });
  const days = { "": ["", "~"], "15.05.2026": ["2026-05-14T22", "2026-05-15T22"] } as const;
  await fc.assert(
    fc.asyncProperty(fc.array(flight, { maxLength: 60 }), limit, async (drawn, limit) => {
      const rows = drawn.map(({ plane, off_block_at }, n) => ({
        ...{ id: id<"flight">(1000 + ((n * 37) % 61)), aircraft_id: id<"aircraft">(100 + plane), off_block_at },
        registration: registrations[plane] ?? "",
      }));
      await tenant.write(async (tx) => {
        await tx.delete(flights);
        for (const { registration: _, ...row } of rows)
          await tx.insert(flights).values({ ...row, ...drafted, created_at: tx.now, updated_at: tx.now });
      });
      for (const word of ["d", "deab", "e", "abc", "oe", "d-e", "x"])
        for (const [day, [from, to]] of Object.entries(days)) {
          const expected = inOrder(
            rows
              .filter(({ registration }) =>
                wordsIn(word).every((begin) => beginning(wordsOf(registration), begin).length > 0),
              )
              .filter(({ off_block_at }) => (off_block_at ?? "") >= from && (off_block_at ?? "") < to),
            ({ off_block_at }) => off_block_at ?? "",
            ({ id }) => id,
          );
          const ids = expected
            .toReversed()
            .slice(0, limit)
            .map(({ id }) => id);
          const q = `${word} ${day}`;
          expect([q, await ask(tenant, flightFinder, q, limit)]).toEqual([q, ids]);
        }
    }),
    { numRuns: 60 },
  );
}, 60_000);
