import { decimalOf } from "../../../core/money.ts";
import { type InvoiceDocument, outstanding } from "./invoice-document.ts";

/** The most that a code can ask for: EUR 999,999,999.99. */
const MOST = 99_999_999_999;
/** The most bytes of a code. */
const LENGTH = 331;

/**
 * Returns the text of the QR code with which a banking app fills in the payment (EPC069-12, version 002), or `undefined` if
 * nothing is to be paid, or not in euros to an IBAN.
 */
export function paymentCode(document: InvoiceDocument): string | undefined {
  const { kind, currency, seller, number } = document;
  const amount = outstanding(document);
  if (kind !== "invoice" || document.void || currency !== "EUR" || seller.iban === null) return;
  if (amount <= 0 || amount > MOST) return;
  const { iban, bic } = seller;
  const codeFor = (name: string) =>
    ["BCD", "002", "1", "SCT", bic ?? "", name, iban, `EUR${decimalOf(amount, 2)}`, "", "", number].join("\n");
  const letters = [...seller.legal_name.normalize("NFC").replace(/\s+/g, " ").trim()].slice(0, 70);
  while (Buffer.byteLength(codeFor(letters.join(""))) > LENGTH) letters.pop();
  return codeFor(letters.join("").trim());
}
