import { createPublicKey } from "node:crypto";
import { z } from "zod";
import type { Instant } from "../../../core/clock.ts";
import { instantOut } from "../../../http/fields.ts";
import { type PublicKey, publicKeyOf, thumbprintOf } from "./public-key.ts";

/** Returns whether a key is the issuer's, and was not retired when it signed. */
export type Trust = (key: PublicKey, issued_at: Instant) => boolean;

const Keys = z.object({
  data: z.array(z.object({ public_key: z.string(), retired_at: instantOut.nullable().default(null) })).min(1),
});

const fromPem = (pem: string): PublicKey => publicKeyOf(createPublicKey(pem));

/**
 * Trusts the keys in a file: a public key as PEM, or the public keys of an organization as its server returns them.
 *
 * @throws the text is neither
 */
export function keysIn(text: string): Trust {
  try {
    const keys =
      text.includes("-----BEGIN PUBLIC KEY-----") && !text.trimStart().startsWith("{")
        ? [{ key: fromPem(text), retired_at: null }]
        : Keys.parse(JSON.parse(text)).data.map(({ public_key, retired_at }) => ({
            key: fromPem(public_key),
            retired_at,
          }));
    return (key, issued_at) =>
      keys.some((known) => known.key === key && (known.retired_at === null || issued_at <= known.retired_at));
  } catch {
    throw new Error("It must be a public key of Ed25519 as PEM, or the response of /public/orgs/{orgId}/keys.");
  }
}

/** Returns whether the text has the form of a thumbprint. */
export const isThumbprint = (text: string): boolean => /^[\w-]{43}$/.test(text);

export const hasThumbprint =
  (thumbprint: string): Trust =>
  (key) =>
    thumbprintOf(key) === thumbprint;
