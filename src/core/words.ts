/**
 * The words that something is found by, and those of a search (`q`). Both are without accents and case, so that `lukasz` finds
 * Łukasz. A word of a search finds each word that begins with it.
 */

/** Letters that Unicode does not decompose. */
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ħ: "h",
  ŧ: "t",
  ð: "d",
  þ: "th",
  ı: "i",
};

/** How these letters are written where a keyboard lacks them: `Mueller` finds Müller. */
const spelled: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", å: "aa", ø: "oe" };

const MOST_WORDS = 400;
const LONGEST = 40;
/** Of a search. */
export const MOST_SEARCHED = 8;

/** Returns a text without accents and case. */
export const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[ßæœøłđħŧðþı]/g, (letter) => letters[letter] ?? letter);

const spelledOut = (text: string): string =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[äöüåø]/g, (letter) => spelled[letter] ?? letter);

/** An e-mail address, or its beginning, is one word: every school has many that end in the same. */
const ADDRESS = /[\p{L}\p{N}][^\s,;<>()"@]*@[^\s,;<>()"@]*/gu;
const WORD = /[\p{L}\p{N}]+/gu;
/** What a hyphen or an apostrophe joins, such as D-EABC, is found without it, too. */
const JOINED = /[\p{L}\p{N}]+(?:[\p{Pd}'’][\p{L}\p{N}]+)+/gu;
const JOINTS = /[\p{Pd}'’]/gu;

const partsOf = (text: string) => ({ addresses: text.match(ADDRESS) ?? [], rest: text.replace(ADDRESS, " ") });

const each = (words: Iterable<string>): string[] => [...new Set([...words].map((word) => word.slice(0, LONGEST)))];

/** Returns the words of a search, each once. */
export function wordsIn(q: string): string[] {
  const { addresses, rest } = partsOf(folded(q));
  return each([...addresses, ...(rest.match(WORD) ?? [])]);
}

function* found(text: string): Generator<string> {
  const { addresses, rest } = partsOf(text);
  const names = addresses.map((address) => address.slice(0, address.indexOf("@")));
  yield* addresses;
  for (const part of [rest, ...names]) {
    yield* part.match(WORD) ?? [];
    for (const joined of part.match(JOINED) ?? []) yield joined.replace(JOINTS, "");
  }
}

function allOf(text: string): string[] {
  const spellings = new Set([folded(text), folded(spelledOut(text))]);
  return [...spellings].flatMap((spelling) => [...found(spelling)]);
}

/** Returns each word once by which some texts are found. */
export const wordsOf = (...texts: readonly (string | null | undefined)[]): string[] =>
  each(texts.flatMap((text) => (text ? allOf(text) : []))).slice(0, MOST_WORDS);

/** Returns whether each word of a search begins one of the words of something. */
export const startsIn = (words: readonly string[], searched: readonly string[]): boolean =>
  searched.every((begin) => words.some((word) => word.startsWith(begin)));

/** Returns whether each word of a search is one of the words of something. */
export const isWholeIn = (words: readonly string[], searched: readonly string[]): boolean =>
  searched.every((word) => words.includes(word));
