/** Responses that are files. A browser stores them and never shows them, whatever they contain. */
import { createHash } from "node:crypto";
import { contentDamaged } from "../core/errors.ts";
import { names } from "./etag.ts";
import { streamOf } from "./stream-of.ts";

interface File {
  filename: string;
  mediaType: string;
  bytes: number;
  /** A hash of the content. */
  hash: string;
}

interface Answered {
  request: Request;
  set: { headers: Record<string, string | number | string[] | undefined>; status?: number | string };
}

/**
 * Sends a stored file after reading it once: when the first byte is sent, no other status can be.
 *
 * @param file `hash` is the SHA-256 of the content
 * @param pieces reads the content; called twice
 * @throws UNAVAILABLE the content is damaged
 */
export async function sendStoredFile(
  answered: Answered,
  file: File,
  pieces: () => AsyncGenerator<Uint8Array>,
): Promise<Response> {
  const isSent = answered.request.method !== "HEAD" && !isUnchanged(answered, file);
  if (isSent && (await hashOf(pieces())) !== file.hash) throw contentDamaged("its SHA-256 is another one");
  return sendFile(answered, file, pieces);
}

async function hashOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
}

const isUnchanged = ({ request }: Answered, { hash }: File): boolean =>
  names(request.headers.get("if-none-match") ?? "", hash);

/** @param pieces reads the content; called when the response is sent */
export function sendFile(answered: Answered, file: File, pieces: () => AsyncGenerator<Uint8Array>): Response {
  const { request, set } = answered;
  const { filename, mediaType, bytes, hash } = file;
  set.headers.etag = `"${hash}"`;
  if (isUnchanged(answered, file)) {
    set.status = 304;
    return new Response(null, { status: 304 });
  }
  set.headers["content-disposition"] = attachmentNamed(filename);
  set.headers["content-security-policy"] = "default-src 'none'; frame-ancestors 'none'; sandbox";
  // Bun sends a stream in chunks, without this header.
  const headers = { "content-type": mediaType, "content-length": String(bytes) };
  return new Response(request.method === "HEAD" ? null : streamOf(pieces()), { headers });
}

/**
 * Returns a `Content-Disposition` (RFC 6266): the name in UTF-8 (RFC 8187), and in ASCII for old clients, some of which
 * decode `%`.
 */
export function attachmentNamed(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/gu, "_");
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
