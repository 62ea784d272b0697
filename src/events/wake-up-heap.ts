import type { Instant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import type { WakeUp } from "../storage/tenant-store.ts";

/** A binary heap of wake-ups, soonest first. Only the soonest of each organization counts. */
export class WakeUpHeap {
  readonly #heap: WakeUp[] = [];
  readonly #soonest = new Map<OrgId, Instant>();

  /** Adds a wake-up. Does nothing if the organization has one at that time or sooner. */
  add(orgId: OrgId, at: Instant): void {
    const known = this.#soonest.get(orgId);
    if (known !== undefined && known <= at) return;
    this.#soonest.set(orgId, at);
    this.#heap.push({ orgId, at });
    this.#rise(this.#heap.length - 1);
  }

  /** Returns the organization's wake-up. */
  of(orgId: OrgId): Instant | undefined {
    return this.#soonest.get(orgId);
  }

  /** Returns the soonest time. Removes outdated entries above it. */
  first(): Instant | undefined {
    for (let top = this.#heap[0]; top !== undefined; top = this.#heap[0]) {
      if (this.#soonest.get(top.orgId) === top.at) return top.at;
      this.#removeTop(); // replaced by a sooner one
    }
    return undefined;
  }

  /** Removes and returns the organizations whose wake-up is at `now` or before. */
  take(now: Instant): OrgId[] {
    const taken: OrgId[] = [];
    for (let at = this.first(); at !== undefined && at <= now; at = this.first()) {
      const top = this.#removeTop();
      if (top === undefined) break;
      this.#soonest.delete(top.orgId);
      taken.push(top.orgId);
    }
    return taken;
  }

  #removeTop(): WakeUp | undefined {
    const top = this.#heap[0];
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink(0);
    }
    return top;
  }

  #rise(from: number): void {
    for (let child = from; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!this.#swapped(parent, child)) return;
      child = parent;
    }
  }

  #sink(from: number): void {
    for (let parent = from; ; ) {
      const left = 2 * parent + 1;
      const [a, b] = [this.#heap[left], this.#heap[left + 1]];
      const child = a !== undefined && b !== undefined && b.at < a.at ? left + 1 : left;
      if (!this.#swapped(parent, child)) return;
      parent = child;
    }
  }

  /** Swaps a parent and a child that are out of order. @returns whether it did */
  #swapped(parent: number, child: number): boolean {
    const [up, down] = [this.#heap[parent], this.#heap[child]];
    if (up === undefined || down === undefined || up.at <= down.at) return false;
    this.#heap[parent] = down;
    this.#heap[child] = up;
    return true;
  }
}
