/** Lists are read in the order of an index: SQLite never sorts a school's whole table to show a page of it. */
import { expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { toInstant } from "../../src/core/clock.ts";
import { isId } from "../../src/core/ids.ts";
import { listAircraft } from "../../src/modules/fleet/fleet.queries.ts";
import { listPublicFlights } from "../../src/modules/flights/flights.queries.ts";
import { listApiKeys } from "../../src/modules/integrations/api-keys/api-keys.queries.ts";
import { listReplays } from "../../src/modules/integrations/replays/replays.queries.ts";
import { listAuditLog } from "../../src/modules/operations/audit-log.queries.ts";
import { listPublicPilots } from "../../src/modules/people/people.queries.ts";
import type { Reader } from "../../src/storage/store.ts";
import { newSchool } from "../support/school.ts";

const from = toInstant(new Date("2026-06-01"));
const page = { limit: 100, offset: 0, with_total: false };
type List = (reader: Reader<"tenant">) => Promise<unknown>;

async function schoolReader(): Promise<<T>(query: (reader: Reader<"tenant">) => Promise<T>) => Promise<T>> {
  const { installation, orgId } = await newSchool();
  if (!isId<"organization">(orgId)) throw new Error();
  const tenant = installation.storage.tenants.tenant(orgId);
  return (query) => tenant.read(query);
}

/** What SQLite would do for the list's query, line by line. */
async function planOf(reader: Reader<"tenant">, list: List): Promise<string[]> {
  let plan: string[] = [];
  const explaining = new Proxy(reader, {
    get(target, name) {
      if (name !== "values") return Reflect.get(target, name);
      return async (query: SQL) => {
        const rows = await target.values<[number, number, number, string]>(sql`explain query plan ${query}`);
        plan = rows.map(([, , , detail]) => detail);
        return [];
      };
    },
  });
  await list(explaining);
  return plan;
}

test("lists are read in the order of an index", async () => {
  const read = await schoolReader();
  const lists: [index: RegExp, list: List][] = [
    [/SCAN people USING INDEX people_name/, (reader) => listPublicPilots(reader, { ...page, type: "all" })],
    [/SCAN aircraft USING INDEX aircraft_registration_unique/, (reader) => listAircraft(reader, page)],
    [
      /SCAN aircraft USING INDEX aircraft_registration_unique/,
      (reader) => listAircraft(reader, { ...page, status: "available" }),
    ],
    [/flights USING INDEX flights_off_block/, (reader) => listPublicFlights(reader, page)],
    [/flights USING INDEX flights_off_block/, (reader) => listPublicFlights(reader, { ...page, from })],
    [
      /flights USING INDEX flights_status_off_block/,
      (reader) => listPublicFlights(reader, { ...page, status: "approved" }),
    ],
    [
      /flights USING INDEX flights_status_off_block/,
      (reader) => listPublicFlights(reader, { ...page, status: "approved", from }),
    ],
    [/SCAN api_keys USING INDEX sqlite_autoindex_api_keys_1/, (reader) => listApiKeys(reader, page, from)],
    [/SCAN replays USING INDEX sqlite_autoindex_replays_1/, (reader) => listReplays(reader, page)],
    [/SCAN audit_log$/, (reader) => listAuditLog(reader, page)],
  ];
  for (const [index, list] of lists) {
    const plan = await read((reader) => planOf(reader, list));
    expect(plan.filter((line) => index.test(line))).not.toBeEmpty();
    expect(plan.filter((line) => line.includes("TEMP B-TREE FOR ORDER BY"))).toEqual([]);
  }
});

test("an API key is found by its hash, a person by their account, postings by their aircraft", async () => {
  const read = await schoolReader();
  const lookUps: [plan: string, query: SQL][] = [
    [
      "SEARCH api_keys USING INDEX api_keys_token_hash_unique (token_hash=?)",
      sql`select * from api_keys where token_hash = 'x'`,
    ],
    [
      "SEARCH api_keys USING INDEX api_keys_previous_hash_unique (previous_hash=?)",
      sql`select * from api_keys where previous_hash = 'x'`,
    ],
    ["SEARCH people USING INDEX people_user_id_unique (user_id=?)", sql`select * from people where user_id = 'x'`],
    [
      "SEARCH people USING COVERING INDEX people_supervisor (supervisor_id=?)",
      sql`select count(*) from people where supervisor_id = 'x'`,
    ],
    [
      "SEARCH counter_postings USING INDEX counter_postings_aircraft (aircraft_id=?)",
      sql`select total(hobbs) from counter_postings where aircraft_id = 'x'`,
    ],
  ];
  for (const [plan, query] of lookUps) {
    const rows = await read((reader) =>
      reader.values<[number, number, number, string]>(sql`explain query plan ${query}`),
    );
    expect(rows.map(([, , , detail]) => detail)).toEqual([plan]);
  }
});
