import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/** The uses of an installation's secret. Each purpose has its own key, so a value made for one is invalid for another. */
export type KeyPurpose = "access-token" | "refresh-token" | "sealing" | "audit-head" | "idempotency" | "rate-buckets";

/** The keys of one installation, all derived (HKDF-SHA256, RFC 5869) from its one secret. */
export interface KeyRing {
  /** Identifies the secret without revealing it. Stored beside the values sealed under it. */
  readonly id: string;
  key(purpose: KeyPurpose): Buffer;
}

/** @param secret the installation's secret, of any length; `config.ts` requires 32 bytes or more */
export function keyRing(secret: Buffer): KeyRing {
  const derive = (info: string) => Buffer.from(hkdfSync("sha256", secret, "windsock", info, 32));
  const keys: Record<KeyPurpose, Buffer> = {
    "access-token": derive("access-token"),
    "refresh-token": derive("refresh-token"),
    sealing: derive("sealing"),
    "audit-head": derive("audit-head"),
    idempotency: derive("idempotency"),
    "rate-buckets": derive("rate-buckets"),
  };
  return { id: derive("key-id").subarray(0, 8).toString("hex"), key: (purpose) => keys[purpose] };
}

/**
 * Seals bytes with AES-256-GCM: nonce (12) ‖ tag (16) ‖ ciphertext, base64url.
 * `context` is bound to the result: a sealed value that is moved to another row does not open there.
 */
export function seal(key: Buffer, plain: Buffer, context: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** Decrypts the result of `seal`. @throws the key or the context differs, or a bit was changed */
export function unseal(key: Buffer, sealed: string, context: string): Buffer {
  const bytes = Buffer.from(sealed, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
}

export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");

export const hmac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** Compares in constant time. Values of different length are unequal. */
export const equal = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

/** Returns a token of 256 random bits. Show it once and store only `sha256(token)`. */
export const newToken = (): string => randomBytes(32).toString("base64url");

export { randomBytes };
