/** Differences between the runtimes that the rest of the code must know. */

/**
 * Whether `node:https` may reuse connections. On Deno, a reused connection that is aborted or closed before the response
 * sends the POST again (denoland/deno#36786). On Bun, each POST is sent once.
 */
export const keepsConnections = !("Deno" in globalThis);
