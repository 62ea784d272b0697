/** Who pays a flight, and what their account has left. Read only for schools that use the rule. */
import { sql } from "drizzle-orm";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { type Standing, standingOf, standingsOf } from "../../finance/accounts/standing.queries.ts";
import { billingRow } from "../../finance/billing/billing.queries.ts";
import { payerOf } from "../../finance/billing/payer.ts";
import { financeSettings } from "../../finance/finance.tables.ts";
import type { FlightRow } from "../../flights/flights.queries.ts";
import type { CrewFunction, CrewMember } from "../../rules/crew.values.ts";
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
  const [limit_minor, standing] = await Promise.all([limitOf(reader), standingOf(reader, id)]);
  return factsOf(id, standing, limit_minor);
}

/** As `payerFacts`, of many people who fly alone on board in a function: who pays nothing is not in it. */
export async function payersFacts(
  reader: Reader<"tenant">,
  ids: readonly PersonId[],
  onBoard: CrewFunction,
): Promise<ReadonlyMap<PersonId, PayerFacts>> {
  const paying = ids.filter((person_id) => payerOf({ nature: null, crew: [{ person_id, function: onBoard }] }, null));
  const [limit_minor, standings] = await Promise.all([limitOf(reader), standingsOf(reader, paying)]);
  return new Map(paying.map((id) => [id, factsOf(id, standings.get(id) ?? [], limit_minor)]));
}

function factsOf(id: PersonId, standing: readonly Standing[], limit_minor: number): PayerFacts {
  const found = standing.map(({ available_minor }) => available_minor);
  return { id, available_minor: found.length > 0 ? found : [0], limit_minor };
}

async function limitOf(reader: Reader<"tenant">): Promise<number> {
  const [limit_minor = 0] = ((await reader.first(limit, {})) ?? []).map(Number);
  return limit_minor;
}

const limit = sql`select ${financeSettings.balance_limit_minor} from ${financeSettings} where ${financeSettings.id} = 1`;
