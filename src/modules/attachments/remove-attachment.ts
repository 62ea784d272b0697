import type { JsonOf } from "../../core/json-of.ts";
import type { InOrganization } from "../../storage/context.ts";
import { removeRow } from "../../storage/entity.ts";
import type { Tx } from "../../storage/store.ts";
import { attachmentEntity, type Owner, requireAttachment } from "./attachments.queries.ts";
import type { Attachment } from "./attachments.schemas.ts";
import type { AttachmentId } from "./attachments.tables.ts";
import { discard, release } from "./upload.ts";

/** The audit log keeps the name and the hash. @throws NOT_FOUND, FORBIDDEN */
export async function removeAttachment(
  context: InOrganization,
  ownerFor: (tx: Tx<"tenant">) => Promise<Owner>,
  attachmentId: AttachmentId,
): Promise<JsonOf<Attachment>> {
  const { tenant } = context;
  const removed = await tenant.write(async (tx) => {
    const { id, size_bytes } = await requireAttachment(tx, await ownerFor(tx), attachmentId);
    return removeRow(tx, context, attachmentEntity, {
      id,
      action: "attachment.removed",
      also: () => release(tx, id, size_bytes),
    });
  });
  await discard(tenant, attachmentId);
  return removed;
}
