/** The rules of EN 16931 (section 6.4) and of XRechnung 3.0, as far as an e-invoice of this program could break them. */
import { invoiceSchema } from "@e-invoice-eu/core";
import { z } from "zod";
import { placesOf } from "../../../src/core/currencies.ts";
import type { EInvoiceFormat } from "../../../src/modules/finance/documents/e-invoice-issues.ts";
import { categoryRules, type Rules } from "./e-invoice-categories.ts";
import type { ReadInvoice, ReadLine, ReadParty, ReadSubtotal } from "./read-e-invoice.ts";

const { codeLists } = z
  .object({ codeLists: z.record(z.string(), z.object({ enum: z.array(z.string()) })) })
  .parse(invoiceSchema.$defs);

const isOneOf = (list: string, but: string[] = []) => {
  const codes = new Set(codeLists[list]?.enum.filter((code) => !but.includes(code)));
  return (code: string | undefined) => code !== undefined && codes.has(code);
};
const isCountry = isOneOf("ISO3166");
/** The list of the library is older than that of the rules. */
export const isCurrency = isOneOf("ISO4217", ["ANG", "BGN", "CUC", "STN", "ZWL"]);
const isUnit = isOneOf("UNECERec20");
const isMeans = isOneOf("UNCL4461");
const isCategory = isOneOf("UNCL5305");
const isReason = isOneOf("vatex");

const is = (value: unknown): boolean => value !== undefined;
const sum = (amounts: readonly (bigint | undefined)[]) => amounts.reduce<bigint>((all, one) => all + orZero(one), 0n);
const size = (amount: bigint) => (amount < 0n ? -amount : amount);
const orZero = (amount: bigint | undefined) => amount ?? 0n;
const eachLine =
  (holds: (line: ReadLine) => boolean) =>
  ({ lines }: ReadInvoice) =>
    lines.every(holds);
const eachSubtotal =
  (holds: (subtotal: ReadSubtotal) => boolean) =>
  ({ subtotals }: ReadInvoice) =>
    subtotals.every(holds);
const eachParty =
  (holds: (party: ReadParty) => boolean) =>
  ({ seller, buyer }: ReadInvoice) =>
    holds(seller) && holds(buyer);

/** Rounds a fraction to the nearest integer, half away from zero. */
export function rounded(dividend: bigint, divisor: bigint): bigint {
  const half = (2n * size(dividend) + divisor) / (2n * divisor);
  return dividend < 0n ? -half : half;
}

/** To the minor unit of the currency; the official rule tolerates less than one unit. */
const isTaxed = ({ subtotals, currency = "EUR" }: ReadInvoice, category?: string) => {
  const one = placesOf(currency) === 0 ? 100n : 1n;
  return subtotals
    .filter((subtotal) => category === undefined || subtotal.category === category)
    .every(({ net, rate, vat }) => rounded(orZero(net) * orZero(rate), 10_000n * one) * one === orZero(vat));
};

/** A prefix of ISO 3166-1, or that of Greece or Northern Ireland. */
const isVatId = (id: string | undefined) =>
  id === undefined || isCountry(id.slice(0, 2)) || ["EL", "XI"].includes(id.slice(0, 2));
/** Codes of credit transfers need an account. */
const isTransfer = ({ paymentCode }: ReadInvoice) => ["30", "58"].includes(paymentCode ?? "");
const isInOrder = ({ start = "", end = start }: ReadInvoice["period"]) => start <= end;
const hasAddress = ({ street, postcode, city, country }: ReadParty) => is(street ?? postcode ?? city ?? country);

