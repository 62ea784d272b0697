/** Invoices for the tests of their documents: one by hand, and random ones. */
import fc from "fast-check";
import { placesOf } from "../../../src/core/currencies.ts";
import { currencyCodes } from "../../../src/core/currency-codes.ts";
import { type LegalDate, toLegalDate } from "../../../src/core/dates.ts";
import { Problem } from "../../../src/core/errors.ts";
import { converted } from "../../../src/core/exchange-rates.ts";
import { languages } from "../../../src/core/languages.ts";
import { netOf } from "../../../src/core/money.ts";
import type { InvoiceDocument, InvoiceLine } from "../../../src/modules/finance/documents/invoice-document.ts";
import { hundredthsOf } from "../../../src/modules/finance/finance.fields.ts";
import { type Vat, vatCategories } from "../../../src/modules/finance/finance.values.ts";
import { partiesOf } from "../../../src/modules/finance/invoices/parties.ts";
import { totalsOf, withVat } from "../../../src/modules/finance/vat-of-lines.ts";
import { usualCode } from "../../../src/modules/finance/vat-reason-codes.ts";

import { isCurrency } from "./e-invoice-rules.ts";

export const day = (text: string) => text as LegalDate;

type LineInput = Omit<InvoiceLine, "net_minor">;

const seller: InvoiceDocument["seller"] = {
  legal_name: "Flugschule Łódź & Söhne GmbH",
  street: "Am Flugplatz 1",
  postcode: "63329",
  city: "Egelsbach",
  country: "DE",
  email: "office@example.com",
  phone: "+49 6103 12345",
  vat_id: "DE123456789",
  tax_number: "044 123 45678",
  register_number: null,
  approval_number: null,
  iban: "DE89370400440532013000",
  bic: "COBADEFFXXX",
};
const buyer: InvoiceDocument["buyer"] = {
  name: "Zdzisława Łąka-Østergård",
  company: null,
  street: "ul. Żółta 5",
  postcode: "00-950",
  city: "Warszawa",
  country: "PL",
  email: "zdzislawa@example.com",
  vat_id: null,
  register_number: null,
  buyer_reference: null,
  customer_number: null,
};

export const flight: LineInput = {
  description: "D-EABC",
  on: day("2026-06-14"),
  quantity: 6200,
  unit: "minute",
  unit_price_minor: 22_500,
  price_per: 60,
  vat_category: "standard",
  vat_rate: 1900,
  vat_reason: null,
  vat_reason_code: null,
  corrects: null,
};
/** The VAT of a category with the rate 0. */
export const without = (vat_category: Vat["vat_category"], vat_reason: string | null = null): Vat => ({
  ...{ vat_category, vat_rate: 0, vat_reason, vat_reason_code: usualCode(vat_category) },
});
const exempt = without("exempt", "§ 4 Nr. 21 UStG");
export const landing: LineInput = {
  ...flight,
  ...{ description: "Landings EDFE", quantity: 300, unit: "landing", unit_price_minor: 1250, price_per: 1 },
};
export const theory: LineInput = {
  ...landing,
  ...{ description: "Theory course", quantity: 100, unit: "piece", unit_price_minor: 49_000, ...exempt },
};

/** Returns an invoice of the lines, with their amounts and the sums. */
export function invoiceOf(lines: readonly LineInput[], change: Partial<InvoiceDocument> = {}): InvoiceDocument {
  const computed = withVat(lines.map((line) => ({ ...line, net_minor: netOf(line.quantity, line) })));
  const { vat, ...totals } = totalsOf(computed);
  return {
    kind: "invoice",
    language: "en",
    number: "INV-2026-00001",
    issued_on: day("2026-06-30"),
    due_on: day("2026-07-14"),
    currency: "EUR",
    preceding: [],
    void: false,
    note: null,
    vat: vat.map((subtotal) => ({ ...subtotal, vat_rate: hundredthsOf(subtotal.vat_rate) })),
    ...{ seller, buyer, deliver_to: null, lines: computed, ...totals, national: null, paid_minor: 0 },
    ...change,
  };
}

