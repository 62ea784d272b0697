/**
 * Saves a flight behind the form: in this browser at once, on the server as soon as it can. A new flight is sent with a key that is kept
 * with what was sent, so that however often it is sent again, it is entered once.
 */
import { type Signal, signal } from "@preact/signals";
import type { Flight, FlightDraft } from "../../api/operations.ts";
import { type Problem, Unreachable } from "../../api/problem.ts";
import type { Entry } from "./entry.ts";

/** What is kept in the browser. */
export interface Kept {
  entry: Entry;
  /** The first request of a new flight. Another body would need another key. */
  first?: { key: string; body: FlightDraft };
  flightId?: string;
  /** When the server's copy was changed last. */
  savedAt?: string;
}

export interface SavingDeps {
  add(body: FlightDraft, key: string): Promise<Flight>;
  change(flightId: string, body: FlightDraft): Promise<Flight>;
  keep(kept: Kept): Promise<unknown>;
  newKey(): string;
}

export type SavingState = { kind: "nothing" | "saving" | "saved" | "offline" } | { kind: "refused"; problem: unknown };

export interface Saving {
  state: Signal<SavingState>;
  /** As the server has it, with its warnings. */
  flight: Signal<Flight | undefined>;
  /** Keeps what is typed in this browser. */
  keep(entry: Entry): Promise<unknown>;
  /** Saves on the server. One save at a time: what changes meanwhile is saved by the next. @throws Problem, Unreachable */
  save(body: FlightDraft): Promise<Flight>;
}

export function createSaving({ add, change, keep, newKey }: SavingDeps, kept: Kept, known?: Flight): Saving {
  const state = signal<SavingState>({ kind: "nothing" });
  const flight = signal(known);
  let current = kept;
  let last: Promise<unknown> = Promise.resolve();
  let saved: string | undefined;

  const remember = (part: Partial<Kept>) => {
    current = { ...current, ...part };
    return keep(current);
  };

  const send = async (body: FlightDraft): Promise<Flight> => {
    const isNew = current.flightId === undefined;
    if (isNew) {
      // Kept before it is sent: the answer may be lost.
      const first = current.first ?? { key: newKey(), body };
      await remember({ first });
      const added = await add(first.body, first.key).catch((problem) => {
        // A refused body was not entered. The next has a key of its own.
        if (!(problem instanceof Unreachable)) current = { ...current, first: undefined };
        throw problem;
      });
      await remember({ flightId: added.id, savedAt: added.updated_at, first: undefined });
      saved = JSON.stringify(first.body);
      flight.value = added;
    }
    const { flightId = "" } = current;
    if (JSON.stringify(body) !== saved) {
      const changed = await change(flightId, body);
      saved = JSON.stringify(body);
      flight.value = changed;
      await remember({ savedAt: changed.updated_at });
    }
    const { value } = flight;
    if (value === undefined) throw new Error("The flight was saved, and is not there.");
    return value;
  };

  return {
    state,
    flight,
    keep: (entry) => remember({ entry }),
    save(body) {
      const next = last
        .catch(() => undefined)
        .then(async () => {
          state.value = { kind: "saving" };
          try {
            const value = await send(body);
            state.value = { kind: "saved" };
            return value;
          } catch (problem: unknown) {
            state.value = problem instanceof Unreachable ? { kind: "offline" } : { kind: "refused", problem };
            throw problem as Problem | Unreachable;
          }
        });
      last = next;
      return next;
    },
  };
}
