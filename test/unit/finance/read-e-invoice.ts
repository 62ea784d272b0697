/** Reads e-invoices by an XML parser, into the terms of EN 16931. What is not there is undefined. */
import { XMLParser } from "fast-xml-parser";

export interface ReadParty {
  name: string | undefined;
  /** BT-29 */
  id: string | undefined;
  /** BT-30 and BT-47 */
  registration: string | undefined;
  vatId: string | undefined;
  taxNumber: string | undefined;
  endpoint: string | undefined;
  endpointScheme: string | undefined;
  street: string | undefined;
  postcode: string | undefined;
  city: string | undefined;
  country: string | undefined;
  contact: string | undefined;
  phone: string | undefined;
  email: string | undefined;
}

/** Days: `YYYY-MM-DD`. */
interface Period {
  start: string | undefined;
  end: string | undefined;
}

export interface ReadLine {
  id: string | undefined;
  name: string | undefined;
  note: string | undefined;
  period: Period;
  /** In hundredths. */
  quantity: bigint | undefined;
  unit: string | undefined;
  price: bigint | undefined;
  /** How many units the price is for, in hundredths. */
  base: bigint;
  category: string | undefined;
  rate: bigint | undefined;
  net: bigint | undefined;
}

export interface ReadSubtotal {
  category: string | undefined;
  rate: bigint | undefined;
  reason: string | undefined;
  reasonCode: string | undefined;
  net: bigint | undefined;
  vat: bigint | undefined;
}

/** Amounts and rates are integers of 1/100. */
export interface ReadInvoice {
  specification: string | undefined;
  type: string | undefined;
  number: string | undefined;
  issued: string | undefined;
  due: string | undefined;
  currency: string | undefined;
  /** BT-6 */
  taxCurrency: string | undefined;
  reference: string | undefined;
  notes: string | undefined;
  /** The numbers of what it credits or cancels. */
  credits: (string | undefined)[];
  /** The days of these. */
  creditedDays: (string | undefined)[];
  delivered: string | undefined;
  period: Period;
  deliveredTo: Pick<ReadParty, "postcode" | "city" | "country"> | undefined;
  /** Undefined: there is no instruction. Empty: it has no code. */
  paymentCode: string | undefined;
  /** Likewise. */
  account: string | undefined;
  terms: string | undefined;
  seller: ReadParty;
  buyer: ReadParty;
  lines: ReadLine[];
  subtotals: ReadSubtotal[];
  totals: Record<"lines" | "net" | "vat" | "nationalVat" | "gross" | "prepaid" | "due", bigint | undefined>;
  /** As they are written, and their currencies. */
  amounts: { text: string; currency: string | undefined }[];
}

// biome-ignore lint/suspicious/noExplicitAny: the elements of two formats, of which any may be absent
export type Element = any;

const several = new Set([
  ...["InvoiceLine", "CreditNoteLine", "TaxSubtotal", "PartyTaxScheme"],
  ...["IncludedSupplyChainTradeLineItem", "ApplicableTradeTax", "SpecifiedTaxRegistration"],
]);
const parser = new XMLParser({
  ...{ ignoreAttributes: false, removeNSPrefix: true, parseTagValue: false },
  isArray: (name) => several.has(name),
});

export const parse = (xml: string): Element => parser.parse(xml);

/** Returns the element at a path of names. */
export const at = (element: Element, ...path: string[]): Element =>
  path.reduce((parent, name) => parent?.[name], element);

/** Returns the elements of a name that may occur several times. */
export const each = (elements: Element): Element[] => [elements ?? []].flat();

/** Returns the text of an element; undefined if it is absent or has none. */
export function text(element: Element): string | undefined {
  const content: unknown = typeof element === "object" ? element["#text"] : element;
  return typeof content === "string" && content !== "" ? content : undefined;
}

/** Reads a decimal as hundredths, without further places. */
export function hundredths(element: Element): bigint | undefined {
  const [, sign, whole = "", places = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text(element) ?? "") ?? [];
  return sign === undefined ? undefined : BigInt(`${sign}${whole}${places.slice(0, 2).padEnd(2, "0")}`);
}

/** Where the terms are below an element: `Delivery.ActualDeliveryDate`. */
type Places<Term extends string> = Record<Term, string>;

function readAt<Term extends string, Value>(element: Element, places: Places<Term>, read: (found: Element) => Value) {
  const found = Object.entries<string>(places).map(([term, place]) => [term, read(at(element, ...place.split(".")))]);
  return Object.fromEntries(found) as Record<Term, Value>;
}

/** Returns the texts at places. */
export const textsAt = <Term extends string>(element: Element, places: Places<Term>) => readAt(element, places, text);

/** Returns the decimals at places as hundredths. */
export const hundredthsAt = <Term extends string>(element: Element, places: Places<Term>) =>
  readAt(element, places, hundredths);

/** Returns category and rate of a tax, if it is VAT. @param scheme what says so */
export function vatAt(tax: Element, { scheme, category, rate }: Places<"scheme" | "category" | "rate">) {
  const isVat = textsAt(tax, { scheme }).scheme === "VAT";
  return {
    category: isVat ? textsAt(tax, { category }).category : undefined,
    rate: isVat ? hundredthsAt(tax, { rate }).rate : undefined,
  };
}

/** Returns the amounts of VAT of one currency, of BT-110 and BT-111, without those that are empty. */
export function vatTotals(amounts: Element, { currency, taxCurrency }: Record<string, string | undefined>) {
  const totalIn = (code: string | undefined) =>
    hundredths(each(amounts).find((one) => code !== undefined && text(at(one, "@_currencyID")) === code));
  return { vat: totalIn(currency), nationalVat: taxCurrency === currency ? undefined : totalIn(taxCurrency) };
}

/** Returns all amounts below an element. */
export function amountsIn(element: Element): ReadInvoice["amounts"] {
  if (Array.isArray(element)) return element.flatMap(amountsIn);
  if (typeof element !== "object" || element === null) return [];
  const below = Object.entries(element).flatMap(([name, child]: [string, Element]) =>
    name.endsWith("Amount") ? [child].flat().map(amountOf) : amountsIn(child),
  );
  return below;
}

const amountOf = (element: Element) => ({ text: text(element) ?? "", currency: element["@_currencyID"] });
