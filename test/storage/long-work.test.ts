/** Work on many rows lets timers, sockets and requests run in between. */
import { afterEach, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { hours, seconds, shift } from "../../src/core/clock.ts";
import { isId } from "../../src/core/ids.ts";
import { backlogOf } from "../../src/events/backlogs.ts";
import { sessionCleanup } from "../../src/modules/accounts/accounts.jobs.ts";
import { inviteCleanup } from "../../src/modules/organizations/organizations.jobs.ts";
import type { Store } from "../../src/storage/store.ts";
import { summaryOf } from "../support/jobs.ts";
import { expectStatus, newOwnSchool } from "../support/school.ts";
import { cleanUp } from "./temporary.ts";

afterEach(cleanUp);

const long = "2000-01-01T00:00:00.000Z";

async function scene() {
  const school = await newOwnSchool();
  const { installation } = school;
  if (!isId<"organization">(school.orgId)) throw new Error("A school has an id.");
  return { installation, school, orgId: school.orgId, tenant: installation.storage.tenants.tenant(school.orgId) };
}

/** Inserts rows made from the numbers `i` from 1 to `count`. */
const insert = (store: Store, count: number, into: SQL, values: SQL) =>
  store.write((tx) =>
    tx.run(sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
      insert into ${into} select ${values} from n`),
  );

/** @returns the result of the work, and how many turns of the event loop passed meanwhile */
async function turnsOf<T>(work: () => Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const result = await work();
  isOver = true;
  return { result, turns };
}

test("the clean-ups take a turn of the event loop for each hundred rows of any kind", async () => {
  const { installation, school, orgId } = await scene();
  const { control } = installation.storage;
  const { userId } = school.owner;
  await insert(
    control,
    1000,
    sql`sessions (id, user_id, amr, auth_time, generation, rotated_at, idle_until, ends_at, user_agent, address, created_at)`,
    sql`'s' || i, ${userId}, '[]', ${long}, 1, ${long}, ${long}, ${long}, '', '', ${long}`,
  );
  await insert(
    control,
    1000,
    sql`email_tokens (token_hash, user_id, purpose, created_at, expires_at)`,
    sql`'t' || i, ${userId}, 'verify', ${long}, ${long}`,
  );
  await insert(
    control,
    1000,
    sql`invites (id, org_id, email, roles, token_hash, invited_by, created_at, expires_at)`,
    sql`'i' || i, ${orgId}, 'a@b.example', '["student"]', 'i' || i, ${userId}, ${long}, ${long}`,
  );
  const { clock } = installation;

  const sessions = await turnsOf(() => sessionCleanup.run({ control, clock }, clock.now()));
  const invites = await turnsOf(() => inviteCleanup.run({ control, clock }, clock.now()));

  expect(sessions.result && summaryOf(sessions.result)).toStartWith("Deleted 1000 sessions and 100");
  expect(sessions.turns).toBeGreaterThanOrEqual(20);
  expect(invites.result && summaryOf(invites.result)).toBe("Deleted 1000 invites.");
  expect(invites.turns).toBeGreaterThanOrEqual(10);
});

test("intents are applied one a turn of the event loop", async () => {
  const { installation, orgId } = await scene();
  const payload = JSON.stringify({ name: "School", time_zone: "UTC", requestId: "" });
  await insert(
    installation.storage.control,
    250,
    sql`intents (id, kind, org_id, payload, created_at)`,
    sql`'i' || i, 'organization.updated', ${orgId}, ${payload}, ${long}`,
  );

  const { result, turns } = await turnsOf(() => installation.scheduler.runNow("intents"));

  expect(result.summary).toBe("Applied 250 intents.");
  expect(turns).toBeGreaterThanOrEqual(250);
});

test("with_total counts many rows in pieces, for any filter and either order", async () => {
  const { school, tenant } = await scene();
  const { body } = await school.owner.get("/people?with_total=true");
  await insert(
    tenant,
    12_000,
    sql`people (id, name, types, ratings, restricted_instructor, created_at, updated_at)`,
    // Many people of one name: the pieces begin in the middle of it.
    sql`printf('01890a5d-ac96-774b-bcce-%012x', i), 'Ada ' || (i % 2), '["pilot"]', '[]', 0, ${long}, ${long}`,
  );

  const { result, turns } = await turnsOf(() => school.owner.get("/people?limit=1&with_total=true"));

  expect(expectStatus(200, result).body.page.total).toBe(body.page.total + 12_000);
  expect(turns).toBeGreaterThanOrEqual(2);
  const ofType = await school.owner.get("/people?limit=1&offset=3&type=pilot&with_total=true");
  expect(ofType.body.page.total).toBeGreaterThanOrEqual(12_000);
});

test(
  "disabling an endpoint cancels any number of pending deliveries, in pieces",
  async () => {
    const { installation, school, tenant } = await scene();
    const id = "01890a5d-ac96-774b-bcce-b302099a8057";
    const { userId } = school.owner;
    await tenant.write(async (tx) => {
      await tx.run(sql`insert into webhook_endpoints (id, url, event_types, enabled, primary_secret, created_by, created_at,
      updated_at) values (${id}, 'https://hooks.example/', '["flight.approved"]', 1, '', ${userId}, ${long}, ${long})`);
      await tx.run(
        sql`insert into events (id, type, occurred_at, data) values ('evt_1', 'flight.approved', ${long}, '{}')`,
      );
    });
    const due = shift(installation.clock.now(), hours(1));
    await insert(
      tenant,
      6500,
      sql`deliveries (id, event_id, endpoint_id, status, attempts, due_at, created_at)`,
      sql`'d' || i, 'evt_1', ${id}, 'pending', 0, ${due}, ${long}`,
    );
    expect(await tenant.read(backlogOf)).toEqual({ deliveries: 6500, oldestDue: due, failingEndpoints: 0 });

    const { result, turns } = await turnsOf(() =>
      school.owner.patch(`/integrations/webhook-endpoints/${id}`, { enabled: false }),
    );

    expectStatus(200, result);
    expect(await tenant.read(backlogOf)).toEqual({ deliveries: 0, oldestDue: null, failingEndpoints: 0 });
    expect(turns).toBeGreaterThanOrEqual(5);
  },
  seconds(20),
);
