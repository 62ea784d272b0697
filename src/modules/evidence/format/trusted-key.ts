import { createPublicKey } from "node:crypto";
import { z } from "zod";
import { type PublicKey, publicKeyOf, thumbprintOf } from "./public-key.ts";

const Keys = z.object({ data: z.array(z.object({ public_key: z.string() })).min(1) });

const fromPem = (pem: string): PublicKey => publicKeyOf(createPublicKey(pem));

/**
 * Returns whether a key is one of those in a file: a public key as PEM, or the public keys of an organization as its server
 * returns them.
 *
 * @throws the text is neither
 */
export function keysIn(text: string): (key: PublicKey) => boolean {
  try {
    const keys =
      text.includes("-----BEGIN PUBLIC KEY-----") && !text.trimStart().startsWith("{")
        ? [fromPem(text)]
        : Keys.parse(JSON.parse(text)).data.map(({ public_key }) => fromPem(public_key));
    return (key) => keys.includes(key);
  } catch {
    throw new Error("It must be a public key of Ed25519 as PEM, or the response of /public/orgs/{orgId}/keys.");
  }
}

/** Returns whether the text has the form of a thumbprint. */
export const isThumbprint = (text: string): boolean => /^[\w-]{43}$/.test(text);

export const hasThumbprint =
  (thumbprint: string) =>
  (key: PublicKey): boolean =>
    thumbprintOf(key) === thumbprint;
