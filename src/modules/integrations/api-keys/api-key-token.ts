/**
 * The form of an API key: `svc_pk_`, 30 random base62 characters (178 bits), and 6 that check them, so that a mistyped
 * key is refused without a look-up, and so that scanners for leaked secrets can tell one for sure.
 */
import { crc32 } from "node:zlib";
import { randomBytes } from "../../../core/crypto.ts";

const prefix = "svc_pk_";
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const bodyLength = 30;
const checkLength = 6;

const form = new RegExp(`^${prefix}([0-9A-Za-z]{${bodyLength}})([0-9A-Za-z]{${checkLength}})$`);

export function newApiKeyToken(): string {
  const body = randomBase62(bodyLength);
  return `${prefix}${body}${checkOf(body)}`;
}

/** Whether the text has the form of a key and its check characters are right. Such a key may still be nobody's. */
export function isApiKeyToken(text: string): boolean {
  const [, body, check] = form.exec(text) ?? [];
  return body !== undefined && check === checkOf(body);
}

/** What a list shows of a key, to recognize it by: too little to guess the rest from. */
export const hintOf = (token: string): string => token.slice(0, prefix.length + 4);

/** CRC-32 of the random characters in base62; six digits hold all 32 bits. */
function checkOf(body: string): string {
  let rest = crc32(body);
  let digits = "";
  for (let n = 0; n < checkLength; n += 1) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Each character equally likely: a byte of 248 (4 × 62) or more would favour the first ones, so it is thrown away. */
function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
}
