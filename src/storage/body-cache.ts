import { LRUCache } from "lru-cache";
import { KeptBody } from "../core/kept-body.ts";

/**
 * Keeps list bodies in memory until the next write to their tenant: integrators ask the same question again and again,
 * and making 100 flights into JSON takes SQLite a hundred times as long as finding them here.
 */
export class BodyCache {
  readonly #bodies: LRUCache<string, KeptBody>;

  /**
   * @param maxBytes of the bodies of all tenants together; the least recently asked for go first. Their compressed
   *   forms, a tenth and less of that, are not counted.
   */
  constructor(maxBytes: number) {
    this.#bodies = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: maxBytes / 16,
      sizeCalculation: ({ bytes }) => bytes.length,
    });
  }

  /**
   * @param version changes with every write. It must be read before `make` reads: a body made of newer rows under an
   *   older version does no harm, the other way round would.
   */
  async get(version: string, question: string, make: () => Promise<string>): Promise<KeptBody> {
    const name = `${version} ${question}`;
    const known = this.#bodies.get(name);
    if (known !== undefined) return known;
    const text = await make();
    const body = new KeptBody(text);
    this.#bodies.set(name, body);
    return body;
  }
}
