import type { KeyRing } from "../core/crypto.ts";
import type { OrgId } from "../core/ids.ts";
import { keptHead, nextAuditHead } from "./audit.ts";
import { installation, tenantMarks } from "./control.tables.ts";
import type { Control, Tx } from "./store.ts";

/** Notes on the first start which secret the data is sealed under. @throws on a later start with another secret */
export async function checkInstallation(control: Control, keys: KeyRing): Promise<void> {
  const [row] = await control.read((reader) => reader.select().from(installation));
  if (row === undefined) {
    await control.write((tx) => tx.insert(installation).values({ createdAt: tx.now, keyId: keys.id }));
  } else if (row.keyId !== keys.id) {
    throw new Error(
      "The secret is not the one this data was sealed with. Put back the secret.key of this data directory, or the WINDSOCK_SECRET_KEY used before.",
    );
  }
}

/** Keeps the end of the control database's own audit log, so that a tail cut off later shows. */
export async function keepControlHead(control: Control, keys: KeyRing): Promise<void> {
  await control.write(async (tx) => {
    const [row] = await tx.select().from(installation);
    const head = await nextAuditHead(tx, keys.key("audit-head"), keptHead(row));
    if (head) await tx.update(installation).set({ auditSeq: head.seq, auditHead: head.head });
  });
}

/** Makes a tenant an organization's: from this row on, its file is never swept. */
export async function ownTenant(tx: Tx<"control">, orgId: OrgId): Promise<void> {
  await tx.insert(tenantMarks).values({ orgId, dirty: true });
}
