/** For tests of the plans of lists: SQLite never sorts a whole table to return a page. */
import { expect } from "bun:test";
import type { MemberActor } from "../../src/core/actor.ts";
import { toInstant } from "../../src/core/clock.ts";
import type { Cursor } from "../../src/core/cursor.ts";
import { type Id, isId } from "../../src/core/ids.ts";
import { permissions } from "../../src/core/permissions.ts";
import type { Kind, Reader, Store } from "../../src/storage/store.ts";
import { planOf } from "./query-plans.ts";
import { newOwnSchool } from "./school.ts";

export const from = toInstant(new Date("2026-06-01"));
export const page = { limit: 100, offset: 0 };

export const id = <K extends string>() => "01890a5d-ac96-774b-bcce-b302099a8057" as Id<K>;
export const owner: MemberActor = {
  kind: "user",
  userId: id(),
  sessionId: id(),
  email: "ada@example.com",
  name: "Ada",
  orgId: id(),
  permissions: new Set(permissions),
};

export type List<K extends Kind> = (reader: Reader<K>, page: { limit: number; cursor?: Cursor }) => Promise<unknown>;
/** From the beginning, and from a cursor. */
export type Case<K extends Kind> = [access: RegExp, cursor: Cursor, list: List<K>];

export async function newStorage() {
  const { installation, orgId } = await newOwnSchool();
  if (!isId<"organization">(orgId)) throw new Error("A school has an id.");
  return { control: installation.storage.control, tenant: installation.storage.tenants.tenant(orgId) };
}

export async function areInOrderOfAnIndex<K extends Kind>(store: Store<K>, lists: Case<K>[]) {
  for (const [access, cursor, list] of lists)
    for (const start of [{}, { cursor }]) {
      const plan = await store.read((reader) => planOf(reader, (reader) => list(reader, { ...page, ...start })));
      const at = new RegExp(`^(SCAN|SEARCH) ${access.source}`);
      const lines = plan.filter((line) => at.test(line));
      expect({ plan, lines }).toEqual({ plan, lines: [expect.any(String)] });
      expect(plan.filter((line) => line.includes("TEMP B-TREE FOR ORDER BY"))).toEqual([]);
      // With a cursor, the search in the index starts there.
      if ("cursor" in start) expect(lines[0]).toMatch(/[<>]\(?\?/);
    }
}
