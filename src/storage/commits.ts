import type { OrgId } from "../core/ids.ts";

/** A commit that wrote to the audit log of a database. */
export interface Commit {
  /** Whose records it changed; undefined for the installation's own, such as accounts and sessions. */
  orgId: OrgId | undefined;
}

type Listener = (commit: Commit) => void;

/** Tells listeners in this process of each commit that wrote to an audit log, right after it. Without listeners it costs nothing. */
export class Commits {
  readonly #listeners = new Set<Listener>();

  /** The listener must be quick: the caller of the write waits for it. */
  listen(listener: Listener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  tell(commit: Commit): void {
    for (const listener of this.#listeners) listener(commit);
  }
}
