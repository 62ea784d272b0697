import { LRUCache } from "lru-cache";
import { sha256 } from "../core/crypto.ts";
import type { Body } from "./store.ts";

/**
 * Keeps list bodies in memory until the next write to their tenant: integrators ask the same question again and again,
 * and making 100 flights into JSON takes SQLite a hundred times as long as finding them here.
 */
export class BodyCache {
  readonly #bodies: LRUCache<string, Body>;

  /** @param maxCharacters of the bodies of all tenants together; the least recently asked for go first */
  constructor(maxCharacters: number) {
    this.#bodies = new LRUCache({
      maxSize: maxCharacters,
      maxEntrySize: maxCharacters / 16,
      sizeCalculation: ({ text }) => text.length,
    });
  }

  /**
   * @param version changes with every write. It must be read before `make` reads: a body made of newer rows under an
   *   older version does no harm, the other way round would.
   */
  async get(version: string, question: string, make: () => Promise<string>): Promise<Body> {
    const name = `${version} ${question}`;
    const known = this.#bodies.get(name);
    if (known !== undefined) return known;
    const text = await make();
    const body = { text, tag: sha256(text) };
    this.#bodies.set(name, body);
    return body;
  }
}
