/**
 * Passes JSON that is already text (built by SQLite, or kept encoded) through as it is. The route still declares its
 * `response` schema: Elysia leaves a `Response` alone, and tests hold the text to the document.
 */
export const jsonText = (text: string): Response => new JsonText(text);

const TYPE = "application/json;charset=utf-8";

/**
 * To give a `Response` its common headers Elysia takes its body apart as a stream and wraps it again, which costs more
 * than all the rest (10k against 80k requests a second in process, for 30 kB). So it keeps its text for `unwrap`.
 */
class JsonText extends Response {
  readonly encoded: string;

  constructor(encoded: string) {
    super(encoded, { headers: { "content-type": TYPE } });
    this.encoded = encoded;
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
