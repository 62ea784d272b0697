import type { KeyRing } from "../core/crypto.ts";
import type { OrgId } from "../core/ids.ts";
import { emptyHead, keptHead, nextAuditHead, type Seal } from "./audit.ts";
import { installation } from "./control.tables.ts";
import type { Control } from "./store.ts";

/** Notes on the first start which secret the data is sealed under. @throws on a later start with another secret */
export async function checkInstallation(control: Control, keys: KeyRing): Promise<void> {
  const [row] = await control.read((reader) => reader.select().from(installation));
  if (row === undefined) {
    const { seq: auditSeq, head: auditHead } = emptyHead(controlSeal(keys));
    await control.write((tx) =>
      tx
        .insert(installation)
        .values({ created_at: tx.now, key_id: keys.id, audit_seq: auditSeq, audit_head: auditHead }),
    );
  } else if (row.key_id !== keys.id) {
    throw new Error(
      "The secret is not the one this data was sealed with. Put back the secret.key of this data directory, or the WINDSOCK_SECRET_KEY used before.",
    );
  }
}

/** Keeps the end of the control database's own audit log, so that a tail cut off later shows. */
export async function keepControlHead(control: Control, keys: KeyRing): Promise<void> {
  await control.write(async (tx) => {
    const [row] = await tx.select().from(installation);
    const head = await nextAuditHead(tx, controlSeal(keys), keptHead(row));
    if (head) await tx.update(installation).set({ audit_seq: head.seq, audit_head: head.head });
  });
}

/** Of the control database's own log. */
export const controlSeal = (keys: KeyRing): Seal => ({ key: keys.key("audit-head"), log: "control" });

/** Of an organization's log. */
export const tenantSeal = (keys: KeyRing, log: OrgId): Seal => ({ key: keys.key("audit-head"), log });
