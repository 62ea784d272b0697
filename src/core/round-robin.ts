import type { OrgId } from "./ids.ts";

/** Round robin over organizations. Within an organization, items are served first in, first out. */
export class RoundRobin<T extends { readonly orgId: OrgId }> {
  /** In serving order. No queue is empty. */
  readonly #queues = new Map<OrgId, Set<T>>();

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  /** Returns whether `take` would return an item. */
  hasOne(isEligible: (orgId: OrgId) => boolean): boolean {
    for (const orgId of this.#queues.keys()) if (isEligible(orgId)) return true;
    return false;
  }

  add(item: T): void {
    const queue = this.#queues.get(item.orgId);
    if (queue === undefined) this.#queues.set(item.orgId, new Set([item]));
    else queue.add(item);
  }

  remove(item: T): void {
    const queue = this.#queues.get(item.orgId);
    queue?.delete(item);
    if (queue?.size === 0) this.#queues.delete(item.orgId);
  }

  /** Moves an organization to the end of the rotation. */
  moveToEnd(orgId: OrgId): void {
    const queue = this.#queues.get(orgId);
    if (queue === undefined) return;
    this.#queues.delete(orgId);
    this.#queues.set(orgId, queue);
  }

  /**
   * Removes and returns the next item. Its organization moves to the end of the rotation. An organization that is not
   * eligible keeps its position.
   */
  take(isEligible: (orgId: OrgId) => boolean): T | undefined {
    for (const [orgId, queue] of this.#queues) {
      if (!isEligible(orgId)) continue;
      for (const item of queue) {
        queue.delete(item);
        this.#queues.delete(orgId);
        if (queue.size > 0) this.#queues.set(orgId, queue);
        return item;
      }
    }
    return undefined;
  }
}
