/**
 * Time-based one-time passwords (RFC 6238) as every authenticator app supports them: SHA-1, six digits, 30 seconds. otplib is
 * loaded when a code is first needed.
 */
import type { Instant } from "../../../core/clock.ts";
import { randomBytes, seal, unseal } from "../../../core/crypto.ts";
import type { UserId } from "../../../core/ids.ts";

const PERIOD = 30;
/** How far clocks may differ: a minute. */
const STEPS_APART = 2;
/** As long as the hash (RFC 4226, 4). */
const SECRET_BYTES = 20;

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

export async function toBase32(bytes: Buffer): Promise<string> {
  const { ScureBase32Plugin } = await import("otplib");
  return new ScureBase32Plugin().encode(bytes);
}

const contextOf = (userId: UserId) => `totp:${userId}`;

/** Encrypts the secret for storage. It cannot be decrypted in another account's row. */
export const sealTotpSecret = (key: Buffer, userId: UserId, secret: Buffer): string =>
  seal(key, secret, contextOf(userId));

export const openTotpSecret = (key: Buffer, userId: UserId, sealed: string): Buffer =>
  unseal(key, sealed, contextOf(userId));

/** Returns the content of the QR code. */
export async function totpUri({
  secret,
  ...names
}: {
  issuer: string;
  label: string;
  secret: Buffer;
}): Promise<string> {
  const { generateURI } = await import("otplib");
  return generateURI({ ...names, secret: await toBase32(secret) });
}

interface GivenCode {
  secret: Buffer;
  /** Six digits. */
  code: string;
  at: Instant;
  /** The newest step of an accepted code. */
  lastStep: number | null;
}

/**
 * Returns the 30-second step of a code, if it is the current step or one next to it (clocks drift) and newer than the last
 * accepted step: an observed code is not accepted again (RFC 6238, 5.2).
 */
export async function matchingStep({ secret, code, at, lastStep }: GivenCode): Promise<number | undefined> {
  const epoch = Math.floor(Date.parse(at) / 1000);
  const newest = Math.floor(epoch / PERIOD) + 1;
  // It was accepted while the clock was ahead: otherwise, no code would be accepted for as long as that was.
  const isAhead = lastStep !== null && lastStep > newest + STEPS_APART;
  // otplib throws if no step is left.
  if (lastStep !== null && lastStep >= newest && !isAhead) return undefined;
  const after = lastStep === null || isAhead ? {} : { afterTimeStep: lastStep };
  const { verify } = await import("otplib");
  const found = await verify({ secret, token: code, epoch, epochTolerance: PERIOD, ...after });
  return found.valid && "timeStep" in found ? found.timeStep : undefined;
}
