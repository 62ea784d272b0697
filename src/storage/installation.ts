import type { Instant } from "../core/clock.ts";
import type { KeyRing } from "../core/crypto.ts";
import type { OrgId } from "../core/ids.ts";
import { emptyHead, keptHead, nextAuditHead, type Seal } from "./audit.ts";
import { installation } from "./control.tables.ts";
import type { Control, Reader } from "./store.ts";

/** Records the id of the secret on the first start. @throws a later start has another secret */
export async function checkInstallation(control: Control, keys: KeyRing): Promise<void> {
  const [row] = await control.read((reader) => reader.select().from(installation));
  if (row === undefined) {
    const { seq: auditSeq, head: auditHead } = emptyHead(controlSeal(keys));
    await control.write((tx) =>
      tx
        .insert(installation)
        .values({ created_at: tx.now, key_id: keys.id, audit_seq: auditSeq, audit_head: auditHead })
        // Two nodes of a server may be the first.
        .onConflictDoNothing(),
    );
    return checkInstallation(control, keys);
  }
  if (row.key_id !== keys.id) {
    throw new Error(
      "This data was sealed with another secret. Restore the secret.key of this data directory, or the previous WINDSOCK_SECRET_KEY.",
    );
  }
}

/** Returns when the control database began. @throws it has not begun, see `checkInstallation` */
export async function beginningOf(reader: Reader<"control">): Promise<Instant> {
  const [row] = await reader.select({ at: installation.created_at }).from(installation);
  if (row === undefined) throw new Error("The control database has no row about the installation.");
  return row.at;
}

/** Stores the head of the control database's audit log, which detects that rows at the end were removed. */
export async function storeControlHead(control: Control, keys: KeyRing): Promise<void> {
  await control.write(async (tx) => {
    const [row] = await tx.select().from(installation);
    const head = await nextAuditHead(tx, controlSeal(keys), keptHead(row));
    if (head) await tx.update(installation).set({ audit_seq: head.seq, audit_head: head.head });
  });
}

/** The seal of the control database's audit log. */
export const controlSeal = (keys: KeyRing): Seal => ({ key: keys.key("audit-head"), log: "control" });

/** The seal of an organization's audit log. */
export const tenantSeal = (keys: KeyRing, log: OrgId): Seal => ({ key: keys.key("audit-head"), log });
