import { getTableColumns, sql } from "drizzle-orm";
import type { FlightId } from "../../../core/ids.ts";
import { lookUp } from "../../../storage/lookup.ts";
import { ascending, type PageRequest, pageBody } from "../../../storage/page.ts";
import type { Reader } from "../../../storage/store.ts";
import { isUnbilled, financeFlights as table } from "../finance.tables.ts";
import { unbilledFlight } from "./billing.shapes.ts";

export type BillingRow = typeof table.$inferSelect;

const row = lookUp(getTableColumns(table), sql`from ${table} where ${table.flight_id} = ${sql.placeholder("id")}`);

/** Returns whether and to whom a flight is charged, or undefined. */
export const billingRow = (reader: Reader<"tenant">, id: FlightId): Promise<BillingRow | undefined> =>
  row(reader, { id });

/** Returns JSON text, the oldest day first. */
export const listUnbilled = (reader: Reader<"tenant">, page: PageRequest) =>
  pageBody(reader, unbilledFlight, {
    ...page,
    from: table,
    where: isUnbilled,
    orderBy: ascending(unbilledFlight, "on", "flight_id"),
  });
