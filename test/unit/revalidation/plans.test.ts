/** The list of revalidations is read in the order of the people, and what they flew by the index of the logbooks. */
import { expect, test } from "bun:test";
import type { Cursor } from "../../../src/core/cursor.ts";
import { assessed } from "../../../src/modules/revalidation/flown.queries.ts";
import { listRevalidations } from "../../../src/modules/revalidation/revalidations.queries.ts";
import { areInOrderOfAnIndex, id, newStorage, owner } from "../../support/list-plans.ts";
import { planOf } from "../../support/query-plans.ts";

test("people are listed by id", async () => {
  const { tenant } = await newStorage();
  const cursor: Cursor = ["id", id()];
  await areInOrderOfAnIndex(tenant, [
    [
      /people USING (COVERING )?INDEX sqlite_autoindex_people_1/,
      cursor,
      (reader, page) => listRevalidations(reader, page, { actor: owner, now: new Date("2026-06-14") }),
    ],
  ]);
});

test("what people flew is found by the index of the logbooks", async () => {
  const { tenant } = await newStorage();
  const plan = await tenant.read((reader) =>
    planOf(reader, (reader) => assessed(reader, [id()], Temporal.PlainDate.from("2026-06-14"))),
  );
  expect(plan).toContain("SEARCH flight_crew USING INDEX flight_crew_logbook (person_id=? AND logged_at>?)");
  expect(plan.filter((line) => /^SCAN (flights|flight_crew|aircraft)/.test(line))).toEqual([]);
});
