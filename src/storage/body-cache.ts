import { LRUCache } from "lru-cache";
import { type Bytes, KeptBody } from "../core/kept-body.ts";

/**
 * Caches list bodies in memory until the next write to their tenant. Integrators repeat the same requests, and building the
 * JSON of 100 flights in SQLite takes a hundred times as long as a lookup here.
 */
export class BodyCache {
  readonly #bodies: LRUCache<string, KeptBody>;

  /**
   * @param maxBytes for the bodies of all tenants together; the least recently used are removed first. Compressed forms,
   *   at most a tenth of the size, are not counted.
   */
  constructor(maxBytes: number) {
    this.#bodies = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: maxBytes / 16,
      // The name is a part of the request's, up to 64 KiB long. An entry of its own costs the map some 200 bytes.
      sizeCalculation: ({ bytes }, name) => bytes.length + 2 * name.length + 200,
    });
  }

  /**
   * @param version changes with every write. Read it before `make` reads: newer rows under an older version are harmless,
   *   older rows under a newer version are not.
   */
  async get(version: string, question: string, make: () => Promise<string | Bytes>): Promise<KeptBody> {
    const name = `${version} ${question}`;
    const known = this.#bodies.get(name);
    if (known !== undefined) return known;
    const body = new KeptBody(await make());
    this.#bodies.set(name, body);
    return body;
  }
}
