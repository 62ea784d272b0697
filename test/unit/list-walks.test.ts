/** Every list has the same rows by cursor and by offset, also with equal and null sort keys. */
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { controlMigrations } from "../../migrations/control/index.ts";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import type { MemberActor } from "../../src/core/actor.ts";
import { toInstant } from "../../src/core/clock.ts";
import { type Cursor, decodeCursor } from "../../src/core/cursor.ts";
import type { Id } from "../../src/core/ids.ts";
import type { Bytes } from "../../src/core/kept-body.ts";
import { permissions } from "../../src/core/permissions.ts";
import { listSessions } from "../../src/modules/accounts/sessions/sessions.queries.ts";
import { listAircraft } from "../../src/modules/fleet/fleet.queries.ts";
import { copyToCrew } from "../../src/modules/flights/flight-content.ts";
import { listFlights, listPublicFlights } from "../../src/modules/flights/flights.queries.ts";
import type { FlightListFilter } from "../../src/modules/flights/flights.schemas.ts";
import { flightStatuses } from "../../src/modules/flights/flights.tables.ts";
import { listApiKeys } from "../../src/modules/integrations/api-keys/api-keys.queries.ts";
import {
  listEndpointDeliveries,
  listEventDeliveries,
} from "../../src/modules/integrations/event-log/deliveries.queries.ts";
import { listEvents } from "../../src/modules/integrations/event-log/event-log.queries.ts";
import { listReplays } from "../../src/modules/integrations/replays/replays.queries.ts";
import { listEndpoints } from "../../src/modules/integrations/webhooks/webhooks.queries.ts";
import { listAuditLog } from "../../src/modules/operations/audit-log.queries.ts";
import { listInvites } from "../../src/modules/organizations/invites/invites.queries.ts";
import { listMembers } from "../../src/modules/organizations/organizations.queries.ts";
import { listPeople, listPublicPilots, personWords } from "../../src/modules/people/people.queries.ts";
import { keepWords } from "../../src/storage/search-words.ts";
import { SqliteFile } from "../../src/storage/sqlite-file.ts";
import type { Kind, Reader, Store, Value } from "../../src/storage/store.ts";
import { cleanUp, closedLater, newDirectory } from "../storage/temporary.ts";
import { TestClock } from "../support/clock.ts";

afterEach(cleanUp);

const id = <K extends string>(n: number) => `01890a5d-ac96-774b-bcce-${String(n).padStart(12, "0")}` as Id<K>;
const day = (n: number) => toInstant(new Date(Date.UTC(2026, 0, n)));
const now = day(15);
const orgId = id<"organization">(900);
const userId = id<"user">(901);
const owner: MemberActor = {
  kind: "user",
  userId,
  sessionId: id(902),
  email: "ada@example.com",
  name: "Ada",
  orgId,
  permissions: new Set(permissions),
};
const stamps = { created_at: now, updated_at: now };

const tables = { control: controlMigrations, tenant: tenantMigrations };
async function newFile<K extends Kind>(kind: K): Promise<SqliteFile<K>> {
  const options = { clock: new TestClock(), onEffectError: () => undefined, fresh: true };
  return closedLater(await SqliteFile.open(kind, join(await newDirectory(), "lists.db"), tables[kind], options));
}

type Rows = readonly Record<string, Value>[];

/** Replaces the rows of the tables. Later tables refer to earlier ones. */
const fill = (file: Store, rowsOf: Record<string, Rows>) =>
  file.write(async (tx) => {
    for (const table of Object.keys(rowsOf).reverse()) await tx.run(sql`delete from ${sql.identifier(table)}`);
    for (const [table, rows] of Object.entries(rowsOf))
      for (const row of rows) {
        const columns = sql.join(
          Object.keys(row).map((name) => sql.identifier(name)),
          sql`, `,
        );
        const values = sql.join(
          Object.values(row).map((value) => sql`${value}`),
          sql`, `,
        );
        await tx.run(sql`insert into ${sql.identifier(table)} (${columns}) values (${values})`);
      }
  });