const core: Rules = {
  "BR-01": ({ specification }) => is(specification),
  "BR-02": ({ number }) => is(number),
  "BR-03": ({ issued }) => is(issued),
  "BR-04": ({ type }) => is(type),
  "BR-05": ({ currency }) => is(currency),
  "BR-06": ({ seller }) => is(seller.name),
  "BR-07": ({ buyer }) => is(buyer.name),
  "BR-08": ({ seller }) => hasAddress(seller),
  "BR-09": ({ seller }) => is(seller.country),
  "BR-10": ({ buyer }) => hasAddress(buyer),
  "BR-11": ({ buyer }) => is(buyer.country),
  "BR-12": ({ totals }) => is(totals.lines),
  "BR-13": ({ totals }) => is(totals.net),
  "BR-14": ({ totals }) => is(totals.gross),
  "BR-15": ({ totals }) => is(totals.due),
  "BR-16": ({ lines }) => lines.length > 0,
  "BR-21": eachLine(({ id }) => is(id)),
  "BR-22": eachLine(({ quantity }) => is(quantity)),
  "BR-23": eachLine(({ unit }) => is(unit)),
  "BR-24": eachLine(({ net }) => is(net)),
  "BR-25": eachLine(({ name }) => is(name)),
  "BR-26": eachLine(({ price }) => is(price)),
  "BR-27": eachLine(({ price = -1n }) => price >= 0n),
  "BR-29": ({ period }) => isInOrder(period),
  "BR-30": eachLine(({ period }) => isInOrder(period)),
  "BR-45": eachSubtotal(({ net }) => is(net)),
  "BR-46": eachSubtotal(({ vat }) => is(vat)),
  "BR-47": eachSubtotal(({ category }) => is(category)),
  "BR-48": eachSubtotal(({ category, rate }) => category === "O" || is(rate)),
  "BR-49": ({ paymentCode }) => paymentCode !== "",
  "BR-50": ({ account }) => account !== "",
  "BR-57": ({ deliveredTo }) => !deliveredTo || is(deliveredTo.country),
  "BR-61": (invoice) => !isTransfer(invoice) || Boolean(invoice.account),
  "BR-53": ({ taxCurrency, totals }) => !is(taxCurrency) || is(totals.nationalVat),
  "BR-62": ({ seller }) => !is(seller.endpoint) || is(seller.endpointScheme),
  "BR-63": ({ buyer }) => !is(buyer.endpoint) || is(buyer.endpointScheme),
  "BR-CL-01": ({ type }) => ["380", "381", "384"].includes(type ?? ""),
  "BR-CL-03": ({ amounts }) => amounts.every(({ currency }) => currency === undefined || isCurrency(currency)),
  "BR-CL-04": ({ currency }) => isCurrency(currency),
  "BR-CL-05": ({ taxCurrency }) => !is(taxCurrency) || isCurrency(taxCurrency),
  "BR-CL-14": eachParty(({ country }) => !is(country) || isCountry(country)),
  "BR-CL-16": ({ paymentCode }) => !is(paymentCode) || isMeans(paymentCode),
  "BR-CL-17": eachSubtotal(({ category }) => isCategory(category)),
  "BR-CL-18": eachLine(({ category }) => isCategory(category)),
  "BR-CL-22": eachSubtotal(({ reasonCode }) => !is(reasonCode) || isReason(reasonCode)),
  "BR-CL-23": eachLine(({ unit }) => isUnit(unit)),
  "BR-CL-25": eachParty(({ endpoint, endpointScheme }) => !is(endpoint) || endpointScheme === "EM"),
  "BR-CO-04": eachLine(({ category }) => is(category)),
  "BR-CO-09": eachParty(({ vatId }) => isVatId(vatId)),
  "BR-CO-10": ({ totals, lines }) => totals.lines === sum(lines.map(({ net }) => net)),
  "BR-CO-13": ({ totals }) => totals.net === totals.lines,
  "BR-CO-14": ({ totals, subtotals }) => totals.vat === sum(subtotals.map(({ vat }) => vat)),
  "BR-CO-15": ({ totals, amounts, currency, taxCurrency }) => {
    const others = amounts.map((one) => one.currency ?? currency).filter((code) => code !== currency);
    return (
      totals.gross === orZero(totals.net) + orZero(totals.vat) && others.join() === [taxCurrency ?? []].flat().join()
    );
  },
  "BR-CO-16": ({ totals }) => totals.due === orZero(totals.gross) - orZero(totals.prepaid),
  "BR-CO-17": (invoice) => isTaxed(invoice),
  "BR-S-09": (invoice) => isTaxed(invoice, "S"),
  "BR-CO-18": ({ subtotals }) => subtotals.length > 0,
  "BR-CO-25": ({ totals, due, terms }) => orZero(totals.due) <= 0n || is(due ?? terms),
  "BR-CO-26": ({ seller }) => is(seller.id ?? seller.registration ?? seller.vatId),
  "BR-DEC": ({ amounts, currency: currencyOfInvoice = "EUR" }) =>
    amounts.every(
      ({ text, currency = currencyOfInvoice }) => (text.split(".")[1] ?? "").length <= Math.min(2, placesOf(currency)),
    ),
  ...categoryRules,
};

