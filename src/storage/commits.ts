import type { OrgId } from "../core/ids.ts";

/** A commit that wrote to the audit log of a database. */
export interface Commit {
  /** Whose records it changed; undefined for the installation's own, such as accounts and sessions. */
  orgId: OrgId | undefined;
}

type Listener = (commit: Commit) => void;

/**
 * Tells listeners in this process of each commit that wrote to an audit log, right after it. Without listeners it costs nothing.
 * Commits of other processes, where databases can have any, are told within about a second, and only of what is watched.
 */
export class Commits {
  readonly #listeners = new Set<Listener>();
  readonly #watched = new Map<OrgId, number>();

  /** The listener must be quick: the caller of the write waits for it. */
  listen(listener: Listener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Says that a listener wants to know of the commits of an organization. */
  watch(orgId: OrgId): Disposable {
    const count = (more: 1 | -1) => {
      const watchers = (this.#watched.get(orgId) ?? 0) + more;
      if (watchers > 0) this.#watched.set(orgId, watchers);
      else this.#watched.delete(orgId);
    };
    count(1);
    return { [Symbol.dispose]: () => count(-1) };
  }

  watched(): ReadonlySet<OrgId> {
    return new Set(this.#watched.keys());
  }

  tell(commit: Commit): void {
    for (const listener of this.#listeners) listener(commit);
  }
}
