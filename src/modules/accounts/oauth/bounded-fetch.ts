import type { CustomFetch, CustomFetchOptions } from "openid-client";

/** Metadata, keys and tokens have a few kilobytes. */
const MAX_BYTES = 256 * 1024;

/**
 * Returns a `fetch` for providers with a deadline, a size limit and no redirects. The operator configures the address, so
 * it is not vetted; but the provider may be faulty.
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

/** @throws the body is too long, or does not arrive in time */
async function readWhole({ body }: Response, until: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    until.throwIfAborted();
    length += piece.length;
    if (length > MAX_BYTES) throw new Error("The provider's response is too long.");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