interface Request {
  limit: number;
  offset?: number;
  cursor?: Cursor | undefined;
  with_total?: boolean;
}
type List<K extends Kind> = (reader: Reader<K>, page: Request) => Promise<Bytes>;

async function walk<K extends Kind>(file: Store<K>, list: List<K>, limit: number, by: "offset" | "cursor") {
  const seen: unknown[] = [];
  for (let page: Request = { limit, offset: 0 }; ; ) {
    const body = JSON.parse(String(await file.read((reader) => list(reader, page))));
    seen.push(...body.data);
    expect(body.page.has_more).toBe(body.page.next_cursor !== null);
    if (!body.page.has_more) return seen;
    if (seen.length > 500) throw new Error("The pages do not come to an end.");
    expect(body.data).toHaveLength(limit);
    page = by === "offset" ? { limit, offset: seen.length } : { limit, cursor: decodeCursor(body.page.next_cursor) };
  }
}

async function areSameEitherWay<K extends Kind>(file: Store<K>, lists: List<K>[], limit: number) {
  const lengths = [];
  for (const list of lists) {
    const whole = JSON.parse(String(await file.read((reader) => list(reader, { limit: 500, offset: 0 }))));
    expect(await walk(file, list, limit, "cursor")).toEqual(whole.data);
    // Some lists have no offset.
    if ("offset" in whole.page) expect(await walk(file, list, limit, "offset")).toEqual(whole.data);
    lengths.push(whole.data.length);
  }
  return lengths;
}

const limit = fc.integer({ min: 1, max: 4 });
/** Returns at most `max` rows, each made from its number and random values. */
const rows = <T>(drawn: fc.Arbitrary<T>) => fc.array(drawn, { maxLength: 9 });
const oneOf = fc.constantFrom;

test("flights: without an off-block time, at the same time, by status, aircraft, period and crew", async () => {
  const file = await newFile("tenant");
  const drawn = fc.record({
    off_block_at: oneOf(null, null, day(1), day(2)),
    status: oneOf("draft", "approved"),
    aircraft_id: oneOf(id(1), id(2)),
    created_by: oneOf(userId, id(903)),
    crew: oneOf<number[]>([], [3, 4], [4, 3, 5]),
  });
  await fc.assert(
    fc.asyncProperty(rows(drawn), limit, async (flights, limit) => {
      const flightId = (at: number) => id<"flight">(100 + ((at * 7) % 10));
      const figures = { day_landings: 0, night_landings: 0, night_minutes: 0, ifr_minutes: 0 };
      await fill(file, {
        aircraft: [1, 2].map((n) => ({ ...anAircraft, id: id(n), registration: `D-EAB${n}`, status: "available" })),
        people: [3, 4, 5].map((n) => ({ ...aPerson, id: id(n), name: String(n), email: n === 3 ? owner.email : null })),
        flights: flights.map(({ crew: _, ...flight }, at) => ({
          ...{ ...flight, ...figures, ...stamps },
          ...{ id: flightId(at), revision: 1, warnings: "[]" },
        })),
        // Inserted in reverse: only the position defines the order.
        flight_crew: flights.flatMap(({ crew }, at) =>
          crew
            .map((n, position) => ({ flight_id: flightId(at), position, person_id: id(n), function: "pic" }))
            .reverse(),
        ),
      });
      const filters = [
        ...[
          {},
          { status: "draft" },
          { aircraft_id: id<"aircraft">(1) },
          { aircraft_id: id<"aircraft">(1), status: "draft" },
        ],
        ...[{ from: day(1) }, { to: day(2) }, { from: day(1), to: day(2), status: "approved" }],
      ] as const;
      const lists = filters.flatMap((filter): List<"tenant">[] => [
        (reader, page) => listFlights(reader, owner, { ...page, ...filter }),
        (reader, page) => listFlights(reader, owner, { ...page, ...filter, order: "off_block_at" }),
        (reader, page) => listPublicFlights(reader, { ...page, ...filter }),
      ]);
      for (const filter of [{ updated_since: now }, { updated_since: now, status: "approved" }] as const)
        lists.push((reader, page) => listPublicFlights(reader, { ...page, ...filter }));
      const [all] = await areSameEitherWay(file, lists, limit);
      expect(all).toBe(flights.length);

      const shown = JSON.parse(String(await file.read((reader) => listPublicFlights(reader, { limit: 100 })))).data;
      const crews = new Map(flights.map(({ crew }, at) => [flightId(at), crew.map((n) => id(n))]));
      for (const { id, crew } of shown)
        expect(crew.map(({ person_id }: { person_id: string }) => person_id)).toEqual(crews.get(id));
      const times = shown.map(({ off_block_at }: { off_block_at: string | null }) => off_block_at ?? "");
      expect(times).toEqual([...times].sort().reverse());
    }),
    { numRuns: 40 },
  );
});

