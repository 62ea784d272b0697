/** A school with records of every kind, before and after a move. */
import { expect } from "bun:test";
import type { Installation } from "../../support/installation.ts";
import type { School } from "../../support/school.ts";
import { changeEach, newStage } from "../../support/stage.ts";
import { newFolder, type Rows } from "./moves.ts";

/** What an adoption changes in a school's file, and why. Every other row of every table must stay as it was. */
const adoptionChanges: Record<string, { why: string; rows?: number; columns?: readonly string[] }> = {
  meta: { why: "its key is sealed with the secret of the installation", columns: ["data_key", "sealed_by"] },
  audit_log: { why: "the row organization.adopted", rows: 1 },
  applied_intents: { why: "the intent that wrote that row is applied once", rows: 1 },
};

interface Compared {
  /** How often the school was adopted or suspended between the two: each has a row in the audit log. */
  times?: number;
  /** Columns of `meta` that differ as well. */
  metaColumns?: readonly string[];
}

/** Compares all tables of two files, row by row. @returns the tables with rows */
export function expectMoved(before: Rows, after: Rows, { times = 1, metaColumns = [] }: Compared = {}): string[] {
  expect(Object.keys(after)).toEqual(Object.keys(before));
  for (const [table, rows] of Object.entries(before)) {
    const { rows: eachTime = 0, columns: changed = [] } = adoptionChanges[table] ?? {};
    const added = eachTime * times;
    const columns = [...changed, ...(table === "meta" ? metaColumns : [])];
    const without = (all: Rows[string] = []) =>
      all.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name))));
    const [old, now] = [without(rows), after[table] ?? []];
    expect([table, now.length]).toEqual([table, rows.length + added]);
    // Rows are in no order that says which is new.
    const left = new Set(without(now).map((row) => JSON.stringify(row)));
    for (const row of old) expect([table, row, left.delete(JSON.stringify(row))]).toEqual([table, row, true]);
    expect([table, left.size]).toEqual([table, added]);
    // Sealed with another secret, it is another text.
    for (const column of columns) expect(now[0]?.[column]).not.toEqual(rows[0]?.[column]);
  }
  const last = after.audit_log?.at(-1);
  expect(last).toMatchObject({ action: "organization.adopted" });
  return Object.keys(before).filter((table) => before[table]?.length);
}

/** A school with records of every kind. */
export async function fullSchool(): Promise<School<Installation>> {
  const stage = await newStage({ directory: await newFolder(), checked: false });
  // The export itself takes a second, and is made below.
  const routes = stage.routes.filter(({ name }) => name !== "POST /orgs/{orgId}/export");
  await changeEach({ ...stage, routes });
  return stage.school;
}
