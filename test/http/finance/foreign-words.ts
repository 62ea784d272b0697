/** Finds what is left of the other language in a text. */
import { type Language, languages } from "../../../src/core/languages.ts";
import { textsOf } from "../../../src/modules/finance/texts/texts.ts";

/** Returns the words of a catalogue, those of its functions without what these are given. */
function* wordsIn(part: unknown): Generator<string> {
  if (typeof part === "string") yield* part.match(/\p{L}{3,}/gu) ?? [];
  else if (typeof part === "function") for (const days of ["", 1]) yield* wordsIn(part("", "", days));
  else if (typeof part === "object" && part !== null) for (const value of Object.values(part)) yield* wordsIn(value);
}

const words = (language: Language): Set<string> => new Set(wordsIn(textsOf(language)));

/** Returns words in a text that only the catalogues of other languages have. */
export function foreignIn(text: string, language: Language): string[] {
  const own = words(language);
  const foreign = languages
    .flatMap((one) => (one === language ? [] : [...words(one)]))
    .filter((word) => !own.has(word));
  const used = new Set(text.match(/\p{L}+/gu) ?? []);
  return foreign.filter((word) => used.has(word));
}
