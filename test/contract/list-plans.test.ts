/**
 * Requests a page of every list with each of its filters, and checks SQLite's plans. Includes lists and filters added later.
 * The index of each list is in `test/unit/list-plans.test.ts`.
 */
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import { Connection } from "../../src/storage/connection.ts";
import { type Parameter, resolve } from "../support/document.ts";
import type { Call } from "../support/installation.ts";
import type { StagedRoute } from "../support/scenery.ts";
import { changeEach, newStage, prepare, type Stage } from "../support/stage.ts";

/** Lists that sort their rows, each with the filter for which they have no index in their order. */
const sorting = [
  // The schools of an installation, by what is known of their files, too.
  "GET /installation/schools?",
  "GET /orgs/{orgId}/members?",
  "GET /orgs/{orgId}/people?q=",
  "GET /opportunities?q=",
  "GET /public/addon-listings?q=",
  // As long as at most 400 entries match.
  "GET /public/directory/{type}?q=",
  "GET /public/directory/{type}?rating=",
  // A school has few rates, and these are in the index by which one is chosen.
  "GET /orgs/{orgId}/finance/rates?kind=",
  // The flights of one training are few.
  "GET /orgs/{orgId}/flights?enrollment_id=",
  // Only the page, which has its rows by then (`test/unit/flights/plans.test.ts`).
  "GET /orgs/{orgId}/flights?person_id=",
  // A school has some aircraft, and some hundred items of their maintenance programs.
  "GET /orgs/{orgId}/aircraft?order=",
  "GET /orgs/{orgId}/maintenance/items?order=",
];

/** Filters without an index: of few rows, or that choose what the list shows anyway, or its direction. */
const unindexed = [
  "GET /installation/schools?order=",
  "GET /orgs/{orgId}/integrations/events/{eventId}/deliveries?",
  "GET /orgs/{orgId}/audit-log?log=",
  "GET /orgs/{orgId}/integrations/events?order=",
  "GET /api/v1/public/events?order=",
  // The reverse of the list's index.
  "GET /orgs/{orgId}/people?order=",
  "GET /orgs/{orgId}/flights?order=",
  "GET /orgs/{orgId}/members?order=",
  "GET /orgs/{orgId}/aircraft/{aircraftId}/defects?order=",
  "GET /orgs/{orgId}/maintenance/work-orders?order=",
  "GET /orgs/{orgId}/maintenance/defects?order=",
  // Their rows are all aircraft, instructors and enrollments: the period is of what they count.
  "GET /orgs/{orgId}/reports/",
  // Their examples are their defaults, or they always have a value.
  "GET /public/directory/{type}?radius_km=",
  "GET /admin/addon-listings?review_status=",
  "GET /admin/directory/{type}?status=",
  // A school has some hundred of these at most, and those of one aircraft are few.
  "GET /orgs/{orgId}/aircraft?status=",
  "GET /orgs/{orgId}/aircraft/{aircraftId}/defects?status=",
  "GET /orgs/{orgId}/maintenance/defects?status=",
  "GET /orgs/{orgId}/compliance/types?subject=",
  "GET /orgs/{orgId}/compliance/requirements?applies_to=",
  "GET /orgs/{orgId}/compliance/expiries?subject=",
  "GET /orgs/{orgId}/maintenance/items?status=",
  "GET /orgs/{orgId}/training/programs?kind=",
  "GET /orgs/{orgId}/finance/rates?aircraft_id=",
  "GET /orgs/{orgId}/finance/rates?person_id=",
  "GET /orgs/{orgId}/planning/rooms?status=",
  // Most people are students: a page of them is soon found among all. Instructors have an index.
  "GET /orgs/{orgId}/people?type=",
  // Its plan reads the same as without: there, the range is all flights that are in logbooks.
  "GET /orgs/{orgId}/people/{personId}/logbook?from=",
  // As above: there, the range is all that was sent.
  "GET /orgs/{orgId}/finance/invoices/export?from=",
  // As above: there, the range is all that has an expiry.
  "GET /orgs/{orgId}/compliance/expiries?from=",
  // Its example is its default, and an account has one currency or few.
  "GET /orgs/{orgId}/people/{personId}/account/statement?currency=",
];

const paging = ["limit", "offset", "with_total", "cursor"];

let stage: Stage;
const databases: Connection[] = [];
beforeAll(async () => {
  stage = await newStage();
  const { installation, school } = stage;
  for (const name of [school.orgId, "control"])
    databases.push(new Connection(join(installation.directory, `${name}.db`), "read"));
});
afterAll(() => {
  for (const database of databases) database.close();
  return stage.installation.close();
});

const isList = ({ operation }: StagedRoute): boolean => {
  const schema = operation?.responses["200"]?.content?.["application/json"]?.schema;
  return schema !== undefined && "page" in (resolve(stage.document, schema).properties ?? {});
};

