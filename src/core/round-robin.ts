/** Round robin over keys, such as organizations. Within a key, items are served first in, first out. */
export class RoundRobin<Key, T> {
  readonly #keyOf: (item: T) => Key;
  /** In serving order. No queue is empty. */
  readonly #queues = new Map<Key, Set<T>>();

  constructor(keyOf: (item: T) => Key) {
    this.#keyOf = keyOf;
  }

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  /** Returns whether `take` would return an item. */
  hasOne(isEligible: (key: Key) => boolean): boolean {
    for (const key of this.#queues.keys()) if (isEligible(key)) return true;
    return false;
  }

  add(item: T): void {
    const key = this.#keyOf(item);
    const queue = this.#queues.get(key);
    if (queue === undefined) this.#queues.set(key, new Set([item]));
    else queue.add(item);
  }

  remove(item: T): void {
    const key = this.#keyOf(item);
    const queue = this.#queues.get(key);
    queue?.delete(item);
    if (queue?.size === 0) this.#queues.delete(key);
  }

  /** Moves a key to the end of the rotation. */
  moveToEnd(key: Key): void {
    const queue = this.#queues.get(key);
    if (queue === undefined) return;
    this.#queues.delete(key);
    this.#queues.set(key, queue);
  }

  /**
   * Removes and returns the next item. Its key moves to the end of the rotation. A key that is not eligible keeps its
   * position.
   */
  take(isEligible: (key: Key) => boolean = () => true): T | undefined {
    for (const [key, queue] of this.#queues) {
      if (!isEligible(key)) continue;
      for (const item of queue) {
        queue.delete(item);
        this.#queues.delete(key);
        if (queue.size > 0) this.#queues.set(key, queue);
        return item;
      }
    }
    return undefined;
  }

  /** Returns the items of the key with the most items, in their order. */
  longest(): readonly T[] {
    let longest: ReadonlySet<T> = new Set();
    for (const queue of this.#queues.values()) if (queue.size > longest.size) longest = queue;
    return [...longest];
  }

  lengthOf(key: Key): number {
    return this.#queues.get(key)?.size ?? 0;
  }
}
