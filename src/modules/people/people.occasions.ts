import type { Problem } from "../../core/errors.ts";
import type { PersonId, UserId } from "../../core/ids.ts";
import { occasion, question } from "../../storage/occasions.ts";

interface Of {
  id: PersonId;
}

export const personAdded = occasion<Of>("a person was added", ["compliance"]);

/** Also linked to an account. */
export const personChanged = occasion<Of>("a person was changed", ["compliance", "directory"]);

/** Or erased. Public lists that show the name change with it. */
export const personRenamed = occasion<Of>("a person has a new name", ["flights", "training", "planning"]);

/**
 * What nobody does for themself, such as to sign off their own training. Whoever is or was the person is refused when they do it;
 * who did it before is refused when the account is linked to the person. The answer is the refusal, not thrown.
 */
export const ownAffairs = question<{ personId: PersonId; userId: UserId }, Problem | undefined>(
  "what did the account do for the person?",
  ["training"],
);
