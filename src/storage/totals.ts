/** Sums of columns, over many rows without stopping other requests. */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { yieldToEventLoop } from "../core/async.ts";
import type { Instant } from "../core/clock.ts";
import type { Tenant, Value } from "./store.ts";

export type Totals<Name extends string = string> = Readonly<Record<Name, number>>;

export const plus = <Name extends string>(one: Totals<Name>, other: { readonly [N in Name]: number | null }) =>
  each(one, (name) => one[name] + (other[name] ?? 0));

export const minus = <Name extends string>(one: Totals<Name>, other: Totals<Name>) =>
  each(one, (name) => one[name] - other[name]);

function each<Name extends string>(like: Totals<Name>, value: (name: Name) => number): Totals<Name> {
  const names = Object.keys(like) as Name[];
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Totals<Name>;
}

/** A row's place in the order of time: the instant, and its id. */
export type Place = readonly [at: string, id: string];

/** Before all rows, and after all rows. */
export const START: Place = ["", ""];
export const END: Place = ["~", ""];

/** The place before the first row of a period. */
export const startOf = ({ from }: { from?: Instant | undefined }): Place => (from === undefined ? START : [from, ""]);

export const periodOf = ({ from, to }: { from?: Instant | undefined; to?: Instant | undefined }) =>
  [startOf({ from }), to === undefined ? END : startOf({ from: to })] as const;

/** Rows that are summed in one turn of the event loop. */
const PIECE = 500;

const [mark, comma] = [sql.placeholder, sql.raw(", ")];

/**
 * Makes a function that sums columns over the rows after a place, up to another.
 *
 * @param rows `where` has the placeholder `subject`; `at` and `id` are the columns of an index after it
 */
export function summing<Name extends string>(
  columns: Readonly<Record<Name, SQLWrapper>>,
  { from, where, at, id }: { from: SQL; where: SQL | undefined; at: SQLWrapper; id: SQLWrapper },
) {
  const names = Object.keys(columns) as Name[];
  const list = names.map((name) => sql`${columns[name]} as ${sql.identifier(name)}`);
  const sums = names.map((name) => sql`ifnull(sum(${sql.identifier(name)}), 0)`);
  const statement = sql`
    select count(*), max(last_at || ' ' || last_id), ${sql.join(sums, comma)} from (
      select ${at} as last_at, ${id} as last_id, ${sql.join(list, comma)} from ${from} where ${where}
      and ${at} >= ${mark("after_at")} and ${at} <= ${mark("until_at")}
      and (${at}, ${id}) > (${mark("after_at")}, ${mark("after_id")})
      and (${at}, ${id}) <= (${mark("until_at")}, ${mark("until_id")})
      order by ${at}, ${id} limit ${PIECE})`;
  return async (
    tenant: Pick<Tenant, "read">,
    subject: Value,
    [after, until]: readonly [Place, Place],
  ): Promise<{ count: number; totals: Totals<Name> }> => {
    const [until_at, until_id] = until;
    const all: number[] = names.map(() => 0);
    for (let place = after, count = 0; ; ) {
      const values = { subject, after_at: place[0], after_id: place[1], until_at, until_id };
      const row = await tenant.read((reader) => reader.first(statement, values));
      const [found, last, ...piece] = row ?? [0, null];
      for (const [index, value] of piece.entries()) all[index] = (all[index] ?? 0) + Number(value);
      count += Number(found);
      if (found !== PIECE || typeof last !== "string") return { count, totals: totalsOf(names, all) };
      place = [last.slice(0, last.indexOf(" ")), last.slice(last.indexOf(" ") + 1)];
      await yieldToEventLoop();
    }
  };
}

const totalsOf = <Name extends string>(names: readonly Name[], values: readonly number[]): Totals<Name> =>
  Object.fromEntries(names.map((name, index) => [name, values[index] ?? 0])) as Totals<Name>;
