/** The records that match words best, for a search while somebody types: few, and read from an index. */
import { type SQL, sql } from "drizzle-orm";
import { endOf, listOf, type Searchable } from "./search-words.ts";
import type { Fields, Shape } from "./shape.ts";
import { searchWords as table } from "./shared.tables.ts";
import type { Kind, Reader, Value } from "./store.ts";

export interface Match {
  json: string;
  /** It is archived or done. */
  isPast: boolean;
  /** Each word of the search is a whole word of the record. */
  isWhole: boolean;
}

export interface Wanted {
  words: readonly string[];
  limit: number;
}

/** Of a search by several words, the first so many records that match are ranked. */
const MOST_RANKED = 100;

/** Words are counted up to this number, to begin with the narrowest. */
const MOST_COUNTED = 1000;

const value = sql.placeholder;
const list = value("list");
const word = (at: number) => value(`word_${at}`);
const end = (at: number) => value(`end_${at}`);

/** Builds the statement for each number of words once. */
function perCount<S extends SQL>(build: (words: number) => S): (words: number) => S {
  const known = new Map<number, S>();
  return (words) => {
    const statement = known.get(words) ?? build(words);
    known.set(words, statement);
    return statement;
  };
}

interface Matching<F extends Fields> {
  searched: Searchable;
  shape: Shape<F>;
  /** Selects the ids of the records that may be found, if not all. */
  among?: SQL;
}

/**
 * Makes a search. Each word of it begins a word of the record. Records that are past come last; before that, those in which
 * more of the words are whole come first, then those whose word is first in the alphabet, then the newest.
 *
 * @param among has a `sql.placeholder` for each value
 */
export function bestMatches<F extends Fields>({ searched, shape, among = sql`true` }: Matching<F>) {
  const statementOf = perCount((words) => select({ searched, shape, among }, words));
  return async <K extends Kind>(
    reader: Reader<K>,
    { words, limit }: Wanted,
    { scope = "", ...values }: Record<string, Value> & { scope?: string } = {},
  ): Promise<Match[]> => {
    const list = listOf(searched, scope);
    const matches: Match[] = [];
    const sorted = await narrowestFirst(reader, list, words);
    if (sorted === undefined) return matches;
    for (const past of [0, 1]) {
      const left = limit - matches.length;
      if (left === 0) break;
      const asked = { ...values, ...boundsOf(sorted), list, scope, past, limit: left };
      for (const [json, whole] of await reader.rows(statementOf(words.length), asked))
        matches.push({ json, isPast: past === 1, isWhole: whole === words.length });
    }
    return matches;
  };
}

/**
 * Each record once, by the first of its words that the narrowest word of the search begins: looked up last, since few records have the
 * other words. Only those that are returned are joined.
 */
function select({ searched, shape, among }: Required<Matching<Fields>>, words: number): SQL<[string, number]> {
  const others = Array.from({ length: words - 1 }, (_, at) => at + 1);
  const has = (bounds: SQL) =>
    sql`exists (select 1 from ${table} as other where other.list = ${list} and other.record = found.record and ${bounds})`;
  const isFirst = sql`not ${has(sql`other.word >= ${word(0)} and other.word < found.word`)}`;
  const begins = others.map((at) => sql` and ${has(sql`other.word >= ${word(at)} and other.word < ${end(at)}`)}`);
  const whole = others.map((at) => sql` + ${has(sql`other.word = ${word(at)}`)}`);
  const best = sql.raw("order by whole desc, word, record desc");
  return sql<[string, number]>`
    select ${shape.json}, page.whole
    from (
      select record, word, whole from (
        select found.record, found.word, (found.word = ${word(0)})${joined(whole)} as whole from ${table} as found
        where found.list = ${list} and found.past = ${value("past")}
          and found.word >= ${word(0)} and found.word < ${end(0)}${joined(begins)} and ${isFirst} and ${among}
        order by found.word, found.record desc limit ${words === 1 ? value("limit") : sql.raw(`${MOST_RANKED}`)}
      ) ${best} limit ${value("limit")}
    ) as page cross join ${searched.from}
    where ${searched.id} = page.record and ${searched.within}
    ${best}`;
}

const joined = (parts: readonly SQL[]): SQL => sql.join([...parts], sql.raw(""));

const boundsOf = (words: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    words.flatMap((word, at) => [
      [`word_${at}`, word],
      [`end_${at}`, endOf(word)],
    ]),
  );

const countOf = (at: number): SQL => sql`(select count(*) from (select 1 from ${table} where ${table.list} = ${list}
  and ${table.past} in (0, 1) and ${table.word} >= ${word(at)} and ${table.word} < ${end(at)} limit ${sql.raw(`${MOST_COUNTED}`)}))`;

const counting = perCount((words) => {
  const all = Array.from({ length: words }, (_, at) => countOf(at));
  return sql`select ${sql.join(all, sql.raw(", "))}`;
});

/** Returns undefined if no record has one of them. */
async function narrowestFirst(reader: Reader, list: string, words: readonly string[]): Promise<string[] | undefined> {
  if (words.length === 1) return [...words];
  const row = (await reader.first(counting(words.length), { list, ...boundsOf(words) })) ?? [];
  const counted = words.map((word, at) => ({ word, count: Number(row[at]) }));
  if (counted.some(({ count }) => count === 0)) return undefined;
  return counted.sort((one, other) => one.count - other.count).map(({ word }) => word);
}
