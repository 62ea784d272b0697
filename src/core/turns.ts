import type { OrgId } from "./ids.ts";

/** Whose turn it is: organizations one after the other, and in each what stands in line for it. */
export class Turns<T extends { readonly orgId: OrgId }> {
  /** First come, first served. No line is empty. */
  readonly #lines = new Map<OrgId, Set<T>>();

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  /** Whether `take` would find one. */
  hasOne(may: (orgId: OrgId) => boolean): boolean {
    for (const orgId of this.#lines.keys()) if (may(orgId)) return true;
    return false;
  }

  add(one: T): void {
    const line = this.#lines.get(one.orgId);
    if (line === undefined) this.#lines.set(one.orgId, new Set([one]));
    else line.add(one);
  }

  remove(one: T): void {
    const line = this.#lines.get(one.orgId);
    line?.delete(one);
    if (line?.size === 0) this.#lines.delete(one.orgId);
  }

  /** Lets all the others go first. */
  postpone(orgId: OrgId): void {
    const line = this.#lines.get(orgId);
    if (line === undefined) return;
    this.#lines.delete(orgId);
    this.#lines.set(orgId, line);
  }

  /**
   * Takes out whose turn it is; the others of its organization go to the end. An organization that may have no turn now
   * keeps its place.
   */
  take(may: (orgId: OrgId) => boolean): T | undefined {
    for (const [orgId, line] of this.#lines) {
      if (!may(orgId)) continue;
      for (const one of line) {
        line.delete(one);
        this.#lines.delete(orgId);
        if (line.size > 0) this.#lines.set(orgId, line);
        return one;
      }
    }
    return undefined;
  }
}
