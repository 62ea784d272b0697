/** Records are read in the order of an index. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { toLegalDate } from "../../../src/core/dates.ts";
import { complianceRecords } from "../../../src/modules/compliance/compliance.tables.ts";
import { listExpiries } from "../../../src/modules/compliance/expiries/expiries.queries.ts";
import { heldRecords } from "../../../src/modules/compliance/records/records.queries.ts";
import { asOf, holdersOn, stands, withdrawnOnes } from "../../../src/modules/compliance/records/standing.queries.ts";
import { id, newStorage, owner } from "../../support/list-plans.ts";
import { planOf } from "../../support/query-plans.ts";

test("the records that count for an evaluation are those of the subject, found with an index", async () => {
  const { tenant } = await newStorage();
  for (const subject of [
    { person_id: id<"person">(), aircraft_id: null },
    { person_id: null, aircraft_id: id<"aircraft">() },
  ] as const) {
    const plan = await tenant.read((reader) => planOf(reader, (reader) => heldRecords(reader, subject)));
    expect(plan.join("\n")).toMatch(/SEARCH compliance_records USING INDEX compliance_records_(person|aircraft)/);
    expect(plan.join("\n")).not.toMatch(/SCAN (compliance_records|superseding)/);
  }
});

test("what expires is read in its order, from where on it is asked for", async () => {
  const { tenant } = await newStorage();
  const from = toLegalDate(Temporal.PlainDate.from("2026-06-14"));
  for (const filter of [{}, { from, to: from }, { from, subject: "person" as const }]) {
    const query = { limit: 50, offset: 0, with_total: false, ...filter };
    const plan = await tenant.read((reader) => planOf(reader, (reader) => listExpiries(reader, owner, query, "[]")));
    expect(plan.join("\n")).toMatch(/compliance_records USING INDEX compliance_records_expiry/);
    expect(plan.join("\n")).not.toMatch(/TEMP B-TREE|SCAN (people|aircraft)/);
  }
});

test("the records that stand on a day are found by their subjects, and compared with those of the same subject", async () => {
  const { tenant } = await newStorage();
  const date = toLegalDate(Temporal.PlainDate.from("2026-06-14"));
  for (const subject of ["person_id", "aircraft_id"] as const) {
    const plan = await tenant.read(async (reader) => {
      const then = await asOf(reader, date);
      return planOf(reader, (reader) => holdersOn(reader, subject, [id()], then));
    });
    expect(plan.join("\n")).toMatch(
      new RegExp(`SEARCH compliance_records USING INDEX compliance_records_${subject.slice(0, 6)}`),
    );
    expect(plan.filter((line) => /^SCAN (compliance_records|newer|superseding|people)/.test(line))).toEqual([]);
  }
  const plan = await tenant.read(async (reader) => {
    const then = await asOf(reader, date);
    const where = stands(then, await withdrawnOnes(reader, then));
    return planOf(reader, (reader) => reader.values(sql`select 1 from ${complianceRecords} where ${where}`));
  });
  expect(plan.filter((line) => /^SCAN (newer|superseding)/.test(line))).toEqual([]);
});