/** Returns the credit note of the lines, which are those of the invoice. */
export const creditNoteOf = (lines: readonly LineInput[], change: Partial<InvoiceDocument> = {}): InvoiceDocument =>
  invoiceOf(
    lines.map((line) => ({ ...line, quantity: -line.quantity })),
    {
      ...{ kind: "credit_note", number: "CN-2026-00001", due_on: null },
      preceding: [{ number: "INV-2026-00001", issued_on: day("2026-06-30") }],
      ...change,
    },
  );

/** Returns the cancellation of an invoice, or of a credit note. */
export function cancellationOf(cancelled: InvoiceDocument): InvoiceDocument {
  const { number, issued_on, net_minor, vat_minor, gross_minor } = cancelled;
  return {
    ...cancelled,
    ...{ kind: "cancellation", number: "CN-2026-00002", issued_on: day("2026-07-01"), due_on: null },
    preceding: [{ number, issued_on }],
    lines: cancelled.lines.map((line) => ({ ...line, quantity: -line.quantity, net_minor: -line.net_minor })),
    vat: cancelled.vat.map((one) => ({ ...one, net_minor: -one.net_minor, vat_minor: -one.vat_minor })),
    ...{ net_minor: -net_minor, vat_minor: -vat_minor, gross_minor: -gross_minor, paid_minor: -gross_minor },
    national: cancelled.national && { ...cancelled.national, vat_minor: -cancelled.national.vat_minor },
  };
}

/** Returns an invoice whose lines that are negative credit those of an earlier one. */
function takingBack(invoice: InvoiceDocument): InvoiceDocument {
  const earlier = { number: "INV-2026-00000", issued_on: day("2026-05-31") };
  const lines = invoice.lines.map((line) => (line.net_minor < 0 ? { ...line, corrects: earlier } : line));
  return { ...invoice, lines, preceding: lines.some(({ corrects }) => corrects) ? [earlier] : [] };
}

/** Text as people write it, with all that XML and fonts may find hard. */
const words = fc
  .array(fc.constantFrom("Flug", "&", "<b>", '"x"', "'", "Żółć", "ę", "]]>", "--", "€", "字", "&amp;"), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join(" "));

const standard = { vat_category: "standard", vat_reason: null, vat_reason_code: null } as const;

const vats: Vat[] = [
  { ...standard, vat_rate: 1900 },
  { ...standard, vat_rate: 700 },
  { ...standard, vat_rate: 550 },
  without("zero"),
  exempt,
  { ...exempt, vat_reason: "Art. 132 & 133" },
  { ...exempt, vat_reason: "Art. 132 (1)(i)", vat_reason_code: "VATEX-EU-132-1I" },
  without("reverse_charge"),
  without("reverse_charge", "§ 13b UStG"),
  without("intra_community"),
  without("export"),
];
/** Not with others on one invoice (BR-O-11). */
const outsideScope = [without("outside_scope"), without("outside_scope", "§ 3a (2) UStG: not taxable in Germany")];

/** The kinds of VAT on an invoice, of categories. */
function vatsOfOne(categories: readonly Vat["vat_category"][]): fc.Arbitrary<readonly Vat[]> {
  const sets = [vats, outsideScope].map((all) => all.filter(({ vat_category }) => categories.includes(vat_category)));
  return fc.oneof(
    ...sets.filter(({ length }) => length > 0).map((some) => fc.subarray(some, { minLength: 1 })),
    ...sets.flat().map((one) => fc.constant([one])),
  );
}

const date = fc
  .integer({ min: 0, max: 400 })
  .map((days) => toLegalDate(Temporal.PlainDate.from("2025-06-01").add({ days })));

const lineWith = (vats: readonly Vat[]) =>
  fc
    .record({
      description: words,
      on: date,
      quantity: fc.integer({ min: -500_000, max: 5_000_000 }).filter((quantity) => quantity !== 0),
      per: fc.constantFrom(
        { unit: "minute", price_per: 60 } as const,
        { unit: "minute", price_per: 1 } as const,
        { unit: "landing", price_per: 1 } as const,
        { unit: "litre", price_per: 1 } as const,
        { unit: "piece", price_per: 1 } as const,
      ),
      unit_price_minor: fc.integer({ min: -100_000, max: 1_000_000 }),
      vat: fc.constantFrom(...vats),
    })
    .map(({ per, vat, ...rest }) => ({ ...rest, ...per, ...vat, corrects: null }));

