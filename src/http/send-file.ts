/** Responses that are files. A browser stores them and never shows them, whatever they contain. */
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

/** @param pieces reads the content; called when the response is sent */
export function sendFile(
  { request, set }: Answered,
  { filename, mediaType, bytes, hash }: File,
  pieces: () => AsyncGenerator<Uint8Array>,
): Response {
  set.headers.etag = `"${hash}"`;
  if (names(request.headers.get("if-none-match") ?? "", hash)) {
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
