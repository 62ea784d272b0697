/** Words for the search by text: without accents and case, so that `dusseldorf` finds Düsseldorf. */

/** Letters that Unicode does not decompose. */
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

const MOST_WORDS = 400;
const LONGEST = 40;

const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => letters[letter] ?? letter);

/** Returns each word of some texts once. */
export const wordsOf = (...texts: readonly (string | null | undefined)[]): string[] =>
  [...new Set(texts.flatMap((text) => folded(text ?? "").match(/[\p{L}\p{N}]+/gu) ?? []))]
    .slice(0, MOST_WORDS)
    .map((word) => word.slice(0, LONGEST));

/** The word of a rating. No text has it: it begins with a sign. */
export const ratingWord = (rating: string): string => `=${folded(rating).slice(0, LONGEST)}`;