const callerOf = async ({ security }: StagedRoute, token: string | undefined): Promise<Call> => {
  const { school } = stage;
  if (token !== undefined) return { token };
  if (typeof security === "object") return { token: await school.apiKey(security.scope), org: school.orgId };
  return { token: school.owner.token };
};

const exampleOf = ({ name, schema }: Parameter): string => {
  const { examples, enum: values } = resolve(stage.document, schema);
  const value = examples?.[0] ?? values?.[0];
  if (value === undefined) throw new Error(`The filter ${name} has no example: give its schema one.`);
  return `${name}=${encodeURIComponent(String(value))}`;
};

/** Returns the queries of one request. */
async function queriesOf(request: () => Promise<unknown>): Promise<string[]> {
  const queries: string[] = [];
  const { execute, first } = Connection.prototype;
  const others = spyOn(Connection.prototype, "execute").mockImplementation(function (
    this: Connection,
    statement,
    args,
  ) {
    queries.push(typeof statement === "string" ? statement : statement.sql);
    return execute.call(this, statement, args);
  });
  const pages = spyOn(Connection.prototype, "first").mockImplementation(function (this: Connection, sql, values) {
    queries.push(sql);
    return first.call(this, sql, values);
  });
  await request();
  for (const spy of [others, pages]) spy.mockRestore();
  return queries.filter((query) => /^\s*(select|with)\b/i.test(query));
}

/** Uses its own connections, because a query for a plan holds its connection's snapshot of the database. */
async function planOf(query: string): Promise<string[]> {
  let reason: unknown;
  for (const database of databases) {
    try {
      const { rows } = await database.execute(`explain query plan ${query.replaceAll("?", "null")}`);
      return rows.map((row) => String(row[3]));
    } catch (error) {
      reason = error; // of the other database
    }
  }
  throw reason;
}

test("no list sorts its rows, for all filters", async () => {
  const sorted = new Set<string>();
  const without = new Set<string>();
  const lists = stage.routes.filter((route) => route.method === "GET" && isList(route));
  for (const route of lists) {
    const { path, caller: own } = await prepare(route, stage.school);
    const caller = await callerOf(route, own);
    const filters = (route.operation?.parameters ?? []).filter(
      (one) => one.in === "query" && !paging.includes(one.name),
    );
    let unfiltered: string[][] = [];
    for (const query of ["", ...filters.map(exampleOf)]) {
      const queries = await queriesOf(async () => {
        const { status, text } = await stage.installation.call("GET", `${path}?${query}`, caller);
        expect(`${route.name} ${query}: ${status} ${text.slice(0, 200)}`).toContain(": 200 ");
      });
      // A filter's default repeats the previous request, whose body is cached.
      if (query === "") expect(queries.some((asked) => /\blimit\b/i.test(asked))).toBe(true);
      const plans = await Promise.all(queries.filter((asked) => /\blimit\b/i.test(asked)).map(planOf));
      if (plans.some((plan) => plan.includes("USE TEMP B-TREE FOR ORDER BY"))) sorted.add(`${route.name}?${query}`);
      if (query === "") unfiltered = plans;
      else if (plans.length > 0 && Bun.deepEquals(plans, unfiltered)) without.add(`${route.name}?${query}`);
    }
  }
  expect(lists.length).toBeGreaterThan(10);
  // Each filter uses an index of its own, or a range of the list's: otherwise it reads rows that it does not show.
  expect([...without].filter((name) => !unindexed.some((one) => name.startsWith(one)))).toEqual([]);
  const isKnown = (name: string) => sorting.some((one) => name.startsWith(one));
  const advice = "add an index for its order to the tables of its module, and its plan to test/unit/list-plans.test.ts";
  expect([...sorted].filter((name) => !isKnown(name)).map((name) => `${name} sorts: ${advice}`)).toEqual([]);
  expect(
    sorting
      .filter((one) => ![...sorted].some((name) => name.startsWith(one)))
      .map((name) => `${name} no longer sorts: remove it from test/contract/list-plans.test.ts`),
  ).toEqual([]);
});

test("every list has the same rows by cursor and by offset", async () => {
  await changeEach(stage);
  await changeEach(stage);
  const lists = stage.routes.filter((route) => route.method === "GET" && isList(route));
  for (const route of lists) {
    const { path, caller: own } = await prepare(route, stage.school);
    const caller = await callerOf(route, own);
    const get = async (query: string) => (await stage.installation.call("GET", `${path}?${query}`, caller)).body;
    const { data: whole } = await get("limit=500");
    const rows: unknown[] = [];
    for (let query = "limit=2"; query !== ""; ) {
      const { data, page } = await get(query);
      rows.push(...data);
      query = page.next_cursor === null ? "" : `limit=2&cursor=${page.next_cursor}`;
    }
    // The audit log is longer than the largest page.
    expect([route.name, rows.slice(0, 500)]).toEqual([route.name, whole]);
  }
}, 300_000);