const filled = (party: ReadParty, ...fields: (keyof ReadParty)[]) => fields.every((field) => is(party[field]));

const xrechnung: Rules = {
  "BR-DE-1": ({ paymentCode }) => is(paymentCode),
  "BR-DE-2": ({ seller }) => is(seller.contact ?? seller.phone ?? seller.email),
  "BR-DE-3": ({ seller }) => filled(seller, "city"),
  "BR-DE-4": ({ seller }) => filled(seller, "postcode"),
  "BR-DE-5": ({ seller }) => filled(seller, "contact"),
  "BR-DE-6": ({ seller }) => filled(seller, "phone"),
  "BR-DE-7": ({ seller }) => filled(seller, "email"),
  "BR-DE-8": ({ buyer }) => filled(buyer, "city"),
  "BR-DE-9": ({ buyer }) => filled(buyer, "postcode"),
  "BR-DE-10": ({ deliveredTo }) => !deliveredTo || is(deliveredTo.city),
  "BR-DE-11": ({ deliveredTo }) => !deliveredTo || is(deliveredTo.postcode),
  "BR-DE-14": eachSubtotal(({ rate }) => is(rate)),
  "BR-DE-15": ({ reference }) => is(reference),
  "BR-DE-16": ({ seller }) => is(seller.vatId ?? seller.taxNumber),
  "BR-DE-17": ({ type }) => ["380", "381", "384"].includes(type ?? ""),
  "BR-DE-18": ({ terms = "" }) => !terms.includes("#"),
  "BR-DE-19": ({ paymentCode, account = "" }) => paymentCode !== "58" || isIban(account),
  "BR-DE-21": ({ specification = "" }) => specification.endsWith("#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0"),
  "BR-DE-23-a": (invoice) => !isTransfer(invoice) || is(invoice.account),
  "BR-DE-26": ({ type, credits }) => type !== "384" || credits.length > 0,
  "BR-DE-27": ({ seller: { phone = "" } }) => phone.replace(/\D/g, "").length >= 3,
  "BR-DE-28": ({ seller: { email = "" } }) => /^[^@\s]+@([^@.\s]+\.)+[^@.\s]+$/.test(email),
  "BR-DE-TMP-32": ({ delivered, period }) => is(delivered ?? period.end),
  "PEPPOL-EN16931-R010": ({ buyer }) => is(buyer.endpoint),
  "PEPPOL-EN16931-R020": ({ seller }) => is(seller.endpoint),
};

/** ISO 13616: the remainder of its digits by 97. */
function isIban(account: string): boolean {
  const digits = [...(account.slice(4) + account.slice(0, 4))].map((sign) => Number.parseInt(sign, 36));
  return /^[A-Z]{2}\d\d[A-Z0-9]+$/i.test(account) && BigInt(digits.join("")) % 97n === 1n;
}

/** Returns the numbers of the rules that the invoice breaks. */
export function brokenRules(invoice: ReadInvoice, format: EInvoiceFormat): string[] {
  const rules = { ...core, ...(format === "xrechnung" && xrechnung) };
  return Object.entries(rules).flatMap(([id, holds]) => (holds(invoice) ? [] : [id]));
}
