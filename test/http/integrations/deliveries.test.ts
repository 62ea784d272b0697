/** The lists of the deliveries of an event and of an endpoint. */
import { expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { isId, newId } from "../../../src/core/ids.ts";
import { deliveries } from "../../../src/events/events.tables.ts";
import {
  listEndpointDeliveries,
  listEventDeliveries,
} from "../../../src/modules/integrations/event-log/deliveries.queries.ts";
import { isEventId } from "../../../src/modules/integrations/event-log/event-log.schemas.ts";
import type { Reader } from "../../../src/storage/store.ts";
import type { Installation } from "../../support/installation.ts";
import { planOf } from "../../support/query-plans.ts";
import { expectStatus, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { deliveriesOf, emitTests, tenantOf } from "./events.ts";
import { webhookUrl } from "./scenery.ts";

const endpoints = "/integrations/webhook-endpoints";
const nobody = "01890a5d-ac96-774b-bcce-b302099a8057";

const subscribe = async ({ owner }: School): Promise<string> =>
  expectStatus(201, await owner.post(endpoints, { url: webhookUrl, event_types: ["webhook.test"] })).body.data.id;

const idsOf = (data: { id: string }[]) => data.map(({ id }) => id);

/** Creates an event with `count` deliveries to one endpoint. */
async function replayed(school: School<Installation>, count: number) {
  const endpointId = await subscribe(school);
  const [eventId = ""] = await emitTests(school, 1);
  for (let made = 1; made < count; made += 1) {
    school.installation.clock.advance(1000);
    expectStatus(201, await school.owner.post(`/integrations/events/${eventId}/replay`));
  }
  return { endpointId, eventId };
}

/** Reads all pages of a list. */
async function pages(school: School, path: string): Promise<string[][]> {
  const found: string[][] = [];
  for (let query = ""; ; ) {
    const { data, page } = expectStatus(200, await school.owner.get(`${path}${query}`)).body;
    found.push(idsOf(data));
    if (!page.has_more) return found;
    query = `${path.includes("?") ? "&" : "?"}cursor=${page.next_cursor}`;
  }
}

test("an event contains its newest 20 deliveries, and the list contains all of them", async () => {
  const school = await newOwnSchool();
  const { eventId, endpointId } = await replayed(school, 20);
  const event = async () => (await school.owner.get(`/integrations/events/${eventId}`)).body.data;
  expect(await event()).toMatchObject({ more_deliveries: false });
  expect((await event()).deliveries).toHaveLength(20);
  school.installation.clock.advance(1000);
  expectStatus(201, await school.owner.post(`/integrations/events/${eventId}/replay`));

  const shown = await event();
  expect(shown.more_deliveries).toBe(true);
  const listed = await pages(school, `/integrations/events/${eventId}/deliveries?limit=8`);
  expect(listed.map(({ length }) => length)).toEqual([8, 8, 5]);
  const all = listed.flat();
  expect(all).toEqual([...all].sort().reverse());
  expect(new Set(all).size).toBe(21);
  expect(idsOf(shown.deliveries)).toEqual(all.slice(0, 20));
  expect((await pages(school, `${endpoints}/${endpointId}/deliveries`)).flat()).toEqual(all);
});

test("deliveries are filtered by status and endpoint, also those of a deleted endpoint", async () => {
  const school = await newOwnSchool();
  const { eventId, endpointId } = await replayed(school, 3);
  const other = await subscribe(school);
  school.installation.clock.advance(1000);
  expectStatus(201, await school.owner.post(`/integrations/events/${eventId}/replay`, { endpoint_id: other }));
  const [toOther, newest] = await deliveriesOf(school, eventId);
  await tenantOf(school).write((tx) =>
    tx.update(deliveries).set({ status: "failed", finished_at: tx.now }).where(sql`id = ${newest?.id}`),
  );
  const list = async (path: string) => (await pages(school, path)).flat();
  const ofEvent = `/integrations/events/${eventId}/deliveries`;

  expect(await list(`${ofEvent}?status=failed`)).toEqual([newest?.id ?? ""]);
  expect(await list(`${ofEvent}?endpoint_id=${other}`)).toEqual([toOther?.id ?? ""]);
  expect(await list(`${ofEvent}?endpoint_id=${other}&status=failed`)).toEqual([]);
  expectStatus(200, await school.owner.delete(`${endpoints}/${endpointId}`));
  expect(await list(`${endpoints}/${endpointId}/deliveries?status=failed`)).toEqual([newest?.id ?? ""]);
  expect(await list(`${endpoints}/${endpointId}/deliveries?status=cancelled`)).toHaveLength(2);
  expect(await list(`${endpoints}/${other}/deliveries?status=pending`)).toEqual([toOther?.id ?? ""]);
  for (const status of ["succeeded", "delivering"])
    expect(await list(`${endpoints}/${other}/deliveries?status=${status}`)).toEqual([]);
});

test("pending and delivering deliveries are listed newest first in pages, regardless of their due time", async () => {
  const school = await newOwnSchool();
  const { eventId, endpointId } = await replayed(school, 12);
  const other = await subscribe(school);
  for (const _ of [0, 1]) expectStatus(201, await school.owner.post(`/integrations/events/${eventId}/replay`));
  const ofEndpoint = `${endpoints}/${endpointId}/deliveries`;
  const all = (await pages(school, ofEndpoint)).flat();
  const every = (third: number) => all.filter((_, index) => index % 3 === third);
  const change = (ids: string[], columns: SQL) =>
    tenantOf(school).write((tx) =>
      tx.run(sql`update deliveries set ${columns} where id in (select value from json_each(${JSON.stringify(ids)}))`),
    );
  // The newest deliveries are due first, and their leases end first.
  const leased = sql`status = 'delivering', lease_token = 'a.1', lease_until = due_at`;
  await change(
    all,
    sql`due_at = '2026-06-14T10:00:' || printf('%02d', (select count(*) from deliveries as d where d.id > deliveries.id)) || '.000Z'`,
  );
  await change(every(1), leased);
  await change(every(2), sql`status = 'failed', due_at = null, finished_at = '2026-06-14T10:00:00.000Z'`);
  const [theirs = ""] = (await pages(school, `${endpoints}/${other}/deliveries`)).flat();
  await change([theirs], leased);

  expect(all).toHaveLength(14);
  for (const [status, wanted] of [
    ["pending", every(0)],
    ["delivering", every(1)],
  ] as const) {
    const listed = await pages(school, `${ofEndpoint}?status=${status}&limit=2`);
    expect(listed.flat()).toEqual(wanted);
    expect(listed).toHaveLength(Math.ceil(wanted.length / 2));
  }
});

test("unknown ids and ids of another organization get 404, and invalid filters get 400", async () => {
  const school = await newOwnSchool();
  const stranger = await newSchool(school.installation);
  const { eventId, endpointId } = await replayed(stranger, 1);
  const [theirs] = await deliveriesOf(stranger, eventId);
  for (const path of [
    `/integrations/events/${eventId}/deliveries`,
    `${endpoints}/${endpointId}/deliveries`,
    `${endpoints}/${nobody}/deliveries`,
    `/integrations/deliveries/${theirs?.id}`,
    `/integrations/deliveries/${nobody}`,
  ])
    expectStatus(404, await school.owner.get(path));
  for (const query of ["status=lost", "limit=0", "limit=501", "cursor=nonsense"])
    expectStatus(400, await stranger.owner.get(`${endpoints}/${endpointId}/deliveries?${query}`));
});

test("deliveries are listed in the order of an index with any filter", async () => {
  const school = await newSchool();
  const tenant = tenantOf(school);
  const limit = 100;
  const endpoint = await subscribe(school);
  const [eventId = ""] = await emitTests(school, 1);
  if (!isId<"webhook_endpoint">(endpoint) || !isEventId(eventId)) throw new Error("These are ids.");
  type List = (reader: Reader<"tenant">) => Promise<unknown>;
  const cursor = ["-id", newId<"delivery">(school.installation.clock)];
  const lists: [index: string, list: List][] = [
    ["deliveries_event (event_id=?", (reader) => listEventDeliveries(reader, eventId, { limit })],
    [
      "deliveries_event (event_id=?",
      (reader) => listEventDeliveries(reader, eventId, { limit, endpoint_id: endpoint }),
    ],
    ["deliveries_endpoint (endpoint_id=?", (reader) => listEndpointDeliveries(reader, endpoint, { limit })],
    ...(["succeeded", "failed", "cancelled"] as const).map((status): [string, List] => [
      "deliveries_ended (endpoint_id=? AND status=?",
      (reader) => listEndpointDeliveries(reader, endpoint, { limit, status }),
    ]),
    ...[undefined, cursor].flatMap((cursor): [string, List][] => [
      [
        "deliveries_turn (endpoint_id=?",
        (reader) => listEndpointDeliveries(reader, endpoint, { limit, cursor, status: "pending" }),
      ],
      [
        "deliveries_leased",
        (reader) => listEndpointDeliveries(reader, endpoint, { limit, cursor, status: "delivering" }),
      ],
    ]),
  ];
  for (const [index, list] of lists) {
    const plan = await tenant.read((reader) => planOf(reader, list));
    const ways = plan.filter((line) => line.includes(" deliveries "));
    expect(ways.filter((line) => line.includes(` INDEX ${index}`))).not.toBeEmpty();
    const byItsId = /INDEX sqlite_autoindex_deliveries_1 \(id=\?\)$/;
    expect(ways.filter((line) => !line.includes(` INDEX ${index}`) && !byItsId.test(line))).toEqual([]);
    expect(plan.filter((line) => line.includes("TEMP B-TREE"))).toEqual([]);
  }
});
