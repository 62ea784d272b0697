import { z } from "zod";
import { formats } from "../../../core/formats.ts";
import { issueCodes } from "../../../core/issues.ts";
import { languages } from "../../../core/languages.ts";
import { documentedAs } from "../../../http/documented-as.ts";
import { email, integer, text } from "../../../http/fields.ts";
import { changeOf } from "../../../storage/columns.ts";
import { actions } from "../../rules/clearance-rules.ts";
import { signedPrice, vat } from "../finance.fields.ts";
import { address, optional, vatId } from "./address.ts";
import { ExchangeRates, exchangeRates } from "./exchange-rates.ts";
import { isIban } from "./iban.ts";

const series = (example: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9-]{1,20}$/, formats.number_prefix)
    .meta({ description: "The beginning of the numbers.", examples: [example] });

const seller = {
  legal_name: optional(160, "Flugschule Egelsbach GmbH"),
  ...address,
  email: email.nullable(),
  phone: optional(40, "+49 6103 12345"),
  vat_id: vatId,
  tax_number: optional(30, "044 123 45678"),
  register_number: text(60)
    .nullable()
    .meta({
      description: "In the company register, or of the society. An e-invoice of a seller without VAT ID needs one.",
      examples: ["HRB 12345"],
    }),
  iban: z
    .string()
    .max(50)
    .transform((text, { addIssue }) => {
      const value = text.replaceAll(" ", "").toUpperCase();
      if (!isIban(value)) addIssue({ code: "custom", message: formats.iban });
      return value;
    })
    .meta(documentedAs({ type: "string", maxLength: 50, examples: ["DE89370400440532013000"] }))
    .nullable(),
  bic: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/, formats.bic)
    .nullable()
    .meta({ examples: ["COBADEFFXXX"] }),
};
const usual = {
  small_business: z.boolean().meta({
    description:
      "A small business (§ 19 UStG) charges no VAT: what is added from then on is exempt, with that reason, and a rate is refused.",
    examples: [false],
  }),
  payment_days: integer(0, 365).meta({ description: "Days in which an invoice is due.", examples: [14] }),
  reminder_days: z
    .array(integer(1, 365))
    .max(5)
    .refine((days) => days.every((day, at) => at === 0 || day > (days[at - 1] ?? 0)), issueCodes.not_ascending)
    .meta({
      description: "How many days after an invoice was due its reminders are sent. None: no reminders.",
      examples: [[7, 21, 35]],
    }),
  invoice_series: series("INV"),
  credit_note_series: series("CN"),
  language: z.enum(languages).meta({
    description:
      "Of documents and mails to customers who have none of their own: from then on, as they were sent before.",
    examples: ["de"],
  }),
  balance_rule: z.enum(actions).meta({
    description:
      "What happens to a flight or a booking if the account of the person who pays is below `balance_limit_minor`: the action of the rule `balance_below_limit` of the clearance.",
    examples: ["warn"],
  }),
  balance_limit_minor: signedPrice.meta({
    description:
      "What `available_minor` of the account of the person who pays must not be below, in each of its currencies.",
    examples: [-10_000],
  }),
};

export const Settings = z
  .strictObject({
    ...seller,
    iban: z.string().nullable(),
    vat_id: z.string().nullable(),
    vat_category: vat.vat_category,
    vat_rate: vat.vat_rate.out,
    vat_reason: vat.vat_reason,
    vat_reason_code: z.string().nullable(),
    ...usual,
    exchange_rates: ExchangeRates,
  })
  .meta({ id: "FinanceSettings", description: "The seller, and the VAT of new rates if they name none." });
export type Settings = z.infer<typeof Settings>;
export const SettingsChange = changeOf("FinanceSettingsChange", {
  ...seller,
  ...vat,
  ...usual,
  exchange_rates: exchangeRates,
});
export type SettingsChange = z.infer<typeof SettingsChange>;
