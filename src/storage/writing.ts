import { AsyncLocalStorage } from "node:async_hooks";
import type { EndpointId, OrgId } from "../core/ids.ts";

/** Set while the body of a write runs, so that a write inside it throws instead of waiting for itself. */
export const writing = new AsyncLocalStorage<boolean>();

/** @throws Error the caller is the body of a write */
export function throwIfWriting(): void {
  if (writing.getStore()) throw new Error("A write inside a write would wait for itself.");
}

/** Called at each step of a write. Tests kill the process there; production does not set it. */
export type Trace = (step: string) => void;

interface Listeners {
  /** Called after the commit of a transaction that called `due`. */
  onDue?: ((changed?: EndpointId) => void) | undefined;
  /** Called after a commit that wrote to the audit log, once for each organization of its rows. */
  onAudited?: ((orgId: OrgId | null) => void) | undefined;
}

/** The effects of one transaction outside the database, which its body registers: they run after the commit, in this order. */
export class Effects {
  readonly #effects: (() => void)[] = [];
  readonly #audited = new Set<OrgId | null>();
  readonly #listeners: Listeners;

  constructor(listeners: Listeners) {
    this.#listeners = listeners;
  }

  /** The members of a `Tx` that register effects. */
  get ofTx() {
    const { onDue, onAudited } = this.#listeners;
    return {
      audited: (orgId: OrgId | null) => {
        if (!this.#audited.has(orgId)) this.#effects.push(() => onAudited?.(orgId));
        this.#audited.add(orgId);
      },
      due: (changed?: EndpointId) => void this.#effects.push(() => onDue?.(changed)),
      afterCommit: (effect: () => void) => void this.#effects.push(effect),
    };
  }

  /** @param onError called with the error of an effect: the write is committed */
  run(onError: (error: unknown) => void): void {
    for (const effect of this.#effects) {
      try {
        effect();
      } catch (error) {
        onError(error);
      }
    }
  }
}
