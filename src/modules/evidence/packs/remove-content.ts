import { authorize } from "../../../core/actor.ts";
import { conflict } from "../../../core/errors.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { By, InOrganization } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { addUsage } from "../../attachments/usage.ts";
import type { PackId } from "../evidence.tables.ts";
import { type PackRow, packEntity, requirePack } from "./packs.queries.ts";
import type { EvidencePack } from "./packs.shapes.ts";
import { removeParts } from "./parts.ts";

/** Removes the content of a pack. @throws NOT_FOUND; FORBIDDEN; CONFLICT it is being built, or has no content any more */
export function removePackContent(
  context: InOrganization,
  { packId }: { packId: PackId },
): Promise<JsonOf<EvidencePack>> {
  authorize(context.actor, "evidence:manage");
  return context.tenant.write(async (tx) => {
    const row = await requirePack(tx, packId, context.actor);
    if (row.status === "generating")
      throw conflict("wrong_status", "The evidence pack is being built.", { status: row.status });
    if (row.content_removed_at !== null)
      throw conflict("wrong_status", "The content was removed already.", {
        status: row.status,
      });
    return removeContent(tx, context, row);
  });
}

/** Removes what a pack says about people. The manifest and its signature stay, so copies can still be verified. */
export const removeContent = (
  tx: Tx<"tenant">,
  by: By,
  { id, size_bytes }: Pick<PackRow, "id" | "size_bytes">,
): Promise<JsonOf<EvidencePack>> =>
  changeRow(tx, by, packEntity, {
    id,
    action: "evidence_pack.content_removed",
    set: { content_removed_at: tx.now, updated_at: tx.now },
    async also() {
      await removeParts(tx, id);
      if (size_bytes !== null) await addUsage(tx, -size_bytes);
    },
  });
