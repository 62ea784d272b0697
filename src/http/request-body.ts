/**
 * Reads a request's body. Elysia's parsers are not used: they accept `text/plain`, which any web form can post, and
 * invalid UTF-8, and they have no size limit.
 */
import { badRequest, Problem } from "../core/errors.ts";
import { type BodyLimits, inUnits, usualLimits } from "./body-limits.ts";
import { isRead } from "./is-read.ts";
import { parseJson } from "./json-body.ts";

export const tooLarge = ({ bytes }: Pick<BodyLimits, "bytes">) =>
  new Problem("PAYLOAD_TOO_LARGE", `The body is larger than ${inUnits(bytes)}.`);

/** Rejects a body by its declared length, before it is read. @throws PAYLOAD_TOO_LARGE */
export function checkDeclaredLength(request: Request, limits: Pick<BodyLimits, "bytes"> = usualLimits): void {
  if (isRead(request)) return;
  if (Number(request.headers.get("content-length") ?? 0) > limits.bytes) throw tooLarge(limits);
}

/**
 * Returns the body's value, or its text if it is CSV; `undefined` without a body.
 *
 * @throws PAYLOAD_TOO_LARGE over a limit; the length is declared or counted
 * @throws UNSUPPORTED_MEDIA_TYPE the content type is not that of the route, or the body is compressed
 * @throws BAD_REQUEST malformed or too deeply nested JSON, invalid UTF-8
 */
export async function readBody(request: Request, limits: BodyLimits): Promise<unknown> {
  checkDeclaredLength(request, limits);
  const bytes = await readLimited(request, limits);
  // Some clients send an empty body with every POST. Its content type does not matter.
  if (bytes.byteLength === 0) return undefined;
  checkMediaType(request, limits);
  return limits.form === "csv" ? textOf(bytes) : parseJson(bytes, limits);
}

/** @throws UNSUPPORTED_MEDIA_TYPE the content type is not that of the route, or the body is compressed */
export function checkMediaType(request: Request, { mediaTypes }: Pick<BodyLimits, "mediaTypes">): void {
  if (isEncoded(request)) throw encoded();
  if (!mediaTypes.includes(mediaType(request)))
    throw new Problem("UNSUPPORTED_MEDIA_TYPE", otherTypeMessage(mediaTypes));
}

const mediaType = (request: Request) =>
  (request.headers.get("content-type") ?? "").split(";", 1).join("").trim().toLowerCase();

export function otherTypeMessage(mediaTypes: readonly string[]): string {
  if (mediaTypes.includes("text/csv")) return "Send the body as CSV, with `Content-Type: text/csv`.";
  if (mediaTypes.includes("application/json")) return "Send the body as JSON, with `Content-Type: application/json`.";
  return `Send the file itself as the body, with one of these content types: ${mediaTypes.join(", ")}.`;
}

const isEncoded = (request: Request) => {
  const coding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  return coding !== "" && coding !== "identity";
};

const encoded = () =>
  new Problem("UNSUPPORTED_MEDIA_TYPE", "Compressed bodies are not read. Send the body without `Content-Encoding`.");

async function readLimited(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  if (request.headers.has("content-length")) {
    const bytes = new Uint8Array(await request.arrayBuffer().catch(throwUnreadable(limits)));
    if (bytes.byteLength > limits.bytes) throw tooLarge(limits);
    return bytes;
  }
  // A chunked body has no declared length: count the bytes, and stop at the limit.
  const chunks: Uint8Array[] = [];
  let total = 0;
  // Bun makes a stream of every body whose `body` is asked for.
  const reader = request.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  for (;;) {
    const { done, value } = await reader.read().catch(throwUnreadable(limits));
    if (done) return Buffer.concat(chunks);
    total += value.byteLength;
    if (total > limits.bytes) {
      await reader.cancel();
      throw tooLarge(limits);
    }
    chunks.push(value);
  }
}

/** A body that ends early is an error of the client. */
const throwUnreadable =
  ({ form }: BodyLimits) =>
  (cause: unknown): never => {
    const message = form === "csv" ? "The body could not be read." : "The body is not valid JSON.";
    throw new Problem("BAD_REQUEST", message, { cause });
  };

/** The decoder removes a byte order mark. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('The body is not UTF-8. In a spreadsheet, save the file as "CSV UTF-8".');
  }
}
