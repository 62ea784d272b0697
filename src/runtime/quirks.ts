/** Where the runtimes differ and the code above has to know. */

/**
 * Whether `node:https` may keep connections. On Deno a kept one that is aborted before the answer sends the POST again
 * and never rejects (denoland/deno#36786).
 */
export const keepsConnections = !("Deno" in globalThis);
