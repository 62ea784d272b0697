import { gzipSync } from "node:zlib";
import { sha256 } from "./crypto.ts";

/** Fits into one packet: compressing it would save nothing. */
const packet = 1400;

/** A body that is sent many times. Its hash and its compressed form are computed once, when they are first needed. */
export class KeptBody {
  /** UTF-8: a runtime sends bytes sooner than it encodes text. */
  readonly bytes: Buffer<ArrayBuffer>;
  #tag: string | undefined;
  #gzip: Buffer<ArrayBuffer> | undefined;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
  }

  get text(): string {
    return this.bytes.toString();
  }

  /** SHA-256: differs for every other body. */
  get tag(): string {
    this.#tag ??= sha256(this.bytes);
    return this.#tag;
  }

  /** Whether the compressed form is worth sending. */
  get compresses(): boolean {
    return this.bytes.length > packet;
  }

  /** The body compressed: 0.4 ms for a list of 100, 30 ms for the reference page's script. */
  get gzip(): Buffer<ArrayBuffer> {
    this.#gzip ??= gzipSync(this.bytes);
    return this.#gzip;
  }
}
