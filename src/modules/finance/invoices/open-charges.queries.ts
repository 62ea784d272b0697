/** The charges that can be invoiced: whose they are, and which a draft takes. */
import { sql } from "drizzle-orm";
import type { LegalDate } from "../../../core/dates.ts";
import { invalid } from "../../../core/errors.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { people } from "../../people/people.tables.ts";
import { asPosted } from "../charges/charges.queries.ts";
import { type ChargeId, type ChargeRow, financeCharges } from "../finance.tables.ts";
import { MOST_LINES } from "./lines.ts";

/** What is not subject to VAT is on no invoice with other charges (EN 16931, BR-O-12). */
const isOutsideScope = sql`${financeCharges.vat_category} = 'outside_scope'`;

/** Whose charges an invoice takes. */
export interface Owing {
  person_id: PersonId;
  currency: string;
  /** Only what is not subject to VAT, or only the rest. Undefined: all. */
  outside_scope?: boolean | undefined;
}

/** Returns whom a run would invoice, in which currency, sorted by name, and nobody who was erased: what is not subject to VAT by itself. */
export async function owing(
  reader: Reader<"tenant">,
  { until }: { until: LegalDate },
): Promise<(Owing & { name: string })[]> {
  const rows = await reader.values<[PersonId, string, string, number]>(sql`
    select ${people.id}, ${people.name}, open.currency, open.outside_scope from ${people}
    join (select distinct ${financeCharges.person_id}, ${financeCharges.currency}, ${isOutsideScope} as outside_scope
      from ${financeCharges}
      where ${financeCharges.status} = 'open' and ${financeCharges.on} <= ${until}) as open on open.person_id = ${people.id}
    where ${people.erased_at} is null
    order by ${people.name}, ${people.id}, open.currency, open.outside_scope`);
  return rows.map(([person_id, name, currency, outside]) => ({
    person_id,
    name,
    currency,
    outside_scope: outside === 1,
  }));
}

const ofReduced = (column: "created_at" | "rowid") =>
  sql.raw(`(select reduced.${column} from finance_charges as reduced where reduced.id = finance_charges.reduces_id)`);

/** Discounts follow what they reduce, which has the same day. */
const withReduced = sql`coalesce(${ofReduced("created_at")}, ${financeCharges.created_at}),
  coalesce(${ofReduced("rowid")}, ${financeCharges}.rowid), ${asPosted}`;

/**
 * Returns a person's open charges up to a day, the oldest first: as many as an invoice has room for, a charge together with its
 * discounts. @param skip how many to leave out
 */
export async function openCharges(
  reader: Reader<"tenant">,
  { person_id, currency, outside_scope, until }: Owing & { until: LegalDate },
  skip = 0,
): Promise<ChargeRow[]> {
  const rows = await reader
    .select()
    .from(financeCharges)
    .where(
      sql`${financeCharges.person_id} = ${person_id} and ${financeCharges.status} = 'open'
        and ${financeCharges.on} <= ${until} and +${financeCharges.currency} = ${currency}
        and ${outside_scope === undefined ? sql`true` : sql`${isOutsideScope} = ${outside_scope}`}`,
    )
    .orderBy(financeCharges.on, withReduced)
    .limit(MOST_LINES + 1)
    .offset(skip);
  const [fitting, next] = [rows.slice(0, MOST_LINES), rows[MOST_LINES]];
  const whole = next ? fitting.filter((one) => unitOf(one) !== unitOf(next)) : fitting;
  return whole.length > 0 ? whole : fitting;
}

const unitOf = ({ id, reduces_id }: ChargeRow): ChargeId => reduces_id ?? id;

/** Returns the currency of a charge; undefined if there is none. */
export async function currencyOfCharge(
  reader: Reader<"tenant">,
  id: ChargeId | undefined,
): Promise<string | undefined> {
  if (id === undefined) return undefined;
  const [charge] = await reader.select().from(financeCharges).where(sql`${financeCharges.id} = ${id}`);
  return charge?.currency;
}

/** Returns these charges of a person. @throws VALIDATION_ERROR one is unknown, another person's, not open or named twice */
export async function chosenCharges(
  reader: Reader<"tenant">,
  { person_id, currency }: { person_id: PersonId; currency: string },
  ids: readonly ChargeId[],
): Promise<ChargeRow[]> {
  const charges: ChargeRow[] = [];
  for (const [at, id] of ids.entries()) {
    const [charge] = await reader.select().from(financeCharges).where(sql`${financeCharges.id} = ${id}`);
    const message =
      charge?.person_id !== person_id
        ? "The person has no such charge."
        : charge.status !== "open"
          ? "The charge is not open."
          : charge.currency !== currency
            ? `The charge is in ${charge.currency}, and the invoice in ${currency}.`
            : ids.indexOf(id) !== at
              ? "The charge is named twice."
              : undefined;
    if (message !== undefined) throw invalid({ path: `charge_ids.${at}`, code: "impossible", message });
    if (charge) charges.push(charge);
  }
  return charges;
}
