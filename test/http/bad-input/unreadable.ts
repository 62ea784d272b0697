/** Bodies that are rejected before validation. */
import { gzipSync } from "node:zlib";
import type { BodyLimits } from "../../../src/http/body-limits.ts";
import { isOverHttp } from "../../support/reach.ts";
import { SECRET } from "./spoil.ts";

export interface Unreadable {
  what: string;
  status: 400 | 413 | 415;
  code: string;
  body: () => string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
}

const bytes = (...values: number[]) => Uint8Array.from(values);

const malformed = (what: string, body: Unreadable["body"]): Unreadable => ({
  what,
  status: 400,
  code: "BAD_REQUEST",
  body,
});

const ofType = (type: string, body: (valid: string) => string): ((valid: string) => Unreadable) => {
  return (valid) => ({
    what: `called ${type || "nothing"}`,
    status: 415,
    code: "UNSUPPORTED_MEDIA_TYPE",
    body: () => body(valid),
    headers: { "content-type": type },
  });
};

const asItIs = (valid: string) => valid;

/** @param valid a body that the route accepts */
export const unreadable = (valid: string, { bytes: most, entries }: BodyLimits): Unreadable[] => [
  malformed("cut off", () => valid.slice(0, -1)),
  malformed("followed by another", () => valid + valid),
  malformed("with a comma too many", () => `${valid.slice(0, -1)},}`),
  malformed("in single quotes", () => (valid === "{}" ? "{'a':1}" : valid.replaceAll('"', "'"))),
  malformed("text", () => SECRET),
  malformed("of invalid UTF-8", () => bytes(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)),
  malformed("of UTF-8 spelled too long", () => bytes(0x22, 0xc0, 0xaf, 0x22)),
  malformed("of UTF-16", () => new Uint8Array(Buffer.from(valid, "utf16le"))),
  malformed("nested 60,000 deep", () => "[".repeat(60_000)),
  malformed("nested a hundred deep", () => `${'{"a":'.repeat(100)}"${SECRET}"${"}".repeat(100)}`),
  malformed("with a raw line break in a text", () => `{"a":"${SECRET}\n"}`),
  ...[
    ofType("text/plain", asItIs),
    ofType("", asItIs),
    ofType("application/x-www-form-urlencoded", () => `a=${SECRET}`),
    ofType(
      "multipart/form-data; boundary=x",
      () => `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n${SECRET}\r\n--x--`,
    ),
    ofType("application/xml", () => "<a/>"),
    ofType("text/json", asItIs),
  ].map((make) => make(valid)),
  {
    what: "compressed",
    status: 415,
    code: "UNSUPPORTED_MEDIA_TYPE",
    body: () => gzipSync(valid),
    headers: { "content-encoding": "gzip" },
  },
  ...[
    `{${Array.from({ length: entries + 1 }, (_, at) => `"${SECRET}${at}":1`)}}`,
    `{${Array(entries + 1).fill(`"${SECRET}":1`)}}`,
    `{"${SECRET}":[${Array(entries + 1).fill("{}")}]}`,
  ].map((body): Unreadable => ({ what: "of an entry too many", ...over, body: () => body })),
  ...tooLarge(JSON.stringify({ [SECRET]: "x".repeat(most) })),
];

const tooLarge = (body: string): Unreadable[] => [
  {
    what: "too large, and saying so",
    ...over,
    body: () => body,
    headers: { "content-length": String(body.length) },
  },
  // A listener reads no more of a body than it declares.
  ...(isOverHttp
    ? []
    : [{ what: "too large, saying it is not", ...over, body: () => body, headers: { "content-length": "10" } }]),
  { what: "too large, saying nothing", ...over, body: () => new Blob([body]).stream() },
];

const over = { status: 413, code: "PAYLOAD_TOO_LARGE" } as const;
