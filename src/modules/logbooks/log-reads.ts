/** The reads of a log: its rows in the order of time, their sums, and how many they are in a period. */
import { and, type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { ascending, type Marked, pageBy } from "../../storage/page.ts";
import type { Field, Fields, Shape } from "../../storage/shape.ts";
import type { Tenant } from "../../storage/store.ts";
import { periodOf, summing } from "../../storage/totals.ts";
import type { LogPeriod } from "./logbooks.schemas.ts";

interface Source {
  from: SQL;
  /** Matches the rows of a person's or an aircraft's log. */
  isOf(subject: string | Placeholder): SQL;
  /** With `isOf`, the columns of an index. */
  at: SQLWrapper;
  id: SQLWrapper;
}

type Timed = Fields & { off_block_at: Field; flight_id: Field };

/** @param columns what a row adds to each total */
export function logReads<F extends Timed, Name extends string>(
  shape: Shape<F>,
  columns: Readonly<Record<Name, SQLWrapper>>,
  { from, isOf, at, id }: Source,
) {
  const rows = pageBy<F, LogPeriod & { subject: string }>(shape, {
    from,
    where: ({ subject, from: first, to }: Marked<LogPeriod & { subject: string }>) =>
      and(isOf(subject), first && sql`${at} >= ${first}`, to && sql`${at} < ${to}`),
    orderBy: ascending(shape, "off_block_at", "flight_id"),
  });
  const sum = summing(columns, { from, where: isOf(sql.placeholder("subject")), at, id });
  const count = async (tenant: Pick<Tenant, "read">, subject: string, period: LogPeriod): Promise<number> =>
    (await sum(tenant, subject, periodOf(period))).count;
  return { rows, sum, count };
}
