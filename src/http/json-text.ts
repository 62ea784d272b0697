import type { Body } from "../storage/store.ts";

/**
 * Passes JSON that is already text (built by SQLite, or kept encoded) through as it is. The route still declares its
 * `response` schema: Elysia leaves a `Response` alone, and tests hold the text to the document.
 */
export const jsonText = (body: string | Body): Response =>
  typeof body === "string" ? new JsonText(body, undefined) : new JsonText(body.text, body.tag);

const TYPE = "application/json;charset=utf-8";

/**
 * To give a `Response` its common headers Elysia takes its body apart as a stream and wraps it again, which costs more
 * than all the rest (10k against 80k requests a second in process, for 30 kB). So it keeps its text for `unwrap`.
 */
export class JsonText extends Response {
  readonly encoded: string;
  /** Another one for every other text, if it is known. */
  readonly tag: string | undefined;

  constructor(encoded: string, tag: string | undefined) {
    super(encoded, { headers: { "content-type": TYPE } });
    this.encoded = encoded;
    this.tag = tag;
  }
}

/** For Elysia's `mapResponse`: the text in place of the response around it; `undefined` for every other answer. */
export function unwrap({
  responseValue,
  set,
}: {
  responseValue: unknown;
  set: { headers: object };
}): Response | undefined {
  if (!(responseValue instanceof JsonText)) return undefined;
  Object.assign(set.headers, { "content-type": TYPE });
  // Elysia takes a string from this hook as from a handler; only its type asks for a Response.
  return responseValue.encoded as unknown as Response;
}
