import type { MemberActor } from "../../core/actor.ts";
import type { JsonOf } from "../../core/json-of.ts";
import type { FileBody } from "../../http/file-body.ts";
import type { InOrganization } from "../../storage/context.ts";
import { addRow } from "../../storage/entity.ts";
import type { Reader } from "../../storage/store.ts";
import { attachmentEntity, type Owner } from "./attachments.queries.ts";
import type { Attachment } from "./attachments.schemas.ts";
import { namedAs } from "./file-type.ts";
import { complete, discard, receive } from "./upload.ts";

/** Finds what the file will belong to, and checks that the caller may add it. @throws NOT_FOUND, FORBIDDEN, CONFLICT */
type FindOwner = (reader: Reader<"tenant">, actor: MemberActor) => Promise<Owner>;

interface Input {
  filename: string;
  file: Pick<FileBody, "pieces" | "declaredBytes" | "arrived">;
  ownerFor: FindOwner;
  /** In bytes. */
  quota: number;
}

/**
 * Stores a file as it arrives, and then adds the attachment. The caller is checked before and after: a file can take minutes
 * to arrive.
 *
 * @returns the attachment, or the response of the request that this one repeats
 * @throws as of `FindOwner`, `FileBody` and `receive`
 */
export async function addAttachment(
  context: InOrganization,
  { filename, file, ownerFor, quota }: Input,
): Promise<JsonOf<Attachment> | Response> {
  const { tenant, clock } = context;
  await tenant.read((reader) => ownerFor(reader, context.actor));
  const received = await receive(tenant, clock, { pieces: file.pieces(), declaredBytes: file.declaredBytes, quota });
  try {
    const arrived = await file.arrived(received.sha256);
    if (arrived.repeated) return arrived.repeated;
    const { actor, requestId } = arrived.context;
    return await arrived.context.tenant.write(async (tx) => {
      const owner = await ownerFor(tx, actor);
      await complete(tx, received);
      const { id, media_type, size_bytes, sha256, chunk_digests } = received;
      return addRow(tx, { actor, requestId }, attachmentEntity, {
        action: "attachment.added",
        row: {
          id,
          ...owner,
          filename: namedAs(media_type, filename),
          media_type,
          size_bytes,
          sha256,
          chunk_digests,
          uploaded_by: actor.userId,
          created_at: tx.now,
        },
      });
    });
  } finally {
    await discard(tenant, received.id);
  }
}
