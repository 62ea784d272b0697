/** What a pack states about itself. Its bytes are signed, and it has the digest of every part. */
import { type KeyObject, sign, verify } from "node:crypto";
import { z } from "zod";
import { canonicalJson } from "../../../core/canonical-json.ts";
import { dateField, idOf, instantOut, isOneLine } from "../../../http/fields.ts";
import { keyObjectOf, type PublicKey } from "./public-key.ts";
import { MANIFEST } from "./zip.ts";

export const packTypes = ["pilot_portable", "compliance_pack"] as const;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** As `text`, but it changes nothing: the bytes are signed. */
const line = z.string().max(300).refine(isOneLine);
const base64url = z.string().regex(/^[\w-]{43}$/);

const Part = z.strictObject({
  name: z.string().regex(/^[a-z][a-z_]{0,40}\.(json|pdf)$/),
  media_type: z.enum(["application/json", "application/pdf"]),
  bytes: z.int().min(0).max(0xffff_fffe),
  sha256,
});
export type Part = z.infer<typeof Part>;

/** A reader of the ZIP file must not take one entry for another. */
const areApart = (parts: readonly Part[]) => new Set([MANIFEST, ...parts.map(({ name }) => name)]).size > parts.length;

export const Manifest = z.strictObject({
  format: z.literal("windsock-evidence-1"),
  id: idOf<"evidence_pack">(),
  type: z.enum(packTypes),
  issuer: z.strictObject({ id: idOf<"organization">(), name: line, keys_url: line.regex(/^https?:\/\/[!-~]+$/) }),
  subject: z.strictObject({ kind: z.enum(["person", "organization"]), id: idOf<string>(), name: line }),
  period: z.strictObject({ from: dateField.nullable(), to: dateField.nullable() }),
  issued_at: instantOut,
  supersedes: idOf<"evidence_pack">().nullable(),
  key: z.strictObject({ id: idOf<"signing_key">(), thumbprint: base64url, x: base64url }),
  parts: z.array(Part).min(1).max(50).refine(areApart),
});
export type Manifest = z.infer<typeof Manifest>;

export const bytesOf = (manifest: Manifest): Buffer => Buffer.from(canonicalJson(manifest));

/** Signs with Ed25519 (RFC 8032) over the bytes themselves: 64 bytes. */
export const signatureOf = (bytes: Uint8Array, key: KeyObject): Buffer => sign(null, bytes, key);

/** Returns whether the signature of a manifest's bytes is the key's. */
export const isSigned = (bytes: Uint8Array, signature: Uint8Array, key: PublicKey): boolean =>
  verify(null, bytes, keyObjectOf(key), signature);
