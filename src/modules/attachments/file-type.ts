import { Problem } from "../../core/errors.ts";
import type { mediaTypes } from "./attachments.tables.ts";

type MediaType = (typeof mediaTypes)[number];

interface FileType {
  mediaType: MediaType;
  /** The bytes that every file of the type begins with. */
  signature: Buffer;
  extension: RegExp;
  /** Added to a name with another extension. */
  usual: string;
}

/** ISO 32000-2, 7.5.2; ISO/IEC 10918-1, B.1.1.3 (SOI and the start of the next marker); PNG, 5.2 and 5.3 (IHDR comes first) */
const types: readonly FileType[] = [
  { mediaType: "application/pdf", signature: Buffer.from("%PDF-"), extension: /\.pdf$/i, usual: ".pdf" },
  { mediaType: "image/jpeg", signature: Buffer.from("ffd8ff", "hex"), extension: /\.jpe?g$/i, usual: ".jpg" },
  {
    mediaType: "image/png",
    signature: Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
    extension: /\.png$/i,
    usual: ".png",
  },
];

/**
 * Returns the type of a file by its first bytes. What the client says does not count. Three types need no library.
 *
 * @throws UNSUPPORTED_MEDIA_TYPE
 */
export function typeOf(start: Buffer): MediaType {
  const type = types.find(({ signature }) => start.subarray(0, signature.length).equals(signature));
  if (type === undefined) throw new Problem("UNSUPPORTED_MEDIA_TYPE", "The file is not a PDF, a JPEG or a PNG.");
  return type.mediaType;
}

/**
 * Returns the name with an extension of its type. A file can have the first bytes of a PDF and be an HTML page too, which a
 * browser would run after a download as `page.html`.
 */
export function namedAs(mediaType: MediaType, name: string): string {
  const type = types.find((one) => one.mediaType === mediaType);
  return type === undefined || type.extension.test(name) ? name : name + type.usual;
}