test("own flights are those that the member drafted or flew as any of their people, once, in the order of all", async () => {
  const file = await newFile("tenant");
  const student = { ...owner, permissions: new Set<never>() };
  const flight = fc.record({
    off_block_at: oneOf(null, day(1), day(2), day(3)),
    status: oneOf(...flightStatuses),
    aircraft_id: oneOf(id<"aircraft">(1), id<"aircraft">(2)),
    workshop_remarks: oneOf(null, "The left brake feels soft."),
    created_by: oneOf(userId, id(903)),
    crew: fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { maxLength: 4 }),
  });
  // Of a person whose data was erased, neither is left.
  const person = oneOf("linked", "address", "another", "erased");
  const people = fc.array(person, { minLength: 12, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(flight, { maxLength: 12 }), people, limit, async (flights, people, limit) => {
      const flightId = (at: number) => id<"flight">(100 + ((at * 7) % 12));
      const linked = people.indexOf("linked");
      const isOwn = (n: number) => n === linked || people[n] === "address";
      const figures = { day_landings: 0, night_landings: 0, night_minutes: 0, ifr_minutes: 0 };
      await fill(file, {
        aircraft: [1, 2].map((n) => ({ ...anAircraft, id: id(n), registration: `D-EAB${n}`, status: "available" })),
        people: people.map((is, n) => ({
          ...{ ...aPerson, id: id(n), name: String(n), user_id: n === linked ? userId : null },
          email: { linked: null, address: owner.email, another: `${n}@example.com`, erased: null }[is],
        })),
        flights: flights.map(({ crew: _, ...flight }, at) => ({
          ...{ ...flight, ...figures, ...stamps },
          ...{ id: flightId(at), revision: 1, warnings: "[]" },
        })),
        flight_crew: flights.flatMap(({ crew }, at) =>
          crew.map((n, position) => ({ flight_id: flightId(at), position, person_id: id(n), function: "pic" })),
        ),
      });
      await file.write(async (tx) => {
        for (const at of flights.keys()) await copyToCrew(tx, flightId(at));
      });
      const filters: FlightListFilter[] = [
        ...[{}, { status: "approved" }, { aircraft_id: id<"aircraft">(1) }, { workshop_remarks: true }],
        ...[{ from: day(2) }, { to: day(2) }, { from: day(1), to: day(3), aircraft_id: id<"aircraft">(2) }],
        { status: "draft", from: day(1), workshop_remarks: true },
      ] as FlightListFilter[];
      for (const filter of filters) {
        const list: List<"tenant"> = (reader, page) => listFlights(reader, student, { ...page, ...filter });
        const oldestFirst: List<"tenant"> = (reader, page) =>
          listFlights(reader, student, { ...page, ...filter, order: "off_block_at" });
        await areSameEitherWay(file, [list, oldestFirst], limit);
        const all = async (list: List<"tenant">) =>
          JSON.parse(String(await file.read((reader) => list(reader, { limit: 500 })))).data;
        expect(await all(oldestFirst)).toEqual((await all(list)).reverse());
        const { data, page } = JSON.parse(
          String(await file.read((reader) => list(reader, { limit: 500, offset: 0, with_total: true }))),
        );
        const time = ({ off_block_at }: { off_block_at: string | null }) => off_block_at ?? "";
        const expected = flights
          .map((flight, at) => ({ ...flight, id: flightId(at) }))
          .filter(({ created_by, crew }) => created_by === userId || crew.some(isOwn))
          .filter(({ status }) => filter.status === undefined || status === filter.status)
          .filter(({ aircraft_id }) => filter.aircraft_id === undefined || aircraft_id === filter.aircraft_id)
          .filter(({ workshop_remarks }) => !filter.workshop_remarks || workshop_remarks !== null)
          .filter((flight) => filter.from === undefined || time(flight) >= filter.from)
          .filter((flight) => filter.to === undefined || (time(flight) !== "" && time(flight) < filter.to))
          .map((flight) => `${time(flight)} ${flight.id}`)
          .sort()
          .reverse();
        expect(data.map((one: { id: string; off_block_at: string | null }) => `${time(one)} ${one.id}`)).toEqual(
          expected,
        );
        expect(page.total).toBe(expected.length);
      }
    }),
    { numRuns: 40 },
  );
});

