/** Reads pages of events while new events occur. */

import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { toInstant } from "../../../src/core/clock.ts";
import { listEvents } from "../../../src/modules/integrations/event-log/event-log.queries.ts";
import type { EventListQuery } from "../../../src/modules/integrations/event-log/event-log.schemas.ts";
import { planOf } from "../../support/query-plans.ts";
import { expectStatus, newOwnSchool, newSchool } from "../../support/school.ts";
import { emitTests, tenantOf } from "./events.ts";

test("pages that are read by cursor neither overlap nor skip events, even if events occur between them", async () => {
  const school = await newOwnSchool();
  const { clock } = school.installation;
  const key = await school.apiKey("public.events:read");
  const all: string[] = [];
  const occur = async (pauses: readonly number[]) => {
    for (const pause of pauses) {
      // Several events may occur in one millisecond; their ids still grow.
      clock.advance(pause);
      all.push(...(await emitTests(school, 1)));
    }
  };
  const newestFirst = (ids: readonly string[]) => [...ids].sort().reverse();

  const pauses = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      pauses,
      fc.integer({ min: 1, max: 5 }),
      fc.array(pauses, { maxLength: 6 }),
      async (first, limit, meanwhile) => {
        // Resets the rate limit of the key.
        clock.advance(60_000);
        await occur(first);
        const before = newestFirst(all);
        clock.advance(1);
        const seen: string[] = [];
        for (let query = `limit=${limit}`, turn = 0; ; turn += 1) {
          const { data, page } = expectStatus(200, await school.publicGet(`/events?${query}`, key)).body;
          seen.push(...data.map(({ id }: { id: string }) => id));
          expect(page).toEqual({
            limit,
            has_more: seen.length < before.length,
            next_cursor: seen.length < before.length ? expect.any(String) : null,
          });
          if (!page.has_more) break;
          await occur(meanwhile[turn] ?? []);
          query = `limit=${limit}&cursor=${page.next_cursor}`;
        }
        expect(seen).toEqual(before);
      },
    ),
    { numRuns: 25 },
  );
});

test("a cursor continues at its position even if its event was deleted", async () => {
  const school = await newOwnSchool();
  const key = await school.apiKey("public.events:read");
  const ids: string[] = [];
  for (const _ of [0, 1, 2]) {
    ids.push(...(await emitTests(school, 1)));
    school.installation.clock.advance(1);
  }
  const { page } = expectStatus(200, await school.publicGet("/events?limit=2", key)).body;
  await tenantOf(school).write((tx) => tx.run(sql`delete from events where id = ${ids[1]}`));
  const { data } = expectStatus(200, await school.publicGet(`/events?limit=2&cursor=${page.next_cursor}`, key)).body;
  expect(data.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
});

test("order=asc reads every event after the last one, also those of the same millisecond", async () => {
  const school = await newOwnSchool();
  const key = await school.apiKey("public.events:read");
  const read = async (query: string) =>
    expectStatus(200, await school.publicGet(`/events?order=asc&limit=2${query}`, key)).body;
  const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
  expect((await read("")).page).toEqual({ limit: 2, has_more: false, next_cursor: null, last_cursor: null });

  const seen: string[] = [];
  const emitted: string[] = [];
  for (let cursor = "", round = 0; round < 8; round++) {
    emitted.push(...(await emitTests(school, 1)));
    if (round === 4) school.installation.clock.advance(-1000);
    const body = await read(cursor);
    seen.push(...ids(body));
    cursor = `&cursor=${body.page.last_cursor}`;
    expect(await read(cursor)).toEqual({
      data: [],
      page: { limit: 2, has_more: false, next_cursor: null, last_cursor: body.page.last_cursor },
    });
  }
  expect(seen).toEqual(emitted);
  const pages = [await read("")];
  for (let page = pages[0]; page?.page.has_more; pages.push(page))
    page = await read(`&cursor=${page.page.next_cursor}`);
  expect(pages.flatMap(ids)).toEqual(emitted);
});

test("a cursor of one order is rejected in the other, also one that an earlier version gave out", async () => {
  const school = await newOwnSchool();
  const key = await school.apiKey("public.events:read");
  const ids = await emitTests(school, 3);
  const cursorOf = async (query: string) =>
    expectStatus(200, await school.publicGet(`/events?limit=1${query}`, key)).body.page.next_cursor;
  const [newestFirst, oldestFirst] = [await cursorOf(""), await cursorOf("&order=asc")];
  const earlier = Buffer.from(JSON.stringify(ids.slice(0, 1))).toString("base64url");
  for (const query of [
    `cursor=${oldestFirst}`,
    `order=asc&cursor=${newestFirst}`,
    `cursor=${earlier}`,
    `order=asc&cursor=${earlier}`,
  ]) {
    const { error } = expectStatus(400, await school.publicGet(`/events?${query}`, key)).body;
    expect(error.message).toContain("Send it with the same `order`");
  }
  expectStatus(200, await school.publicGet(`/events?order=desc&cursor=${newestFirst}`, key));
});

test("events are read in the order of an index, starting at the cursor", async () => {
  const tenant = tenantOf(await newSchool());
  const page = { limit: 100 };
  const id = "evt_01890a5dac96774bbcceb302099a8057";
  const [cursor, ascending] = [
    ["-id", id],
    ["id", "0.", id],
  ];
  const since = toInstant(new Date("2026-06-01"));
  const cases: [plan: RegExp, query: EventListQuery][] = [
    [/SCAN events USING INDEX sqlite_autoindex_events_1/, page],
    [/SEARCH events USING INDEX sqlite_autoindex_events_1 \(id<\?\)/, { ...page, cursor }],
    [/SEARCH events USING INDEX sqlite_autoindex_events_1 \(id>\?\)/, { ...page, since }],
    [/SEARCH events USING INDEX events_type \(type=\?\)/, { ...page, type: "webhook.test" }],
    [/SEARCH events USING INDEX events_type \(type=\? AND id<\?\)/, { ...page, type: "webhook.test", cursor }],
    [/SEARCH events USING INDEX events_type \(type=\? AND id>\?\)/, { ...page, type: "webhook.test", since }],
    [/SCAN events USING INDEX sqlite_autoindex_events_1/, { ...page, order: "asc" }],
    [
      /SEARCH events USING INDEX sqlite_autoindex_events_1 \(id>\?\)/,
      { ...page, order: "asc", cursor: ascending, since },
    ],
    [
      /SEARCH events USING INDEX events_type \(type=\? AND id>\?\)/,
      { ...page, order: "asc", cursor: ascending, type: "webhook.test" },
    ],
  ];
  for (const [wanted, query] of cases) {
    const plan = await tenant.read((reader) => planOf(reader, (reader) => listEvents(reader, query)));
    expect(plan.filter((line) => wanted.test(line))).not.toBeEmpty();
    expect(plan.filter((line) => line.includes("TEMP B-TREE"))).toEqual([]);
  }
});
