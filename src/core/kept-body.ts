import { gzipSync } from "node:zlib";
import { contentHash } from "./content-hash.ts";

/** Bytes that fit into one packet, so compressing them has no benefit. */
const packet = 1400;

/** UTF-8. */
export type Bytes = Buffer<ArrayBuffer>;

/** A body that is sent many times. Its hash and its compressed form are computed once, at the first use. */
export class KeptBody {
  /** UTF-8: sending bytes is faster than encoding text each time. */
  readonly bytes: Bytes;
  #tag: string | undefined;
  #gzip: Bytes | undefined;

  constructor(content: string | Bytes) {
    this.bytes = typeof content === "string" ? Buffer.from(content) : content;
  }

  get text(): string {
    return this.bytes.toString();
  }

  /** The hash of the body. */
  get tag(): string {
    this.#tag ??= contentHash(this.bytes);
    return this.#tag;
  }

  /** Whether the body is large enough to compress. */
  get compresses(): boolean {
    return this.bytes.length > packet;
  }

  /** The compressed body. It takes 0.4 ms for a list of 100, 30 ms for the reference page's script. */
  get gzip(): Bytes {
    this.#gzip ??= gzipSync(this.bytes);
    return this.#gzip;
  }
}
