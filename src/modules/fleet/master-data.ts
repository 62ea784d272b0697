/** Checks and completes the master data of an aircraft before it is written. */
import { and, eq, ne } from "drizzle-orm";
import { conflict } from "../../core/errors.ts";
import type { AircraftId } from "../../core/ids.ts";
import { currencyOf } from "../../identity/currency.queries.ts";
import type { TenantContext } from "../../storage/context.ts";
import { ask } from "../../storage/occasions.ts";
import type { Tx } from "../../storage/store.ts";
import { hasFlights } from "./fleet.occasions.ts";
import type { AircraftRow } from "./fleet.queries.ts";
import { aircraft } from "./fleet.tables.ts";

/** @throws CONFLICT another aircraft than `id` has the registration */
export async function requireFreeRegistration(tx: Tx<"tenant">, registration: string, id: AircraftId): Promise<void> {
  const [other] = await tx
    .select({ id: aircraft.id, model: aircraft.model, status: aircraft.status })
    .from(aircraft)
    .where(and(eq(aircraft.registration, registration), ne(aircraft.id, id)));
  if (other === undefined) return;
  const holder = `Another aircraft has the registration ${registration}: a ${other.model} with the id ${other.id}`;
  throw conflict(
    "registration_taken",
    other.status === "archived"
      ? `${holder}, which is archived. Change its status to "available" to use it again.`
      : `${holder}.`,
    { aircraft_id: other.id, model: other.model, status: other.status },
  );
}

/**
 * A session in a simulator is no flight, so an aircraft with flights stays an aircraft, and a simulator with sessions a simulator.
 *
 * @throws CONFLICT it would become the other
 */
export async function requireSameKind(
  tx: Tx<"tenant">,
  row: AircraftRow,
  { class: next = row.class }: { class?: AircraftRow["class"] },
): Promise<void> {
  if ((row.class === "FSTD") === (next === "FSTD") || !(await ask(tx, hasFlights, { id: row.id })).includes(true))
    return;
  throw conflict(
    "aircraft_has_flights",
    `The aircraft ${row.registration} has flights, so its class can't change from ${row.class} to ${next}.`,
  );
}

interface Price {
  hourly_rate_minor: number | null;
  currency: string | null;
}

/**
 * Returns an hourly rate with the organization's current currency. The currency is stored with the rate, because the
 * amount would change its meaning when the organization changes its currency.
 */
export async function priceOf(context: TenantContext, hourly_rate_minor: number | null): Promise<Price> {
  return priced(hourly_rate_minor, hourly_rate_minor === null ? null : await currencyOf(context));
}

/** @param currency the organization's */
export const priced = (hourly_rate_minor: number | null, currency: string | null): Price => ({
  hourly_rate_minor,
  currency: hourly_rate_minor === null ? null : currency,
});
