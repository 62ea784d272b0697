/** Lists of people are read in the order of an index. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { flightsOn } from "../../../src/modules/flights/flights.personal.ts";
import { findMatches } from "../../../src/modules/people/import/person-matches.queries.ts";
import { searchRows } from "../../../src/storage/personal-texts.ts";
import { auditLog, intents } from "../../../src/storage/shared.tables.ts";
import type { Tx } from "../../../src/storage/store.ts";
import { areInOrderOfAnIndex, from, id, newStorage } from "../../support/list-plans.ts";
import { planOf } from "../../support/query-plans.ts";

test("an erasure finds where its search begins and ends, and its intents, by indexes", async () => {
  const { control } = await newStorage();
  // It only reads, as long as it finds nothing.
  const search = (reader: unknown) => searchRows(reader as Tx, auditLog, sql`false`, async () => undefined);
  const plan = await control.read((reader) => planOf(reader, search));
  expect(plan).toContain("SEARCH audit_log");
  expect(plan.filter((line) => line.startsWith("SCAN audit_log"))).toEqual([]);
  const ofOrganization = sql`select rowid from ${intents} where rowid > 0 and ${intents.org_id} = 'a' order by rowid limit 9`;
  expect(await control.read((reader) => planOf(reader, (reader) => reader.values(ofOrganization)))).toEqual([
    "SEARCH intents USING COVERING INDEX intents_org (org_id=? AND rowid>?)",
  ]);
});

test("an export reads a person's flights in the order of an index", async () => {
  const { tenant } = await newStorage();
  await areInOrderOfAnIndex(tenant, [
    [
      /flight_crew USING (COVERING )?INDEX flight_crew_listed \(person_id=\?/,
      ["off_block_at,id", from, id()],
      (reader, page) => flightsOn(reader, id(), page),
    ],
  ]);
});

test("an import finds a person by id, e-mail address, licence number and name, each with an index", async () => {
  const { tenant } = await newStorage();
  const marks = { id: id<"person">(), email: "a@example.com", licence_number: "L 1", name: "A B" };
  const plan = await tenant.read((reader) => planOf(reader, (reader) => findMatches(reader, marks)));
  expect(plan.filter((line) => line.startsWith("SEARCH") || line.startsWith("SCAN"))).toEqual([
    "SEARCH people USING INDEX sqlite_autoindex_people_1 (id=?)",
    "SEARCH people USING INDEX people_email (email=?)",
    "SEARCH people USING INDEX people_licence (licence_number=?)",
    "SEARCH people USING INDEX people_name (name=?)",
  ]);
});
