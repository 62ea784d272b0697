import { type SQL, sql } from "drizzle-orm";
import { toLegalDate } from "../../../core/dates.ts";
import { ascending, descending, type Order, type PageRequest, pageBy } from "../../../storage/page.ts";
import type { Reader } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { people } from "../../people/people.tables.ts";
import { financeBalances as balances, owes } from "../ledger.tables.ts";
import { agingRow } from "./aging.shapes.ts";

interface Days {
  today: string;
  d30: string;
  d60: string;
  d90: string;
}

const listBy = (from: SQL, orderBy: Order) =>
  pageBy<typeof agingRow.fields, Days>(agingRow, { from, where: () => sql`${balances}.${owes}`, orderBy });

// The first table gives the order.
const lists = {
  debt: listBy(
    sql`${balances} cross join ${people} on ${people.id} = ${balances.person_id}`,
    descending(agingRow, "owed_minor", "person_id", "currency"),
  ),
  name: listBy(
    sql`${people} cross join ${balances} on ${balances.person_id} = ${people.id}`,
    ascending(agingRow, "name", "person_id", "currency"),
  ),
};

/** Returns JSON text: a row for each person and currency in which they owe something. */
export async function listAging(
  reader: Reader<"tenant">,
  { order = "debt", ...page }: PageRequest & { order?: "debt" | "name" | undefined },
  now: Date,
) {
  const date = await today(reader, now);
  const before = (days: number) => toLegalDate(date.subtract({ days }));
  return lists[order](reader, { ...page, today: before(0), d30: before(30), d60: before(60), d90: before(90) });
}
