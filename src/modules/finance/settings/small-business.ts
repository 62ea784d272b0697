/** A small business (§ 19 UStG) shows no VAT: what it sells is exempt for that reason. */
import { sql } from "drizzle-orm";
import type { Issue } from "../../../core/errors.ts";
import { lookUp } from "../../../storage/lookup.ts";
import type { Reader } from "../../../storage/store.ts";
import { isTaxed, vatIssues } from "../finance.fields.ts";
import { financeSettings as table } from "../finance.tables.ts";
import type { Vat } from "../finance.values.ts";

export const smallBusinessVat = {
  vat_category: "exempt",
  vat_rate: 0,
  vat_reason: "§ 19 UStG",
  vat_reason_code: null,
} as const satisfies Vat;

/** What a small business does not have: VAT, and the exemption of intra-community supplies (Art. 139 (1) of Directive 2006/112/EC). */
export const isOfRegularBusiness = ({ vat_category }: Pick<Vat, "vat_category">): boolean =>
  isTaxed(vat_category) || vat_category === "intra_community";

/** Returns what is wrong with a category, its rate and its reason. A small business may be exempt for other reasons, too. */
export function issuesOfVat(vat: Vat, { small_business }: { small_business: boolean }): Issue[] {
  if (!small_business || (!isOfRegularBusiness(vat) && vat.vat_rate === 0)) return vatIssues(vat);
  const message =
    "The school is a small business (§ 19 UStG) by its settings, which charges no VAT, and has no exemption of intra-community supplies.";
  return [{ path: vat.vat_rate === 0 ? "vat_category" : "vat_rate", code: "impossible", message }];
}

const row = lookUp({ small_business: table.small_business }, sql`from ${table} where ${table.id} = 1`);

export const isSmallBusiness = async (reader: Reader<"tenant">): Promise<boolean> =>
  (await row(reader, {}))?.small_business ?? false;

/** Returns the VAT of what is sold now by a price that may be older than the settings. */
export const presentVat = async <Priced extends Vat>(reader: Reader<"tenant">, priced: Priced): Promise<Priced> =>
  isOfRegularBusiness(priced) && (await isSmallBusiness(reader)) ? { ...priced, ...smallBusinessVat } : priced;
