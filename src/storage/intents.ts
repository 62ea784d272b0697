/**
 * Keeps the two databases consistent without a transaction across both. One database writes its change and an intent in one
 * transaction; the intent is then applied to the other database, exactly once, and deleted. After a crash, the next start
 * applies the intents that remain.
 */
import { and, eq, gt, sql } from "drizzle-orm";
import { yieldToEventLoop } from "../core/async.ts";
import type { Clock, Instant } from "../core/clock.ts";
import { randomBytes } from "../core/crypto.ts";
import { newId, type OrgId } from "../core/ids.ts";
import { leases as leaseTable, nodes } from "./control.tables.ts";
import { type Leases, onlyProcess } from "./leases.ts";
import { isAlive } from "./server/living.ts";
import { appliedIntents, intents } from "./shared.tables.ts";
import type { Control, Kind, Reader, Store, Tenant, Tx } from "./store.ts";

/** One kind of intent: a message from a `From` database, and its effect on the other. */
export interface IntentKind<From extends Kind, Payload> {
  name: string;
  from: From;
  /** @param from for reading the present state of the change */
  apply(
    tx: Tx<From extends "control" ? "tenant" : "control">,
    payload: Payload,
    orgId: OrgId,
    from: Pick<Store<From>, "read">,
  ): Promise<void>;
}

export type AnyIntentKind = IntentKind<"control", never> | IntentKind<"tenant", never>;

/** Transactions that wrote an intent. */
const withIntent = new WeakSet<object>();

/** Writes an intent in the transaction that makes the change. Call `Intents.apply` after the commit; see `applyingIntents`. */
export async function writeIntent<From extends Kind, Payload>(
  tx: Tx<From>,
  clock: Clock,
  kind: IntentKind<From, Payload>,
  orgId: OrgId,
  payload: Payload,
): Promise<void> {
  const values = {
    id: newId(clock),
    kind: kind.name,
    org_id: orgId,
    payload: JSON.stringify(payload),
    created_at: tx.now,
  };
  await tx.insert(intents).values(values);
  withIntent.add(tx);
}

/**
 * Returns a tenant whose writes also apply the intents that they leave, before they return. So a verb can call a posting that
 * writes an intent without knowing it.
 *
 * @param apply never throws: a job retries what it could not apply
 */
export const applyingIntents = (tenant: Tenant, apply: (orgId: OrgId) => Promise<void>): Tenant => ({
  ...tenant,
  async write(body) {
    let leftIntent = false;
    const result = await tenant.write(async (tx) => {
      const done = await body(tx);
      leftIntent = withIntent.has(tx);
      return done;
    });
    if (leftIntent) await apply(tenant.id);
    return result;
  },
});

/** Returns when the oldest open intent of a tenant was written; null if none is open. */
export async function oldestIntent(reader: Reader<"tenant">): Promise<Instant | null> {
  const row = await reader.first(oldest, {});
  return row === undefined ? null : (String(row[0]) as Instant);
}

const oldest = sql`select created_at from ${intents} order by rowid limit 1`;

type Row = typeof intents.$inferSelect;

export interface Intents {
  /** Applies the open intents between an organization's two databases, oldest first. Idempotent. */
  apply(orgId: OrgId): Promise<void>;
  /** Applies the intents that a crash left in the control database. Called once, at the start. */
  recover(): Promise<void>;
  /** Counts the intents in the control database that are not applied to their tenants yet. */
  countOpen(): Promise<number>;
  /**
   * Keeps the control database's intents after they were applied, until the result is called. A backup copies the tenants first:
   * its control database then has every change that a tenant's copy may lack. After a crash, they are applied again, which changes
   * nothing.
   */
  keep(): Promise<() => Promise<void>>;
}

interface IntentsOptions {
  control: Control;
  /** By default no other process applies intents. */
  leases?: Leases;
  tenant: (id: OrgId) => Tenant;
  kinds: readonly AnyIntentKind[];
  log: { error(details: Record<string, unknown>, message: string): void };
}

const keepName = "intents ";

/**
 * Another process makes no backup: see `keep`. Those that are kept are applied again by the job `intents`, which changes nothing, and
 * removed then.
 */
