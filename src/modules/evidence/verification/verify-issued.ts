import { sha256 as digestOf } from "../../../core/crypto.ts";
import { notFound } from "../../../core/errors.ts";
import type { Reader } from "../../../storage/store.ts";
import type { PackId, SigningKeyId } from "../evidence.tables.ts";
import { isSigned, Manifest } from "../format/manifest.ts";
import { thumbprintOf } from "../format/public-key.ts";
import { requireKey } from "../keys/keys.queries.ts";
import { findPackRow, type PackRow } from "../packs/packs.queries.ts";
import type { Verification } from "./verification.schemas.ts";

/** A pack that is signed. */
type Issued = PackRow & Readonly<Record<"manifest" | "signature" | "sha256", string> & { key_id: SigningKeyId }>;

const isIssued = (pack: PackRow): pack is Issued =>
  pack.manifest !== null && pack.signature !== null && pack.key_id !== null && pack.sha256 !== null;

/** Does not check the caller. @throws NOT_FOUND no such pack, or it is not ready */
export async function issuedPack(reader: Reader<"tenant">, id: PackId): Promise<Issued> {
  const pack = await findPackRow(reader, id);
  if (!pack || !isIssued(pack)) throw notFound();
  return pack;
}

/** Checks the signature of a pack again. */
export async function verifyIssued(reader: Reader<"tenant">, pack: Issued): Promise<Verification> {
  const { id, manifest: text, signature, sha256 } = pack;
  const bytes = Buffer.from(text);
  const { type, issuer, subject, period, issued_at, ...manifest } = Manifest.parse(JSON.parse(text));
  const { public_key, retired_at } = await requireKey(reader, pack.key_id);
  const isInTime = retired_at === null || issued_at <= retired_at;
  return {
    id,
    type,
    period,
    issued_at,
    manifest_sha256: digestOf(bytes),
    sha256,
    issuer: { id: issuer.id, name: issuer.name },
    subject: { kind: subject.kind, name: subject.name },
    signature_valid: manifest.id === id && isInTime && isSigned(bytes, Buffer.from(signature, "base64"), public_key),
    superseded: pack.superseded_by !== null,
    key: { thumbprint: thumbprintOf(public_key), retired_at },
  };
}
