/** Finds and replaces a person's names and addresses in text that members wrote. */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** The name of a person whose data was erased. */
export const ERASED = "Erased person";

/** What a person is or was called. */
export interface Known {
  names: readonly string[];
  emails: readonly string[];
}

export interface PersonalWords {
  /** Matches texts that may contain one of the words, plain or in JSON: SQLite compares only A to Z without case. */
  mayBeIn(column: SQLWrapper): SQL;
  replaceIn(text: string): string;
  /** Replaces within the strings of JSON text. All else stays as it is, to the byte. */
  replaceInJson(json: string): string;
}

/** Undefined without a word to look for: a name of one word may be part of other words. */
export function personalWords({ names, emails }: Known): PersonalWords | undefined {
  const full = names.filter((name) => /\S\s+\S/u.test(name));
  const words = [...full, ...emails].sort((one, other) => other.length - one.length);
  if (words.length === 0) return undefined;
  const isMatch = new RegExp([oneOf(full, nameBounds), oneOf(emails, addressBounds)].filter(Boolean).join("|"), "giu");
  const replaceIn = (text: string) => text.replace(isMatch, ERASED);
  return {
    mayBeIn: (column) =>
      sql`(${sql.join(
        words.map((word) => sql`${column} like ${patternOf(word)} escape '\\'`),
        sql.raw(" or "),
      )})`,
    replaceIn,
    replaceInJson: (json) =>
      json.replace(jsonStrings, (quoted) => {
        const text: string = JSON.parse(quoted);
        const replaced = replaceIn(text);
        return replaced === text ? quoted : JSON.stringify(replaced);
      }),
  };
}

const jsonStrings = /"(?:[^"\\]|\\.)*"/gu;

/** What may not stand beside a word: then it is part of a longer one. A German genitive (`Mia Musters Flug`) is the name, too. */
const nameBounds = ["(?<![\\p{L}\\p{N}])", "(?=s?(?![\\p{L}\\p{N}]))"] as const;
const addressBounds = ["(?<![\\p{L}\\p{N}._%+-])", "(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])"] as const;

function oneOf(words: readonly string[], [before, after]: readonly [string, string]): string {
  if (words.length === 0) return "";
  const longestFirst = [...words].sort((one, other) => other.length - one.length);
  return `${before}(?:${longestFirst.map(expressionOf).join("|")})${after}`;
}

const expressionOf = (word: string): string =>
  word
    .trim()
    .split(/\s+/u)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"))
    .join("\\s+");

/** `%` stands for what SQLite compares with case, or JSON escapes. */
const patternOf = (word: string): string =>
  `%${word.replace(/[_%]/g, "\\$&").replace(/[^\x21-\x7e]+|["\\](?![_%])/gu, "%")}%`;
