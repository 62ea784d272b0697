/**
 * What nobody does for themself, such as to sign off their own training. Whoever is or was the person is refused when they do it; who
 * did it before is refused when the account is linked to the person. A module declares in its value what it knows of that.
 */
import type { Problem } from "../core/errors.ts";
import type { PersonId, UserId } from "../core/ids.ts";
import type { Reader } from "./store.ts";

export interface Link {
  personId: PersonId;
  userId: UserId;
}

/** Returns why an account can't be linked to a person: the refusal, not thrown. */
export type OwnAffairs = (reader: Reader<"tenant">, link: Link) => Promise<Problem | undefined>;

/** Asks all modules, until one refuses. */
export const ownAffairsOf =
  (modules: readonly OwnAffairs[]): OwnAffairs =>
  async (reader, link) => {
    for (const ask of modules) {
      const refusal = await ask(reader, link);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  };
