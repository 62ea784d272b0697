import { gzipSync } from "node:zlib";
import { sha256 } from "./crypto.ts";

/** Bytes that fit into one packet, so compressing them has no benefit. */
const packet = 1400;

/** A body that is sent many times. Its hash and its compressed form are computed once, at the first use. */
export class KeptBody {
  /** UTF-8: sending bytes is faster than encoding text each time. */
  readonly bytes: Buffer<ArrayBuffer>;
  #tag: string | undefined;
  #gzip: Buffer<ArrayBuffer> | undefined;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
  }

  get text(): string {
    return this.bytes.toString();
  }

  /** SHA-256 of the body. */
  get tag(): string {
    this.#tag ??= sha256(this.bytes);
    return this.#tag;
  }

  /** Whether the body is large enough to compress. */
  get compresses(): boolean {
    return this.bytes.length > packet;
  }

  /** The compressed body. It takes 0.4 ms for a list of 100, 30 ms for the reference page's script. */
  get gzip(): Buffer<ArrayBuffer> {
    this.#gzip ??= gzipSync(this.bytes);
    return this.#gzip;
  }
}
