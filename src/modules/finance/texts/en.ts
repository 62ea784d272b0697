/** What documents, mails and lines say to a customer, in English. A text gets what it names as text, in the form of the language. */
import type { UntaxedCategory } from "../finance.fields.ts";
import type { chargeUnits } from "../finance.tables.ts";
import type { paymentMethods } from "../finance.values.ts";
import type { InvoiceKind } from "../invoices.tables.ts";
import type { PostingKind } from "../ledger.tables.ts";

type Unit = (typeof chargeUnits)[number];
type Method = (typeof paymentMethods)[number];

export const en = {
  titles: {
    invoice: "Invoice",
    credit_note: "Credit note",
    cancellation: "Cancellation",
  } satisfies Record<InvoiceKind, string>,

  document: {
    page: (number: number, count: number) => `Page ${number} of ${count}`,
    void: "VOID",
    buyer: "Bill to",
    vatId: "VAT ID",
    numbers: { invoice: "Number", credit_note: "Number", cancellation: "Number" } satisfies Record<InvoiceKind, string>,
    dates: { invoice: "Date", credit_note: "Date", cancellation: "Date" } satisfies Record<InvoiceKind, string>,
    due: "Due on",
    suppliedOn: "Date of supply",
    suppliedIn: "Period of supply",
    deliveredTo: "Delivered to",
    cancels: "Cancels",
    credits: "Credits",
    /** Before the name of the seller. */
    issued: (title: string, date: string) => `${title} dated ${date} issued by`,
    preceding: (number: string, date: string) => `${number} of ${date}`,
    precedingBelow: (count: number) => `${count} invoices, see below`,
    ourVatId: "Our VAT ID",
    ourTaxNumber: "Our tax number",
    register: "Register number",
    customerNumber: "Customer number",
    reference: "Your reference",
  },

  table: {
    date: "Date",
    description: "Description",
    quantity: "Quantity",
    price: "Unit price",
    vat: "VAT",
    net: "Net",
    anHour: "/ h",
    untaxed: {
      exempt: "exempt",
      reverse_charge: "reverse charge",
      intra_community: "intra-EU",
      export: "export",
      outside_scope: "not taxable",
    } satisfies Record<UntaxedCategory, string>,
  },

  /** One, and several. */
  units: {
    minute: ["min", "min"],
    landing: ["landing", "landings"],
    litre: ["l", "l"],
    piece: ["piece", "pieces"],
  } satisfies Record<Unit, [string, string]>,

  sums: {
    net: "Total net",
    vat: (rate: string, net: string) => `plus ${rate} VAT on ${net}`,
    untaxed: (name: string, net: string) => `${name}: ${net}`,
    total: "Total",
    paid: "Paid and credited",
    settled: "Settled",
    outstanding: "Outstanding",
    nationalVat: (currency: string, rate: string | null) => `VAT in ${currency} (${rate ?? "several exchange rates"})`,
  },

  /** Why no VAT is charged. A reason is a text of the school, such as an article of a law. */
  exemptions: {
    smallBusiness: "No VAT is charged, small business under § 19 UStG (German VAT Act).",
    byLaw: (article: string) => `Exempt from VAT under ${article}`,
    other: (reason: string) => `Exempt from VAT: ${reason}`,
    /** § 14a (5) UStG wants the German words, also where the rest is English. */
    categories: {
      reverse_charge: "Reverse charge (Steuerschuldnerschaft des Leistungsempfängers)",
      intra_community: "Exempt from VAT: intra-Community supply (Art. 138 of Directive 2006/112/EC)",
      export: "Exempt from VAT: export outside the EU (Art. 146 of Directive 2006/112/EC)",
      outside_scope: "Not subject to VAT",
    } satisfies Record<Exclude<UntaxedCategory, "exempt">, string>,
  },

  payment: {
    terms: (amount: string, due: string | undefined) =>
      `Please pay ${amount}${due === undefined ? "" : ` by ${due}`} to:`,
    holder: "Account of",
    reference: "Reference",
    scan: "Scan with a banking app to pay.",
    /** In e-invoices, whose terms of payment are a text. */
    cancels: (numbers: string) => `Cancels ${numbers}.`,
    credits: (numbers: string) => (numbers === "" ? "Credit." : `Credit to ${numbers}.`),
  },

  /** What Windsock charges. */
  lines: {
    aircraft: (registration: string) => `Flight time ${registration}`,
    surcharge: (registration: string) => `Fuel surcharge ${registration}`,
    fuel: (registration: string) => `Fuel ${registration}`,
    instructor: (name: string) => `Instructor ${name}`,
    landings: (place: string) => `Landings ${place}`.trim(),
    program: "Program",
  },

  statement: {
    title: "Statement of account",
    subject: (customer: string, school: string) => `${customer}, account with ${school}`,
    period: (from: string | undefined, until: string | undefined) =>
      [from && `from ${from}`, until && `to ${until}`].filter(Boolean).join(" ") || "all entries",
    opening: (amount: string) => `opening balance ${amount}`,
    closing: (amount: string) => `closing balance ${amount}`,
    sign: "a negative balance is owed to the school",
    columns: {
      date: "Date",
      posting: "For",
      document: "Document",
      payment: "Payment",
      amount: "Amount",
      balance: "Balance",
    },
    totals: { page: "Total this page", before: "Brought forward", all: "Total to date" },
    postings: {
      invoice: "Invoice",
      credit_note: "Credit note",
      void: "Cancellation",
      payment: "Payment",
      refund: "Refund",
    } satisfies Record<PostingKind, string>,
    methods: {
      bank_transfer: "bank transfer",
      direct_debit: "direct debit",
      card: "card",
      cash: "cash",
      other: "other",
    } satisfies Record<Method, string>,
  },

  mails: {
    /** What a cancellation cancels. */
    named: {
      invoice: (number: string) => `invoice ${number}`,
      credit_note: (number: string) => `credit note ${number}`,
      cancellation: (number: string) => `cancellation ${number}`,
    } satisfies Record<InvoiceKind, (number: string) => string>,
    invoice: (number: string, amount: string) => `Invoice ${number} over ${amount}.`,
    credit: (number: string, amount: string) => `Credit note ${number} over ${amount}.`,
    cancellation: (number: string, cancelled: string) => `Cancellation ${number} of ${cancelled}`,
    cancelled: (cancellation: string, amount: string) =>
      `${cancellation}, over ${amount}. Nothing of it is to be paid.`,
    paid: "It is paid from your account.",
    reminder: (number: string) => `Reminder: invoice ${number} is overdue`,
    overdue: (number: string, due: string, days: number) =>
      `Invoice ${number} is overdue since ${due}, ${days} ${days === 1 ? "day" : "days"}.`,
    amount: "To pay",
    due: "Due on",
    account: "Account",
    reference: "Reference",
  },
};

/** Each language has all texts, and no others. */
export type Texts = typeof en;
