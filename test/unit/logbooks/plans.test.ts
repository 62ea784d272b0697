/** Logbooks and journey logs are read in the order of an index. */
import { expect, test } from "bun:test";
import { journeyReads } from "../../../src/modules/logbooks/journey.queries.ts";
import { logbookReads } from "../../../src/modules/logbooks/logbook.queries.ts";
import type { Tenant } from "../../../src/storage/store.ts";
import { from, id, newStorage } from "../../support/list-plans.ts";
import { planOf } from "../../support/query-plans.ts";

test("the totals of logs are summed from a place on, in the order of an index", async () => {
  const { tenant } = await newStorage();
  const plan = (query: (store: Pick<Tenant, "read">) => Promise<unknown>) =>
    tenant.read((reader) => planOf(reader, (reader) => query({ read: (read) => read(reader) })));
  const crew = await plan((store) => logbookReads.count(store, id(), { from }));
  expect(crew).toContainEqual(
    expect.stringMatching(/^SEARCH flight_crew USING INDEX flight_crew_logbook \(person_id=\? AND logged_at>\? AND /),
  );
  const flown = await plan((store) => journeyReads.count(store, id(), { from }));
  expect(flown).toContainEqual(
    expect.stringMatching(
      /^SEARCH flights USING INDEX flights_aircraft_status_off_block \(aircraft_id=\? AND status=\? AND <expr>>/,
    ),
  );
  expect([...crew, ...flown].filter((line) => line.includes("TEMP B-TREE"))).toEqual([]);
});
