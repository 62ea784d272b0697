/** Filters of the search that have indexes in another order than the list's. */
import { type SQL, sql } from "drizzle-orm";
import type { Reader } from "../../../storage/store.ts";

/** A filter's entries are counted up to this number, to begin with the narrowest. */
export const MOST_COUNTED = 2000;

export interface Filter {
  /** Selects `entry`, the `rowid`s of the entries, some of them several times. */
  rowids: SQL;
  /** How many of them are read at most, to intersect them with those of other filters. */
  mostRead: number;
  /** Matches an entry. */
  matches: SQL | undefined;
}

/** Whether to sort entries costs less than to look for them in the list. */
export const isFew = (found: readonly number[]): boolean => found.length <= 300;

/**
 * Reads the entries that the filters match, the narrowest filter first.
 *
 * @returns `found`: their `rowid`s; `undefined` if too many match. `others`: the filters that are left to be checked, since
 *   few entries are found, or since too many match these
 */
export async function intersect(
  reader: Reader<"control">,
  filters: readonly Filter[],
): Promise<{ found: number[] | undefined; others: Filter[] }> {
  let found: number[] | undefined;
  const others: Filter[] = [];
  for (const filter of await narrowestFirst(reader, filters)) {
    // What many entries match is soon found in the list, unless another filter excludes it.
    const most = filters.length === 1 ? MOST_COUNTED : filter.mostRead;
    const read = found !== undefined && isFew(found) ? undefined : await rowidsOf(reader, filter, most);
    if (read === undefined) others.push(filter);
    else found = found === undefined ? read : common(found, read);
  }
  return { found, others };
}

function common(found: readonly number[], read: readonly number[]): number[] {
  const known = new Set(found);
  return read.filter((rowid) => known.has(rowid));
}

async function narrowestFirst(reader: Reader<"control">, filters: readonly Filter[]): Promise<Filter[]> {
  if (filters.length < 2) return [...filters];
  const count = ({ rowids }: Filter) => sql`(select count(*) from (${rowids} limit ${MOST_COUNTED}))`;
  const [counts = []] = await reader.values<number[]>(sql`select ${sql.join(filters.map(count), sql`, `)}`);
  return filters
    .map((filter, at) => ({ filter, count: counts[at] ?? 0 }))
    .sort((one, other) => one.count - other.count)
    .map(({ filter }) => filter);
}

/** Returns the entries of a filter; `undefined` if they are more than `most`. */
async function rowidsOf(reader: Reader<"control">, { rowids }: Filter, most: number): Promise<number[] | undefined> {
  const [row] = await reader.values<[string]>(sql`select json_group_array(entry) from (${rowids} limit ${most + 1})`);
  const read: number[] = JSON.parse(row?.[0] ?? "[]");
  return read.length <= most ? read : undefined;
}
