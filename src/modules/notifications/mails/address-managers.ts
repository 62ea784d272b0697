import { toInstant } from "../../../core/clock.ts";
import { membersWho } from "../../../identity/memberships.queries.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { inBatches } from "../../../storage/in-batches.ts";
import { dueToManagers } from "../../mails/mails.queries.ts";
import { addressMail } from "../../mails/settle-mails.ts";
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
        const members = managers.get(row.kind) ?? [];
        await addressMail(
          tx,
          row,
          members.map(({ user_id }) => user_id),
        );
      }
      return rows.length;
    },
  });
}
