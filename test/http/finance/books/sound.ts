/** What holds of all books, said without the model's remainder: nobody is given more than they were billed. */
import { expect } from "bun:test";
import { type Books, type Document, discountsOn, type Line, netOfLines, type Rate, reversalsOf, sum } from "./books.ts";

export function expectSound(books: Books): void {
  const issued = books.documents.filter(({ status, kind }) => status !== "void" && kind !== "cancellation");
  const sent = issued.filter(({ status }) => status === "sent");
  for (const invoice of sent)
    for (const counting of [issued, sent]) {
      const isOf = ({ document, credits }: Line) => (credits?.document ?? document) === invoice;
      const counted = counting.flatMap((document) => document.lines.filter(isOf));
      for (const line of invoice.lines.filter(({ credits }) => credits === null)) {
        const left = netOfLines(counted.filter((one) => (one.credits ?? one) === line));
        const [least, most] = line.net < 0 ? [line.net, 0] : [0, line.net];
        expect([line.id, left, left >= least && left <= most]).toEqual([line.id, left, true]);
      }
      for (const [rate, lines] of Map.groupBy(counted, (line) => line.rate))
        expectVat({ invoice, counting, rate, lines });
    }
}

interface Group {
  invoice: Document;
  counting: readonly Document[];
  rate: Rate;
  lines: readonly Line[];
}

/** What is left of the VAT is that of what is left of the net, rounded. An invoice that credits others bills some cents more or less. */
function expectVat({ invoice, counting, rate, lines }: Group): void {
  const own = lines.filter(({ document }) => document === invoice);
  const vatOf = (documents: readonly Document[]) =>
    sum(
      documents
        .flatMap(({ vat }) => vat.filter((one) => one.of === invoice && one.rate === rate))
        .map((one) => one.amount),
    );
  const odd = Math.abs(vatOf([invoice]) - (netOfLines(own) * rate) / 100);
  const isOff = Math.abs(vatOf(counting) - (netOfLines(lines) * rate) / 100) >= 1 + odd;
  expect([invoice.id, rate, vatOf(counting), isOff]).toEqual([invoice.id, rate, vatOf(counting), false]);
}

/**
 * Once all is sent, a charge is billed at its price, less what was credited by hand, and one that was taken back for nothing.
 */
export function expectBilled(books: Books): void {
  const sent = books.documents.filter(({ status, kind }) => status === "sent" && kind !== "cancellation");
  const lines = sent.flatMap((document) => document.lines);
  for (const charge of books.charges.filter((one) => one.reverses === null)) {
    const own = lines.filter((line) => line.charge === charge);
    const credits = lines.filter((line) => line.credits !== null && line.credits.charge === charge);
    const byHand = netOfLines(credits.filter((line) => line.charge === null));
    const billed = netOfLines([...own, ...credits]);
    expect([charge.id, billed]).toEqual([charge.id, reversalsOf(books, charge).length > 0 ? 0 : charge.net + byHand]);
    const reduced = [charge, ...discountsOn(books, charge)];
    const inAll = netOfLines(
      lines.filter((line) => reduced.some((one) => one === (line.credits?.charge ?? line.charge))),
    );
    if (charge.net > 0) expect([charge.id, inAll, inAll >= 0]).toEqual([charge.id, inAll, true]);
  }
}
