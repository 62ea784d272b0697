import { gone, notFound } from "../../../core/errors.ts";
import { audit } from "../../../storage/audit.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { requireStepUp } from "../../accounts/mfa/require-step-up.ts";
import type { PackId } from "../evidence.tables.ts";
import { fileOf } from "./pack-file.ts";
import { packEntity, requirePack } from "./packs.queries.ts";
import { partsOf } from "./parts.ts";

interface PackFile {
  filename: string;
  bytes: number;
  hash: string;
  pieces(): AsyncGenerator<Uint8Array>;
}

/** @throws NOT_FOUND no such pack, or it is not ready; FORBIDDEN; STEP_UP_REQUIRED; GONE its content was removed */
export async function downloadPack(context: InOrganization, { packId }: { packId: PackId }): Promise<PackFile> {
  const { tenant, actor } = context;
  const { type, manifest, signature, sha256, size_bytes, content_removed_at } = await tenant.read((reader) =>
    requirePack(reader, packId, actor),
  );
  await requireStepUp(context);
  if (content_removed_at !== null)
    throw gone("content_removed", "The content of the evidence pack was removed.", { content_removed_at });
  if (manifest === null || signature === null || sha256 === null || size_bytes === null)
    throw notFound("The evidence pack is not ready.");
  const parts = await tenant.read((reader) => partsOf(reader, packId));
  await tenant.write((tx) =>
    audit(tx, context, "evidence_pack.downloaded", { subject: { kind: packEntity.kind, id: packId } }),
  );
  const signed = { manifest: Buffer.from(manifest), signature: Buffer.from(signature, "base64"), parts };
  return {
    filename: `${type.replace("_", "-")}-${packId}.zip`,
    bytes: size_bytes,
    hash: sha256,
    pieces: () => fileOf(tenant, signed),
  };
}
