import { permits } from "../../core/actor.ts";
import { wordsIn } from "../../core/words.ts";
import type { InOrganization } from "../../storage/context.ts";
import type { Finder } from "../../storage/finder.ts";

/** Of each kind. */
const MOST = 8;

/**
 * Finds records of all kinds that the caller may read, as JSON text: what is archived or done comes last, and before that what has
 * each of the words as a whole. Else they are in the order of the kinds, and of one kind the best match comes first.
 */
export async function searchAll(context: InOrganization, finders: readonly Finder[], q: string): Promise<string> {
  const search = { q, words: wordsIn(q), limit: MOST };
  const found = [];
  for (const { permissions, find } of finders)
    if (permissions.some((permission) => permits(context.actor, permission)))
      found.push(...(await find(context, search)));
  const sorted = found.toSorted(
    (one, other) => Number(one.isPast) - Number(other.isPast) || Number(other.isWhole) - Number(one.isWhole),
  );
  return `{"data":[${sorted.map(({ json }) => json).join()}]}`;
}
