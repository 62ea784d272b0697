/** The key of the account at the authority, which signs the requests (RFC 7515) and answers challenges. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { z } from "zod";
import { base64url, digestOf } from "./base64url.ts";

export interface AccountKey {
  readonly jwk: { crv: string; kty: string; x: string; y: string };
  /** RFC 7638 */
  readonly thumbprint: string;
  /** Returns the body of a request: a signed JSON object in the flattened form. @param payload undefined: it is empty */
  sign(header: Record<string, unknown>, payload: unknown): string;
}

const Jwk = z.object({ crv: z.literal("P-256"), kty: z.literal("EC"), x: z.string(), y: z.string() });

/** PEM. */
export function newKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return pemOf(privateKey);
}

const pemOf = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }).toString();

/** @throws it is no key on P-256 in PEM form */
export function accountKeyOf(pem: string): AccountKey {
  const key = createPrivateKey(pem);
  // In the order of RFC 7638.
  const { crv, kty, x, y } = Jwk.parse(createPublicKey(key).export({ format: "jwk" }));
  const jwk = { crv, kty, x, y };
  return {
    jwk,
    thumbprint: digestOf(JSON.stringify(jwk)),
    sign(header, payload) {
      const protectedHeader = base64url(JSON.stringify({ alg: "ES256", ...header }));
      const body = payload === undefined ? "" : base64url(JSON.stringify(payload));
      const signed = Buffer.from(`${protectedHeader}.${body}`);
      const signature = sign("sha256", signed, { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
      return JSON.stringify({ protected: protectedHeader, payload: body, signature });
    },
  };
}
