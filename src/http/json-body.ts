/**
 * Reads a request's body as JSON. Elysia's parsers are not used: they accept `text/plain`, which any web form can post, and
 * invalid UTF-8, and they have no size limit.
 */
import { badRequest, Problem } from "../core/errors.ts";

export const MAX_BODY_BYTES = 1024 * 1024;

/** Deeper than any schema of the API, and far below the depth that overflows a validator's stack. */
const MAX_DEPTH = 64;

const notJson = () => badRequest("The body is not valid JSON.");
const tooLarge = () => new Problem("PAYLOAD_TOO_LARGE", "The body is larger than 1 MiB.");

/** Rejects a body by its declared length, before it is read. @throws PAYLOAD_TOO_LARGE */
export function checkDeclaredLength(request: Request): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw tooLarge();
}

/**
 * Returns the body's value; `undefined` without a body.
 *
 * @throws PAYLOAD_TOO_LARGE over 1 MiB, declared or counted
 * @throws UNSUPPORTED_MEDIA_TYPE the content type is not JSON
 * @throws BAD_REQUEST malformed or too deeply nested JSON, invalid UTF-8
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  checkDeclaredLength(request);
  if (!request.body) return undefined;
  const bytes = await readLimited(request, request.body);
  // Some clients send an empty body with every POST. Its content type does not matter.
  if (bytes.byteLength === 0) return undefined;
  if (mediaType(request) !== "application/json") throw notJsonType();
  return parseJson(bytes);
}

const mediaType = (request: Request) =>
  (request.headers.get("content-type") ?? "").split(";", 1).join("").trim().toLowerCase();

const notJsonType = () =>
  new Problem("UNSUPPORTED_MEDIA_TYPE", "Send the body as JSON, with `Content-Type: application/json`.");

async function readLimited(request: Request, body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  if (request.headers.has("content-length")) {
    const bytes = new Uint8Array(await request.arrayBuffer().catch(throwNotJson));
    if (bytes.byteLength > MAX_BODY_BYTES) throw tooLarge();
    return bytes;
  }
  // A chunked body has no declared length: count the bytes, and stop at the limit.
  const chunks: Uint8Array[] = [];
  let total = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(throwNotJson);
    if (done) return Buffer.concat(chunks);
    total += value.byteLength;
    if (total > MAX_BODY_BYTES) {
      await reader.cancel();
      throw tooLarge();
    }
    chunks.push(value);
  }
}

/** A body that ends early is an error of the client. */
const throwNotJson = (cause: unknown): never => {
  throw new Problem("BAD_REQUEST", "The body is not valid JSON.", { cause });
};

function parseJson(bytes: Uint8Array): unknown {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // The parser's message contains the text, so it is not used. A stack overflow is caught here as well.
    throw notJson();
  }
  if (deeperThan(value, MAX_DEPTH)) throw notJson();
  return value;
}

function deeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  for (const inner of Object.values(value)) if (deeperThan(inner, depth - 1)) return true;
  return false;
}
