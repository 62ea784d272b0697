/** Time-based one-time passwords (RFC 6238) as every authenticator app takes them: SHA-1, six digits, 30 seconds. */
import { generateURI, ScureBase32Plugin, verifySync } from "otplib";
import type { Instant } from "../../../core/clock.ts";
import { randomBytes, seal, unseal } from "../../../core/crypto.ts";
import type { UserId } from "../../../core/ids.ts";

const PERIOD = 30;
/** RFC 4226, 4: as long as the hash. */
const SECRET_BYTES = 20;

const base32 = new ScureBase32Plugin();

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

export const toBase32 = (bytes: Buffer): string => base32.encode(bytes);

const contextOf = (userId: UserId) => `totp:${userId}`;

/** The secret as it is stored: of no use in another account's row. */
export const sealTotpSecret = (key: Buffer, userId: UserId, secret: Buffer): string =>
  seal(key, secret, contextOf(userId));

export const openTotpSecret = (key: Buffer, userId: UserId, sealed: string): Buffer =>
  unseal(key, sealed, contextOf(userId));

/** What an authenticator app reads from the QR code. */
export const totpUri = ({ issuer, label, secret }: { issuer: string; label: string; secret: Buffer }): string =>
  generateURI({ issuer, label, secret: toBase32(secret) });

interface Shown {
  secret: Buffer;
  /** Six digits. */
  code: string;
  at: Instant;
  /** The newest step a code of which was taken. */
  lastStep: number | null;
}

/**
 * The 30-second step that a code belongs to, if it is the present one or one of its neighbours (clocks drift) and newer
 * than the last one taken: a code that somebody saw being typed is worth nothing any more (RFC 6238, 5.2).
 */
export function matchingStep({ secret, code, at, lastStep }: Shown): number | undefined {
  const epoch = Math.floor(Date.parse(at) / 1000);
  const newest = Math.floor(epoch / PERIOD) + 1;
  // With no step left, otplib throws.
  if (lastStep !== null && lastStep >= newest) return undefined;
  const after = lastStep === null ? {} : { afterTimeStep: lastStep };
  const found = verifySync({ secret, token: code, epoch, epochTolerance: PERIOD, ...after });
  return found.valid && "timeStep" in found ? found.timeStep : undefined;
}