const isNotKept = sql`not exists (select 1 from ${leaseTable} join ${nodes} on ${nodes.id} = ${leaseTable.node_id}
  where ${leaseTable.name} glob ${`${keepName}*`} and ${leaseTable.held} and ${isAlive})`;

export function createIntents({ control, leases = onlyProcess, tenant, kinds, log }: IntentsOptions): Intents {
  const fromControl = kinds.filter((kind) => kind.from === "control");
  const fromTenant = kinds.filter((kind) => kind.from === "tenant");

  /** Of the control database: they are applied, and kept. */
  const kept = new Set<string>();
  let keeping = 0;
  const process = randomBytes(8).toString("hex");

  const remove =
    (store: Store) =>
    async (id: string): Promise<void> => {
      await store.write((tx) => tx.delete(intents).where(eq(intents.id, id)));
    };
  const removeFromControl = async (id: string): Promise<void> => {
    if (keeping > 0) kept.add(id);
    else await control.write((tx) => tx.delete(intents).where(and(eq(intents.id, id), isNotKept)));
  };

  async function apply(orgId: OrgId): Promise<void> {
    const isApplied = (id: string) => kept.has(id);
    await applyIntents(control, tenant(orgId), fromControl, { orgId, isApplied, onApplied: removeFromControl });
    if (fromTenant.length === 0) return;
    const onApplied = remove(tenant(orgId));
    await applyIntents(tenant(orgId), control, fromTenant, { orgId, isApplied: () => false, onApplied });
  }

  return {
    apply,
    countOpen: async () => (await control.read((reader) => reader.$count(intents))) - kept.size,
    async keep() {
      keeping += 1;
      const lease = await leases.take(`${keepName}${process}`);
      return async () => {
        keeping -= 1;
        if (keeping > 0) return;
        await lease?.release();
        for (const id of kept) {
          kept.delete(id);
          await removeFromControl(id);
        }
      };
    },
    async recover() {
      const open = new Set<OrgId>();
      for await (const { org_id } of openIntents(control)) open.add(org_id);
      // An error in one tenant leaves its intents open and does not stop the others.
      for (const orgId of open)
        await apply(orgId).catch((err) =>
          log.error({ organization_id: orgId, err }, "An intent could not be applied. It is retried."),
        );
    },
  };
}

/** Rows in one piece, few enough that requests do not wait long. */
const piece = 100;

/** Reads the open intents in pieces. By rowid, which is the order of writing: ids of the same millisecond have no order. */
async function* openIntents(store: Store, orgId?: OrgId): AsyncGenerator<Row> {
  const rowid = sql<number>`rowid`;
  for (let after = 0; ; ) {
    const rows = await store.read((reader) =>
      reader
        .select({ rowid, intent: intents })
        .from(intents)
        .where(and(gt(rowid, after), orgId && eq(intents.org_id, orgId)))
        .orderBy(rowid)
        .limit(piece),
    );
    for (const { intent } of rows) yield intent;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.rowid;
    await yieldToEventLoop();
  }
}

interface Applying {
  orgId: OrgId;
  isApplied(id: string): boolean;
  /** Removes the intent. */
  onApplied(id: string): Promise<void>;
}

async function applyIntents<From extends Kind, To extends Kind>(
  from: Store<From>,
  to: Store<To>,
  kinds: readonly {
    name: string;
    apply(tx: Tx<To>, payload: never, orgId: OrgId, from: Pick<Store<From>, "read">): Promise<void>;
  }[],
  { orgId, isApplied, onApplied }: Applying,
): Promise<void> {
  for await (const intent of openIntents(from, orgId)) {
    if (isApplied(intent.id)) continue;
    const kind = kinds.find(({ name }) => name === intent.kind);
    if (kind === undefined) throw new Error(`No module declares the intent ${intent.kind}.`);
    await to.write(async (tx) => {
      const [applied] = await tx.select().from(appliedIntents).where(eq(appliedIntents.id, intent.id));
      if (applied !== undefined) return;
      await kind.apply(tx, JSON.parse(intent.payload) as never, orgId, from);
      await tx.insert(appliedIntents).values({ id: intent.id, applied_at: tx.now });
    });
    await onApplied(intent.id);
    await yieldToEventLoop();
  }
}
