/**
 * Which node has written to which tenant and has not settled it: a row of `tenant_activity` for each pair. While a tenant has one, it is
 * dirty, so a node that settles hides nothing of another.
 */
import { and, eq, inArray, lte, sql } from "drizzle-orm";
import type { OrgId } from "../../core/ids.ts";
import { nodes, tenantActivity, tenantMarks } from "../control.tables.ts";
import type { Control } from "../store.ts";
import { isDead, living } from "./living.ts";

const { org_id, node_id } = tenantActivity;

/** Before a node's first write. */
export async function markActive(control: Control, node: string, ids: readonly OrgId[]): Promise<void> {
  if (ids.length === 0) return;
  await control.write(async (tx) => {
    await tx
      .insert(tenantActivity)
      .values(ids.map((id) => ({ org_id: id, node_id: node })))
      .onConflictDoNothing();
    await tx
      .update(tenantMarks)
      .set({ dirty: true })
      .where(inArray(tenantMarks.org_id, [...ids]));
  });
}

/** Dirty tenants, without those that another node settles itself. */
export const isLeft = (node: string) =>
  and(
    sql`${tenantMarks.dirty}`,
    sql`not exists (select 1 from ${tenantActivity} where ${org_id} = ${tenantMarks.org_id} and ${node_id} <> ${node})`,
  );

type Marks = Partial<typeof tenantMarks.$inferInsert>;

/**
 * Ends a node's activity, and stores the marks, unless those that are stored know of later writes.
 *
 * @param writes the number of writes that the marks know of
 */
export async function storeMarks(
  control: Control,
  { node, id, writes, marks }: { node: string; id: OrgId; writes: number; marks: Marks },
): Promise<void> {
  await control.write(async (tx) => {
    await tx.delete(tenantActivity).where(and(eq(org_id, id), eq(node_id, node)));
    const dirty = sql`exists (select 1 from ${tenantActivity} where ${org_id} = ${id})`;
    await tx.update(tenantMarks).set({ dirty }).where(eq(tenantMarks.org_id, id));
    await tx
      .update(tenantMarks)
      .set({ ...marks, writes })
      .where(and(eq(tenantMarks.org_id, id), lte(tenantMarks.writes, writes)));
  });
}

/** Takes over what dead nodes have not settled, and forgets these nodes. @returns the tenants */
export const takeOver = (control: Control, node: string): Promise<OrgId[]> =>
  control.write(async (tx) => {
    const isOfDead = sql`${node_id} <> ${node} and ${node_id} not in ${living}`;
    const left = await tx.selectDistinct({ org_id }).from(tenantActivity).where(isOfDead);
    const ids = left.map((row) => row.org_id);
    await tx.delete(tenantActivity).where(isOfDead);
    if (ids.length > 0)
      await tx
        .insert(tenantActivity)
        .values(ids.map((id) => ({ org_id: id, node_id: node })))
        .onConflictDoNothing();
    await tx.delete(nodes).where(sql`${nodes.id} <> ${node} and ${isDead}`);
    return ids;
  });
