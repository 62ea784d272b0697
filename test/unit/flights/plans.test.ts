/** Flights are read in the order of an index. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Cursor } from "../../../src/core/cursor.ts";
import { listFlights, listPublicFlights } from "../../../src/modules/flights/flights.queries.ts";
import type { FlightListFilter } from "../../../src/modules/flights/flights.schemas.ts";
import { flightAt } from "../../../src/modules/flights/import/flown.queries.ts";
import type { Reader } from "../../../src/storage/store.ts";
import { from, id, newStorage, owner, page } from "../../support/list-plans.ts";
import { planOf } from "../../support/query-plans.ts";

test("a student's own flights are merged from an index of whom they name, for all filters", async () => {
  const { tenant } = await newStorage();
  const student = { ...owner, permissions: new Set<never>() };
  for (const n of [1, 2]) {
    const linked = { id: `p${n}`, user_id: n === 1 ? student.userId : null, email: n === 2 ? student.email : null };
    await tenant.write((tx) =>
      tx.run(sql`insert into people (id, name, user_id, email, types, ratings, restricted_instructor, created_at, updated_at)
        values (${linked.id}, 'Ada', ${linked.user_id}, ${linked.email}, '[]', '[]', 0, '', '')`),
    );
  }
  const every: FlightListFilter = { status: "approved", aircraft_id: id(), from, to: from, workshop_remarks: true };
  const filters: FlightListFilter[] = [{}, ...Object.entries(every).map(([name, value]) => ({ [name]: value })), every];
  for (const filter of filters)
    for (const start of [{}, { cursor: ["-off_block_at,id", from, id()] as Cursor }]) {
      const plan = await tenant.read((reader) =>
        planOf(reader, (reader) => listFlights(reader, student, { ...page, ...start, ...filter })),
      );
      const lists = plan.filter((line) => / USING (COVERING )?INDEX (flights|flight_crew)_/.test(line));
      const begin = "cursor" in start ? / AND .*<\(\?,\?\)\)$|<expr>[<>]/ : /\?/;
      const drafted = /^SEARCH flights USING (COVERING )?INDEX flights_created_by \(created_by=\?/;
      const flown = /^SEARCH flight_crew USING COVERING INDEX flight_crew_listed \(person_id=\?/;
      expect({ plan, lists }).toEqual({
        plan,
        lists: [drafted, flown, flown].map((one) => expect.stringMatching(one)),
      });
      for (const line of lists) expect(line).toMatch(begin);
      // Only the page is sorted, which has its rows already: the list is merged before its limit.
      expect(plan.filter((line) => line === "MERGE (UNION)")).toHaveLength(2);
      expect(plan.slice(0, plan.indexOf("SCAN page")).filter((line) => line.includes("TEMP B-TREE"))).toEqual([]);
      expect(plan).toContain("SEARCH flights USING INDEX sqlite_autoindex_flights_1 (id=?)");
      expect(plan.filter((line) => /^SCAN (flights|flight_crew|people)\b/.test(line))).toEqual([]);
    }
});

test("the flights of a person are read in the order of an index of the crew, with all filters and in both orders", async () => {
  const { tenant } = await newStorage();
  const every: FlightListFilter = { status: "approved", aircraft_id: id(), from, to: from, workshop_remarks: true };
  for (const filter of [{}, every])
    for (const order of [undefined, "off_block_at"]) {
      const asked = { ...page, ...filter, order, person_id: id<"person">() };
      const plan = await tenant.read((reader) => planOf(reader, (reader) => listFlights(reader, owner, asked)));
      const read = plan.filter((line) => line.startsWith("SEARCH flight_crew USING COVERING INDEX flight_crew_listed"));
      expect({ plan, read }).toEqual({ plan, read: [expect.stringContaining("(person_id=?")] });
      expect(plan.filter((line) => /^SCAN (flights|flight_crew)\b/.test(line))).toEqual([]);
      expect(plan.slice(0, plan.indexOf("SCAN page")).filter((line) => line.includes("TEMP B-TREE"))).toEqual([]);
    }
});

test("an import finds a flight by aircraft and off-block time", async () => {
  const { tenant } = await newStorage();
  const values = { aircraft_id: id<"aircraft">(), off_block_at: from };
  const searches = async (query: (reader: Reader<"tenant">) => Promise<unknown>) =>
    (await tenant.read((reader) => planOf(reader, query))).filter((line) => /^(SEARCH|SCAN)/.test(line));
  const index = "SEARCH flights USING INDEX flights_aircraft_status_off_block (aircraft_id=? AND status=? AND";
  expect(await searches((reader) => flightAt(reader, values))).toEqual([`${index} <expr>=?)`]);
});

test("a flight's crew is read by its primary key, in the order of positions", async () => {
  const { tenant } = await newStorage();
  const plan = await tenant.read((reader) => planOf(reader, (reader) => listPublicFlights(reader, page)));
  const crew = plan.findIndex((line) => line.includes(" flight_crew "));
  expect(plan[crew]).toBe("SEARCH flight_crew USING INDEX sqlite_autoindex_flight_crew_1 (flight_id=?)");
  expect(plan[crew + 1]).toBe("SEARCH people USING INDEX sqlite_autoindex_people_1 (id=?)");
});
