/** Fills an installation with many rows of every kind that a command, a job or a list reads. */
import { type SQL, sql } from "drizzle-orm";
import { hours, shift, systemClock } from "../../../src/core/clock.ts";
import { type EndpointId, newId, type OrgId } from "../../../src/core/ids.ts";
import { audit } from "../../../src/storage/audit.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import type { Store, Tx } from "../../../src/storage/store.ts";

/** Rows in one transaction. */
const piece = 20_000;

const now = systemClock.now();
const longAgo = shift(now, -hours(24 * 100));
const recently = shift(now, -hours(48));

/** The numbers from `first`, `count` of them, as a table `n(i)`. Not bound: a bound number is not an integer. */
const numbers = (first: number, count: number): SQL =>
  sql.raw(`with recursive n(i) as (select ${first} union all select i + 1 from n where i < ${first + count - 1})`);

/** A UUIDv7 of the time of `at`, with the number in its last digits. */
const idAt = (at: string): SQL =>
  sql.raw(`'${hexOf(at).slice(0, 8)}-${hexOf(at).slice(8)}-7000-8000-' || printf('%012x', i)`);
const eventIdAt = (at: string): SQL => sql.raw(`'evt_${hexOf(at)}70008000' || printf('%012x', i)`);
function hexOf(at: string): string {
  return Date.parse(at).toString(16).padStart(12, "0");
}
function prefix(at: string): string {
  return `${hexOf(at).slice(0, 8)}-${hexOf(at).slice(8)}-7000-8000-`;
}

/** The id of the first of ten aircraft, and of the first person, who is the pilot of all flights. */
export const firstId = `${prefix(longAgo)}${"1".padStart(12, "0")}`;

interface Seeded {
  directory: string;
  orgId: OrgId;
  userId: string;
  /** Its deliveries have ended. */
  endpointId: EndpointId;
  /** Its deliveries are pending, and due an hour after the start. */
  waitingId: EndpointId;
  /** The organization whose description is changed by intents. */
  busyId: OrgId;
  rows: number;
}

