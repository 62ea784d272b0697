/** Who pays a flight, and what their account has left. Read only for schools that use the rule. */
import { sql } from "drizzle-orm";
import type { Reader } from "../../../storage/store.ts";
import { standingOf } from "../../finance/accounts/standing.queries.ts";
import { billingRow } from "../../finance/billing/billing.queries.ts";
import { payerOf } from "../../finance/billing/payer.ts";
import { financeSettings } from "../../finance/finance.tables.ts";
import type { FlightRow } from "../../flights/flights.queries.ts";
import type { CrewMember } from "../../rules/crew.values.ts";
import type { PayerFacts } from "./facts.shapes.ts";

interface Flown {
  crew: readonly CrewMember[];
  flight?: Pick<FlightRow, "id" | "nature"> | undefined;
}

/** Returns null if nobody pays. */
export async function payerFacts(reader: Reader<"tenant">, { crew, flight }: Flown): Promise<PayerFacts | null> {
  const named = flight && (await billingRow(reader, flight.id))?.named_payer_id;
  const id = payerOf({ nature: flight?.nature ?? null, crew }, named ?? null);
  if (id === null) return null;
  const [settings, standing] = await Promise.all([reader.first(limit, {}), standingOf(reader, id)]);
  const [limit_minor = 0] = (settings ?? []).map(Number);
  const found = standing.map(({ available_minor }) => available_minor);
  return { id, available_minor: found.length > 0 ? found : [0], limit_minor };
}

const limit = sql`select ${financeSettings.balance_limit_minor} from ${financeSettings} where ${financeSettings.id} = 1`;
