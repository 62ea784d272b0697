/** The search reads each table by an index, however large it is. */
import { expect, test } from "bun:test";
import type { MemberActor } from "../../../src/core/actor.ts";
import { permissionsOf, type Role } from "../../../src/identity/roles.ts";
import { financeNumbers } from "../../../src/modules/finance/invoices.tables.ts";
import { searchAll } from "../../../src/modules/search/search-all.ts";
import { capabilitiesOf, findersOf } from "../../../src/modules.ts";
import type { Kind, Store } from "../../../src/storage/store.ts";
import { newStorage, owner } from "../../support/list-plans.ts";
import { planOf } from "../../support/query-plans.ts";

const finders = findersOf(capabilitiesOf(new Set()));

async function planFor(q: string, role: Role): Promise<string[]> {
  const { tenant, control } = await newStorage();
  await tenant.write((tx) => tx.insert(financeNumbers).values({ series: "INV", year: 2026, last: 1 }));
  const plan: string[] = [];
  const planned = <K extends Kind>(store: Store<K>) => ({
    read: (query: Parameters<Store<K>["read"]>[0]) =>
      store.read(async (reader) => {
        plan.push(...(await planOf(reader, query)));
        return query(reader);
      }),
  });
  const actor: MemberActor = { ...owner, permissions: permissionsOf([role]) };
  await searchAll({ actor, tenant: planned(tenant), control: planned(control) } as never, finders, q);
  return plan;
}

/** A fleet is small, as is the number of series and years. */
const large =
  /^SCAN (people|flights|flight_crew|work_orders|finance_invoices|memberships|users|search_words|found|other)\b/;

const byWord = "SEARCH found USING COVERING INDEX search_words_word (list=? AND past=? AND word>? AND word<?)";
const byNumber = "SEARCH finance_invoices USING INDEX finance_invoices_number_unique (number>? AND number<?)";

for (const [q, owners, students] of [
  [
    "eabc",
    [byWord, "SEARCH flights USING INDEX flights_aircraft_off_block (aircraft_id=? AND <expr>>? AND <expr><?)"],
    [byWord, "SEARCH flights USING INDEX flights_created_by (created_by=?)"],
  ],
  [
    "d eabc",
    ["SEARCH other USING COVERING INDEX sqlite_autoindex_search_words_1 (record=? AND list=? AND word>? AND word<?)"],
    ["SEARCH search_words USING COVERING INDEX search_words_word (list=? AND past=? AND word>? AND word<?)"],
  ],
  [
    "15.06.2026",
    ["SEARCH flights USING INDEX flights_off_block (<expr>>? AND <expr><?)"],
    ["SEARCH flights USING INDEX flights_created_by (created_by=? AND <expr>>? AND <expr><?)"],
  ],
  ["inv 0", [byNumber], ["SEARCH finance_invoices USING INDEX finance_invoices_person (person_id=?)"]],
] as const)
  for (const [role, lines] of [
    ["owner", owners],
    ["student", students],
  ] as const)
    test(`the search of the ${role} for ${q} reads indexes`, async () => {
      const plan = await planFor(q, role);
      for (const line of lines) expect(plan).toContain(line);
      expect(plan.filter((line) => large.test(line))).toEqual([]);
      // The words are in the order of the matches: SQLite sorts what it returns only.
      expect(plan.filter((line) => line.includes("LAST TERM OF ORDER BY"))).toEqual([]);
    });
