import type { KeptBody } from "../core/kept-body.ts";
import { prefersGzip } from "./accept-encoding.ts";

/**
 * Passes JSON that is already text (built by SQLite, or kept encoded) through as it is. The route still declares its
 * `response` schema: Elysia leaves a `Response` alone, and tests hold the text to the document.
 */
export const jsonText = (body: string | KeptBody): EncodedText =>
  new EncodedText(body, "application/json;charset=utf-8");

/**
 * To give a `Response` its common headers Elysia takes its body apart as a stream and wraps it again, which costs more
 * than all the rest (10k against 80k requests a second in process, for 30 kB). So it keeps its text for `unwrap`.
 */
export class EncodedText extends Response {
  readonly encoded: string;
  /** The body, if it is kept to be sent again. */
  readonly kept: KeptBody | undefined;
  readonly mediaType: string;

  constructor(body: string | KeptBody, mediaType: string) {
    const text = typeof body === "string" ? body : body.text;
    super(text, { headers: { "content-type": mediaType } });
    this.encoded = text;
    this.kept = typeof body === "string" ? undefined : body;
    this.mediaType = mediaType;
  }

  /** Whether this client is sent the compressed form. */
  isCompressedFor(request: Request): boolean {
    return this.kept?.compresses === true && prefersGzip(request.headers.get("accept-encoding"));
  }
}

interface Answered {
  request: Request;
  responseValue: unknown;
  set: { headers: Record<string, string | number | string[] | undefined> };
}

/** For Elysia's `mapResponse`: the text in place of the response around it; `undefined` for every other answer. */
export function unwrap({ request, responseValue, set: { headers } }: Answered): Response | undefined {
  if (!(responseValue instanceof EncodedText)) return undefined;
  const { encoded, kept, mediaType } = responseValue;
  headers["content-type"] = mediaType;
  // Elysia takes text and bytes from this hook as from a handler; only its type asks for a Response.
  if (kept === undefined) return encoded as unknown as Response;
  headers.vary ??= "Accept-Encoding";
  if (!responseValue.isCompressedFor(request)) return encoded as unknown as Response;
  headers["content-encoding"] = "gzip";
  return kept.gzip as unknown as Response;
}
