/**
 * Keeps the two databases consistent without a transaction across both. One database writes its change and an intent in one
 * transaction; the intent is then applied to the other database, exactly once, and deleted. After a crash, the next start
 * applies the intents that remain.
 */
import { eq, sql } from "drizzle-orm";
import type { Clock } from "../core/clock.ts";
import { newId, type OrgId } from "../core/ids.ts";
import { appliedIntents, intents } from "./shared.tables.ts";
import type { Control, Kind, Store, Tenant, Tx } from "./store.ts";

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

/** Writes an intent in the transaction that makes the change. Call `Intents.apply` after the commit. */
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
}

type Row = typeof intents.$inferSelect;

export interface Intents {
  /** Applies the open intents between an organization's two databases, oldest first. Idempotent. */
  apply(orgId: OrgId): Promise<void>;
  /** Applies the intents that a crash left in the control database. Called once, at the start. */
  recover(): Promise<void>;
}

interface IntentsOptions {
  control: Control;
  tenant: (id: OrgId) => Tenant;
  kinds: readonly AnyIntentKind[];
  log: { error(details: Record<string, unknown>, message: string): void };
}

export function createIntents({ control, tenant, kinds, log }: IntentsOptions): Intents {
  const fromControl = kinds.filter((kind) => kind.from === "control");
  const fromTenant = kinds.filter((kind) => kind.from === "tenant");

  async function apply(orgId: OrgId): Promise<void> {
    await applyIntents(control, tenant(orgId), fromControl, orgId);
    if (fromTenant.length > 0) await applyIntents(tenant(orgId), control, fromTenant, orgId);
  }

  return {
    apply,
    async recover() {
      const open = await control.read((reader) => reader.selectDistinct({ org_id: intents.org_id }).from(intents));
      // An error in one tenant leaves its intents open and does not stop the others.
      for (const { org_id } of open)
        await apply(org_id).catch((err) =>
          log.error({ organization_id: org_id, err }, "An intent could not be applied. It is retried."),
        );
    },
  };
}

async function applyIntents<From extends Kind, To extends Kind>(
  from: Store<From>,
  to: Store<To>,
  kinds: readonly {
    name: string;
    apply(tx: Tx<To>, payload: never, orgId: OrgId, from: Pick<Store<From>, "read">): Promise<void>;
  }[],
  orgId: OrgId,
): Promise<void> {
  // By rowid, which is the order of writing. Ids of the same millisecond have no order.
  const open: Row[] = await from.read((reader) =>
    reader.select().from(intents).where(eq(intents.org_id, orgId)).orderBy(sql`rowid`),
  );
  for (const intent of open) {
    const kind = kinds.find(({ name }) => name === intent.kind);
    if (kind === undefined) throw new Error(`No module declares the intent ${intent.kind}.`);
    await to.write(async (tx) => {
      const [applied] = await tx.select().from(appliedIntents).where(eq(appliedIntents.id, intent.id));
      if (applied !== undefined) return;
      await kind.apply(tx, JSON.parse(intent.payload) as never, orgId, from);
      await tx.insert(appliedIntents).values({ id: intent.id, applied_at: tx.now });
    });
    await from.write((tx) => tx.delete(intents).where(eq(intents.id, intent.id)));
  }
}
