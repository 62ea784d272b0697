import type { JsonOf } from "../core/json-of.ts";
import type { KeptBody } from "../core/kept-body.ts";
import { prefersGzip } from "./accept-encoding.ts";

/**
 * Passes JSON that is already text (built by SQLite, or kept encoded) through as it is. The route still declares its
 * `response` schema: Elysia leaves a `Response` alone, and tests hold the text to the document.
 */
export const jsonText = (body: string | KeptBody): EncodedText =>
  new EncodedText(body, "application/json;charset=utf-8");

/** `{"data": …}`: one resource that SQLite made. */
export const jsonData = ({ text }: JsonOf<unknown>): EncodedText => jsonText(`{"data":${text}}`);

/**
 * To give a `Response` its common headers Elysia takes its body apart as a stream and wraps it again, which costs more
 * than all the rest (10k against 80k requests a second in process, for 30 kB). So this one hands its content to `unwrap`,
 * which every answer passes. A kept body is not copied into it, which takes 3 µs for 60 kB.
 */
export class EncodedText extends Response {
  /** A `KeptBody` if it is sent more than once. */
  readonly content: string | KeptBody;
  readonly mediaType: string;

  constructor(content: string | KeptBody, mediaType: string) {
    super(typeof content === "string" ? content : null, { headers: { "content-type": mediaType } });
    this.content = content;
    this.mediaType = mediaType;
  }
}

/** Whether this client is sent the compressed form. */
export const isCompressed = (body: KeptBody, request: Request): boolean =>
  body.compresses && prefersGzip(request.headers.get("accept-encoding"));

interface Answered {
  request: Request;
  responseValue: unknown;
  set: { headers: Record<string, string | number | string[] | undefined> };
}

/** For Elysia's `mapResponse`: the text in place of the response around it; `undefined` for every other answer. */
export function unwrap({ request, responseValue, set: { headers } }: Answered): Response | undefined {
  if (!(responseValue instanceof EncodedText)) return undefined;
  const { content, mediaType } = responseValue;
  headers["content-type"] = mediaType;
  // Elysia takes text and bytes from this hook as from a handler; only its type asks for a Response.
  if (typeof content === "string") return content as unknown as Response;
  headers.vary ??= "Accept-Encoding";
  if (!isCompressed(content, request)) return content.bytes as unknown as Response;
  headers["content-encoding"] = "gzip";
  return content.gzip as unknown as Response;
}
