/**
 * The words by which records are found, of lists with `q` and of the search over all of them. They are written in the
 * transaction that writes the record: `addRow`, `changeRow`, `removeRow` and `eraseFromTexts` keep those of an entity that has
 * some, other writers call `keepWords`.
 */
import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { yieldingEvery } from "../core/async.ts";
import { wordsOf } from "../core/words.ts";
import { searchWords as table } from "./shared.tables.ts";
import type { Tx } from "./store.ts";

/** Records that are found by their words. */
export interface Searchable {
  /** Of their words in the table. */
  readonly list: string;
  readonly from: SQLWrapper;
  readonly id: SQLWrapper;
  readonly texts: readonly [SQLWrapper, ...SQLWrapper[]];
  /** Whether a record is archived or done. */
  readonly past: SQLWrapper;
  /** In the control database, of records of one organization, whose id is the `scope`. */
  readonly within: SQL;
}

type Declared = Pick<Searchable, "list" | "from" | "id" | "texts"> & Partial<Pick<Searchable, "past" | "within">>;

export const searchable = ({ past = sql`0`, within = sql`true`, ...declared }: Declared): Searchable => ({
  ...declared,
  past,
  within,
});

export const listOf = ({ list }: Searchable, scope: string): string => (scope === "" ? list : `${list} ${scope}`);

const value = sql.placeholder;

const textsOf = new WeakMap<Searchable, SQL>();

function selectTexts(searched: Searchable): SQL {
  const statement =
    textsOf.get(searched) ??
    sql`select ${searched.past}, ${sql.join([...searched.texts], sql.raw(", "))} from ${searched.from}
      where ${searched.id} = ${value("record")} and ${searched.within}`;
  textsOf.set(searched, statement);
  return statement;
}

const isRecord = sql`${table.list} = ${value("list")} and ${table.record} = ${value("record")}`;
const kept = sql<[string, number]>`select ${table.word}, ${table.past} from ${table} where ${isRecord}`;
const removal = sql`delete from ${table} where ${isRecord} and ${table.word} = ${value("word")}`;
const insertion = sql`insert into ${table} (list, record, word, past)
  values (${value("list")}, ${value("record")}, ${value("word")}, ${value("past")})`;

/** Posting: makes the words of some records, which are written already, those of their texts. A record that is gone has none. */
export async function keepWords(tx: Tx, searched: Searchable, records: readonly string[], scope = ""): Promise<void> {
  const list = listOf(searched, scope);
  const pause = yieldingEvery();
  for (const record of records) {
    const row = await tx.first(selectTexts(searched), { record, scope });
    const [isPast, ...texts] = row ?? [];
    const past = isPast === 1 ? 1 : 0;
    const wanted = new Set(wordsOf(...texts.map((text) => (typeof text === "string" ? text : null))));
    const removed: string[] = [];
    for (const [word, wasPast] of await tx.rows(kept, { list, record }))
      if (wasPast !== past || !wanted.delete(word)) removed.push(word);
    if (removed.length > 0)
      await tx.each(
        removal,
        removed.map((word) => ({ list, record, word })),
      );
    if (wanted.size > 0)
      await tx.each(
        insertion,
        [...wanted].map((word) => ({ list, record, word, past })),
      );
    await pause();
  }
}

/** Posting: removes the words of all records of a scope, which is removed. */
export const forgetWordsOf = (tx: Tx, searched: Searchable, scope: string): Promise<unknown> =>
  tx.delete(table).where(eq(table.list, listOf(searched, scope)));

/** The end of the words that begin with one. */
export const endOf = (word: string): string => `${word}\u{10ffff}`;

/** Matches records that have a word which begins with each of some. */
export function hasWords(searched: Searchable, words: readonly string[]): SQL {
  const found = words.map(
    (word) => sql`${searched.id} in (select ${table.record} from ${table} where ${table.list} = ${searched.list}
      and ${table.past} in (0, 1) and ${table.word} >= ${word} and ${table.word} < ${endOf(word)})`,
  );
  return sql`(${sql.join(found, sql.raw(" and "))})`;
}
