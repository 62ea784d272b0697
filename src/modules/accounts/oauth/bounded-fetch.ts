import type { CustomFetch, CustomFetchOptions } from "openid-client";

/** Metadata, keys and tokens have some kilobytes. */
const MAX_BYTES = 256 * 1024;

/**
 * A `fetch` for providers: until `deadline`, no redirects, and no more of an answer than such answers have. The address
 * is the operator's own configuration, so it is not vetted; what is there may still be out of order.
 */
export const boundedFetch =
  (deadline: AbortSignal): CustomFetch =>
  async (url, { body, duplex: _, signal = deadline, ...options }: CustomFetchOptions) => {
    const until = AbortSignal.any([deadline, signal]);
    const sent = body instanceof Uint8Array ? Uint8Array.from(body) : (body ?? null);
    const response = await fetch(url, { ...options, body: sent, redirect: "manual", signal: until });
    const { status, headers } = response;
    const bytes = await readWhole(response, until);
    return new Response(bytes.length === 0 ? null : bytes, { status, headers });
  };

/** @throws when there is too much of it, or it does not arrive in time */
async function readWhole({ body }: Response, until: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    until.throwIfAborted();
    length += piece.length;
    if (length > MAX_BYTES) throw new Error("The provider's answer is too long.");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
