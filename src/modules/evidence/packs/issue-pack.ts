/** The ends of building a pack. */
import { conflict, notFound, Problem } from "../../../core/errors.ts";
import { emit } from "../../../events/emit.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { addUsage, checkQuota } from "../../attachments/usage.ts";
import { issueShareToken } from "../../sharing/create-share-token.ts";
import { vtrData, vtrIssued } from "../evidence.events.ts";
import type { evidencePacks, PackId, packFailures } from "../evidence.tables.ts";
import type { Manifest } from "../format/manifest.ts";
import { currentKey } from "../keys/keys.queries.ts";
import { findPackRow, packEntity, supersededBy } from "./packs.queries.ts";
import { areStored, type PartRow } from "./parts.ts";
import { isChangedSince } from "./snapshot.queries.ts";

/** A pack whose parts are stored and signed. */
export interface Built {
  manifest: Manifest;
  columns: Pick<Row, "manifest" | "signature" | "manifest_sha256" | "sha256" | "size_bytes">;
  parts: readonly PartRow[];
  /** Of the link in its PDF. */
  token: string;
  quota: number;
  /** Of the records before the first was read. */
  state: number;
}
type Row = typeof evidencePacks.$inferInsert & { size_bytes: number };

/**
 * @throws NOT_FOUND the pack no longer waits: the person's data was erased meanwhile
 * @throws CONFLICT it would exceed the quota; the records were changed meanwhile, or the key
 */
export const issuePack = (
  context: TenantContext,
  { manifest, columns, parts, token, quota, state }: Built,
): Promise<void> =>
  context.tenant.write(async (tx) => {
    const { id, issued_at, period, key } = manifest;
    const row = await packEntity.row(tx, { packId: id });
    if (row.status !== "generating") throw notFound();
    // Parts: another process may have begun the pack anew, which removes them.
    if (
      (await isChangedSince(tx, state, row)) ||
      (await currentKey(tx))?.id !== key.id ||
      !(await areStored(tx, id, parts))
    )
      throw conflict("changed_meanwhile", "The records or the signing key were changed while the pack was built.");
    const older = await supersededBy(tx, row);
    await checkQuota(tx, columns.size_bytes, quota);
    await addUsage(tx, columns.size_bytes);
    const issued = { issued_at, period_from: period.from, period_to: period.to, key_id: key.id };
    await changeRow(tx, context, packEntity, {
      id,
      action: "evidence_pack.issued",
      set: { ...columns, ...issued, status: "ready", updated_at: tx.now },
    });
    const set = { superseded_by: id, updated_at: tx.now };
    for (const one of older)
      await changeRow(tx, context, packEntity, { id: one, action: "evidence_pack.superseded", set });
    const link = { purpose: "vtr", subject_id: id, name: "The link in the pack's PDF", expires_at: null } as const;
    await issueShareToken(tx, context, link, token);
    await emit(tx, vtrIssued, vtrData.of(id));
  });

/** Marks a pack as failed, if it still waits. */
export const failPack = (context: TenantContext, id: PackId, error: unknown): Promise<void> =>
  context.tenant.write(async (tx) => {
    if ((await findPackRow(tx, id))?.status !== "generating") return;
    const set = { status: "failed", failure: failureOf(error), updated_at: tx.now } as const;
    await changeRow(tx, context, packEntity, { id, action: "evidence_pack.failed", set });
  });

function failureOf(error: unknown): (typeof packFailures)[number] {
  const reason = error instanceof Problem ? error.reason : undefined;
  if (reason === "installation_key_missing") return "key_unreadable";
  if (reason === "changed_meanwhile") return "records_changed";
  return reason === "quota_exceeded" ? reason : "internal";
}
