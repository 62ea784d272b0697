/** Public keys of Ed25519 in their forms: as in a JSON Web Key (RFC 8037), and as PEM. */
import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { canonicalJson } from "../../../core/canonical-json.ts";

/** 32 bytes in base64url: `x` of a JSON Web Key. */
export type PublicKey = string;

const jwkOf = (x: PublicKey) => ({ crv: "Ed25519", kty: "OKP", x });

/** Returns the thumbprint of a key (RFC 7638), by which people compare keys. */
export const thumbprintOf = (x: PublicKey): string =>
  createHash("sha256")
    .update(canonicalJson(jwkOf(x)))
    .digest("base64url");

/** @throws the text is no key */
export const keyObjectOf = (x: PublicKey): KeyObject => createPublicKey({ key: jwkOf(x), format: "jwk" });

export const pemOf = (x: PublicKey): string => keyObjectOf(x).export({ type: "spki", format: "pem" }).toString();

/** @throws it is no public key of Ed25519 */
export function publicKeyOf(key: KeyObject): PublicKey {
  const { crv, x } = key.export({ format: "jwk" });
  if (crv !== "Ed25519" || x === undefined) throw new Error("This is no key of Ed25519.");
  return x;
}