test("own flights are counted in pieces, each once", async () => {
  const file = await newFile("tenant");
  const student = { ...owner, permissions: new Set<never>() };
  await fill(file, {
    aircraft: [{ ...anAircraft, id: id(1), registration: "D-EABC", status: "available" }],
    people: [{ ...aPerson, id: id(1), name: "Ada", user_id: userId }],
  });
  // The first 4,004 were drafted, the last 4,006 flown: 2,003 both.
  const own = 6007;
  await file.write(async (tx) => {
    await tx.run(sql`with recursive n(n) as (select 0 union all select n + 1 from n where n < ${own + 2001})
      insert into flights (id, status, revision, aircraft_id, off_block_at, day_landings, night_landings, night_minutes,
        ifr_minutes, warnings, created_by, created_at, updated_at)
      select printf('f%05d', n), 'draft', 1, ${id(1)}, iif(n % 5 = 0, ${day(1)}, null), 0, 0, 0, 0, '[]',
        iif(n < 4004, ${userId}, ${id(903)}), ${now}, ${now} from n`);
    await tx.run(sql`insert into flight_crew (flight_id, position, person_id, function, off_block_at, status, aircraft_id)
      select id, 0, ${id(1)}, 'pic', ifnull(off_block_at, ''), status, aircraft_id from flights
      where id >= 'f02001' and id < ${`f${String(own).padStart(5, "0")}`}`);
  });
  const body = await file.read((reader) => listFlights(reader, student, { limit: 1, offset: 0, with_total: true }));
  expect(JSON.parse(String(body)).page.total).toBe(own);
});

const anAircraft = {
  ...{ model: "C172", class: "SEP", billing_basis: "block", hobbs: 0, tacho: 0, airframe_minutes: 0 },
  ...{ opening_hobbs: 0, opening_tacho: 0, opening_airframe_minutes: 0, ...stamps },
};
const aPerson = { types: '["student"]', ratings: "[]", restricted_instructor: 0, ...stamps };

