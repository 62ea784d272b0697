import { eq } from "drizzle-orm";
import { toInstant } from "../../../core/clock.ts";
import { type Id, newId } from "../../../core/ids.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { inBatches } from "../../../storage/in-batches.ts";
import { membersWho } from "../../organizations/memberships.queries.ts";
import { mails } from "../notifications.tables.ts";
import { dueToManagers } from "./mails.queries.ts";
import { permissionsFor } from "./recipients.queries.ts";

/**
 * Replaces each due mail to those who manage such things by one to each of them, in one transaction: so each of them gets
 * it once, also if others could not be reached.
 */
export async function addressManagers(context: TenantContext): Promise<void> {
  const { tenant, control, clock } = context;
  const now = toInstant(clock.now());
  const managers = new Map<string, Awaited<ReturnType<typeof membersWho>>>();
  await inBatches(tenant, {
    async next(reader) {
      const rows = await dueToManagers(reader, now);
      for (const { kind } of rows)
        if (!managers.has(kind))
          managers.set(kind, await control.read((reader) => membersWho(reader, tenant.id, permissionsFor[kind][0])));
      return rows;
    },
    async work(tx, rows) {
      tx.unseen();
      for (const row of rows) {
        for (const { user_id } of managers.get(row.kind) ?? []) {
          const id: Id<"mail"> = newId(clock);
          await tx.insert(mails).values({ ...row, id, recipient: "member", user_id });
        }
        await tx.delete(mails).where(eq(mails.id, row.id));
      }
      return rows.length;
    },
  });
}
