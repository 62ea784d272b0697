/** Reads the `Idempotency-Key` header (draft-ietf-httpapi-idempotency-key-header). */
import { badRequest } from "../core/errors.ts";

/** The draft's format: a string of a structured field (RFC 8941, 3.3.3), which escapes `"` and `\`. */
const QUOTED = /^"((?:[!#-[\]-~]|\\["\\])*)"$/;
/** The format of most clients. */
const BARE = /^[!#-~]+$/;

export const MAX_KEY_LENGTH = 255;

/**
 * Returns the key, without quotes; `undefined` without the header.
 *
 * @throws BAD_REQUEST the key is not 1 to 255 visible characters
 */
export function idempotencyKey(headers: Headers): string | undefined {
  const header = headers.get("idempotency-key");
  if (header === null) return undefined;
  const quoted = QUOTED.exec(header)?.[1];
  const key = quoted?.replace(/\\(["\\])/g, "$1") ?? (BARE.test(header) ? header : "");
  if (key.length === 0 || key.length > MAX_KEY_LENGTH)
    throw badRequest('`Idempotency-Key` must be 1 to 255 visible characters, such as "8e03978e-40d5-43dd".');
  return key;
}
