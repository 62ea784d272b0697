/**
 * How the two databases stay in step without a transaction across both: one side writes its change together with an
 * intent; the intent is then applied to the other side, once, and closed. A crash at any point leaves an open intent,
 * which the next start finishes.
 */
import { eq, sql } from "drizzle-orm";
import type { Clock } from "../core/clock.ts";
import { newId, type OrgId } from "../core/ids.ts";
import { appliedIntents, intents } from "./shared.tables.ts";
import type { Control, Kind, Store, Tenant, Tx } from "./store.ts";

/** One kind of message from a `From` database to the other, and what it does there. */
export interface IntentKind<From extends Kind, Payload> {
  name: string;
  from: From;
  /** `from` is for looking at what has become of the change by now. */
  apply(
    tx: Tx<From extends "control" ? "tenant" : "control">,
    payload: Payload,
    orgId: OrgId,
    from: Pick<Store<From>, "read">,
  ): Promise<void>;
}

export type AnyIntentKind = IntentKind<"control", never> | IntentKind<"tenant", never>;

/** Writes an intent in the transaction that makes the change. Call `Intents.settle` after the commit. */
export async function intend<From extends Kind, Payload>(
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
  /** Applies the open intents between an organization's two databases, oldest first. Doing it twice changes nothing. */
  settle(orgId: OrgId): Promise<void>;
  /** Applies what a crash left open in the control database. Called once, at start. */
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

  async function settle(orgId: OrgId): Promise<void> {
    await carry(control, tenant(orgId), fromControl, orgId);
    if (fromTenant.length > 0) await carry(tenant(orgId), control, fromTenant, orgId);
  }

  return {
    settle,
    async recover() {
      const open = await control.read((reader) => reader.selectDistinct({ org_id: intents.org_id }).from(intents));
      // A tenant that can't be opened keeps its intents; those of the others are applied.
      for (const { org_id } of open)
        await settle(org_id).catch((err) =>
          log.error({ organization_id: org_id, err }, "An intent could not be applied yet."),
        );
    },
  };
}

async function carry<From extends Kind, To extends Kind>(
  from: Store<From>,
  to: Store<To>,
  kinds: readonly {
    name: string;
    apply(tx: Tx<To>, payload: never, orgId: OrgId, from: Pick<Store<From>, "read">): Promise<void>;
  }[],
  orgId: OrgId,
): Promise<void> {
  // By rowid, the order they were written in: ids of one millisecond are in no order.
  const open: Row[] = await from.read((reader) =>
    reader.select().from(intents).where(eq(intents.org_id, orgId)).orderBy(sql`rowid`),
  );
  for (const intent of open) {
    const kind = kinds.find(({ name }) => name === intent.kind);
    if (kind === undefined) throw new Error(`There is no intent of the kind ${intent.kind}.`);
    await to.write(async (tx) => {
      const [applied] = await tx.select().from(appliedIntents).where(eq(appliedIntents.id, intent.id));
      if (applied !== undefined) return;
      await kind.apply(tx, JSON.parse(intent.payload) as never, orgId, from);
      await tx.insert(appliedIntents).values({ id: intent.id, applied_at: tx.now });
    });
    await from.write((tx) => tx.delete(intents).where(eq(intents.id, intent.id)));
  }
}
