/** Erases a person from text that members wrote: the whole text in the person's own rows, their names and addresses in others'. */
import { and, getTableColumns, inArray, isNotNull, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { yieldToEventLoop } from "../core/async.ts";
import type { Instant } from "../core/clock.ts";
import { type Known, personalWords } from "./personal-words.ts";
import { keepWords, type Searchable } from "./search-words.ts";
import type { Kind, Tx } from "./store.ts";

/** Rows that are searched without a pause. */
const PIECE = 1000;

/** Changes the rows of a table in which `isAbout` holds: searches them in pieces, so that requests run meanwhile. */
export async function searchRows(
  tx: Tx,
  table: SQLiteTable,
  isAbout: SQL | undefined,
  change: (rowids: SQL) => Promise<unknown>,
): Promise<void> {
  // One by one: both in one query read the whole table.
  const [range] = await tx.values<[number | null, number | null]>(
    sql`select (select min(rowid) from ${table}), (select max(rowid) from ${table})`,
  );
  const [first, last] = range ?? [null, null];
  if (first === null || last === null) return;
  for (let from = first; from <= last; from += PIECE) {
    const found = await tx.values<[number]>(
      sql`select rowid from ${table} where rowid >= ${from} and rowid < ${from + PIECE} and (${isAbout})`,
    );
    if (found.length > 0)
      await change(
        inArray(
          sql`rowid`,
          found.map(([rowid]) => rowid),
        ),
      );
    await yieldToEventLoop();
  }
}

interface Replacing<K extends Kind, Name> {
  /** Of a table with a list of changes that shows them: see `changes.ts`. */
  changeTime?: (tx: Tx<K>) => Promise<Instant>;
  /** Of a table whose rows are found by their words, which have the column `id`. */
  words?: Searchable | undefined;
  /** Only in these rows. */
  where?: SQL;
  /** The columns hold JSON text, although drizzle does not say so. */
  inJson?: boolean;
  /** Columns that a text with one of the words leaves: addresses and numbers, since a name is none. */
  cleared?: readonly Name[];
  /** No two rows have the same text: one that changes gets a number. */
  unique?: boolean;
}

/** Replaces the person's names and addresses in the text that members wrote into these columns. @returns what matches the rows that changed */
export async function eraseFromTexts<
  K extends Kind,
  T extends SQLiteTable,
  Name extends keyof T["_"]["columns"] & string,
>(
  tx: Tx<K>,
  table: T,
  names: readonly Name[],
  subject: Known,
  { changeTime, words: kept, where, inJson = false, cleared = [], unique = false }: Replacing<K, Name> = {},
): Promise<SQL> {
  const words = personalWords(subject);
  if (words === undefined) return sql`false`;
  const all: Record<string, SQLiteColumn> = getTableColumns(table);
  const written = [...names, ...cleared];
  const columns = written.flatMap((name) => all[name] ?? []);
  const isCleared = columns.map(({ name }) => cleared.some((one) => one === name));
  const isJson = columns.map(({ dataType }) => inJson || dataType === "json");
  const textAfter = (text: string, at: number, rowid: number): string | null => {
    const replaced = isJson[at] ? words.replaceInJson(text) : words.replaceIn(text);
    if (replaced === text) return text;
    if (isCleared[at]) return null;
    return unique ? `${replaced} ${rowid}` : replaced;
  };
  const changedRows: number[] = [];
  const mayHave = or(...columns.map((column) => words.mayBeIn(column)));
  await searchRows(tx, table, and(where, mayHave), async (found) => {
    const rows = await tx.values<[number, ...(string | null)[]]>(
      sql`select rowid, ${list(columns)} from ${table} where ${found}`,
    );
    const changed = rows.flatMap(([rowid, ...before]) => {
      const after = before.map((text, at) => text && textAfter(text, at, rowid));
      return after.some((text, at) => text !== before[at]) ? [[rowid, after] as const] : [];
    });
    if (changed.length === 0) return;
    const stamp = changeTime && (await changeTime(tx));
    const set = [...written, ...(stamp ? ["updated_at"] : [])].map((name) => sql`${sql.identifier(name)} = ${value}`);
    await tx.each(
      sql`update ${table} set ${list(set)} where rowid = ${value}`,
      changed.map(([rowid, after]) => [...after, ...(stamp ? [stamp] : []), rowid]),
    );
    const rowids = changed.map(([rowid]) => rowid);
    if (kept) await keepWords(tx, kept, await idsOf(tx, table, rowids));
    changedRows.push(...rowids);
  });
  return sql`rowid in (select value from json_each(${JSON.stringify(changedRows)}))`;
}

async function idsOf(tx: Tx, table: SQLiteTable, rowids: readonly number[]): Promise<string[]> {
  const rows = await tx.values<[string]>(
    sql`select id from ${table} where rowid in (select value from json_each(${JSON.stringify(rowids)}))`,
  );
  return rows.map(([id]) => id);
}

/** `each` fills them in their order. */
const value = sql.placeholder("value");

const list = (parts: readonly SQLWrapper[]): SQL => sql.join([...parts], sql.raw(", "));

/** Clears the texts that members wrote into these columns of the person's own rows. @param changeTime as of `eraseFromTexts` */
export async function clearTexts<T extends SQLiteTable, Name extends keyof T["_"]["columns"] & string>(
  tx: Tx<"tenant">,
  table: T,
  names: readonly Name[],
  isOwn: SQL | undefined,
  changeTime?: (tx: Tx<"tenant">) => Promise<Instant>,
): Promise<void> {
  const columns: Record<string, SQLiteColumn> = getTableColumns(table);
  const isWritten = or(...names.flatMap((name) => (columns[name] ? [isNotNull(columns[name])] : [])));
  const set = sql.join(
    names.map((name) => sql`${sql.identifier(name)} = null`),
    sql.raw(", "),
  );
  await searchRows(tx, table, and(isOwn, isWritten), async (rows) => {
    const stamp = changeTime ? sql`, updated_at = ${await changeTime(tx)}` : sql``;
    await tx.run(sql`update ${table} set ${set}${stamp} where ${rows}`);
  });
}
