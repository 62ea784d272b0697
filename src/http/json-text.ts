import type { JsonOf } from "../core/json-of.ts";
import { type Bytes, KeptBody } from "../core/kept-body.ts";
import { prefersGzip } from "./accept.ts";

/**
 * Returns a response with JSON text from SQLite or the cache. The route still declares its `response` schema: Elysia does
 * not validate a `Response`, and tests check the text against the document.
 */
export const jsonText = (body: string | Bytes | KeptBody): EncodedText =>
  new EncodedText(body, "application/json;charset=utf-8");

/** `{"data": …}`: one resource that SQLite made. */
export const jsonData = ({ text }: JsonOf<unknown>): EncodedText => jsonText(`{"data":${text}}`);

/**
 * A response whose content `unwrap` passes to Elysia as text or bytes. To add headers to a plain `Response`, Elysia wraps its
 * body in a new stream, which takes longer than the rest of a request (10k instead of 80k requests a second in process, for
 * 30 kB). A `KeptBody` is not copied into it, which would take 3 µs for 60 kB.
 */
export class EncodedText extends Response {
  /** A `KeptBody` if it is sent more than once. */
  readonly content: string | Bytes | KeptBody;
  readonly mediaType: string;

  constructor(content: string | Bytes | KeptBody, mediaType: string) {
    super(content instanceof KeptBody ? null : content, { headers: { "content-type": mediaType } });
    this.content = content;
    this.mediaType = mediaType;
  }
}

/** Returns whether the client gets the compressed form. */
export const isCompressed = (body: KeptBody, request: Request): boolean =>
  body.compresses && prefersGzip(request.headers.get("accept-encoding"));

interface Answered {
  request: Request;
  responseValue: unknown;
  set: { headers: Record<string, string | number | string[] | undefined> };
}

/** For Elysia's `mapResponse`. Returns the content of an `EncodedText`; `undefined` for every other response. */
export function unwrap({ request, responseValue, set: { headers } }: Answered): Response | undefined {
  if (!(responseValue instanceof EncodedText)) return undefined;
  const { content, mediaType } = responseValue;
  headers["content-type"] = mediaType;
  // Elysia accepts text and bytes from this hook, although its type requires a Response.
  if (!(content instanceof KeptBody)) return content as unknown as Response;
  headers.vary ??= "Accept-Encoding";
  if (!isCompressed(content, request)) return content.bytes as unknown as Response;
  headers["content-encoding"] = "gzip";
  return content.gzip as unknown as Response;
}
