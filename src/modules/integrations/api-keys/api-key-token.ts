/**
 * The format of an API key: `svc_pk_`, 30 random base62 characters (178 bits) and a checksum of 6 characters. The checksum
 * lets the server reject a mistyped key without a lookup, and lets scanners for leaked secrets detect keys reliably.
 */
import { crc32 } from "node:zlib";
import { randomBytes } from "../../../core/crypto.ts";

const prefix = "svc_pk_";
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const bodyLength = 30;
const checksumLength = 6;

const pattern = new RegExp(`^${prefix}([0-9A-Za-z]{${bodyLength}})([0-9A-Za-z]{${checksumLength}})$`);

export function newApiKeyToken(): string {
  const body = randomBase62(bodyLength);
  return `${prefix}${body}${checksumOf(body)}`;
}

/** Returns whether the text has the format of a key and a correct checksum. The key may still be unknown. */
export function isApiKeyToken(text: string): boolean {
  const [, body, checksum] = pattern.exec(text) ?? [];
  return body !== undefined && checksum === checksumOf(body);
}

/** Returns the first characters of the token, which lists show to identify it. */
export const hintOf = (token: string): string => token.slice(0, prefix.length + 4);

/** Returns the CRC-32 of the random characters in base62. Six digits hold all 32 bits. */
function checksumOf(body: string): string {
  let rest = crc32(body);
  let digits = "";
  for (let n = 0; n < checksumLength; n += 1) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Returns uniformly random characters. Discards bytes of 248 (4 × 62) or more, which would favour the first characters. */
function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
}