test("people and aircraft with equal names, by type and status", async () => {
  const file = await newFile("tenant");
  const person = fc.record({
    name: oneOf("Ada", "Bo", "Ünal"),
    types: oneOf('["student"]', '["pilot","staff"]', '["instructor"]'),
    status: oneOf("active", "archived"),
    email: oneOf(null, "bo@example.com"),
  });
  await fc.assert(
    fc.asyncProperty(rows(person), rows(oneOf("available", "archived")), limit, async (people, aircraft, limit) => {
      await fill(file, {
        people: people.map((row, at) => ({ ...aPerson, ...row, id: id(at) })),
        aircraft: aircraft.map((status, at) => ({ ...anAircraft, id: id(9 - at), registration: `D-EAB${at}`, status })),
      });
      await file.write((tx) =>
        keepWords(
          tx,
          personWords,
          people.map((_, at) => id(at)),
        ),
      );
      const [all, staff, , pilots, , , archived, found] = await areSameEitherWay(
        file,
        [
          (reader, page) => listPeople(reader, owner, page),
          (reader, page) => listPeople(reader, owner, { ...page, type: "staff" }),
          (reader, page) => listPublicPilots(reader, { ...page, type: "all" }),
          (reader, page) => listPublicPilots(reader, { ...page, type: "pilot" }),
          (reader, page) => listPublicPilots(reader, { ...page, type: "instructor" }),
          (reader, page) => listPublicPilots(reader, { ...page, type: "all", updated_since: now }),
          (reader, page) => listPeople(reader, owner, { ...page, status: "archived" }),
          (reader, page) => listPeople(reader, owner, { ...page, q: "BO" }),
          (reader, page) => listAircraft(reader, page),
          (reader, page) => listAircraft(reader, { ...page, status: "archived" }),
          ...(["-name", "-created_at"] as const).map(
            (order): List<"tenant"> =>
              (reader, page) =>
                listPeople(reader, owner, { ...page, order }),
          ),
          ...(["-registration", "model", "-airframe_minutes"] as const).map(
            (order): List<"tenant"> =>
              (reader, page) =>
                listAircraft(reader, { ...page, order }),
          ),
        ],
        limit,
      );
      expect(all).toBe(people.length);
      expect(staff).toBe(people.filter(({ types }) => types.includes("staff")).length);
      const active = people.filter(({ status }) => status === "active");
      expect(pilots).toBe(active.filter(({ types }) => !types.includes("instructor")).length);
      expect(archived).toBe(people.length - active.length);
      expect(found).toBe(people.filter(({ name, email }) => name === "Bo" || email !== null).length);
    }),
    { numRuns: 30 },
  );
});

test("events, deliveries, endpoints, replays, API keys and the audit log", async () => {
  const file = await newFile("tenant");
  const drawn = fc.record({
    type: oneOf("flight.approved", "webhook.test"),
    status: oneOf("pending", "delivering", "succeeded"),
    deleted_at: oneOf(null, now),
    action: oneOf("flight.drafted", "flight.approved"),
    subject_kind: oneOf("flight", "person"),
    event: oneOf(0, 1),
  });
  await fc.assert(
    fc.asyncProperty(rows(drawn), limit, async (drawn, limit) => {
      const evt = (n: number) => `evt_${String(n).padStart(32, "0")}` as const;
      await fill(file, {
        events: drawn.map(({ type }, at) => ({ id: evt(at), type, occurred_at: day(at + 1), data: "{}" })),
        webhook_endpoints: drawn.map(({ deleted_at }, at) => ({
          ...{ id: id(at), url: "https://a.example", event_types: "[]", enabled: 1, primary_secret: "" },
          ...{ created_by: userId, deleted_at: at === 0 ? null : deleted_at, ...stamps },
        })),
        deliveries: drawn.map(({ status, event }, at) => ({
          ...{ id: id(at), event_id: evt(Math.min(event, drawn.length - 1)), endpoint_id: id(0), status, attempts: 0 },
          ...{ created_at: now, finished_at: status === "succeeded" ? now : null },
        })),
        replays: drawn.map((_, at) => ({
          ...{ id: id(at), since: now, until: now, only: "all", status: "done", considered: 0, queued: 0 },
          ...{ created_by: userId, created_at: now },
        })),
        api_keys: drawn.map((_, at) => ({
          ...{
            id: id(at),
            name: "a",
            scopes: "[]",
            token_hash: String(at),
            hint: "",
            created_by: userId,
            created_at: now,
          },
        })),
        audit_log: drawn.map(({ action, subject_kind }, at) => ({
          ...{ seq: at + 1, at: now, actor_kind: "job", action, subject_kind, subject_id: String(at % 2) },
          ...{ request_id: "", salt: "", digest: "", hash: "" },
        })),
      });
      const lengths = await areSameEitherWay(
        file,
        [
          (reader, page) => listEvents(reader, page),
          (reader, page) => listReplays(reader, { offset: 0, ...page }),
          (reader, page) => listApiKeys(reader, page, now),
          (reader, page) => listAuditLog(reader, page),
          (reader, page) => listEvents(reader, { ...page, type: "webhook.test" }),
          (reader, page) => listEvents(reader, { ...page, since: day(2), until: day(4) }),
          (reader, page) => listEvents(reader, { ...page, order: "asc" }),
          (reader, page) => listEvents(reader, { ...page, order: "asc", type: "webhook.test", since: day(2) }),
          (reader, page) => listEndpoints(reader, page),
          (reader, page) => listAuditLog(reader, { ...page, action: "flight.approved" }),
          (reader, page) => listAuditLog(reader, { ...page, subject_kind: "flight" }),
          (reader, page) => listAuditLog(reader, { ...page, action: "flight.approved", subject_kind: "person" }),
          (reader, page) => listAuditLog(reader, { ...page, subject_id: "1" }),
          ...(drawn.length === 0
            ? []
            : [undefined, "pending", "delivering", "succeeded"].flatMap((status): List<"tenant">[] => [
                (reader, page) => listEventDeliveries(reader, evt(0), { ...page, status: statusOf(status) }),
                (reader, page) => listEndpointDeliveries(reader, id(0), { ...page, status: statusOf(status) }),
              ])),
        ],
        limit,
      );
      expect(lengths.slice(0, 4)).toEqual([0, 1, 2, 3].map(() => drawn.length));
    }),
    { numRuns: 20 },
  );
});