export async function seed({ directory, orgId, userId, endpointId, waitingId, busyId, rows }: Seeded): Promise<void> {
  const storage = await openStorage({ directory, clock: systemClock, log: console, nextWake: async () => longAgo });
  const { control, tenants } = storage;
  const tenant = tenants.tenant(orgId);
  const fill = async (store: Store, statement: (numbers: SQL) => SQL, count = rows) => {
    for (let first = 1; first <= count; first += piece)
      await store.write((tx) => tx.run(statement(numbers(first, Math.min(piece, count - first + 1)))));
  };
  const flight = idAt(recently);

  await tenant.write((tx) =>
    tx.run(sql`${numbers(0, 10)} insert into aircraft (id, registration, model, class, billing_basis, status, hobbs, tacho,
        airframe_minutes, opening_hobbs, opening_tacho, opening_airframe_minutes, created_at, updated_at)
      select ${idAt(longAgo)}, 'D-EZ' || i, 'Cessna 172S', 'SEP', 'block', 'available', 0, 0, 0, 0, 0, 0, ${longAgo}, ${longAgo}
      from n`),
  );
  await fill(
    tenant,
    (n) => sql`${n} insert into people (id, name, email, types, ratings, restricted_instructor, created_at,
      updated_at)
    select ${idAt(longAgo)}, 'Person ' || i, 'p' || i || '@bench.example', '["student"]', '[]', 0, ${longAgo}, ${longAgo} from n`,
  );
  await fill(
    tenant,
    (n) => sql`${n} insert into flights (id, status, revision, aircraft_id, off_block_at, day_landings,
      night_landings, night_minutes, ifr_minutes, warnings, created_by, created_at, updated_at)
    select ${flight}, 'approved', 1, ${sql.raw(`'${prefix(longAgo)}' || printf('%012x', i % 10)`)},
      strftime('%Y-%m-%dT%H:%M:00.000Z', '2010-01-01', '+' || (i * 10) || ' minutes'), 1, 0, 0, 0, '[]', ${userId}, ${longAgo},
      ${longAgo} from n`,
  );
  await fill(
    tenant,
    (
      n,
    ) => sql`${n} insert into flight_crew (flight_id, position, person_id, function, logged_at, off_block_at, status, aircraft_id)
    select id, 1, ${firstId}, 'pic', off_block_at, off_block_at, status, aircraft_id from n join flights on id = ${flight}`,
  );
  // Their dates have come, so the jobs have all of them to do.
  const yesterday = recently.slice(0, 10);
  await fill(
    tenant,
    (n) => sql`${n} insert into compliance_records (id, person_id, type, level, issued_on, valid_until, status,
      next_notice_on, created_by, created_at, updated_at)
    select ${idAt(longAgo)}, ${idAt(longAgo)}, 'medical', '2', '2020-01-01', date('now', '+50 days'), 'current', ${yesterday},
      ${userId}, ${longAgo}, ${longAgo} from n where i > 1`,
  );
  await fill(
    tenant,
    (n) => sql`${n} insert into compliance_evaluations (id, person_id, status, reasons, changes_on, evaluated_at)
    select ${idAt(longAgo)}, ${idAt(longAgo)}, 'compliant', '[]', ${yesterday}, ${longAgo} from n`,
  );
  await fill(
    tenant,
    (n) => sql`${n} insert into aircraft (id, registration, model, class, billing_basis, status, hobbs, tacho,
        airframe_minutes, opening_hobbs, opening_tacho, opening_airframe_minutes, created_at, updated_at)
      select ${idAt(recently)}, 'D-I' || i, 'Cessna 172S', 'SEP', 'block', 'available', 0, 0, 0, 0, 0, 0, ${longAgo}, ${longAgo}
      from n where i % 100 = 0`,
  );
  await fill(
    tenant,
    (n) => sql`${n} insert into maintenance_items (id, aircraft_id, name, critical, hours_counter, interval_months,
      tolerance_hours, tolerance_months, tolerance_days, tolerance_landings, upcoming_hours, upcoming_days, upcoming_landings,
      last_done_on, status, past_tolerance, due_on, changes_on, created_at, updated_at)
    select ${idAt(longAgo)}, ${sql.raw(`'${prefix(recently)}' || printf('%012x', (i + 99) / 100 * 100)`)}, 'Item ' || i, 0,
      'airframe', 12, 0, 0, 0, 0, 0, 30, 0, date('now', '-11 months'), 'ok', 0, date('now', '+1 month'), ${yesterday},
      ${longAgo}, ${longAgo} from n where i <= ${Math.floor(rows / 100) * 100}`,
  );
  // Each takes a session of SMTP, or two transactions: more of them take longer, but no longer turns.
  const few = Math.min(rows, 5000);
  await fill(
    tenant,
    (n) => sql`${n} insert into mails (id, kind, alert, subject_id, person_id, recipient, attempts, due_at, created_at)
    select ${idAt(longAgo)}, 'medical_expiring', 'expiring', ${idAt(longAgo)}, ${idAt(longAgo)}, 'person', 0, ${longAgo},
      ${longAgo} from n`,
    few,
  );
  await fill(
    tenant,
    (n) => sql`${n} insert into attachment_uploads (id, reserved_bytes, started_at)
    select ${idAt(longAgo)}, 0, ${longAgo} from n`,
    few,
  );
  await fill(
    tenant,
    (n) => sql`${n} insert into attachment_chunks (attachment_id, position, data)
    select ${idAt(longAgo)}, 0, zeroblob(100) from n`,
    few,
  );
  await fill(
    tenant,
    (n) => sql`${n} insert into used_keys (id, body_hash, used_at) select 'key' || i, '', ${longAgo} from n`,
  );
  for (const at of [longAgo, recently]) {
    await fill(
      tenant,
      (n) => sql`${n} insert into events (id, type, occurred_at, data)
      select ${eventIdAt(at)}, 'flight.approved', ${at}, '{"flight":{}}' from n`,
    );
  }
  const delivery = (id: SQL, eventAt: string, endpoint: EndpointId, rest: SQL) => (n: SQL) =>
    sql`${n} insert into deliveries (id, event_id, endpoint_id, status, attempts, due_at, created_at, finished_at)
      select ${id}, ${eventIdAt(eventAt)}, ${endpoint}, ${rest} from n`;
  await fill(tenant, delivery(idAt(longAgo), longAgo, endpointId, sql`'succeeded', 1, null, ${longAgo}, ${longAgo}`));
  const later = shift(now, hours(1));
  await fill(tenant, delivery(idAt(recently), recently, waitingId, sql`'pending', 1, ${later}, ${recently}, null`));

  await fill(
    control,
    (n) => sql`${n} insert into sessions (id, user_id, amr, auth_time, generation, rotated_at, idle_until,
      ends_at, user_agent, address, created_at)
    select ${idAt(longAgo)}, ${userId}, '[]', ${longAgo}, 1, ${longAgo}, ${recently}, ${recently}, '', '', ${longAgo} from n
    where i % 2 = 0
    union all select ${idAt(longAgo)}, ${userId}, '[]', ${longAgo}, 1, ${longAgo}, ${longAgo}, ${longAgo}, '', '', ${longAgo}
    from n where i % 2 = 1`,
  );
  await fill(
    control,
    (n) => sql`${n} insert into email_tokens (token_hash, user_id, purpose, created_at, expires_at)
    select 'mail' || i, ${userId}, 'verify', ${longAgo}, ${longAgo} from n`,
  );
  await fill(
    control,
    (n) => sql`${n} insert into invites (id, org_id, email, roles, token_hash, invited_by, created_at, expires_at)
    select ${idAt(longAgo)}, ${orgId}, 'i@bench.example', '["student"]', 'invite' || i, ${userId}, ${longAgo}, ${longAgo} from n`,
  );
  await fill(
    control,
    (n) => sql`${n} insert into used_keys (id, body_hash, used_at) select 'key' || i, '', ${longAgo} from n`,
  );
  const payload = JSON.stringify({ name: "Bench", time_zone: "UTC", requestId: "" });
  await fill(
    control,
    (n) => sql`${n} insert into intents (id, kind, org_id, payload, created_at)
    select 'intent' || i, 'organization.updated', ${busyId}, ${payload}, ${recently} from n`,
  );
  for (const store of [tenant, control]) await fillAuditLog(store, rows);
  await storage.close();
}

async function fillAuditLog(store: Store, rows: number): Promise<void> {
  const by = { actor: { kind: "job" as const, name: "bench" }, requestId: "" };
  const after = { text: "x".repeat(700) };
  const write = async (tx: Tx, count: number) => {
    for (let left = count; left > 0; left -= 1)
      await audit(tx, by, "bench.row", { subject: { kind: "bench", id: newId(systemClock) }, after });
  };
  for (let left = rows; left > 0; left -= piece) await store.write((tx) => write(tx, Math.min(piece, left)));
}
