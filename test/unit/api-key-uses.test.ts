import { expect, test } from "bun:test";
import { newId, type OrgId } from "../../src/core/ids.ts";
import { createApiKeyUses } from "../../src/modules/integrations/api-keys/api-key-uses.ts";
import type { Tenant } from "../../src/storage/store.ts";
import { TestClock } from "../support/clock.ts";

/** The uses of keys of four schools, and the schools that were written to. */
function usesOfFour() {
  const clock = new TestClock();
  const written: OrgId[] = [];
  const tenant = (id: OrgId) => ({ write: async () => void written.push(id) }) as unknown as Tenant;
  const uses = createApiKeyUses({ clock, tenant, log: { warn: () => undefined } });
  const schools = Array.from({ length: 4 }, () => newId<"organization">(clock));
  for (const id of schools) uses.note(id, newId<"api_key">(clock), "198.51.100.1");
  return { uses, written, schools, clock };
}

test("a round that has no more time continues with the next schools in the next round", async () => {
  const { uses, written, schools } = usesOfFour();
  for (const limit of [2, 4]) await uses.write({ hasTime: () => written.length < limit });
  expect(written).toEqual(schools);
});

test("only the uses of the selected schools are written, also within a minute of the last write", async () => {
  const { uses, written, schools, clock } = usesOfFour();
  const [first] = schools as [OrgId];
  await uses.write();
  for (const id of schools) uses.note(id, newId<"api_key">(clock), "198.51.100.1");
  await uses.write({ isDue: (id) => id === first });
  expect(written).toEqual([...schools, first]);
});

test("uses are written after the clock, which was a day ahead, was set back", async () => {
  const { uses, written, schools, clock } = usesOfFour();
  await uses.write();
  for (const id of schools) uses.note(id, newId<"api_key">(clock), "198.51.100.1");
  await uses.write();
  expect(written).toEqual(schools);
  clock.advance(-86_400_000);
  await uses.write();
  expect(written).toEqual([...schools, ...schools]);
});