const statusOf = (status: string | undefined) =>
  status === "pending" || status === "delivering" || status === "succeeded" ? status : undefined;

test("members with equal names, invites in each state, and sessions with equal times", async () => {
  const file = await newFile("control");
  const drawn = fc.record({
    name: oneOf("Ada", "Bo"),
    rotated_at: oneOf(day(1), day(2)),
    person_id: oneOf(null, id(1)),
    state: oneOf({}, { claimed_at: now }, { revoked_at: now }),
    expires_at: oneOf(day(3), day(20)),
  });
  await fc.assert(
    fc.asyncProperty(rows(drawn), limit, async (drawn, limit) => {
      const named = [{ name: "Olga", id: userId }, ...drawn.map(({ name }, at) => ({ name, id: id(at) }))];
      await fill(file, {
        users: named.map(({ id, name }) => ({ id, email: `${id}@example.com`, name, created_at: now })),
        organizations: [{ id: orgId, name: "A", kind: "ato", time_zone: "UTC", currency: "EUR", ...stamps }],
        memberships: named.map(({ id }) => ({ org_id: orgId, user_id: id, roles: '["admin"]', created_at: now })),
        invites: drawn.map(({ person_id, expires_at, state }, at) => ({
          ...{ id: id(at), org_id: orgId, email: "a@example.com", roles: "[]", token_hash: String(at) },
          ...{ person_id, expires_at, ...state, invited_by: userId, created_at: now },
        })),
        sessions: drawn.map(({ rotated_at, expires_at, state }, at) => ({
          ...{ id: id(9 - at), user_id: userId, amr: "[]", auth_time: now, generation: 1, rotated_at, created_at: now },
          ...{ idle_until: expires_at, ends_at: expires_at, user_agent: "", address: "" },
          revoked_at: "revoked_at" in state ? now : null,
        })),
      });
      const lists: List<"control">[] = [
        (reader, page) => listMembers(reader, orgId, page),
        (reader, page) => listSessions(reader, owner, { ...page, now }),
        ...(["organization", "student"] as const).flatMap((kind) =>
          ([undefined, "open", "claimed", "revoked", "expired"] as const).map(
            (status): List<"control"> =>
              (reader, page) =>
                listInvites(reader, { ...page, orgId, kind, status, now }),
          ),
        ),
      ];
      const [members, sessions, ...invites] = await areSameEitherWay(file, lists, limit);
      expect(members).toBe(named.length);
      expect(sessions).toBe(
        drawn.filter(({ state, expires_at }) => !("revoked_at" in state) && expires_at > now).length,
      );
      const sum = (from: number) => invites.slice(from, from + 4).reduce((a, b) => a + b, 0);
      expect([sum(1), sum(6)]).toEqual([invites[0] ?? -1, invites[5] ?? -1]);
      expect((invites[0] ?? 0) + (invites[5] ?? 0)).toBe(drawn.length);
    }),
    { numRuns: 20 },
  );
});