/** What EN 16931 has, and has two decimal places at most. */
const currencies = currencyCodes.filter((code) => isCurrency(code) && placesOf(code) <= 2);

const place = { street: null, postcode: "5020", city: "Salzburg", country: "AT" };

/** Numbers of the parties, of which not each may be on each invoice. */
const numbers = fc.record({
  seller: fc.record({
    vat_id: fc.option(fc.constant("DE123456789"), { freq: 4 }),
    tax_number: fc.option(fc.constant("044 123 45678")),
    number: fc.constantFrom(
      { register_number: "HRB 12345 & 6", approval_number: null },
      { register_number: null, approval_number: "DE.ATO.123" },
    ),
  }),
  buyer: fc.record({
    vat_id: fc.option(fc.constant("PL5260001246"), { freq: 3 }),
    register_number: fc.option(fc.constant("KRS 0000123456")),
    country: fc.constantFrom("PL", "PL", "CH"),
  }),
  deliver_to: fc.option(fc.constant(place)),
});

/** Any invoice that may be sent. @param most lines @param categories which its lines may have */
export const anyInvoice = (
  most: number,
  categories: readonly Vat["vat_category"][] = vatCategories,
): fc.Arbitrary<InvoiceDocument> =>
  fc
    .record({
      lines: vatsOfOne(categories).chain((vats) =>
        fc.array(lineWith(vats), { minLength: 1, maxLength: most, size: "max" }),
      ),
      isCredit: fc.boolean(),
      isCancelled: fc.boolean(),
      currency: fc.oneof(fc.constant("EUR"), fc.constantFrom(...currencies)),
      name: words,
      company: fc.option(words),
      note: fc.option(words),
      buyer_reference: fc.option(fc.constant("04011000-12345-67")),
      numbers,
      share: fc.constantFrom(0, 0, 2, 1),
      language: fc.constantFrom(...languages),
      customer_number: fc.option(words),
      national: fc.constantFrom("EUR", "EUR", "PLN", "ISK"),
    })
    .map(
      ({
        lines,
        isCredit,
        isCancelled,
        name,
        company,
        buyer_reference,
        customer_number,
        numbers,
        share,
        national,
        ...rest
      }) => {
        const made = isCredit ? creditNoteOf(lines) : takingBack(invoiceOf(lines));
        const credited = made.preceding.flatMap((one) => [one, { ...one, number: "INV-2026-00002" }]);
        const { number, ...numbersOfSeller } = numbers.seller;
        const parties = partiesIfComplete(
          { ...made, credits_id: null, deliver_to: numbers.deliver_to },
          {
            seller: { ...seller, legal_name: name, ...numbersOfSeller, ...number },
            buyer: { ...buyer, name, company, buyer_reference, customer_number, ...numbers.buyer },
          },
        );
        const sent = parties && {
          ...made,
          ...parties,
          ...{ ...rest, preceding: credited.slice(0, 1 + (lines.length % 2)) },
          paid_minor: share === 0 ? 0 : Math.trunc(made.gross_minor / share),
        };
        const stated = sent && { ...sent, national: nationalIn(sent, national) };
        return stated && isCancelled ? cancellationOf(stated) : stated;
      },
    )
    .filter((invoice) => invoice !== undefined);

const rate = "0.9123";

/** Returns the VAT in another currency, if there is some. */
export function nationalIn({ vat_minor, currency }: Pick<InvoiceDocument, "vat_minor" | "currency">, to: string) {
  if (vat_minor === 0 || currency === to) return null;
  return { currency: to, exchange_rate: rate, vat_minor: converted(vat_minor, { from: currency, to, rate }) };
}

/** Returns the parties of an invoice that may be sent. */
function partiesIfComplete(...sale: Parameters<typeof partiesOf>): ReturnType<typeof partiesOf> | undefined {
  try {
    return partiesOf(...sale);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
