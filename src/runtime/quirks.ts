/** Differences between the runtimes that the rest of the code must know. */

/**
 * Whether `node:https` may reuse connections. On Deno, a reused connection that is aborted before the response sends the
 * POST again and never rejects (denoland/deno#36786).
 */
export const keepsConnections = !("Deno" in globalThis);
