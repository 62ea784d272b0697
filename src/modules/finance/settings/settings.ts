import { getTableColumns, sql } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import { type Issue, throwIfAny } from "../../../core/errors.ts";
import { audit } from "../../../storage/audit.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { lookUp } from "../../../storage/lookup.ts";
import type { Reader } from "../../../storage/store.ts";
import { setAction } from "../../rules/change-rule.ts";
import type { Action } from "../../rules/clearance-rules.ts";
import { actionOf } from "../../rules/rules.queries.ts";
import { decimal, withCode } from "../finance.fields.ts";
import { financeSettings as table } from "../finance.tables.ts";
import type { Vat } from "../finance.values.ts";
import { usualCode } from "../vat-reason-codes.ts";
import type { Settings, SettingsChange } from "./settings.schemas.ts";
import { issuesOfVat, smallBusinessVat } from "./small-business.ts";

const { id: _id, updated_at: _updated_at, ...columns } = getTableColumns(table);
const row = lookUp(columns, sql`from ${table} where ${table.id} = 1`);

type Stored = Omit<typeof table.$inferSelect, "id" | "updated_at">;

const usualVat = { vat_category: "standard", vat_rate: 1900, vat_reason: null, vat_reason_code: null } as const;

const defaults: Stored = {
  legal_name: null,
  street: null,
  postcode: null,
  city: null,
  country: null,
  email: null,
  phone: null,
  vat_id: null,
  tax_number: null,
  register_number: null,
  iban: null,
  bic: null,
  ...usualVat,
  small_business: false,
  payment_days: 14,
  reminder_days: [7, 21, 35],
  invoice_series: "INV",
  credit_note_series: "CN",
  language: "en",
  balance_limit_minor: 0,
  exchange_rates: [],
};

const settingsRow = async (reader: Reader<"tenant">): Promise<Stored> => (await row(reader, {})) ?? defaults;
const rule = "balance_below_limit";
const shown = (stored: Stored, balance_rule: Action): Settings => ({
  ...stored,
  vat_rate: decimal(stored.vat_rate),
  balance_rule,
});

/** Returns the settings of the school, or the defaults. */
export const settingsOf = async (reader: Reader<"tenant">): Promise<Settings> =>
  shown(await settingsRow(reader), await actionOf(reader, rule));

/** The VAT in a request; null: that of the settings. */
type GivenVat = { [Name in keyof Vat]: Vat[Name] | null };

/** Returns the VAT of something new. @throws VALIDATION_ERROR the category does not fit the rate or the reason */
export async function vatOf(reader: Reader<"tenant">, given: GivenVat): Promise<Vat> {
  const usual = await settingsRow(reader);
  const vat_category = given.vat_category ?? usual.vat_category;
  const inherits = vat_category === usual.vat_category;
  const vat_reason = given.vat_reason ?? (inherits ? usual.vat_reason : null);
  // The code of the settings is that of their reason.
  const inherited = inherits && vat_reason === usual.vat_reason ? usual.vat_reason_code : null;
  const vat = {
    vat_category,
    vat_rate: given.vat_rate ?? (inherits ? usual.vat_rate : 0),
    vat_reason,
    vat_reason_code: given.vat_reason_code ?? inherited ?? usualCode(vat_category),
  };
  throwIfAny(issuesOfVat(vat, usual));
  return vat;
}

/** Returns what is wrong with the VAT of something that exists. */
export const vatIssuesOf = async (reader: Reader<"tenant">, vat: Vat): Promise<Issue[]> =>
  issuesOfVat(vat, await settingsRow(reader));

/** Returns the VAT that follows from being a small business, or from being none any more. */
function vatAfter({ small_business: was }: Stored, { small_business: is = was }: SettingsChange): Vat | undefined {
  if (is === was) return undefined;
  return is ? smallBusinessVat : usualVat;
}

/** @throws VALIDATION_ERROR the category of VAT does not fit the rate or the reason */
export async function changeSettings(
  context: TenantContext,
  { balance_rule, ...change }: SettingsChange,
): Promise<Settings> {
  authorize(context.actor, "finance:manage");
  return context.tenant.write(async (tx) => {
    const before = await settingsRow(tx);
    const action = await actionOf(tx, rule);
    const present = { ...before, ...vatAfter(before, change) };
    const after = { ...present, ...withCode(present, change) };
    throwIfAny(issuesOfVat(after, after));
    await tx.delete(table);
    await tx.insert(table).values({ id: 1, ...after, updated_at: tx.now });
    if (balance_rule !== undefined && balance_rule !== action) await setAction(tx, context, rule, balance_rule);
    const settings = shown(after, balance_rule ?? action);
    const subject = { kind: "finance_settings", id: "finance_settings" };
    await audit(tx, context, "finance_settings.updated", { subject, before: shown(before, action), after: settings });
    return settings;
  });
}
