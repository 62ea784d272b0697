/** What holds of all books, said without the model's remainder: nobody is given more than they were billed. */
import { expect } from "bun:test";
import { type Books, type Charge, type Line, netOfLines, reversalsOf, sum } from "./books.ts";

export function expectSound(books: Books): void {
  const issued = books.documents.filter(({ status, kind }) => status !== "void" && kind !== "cancellation");
  const sent = issued.filter(({ status }) => status === "sent");
  for (const invoice of sent)
    for (const counting of [issued, sent]) {
      const isOf = ({ document, credits }: Line) => (credits?.document ?? document) === invoice;
      const lines = counting.flatMap((document) => document.lines.filter(isOf));
      for (const line of invoice.lines.filter(({ credits }) => credits === null)) {
        const left = netOfLines(lines.filter((one) => (one.credits ?? one) === line));
        const [least, most] = line.net < 0 ? [line.net, 0] : [0, line.net];
        expect([line.id, left, left >= least && left <= most]).toEqual([line.id, left, true]);
      }
      const vats = counting.flatMap(({ vat }) => vat.filter(({ of }) => of === invoice));
      const left = netOfLines(lines) + sum(vats.map(({ amount }) => amount));
      if (invoice.kind === "invoice") expect([invoice.id, left, left >= 0]).toEqual([invoice.id, left, true]);
    }
}

/** An invoice with a reduction gives back less than its lines say. */
const isReduced = (charge: Charge): boolean => charge.document?.lines.some(({ net }) => net < 0) ?? false;

/**
 * Once all is sent, a charge is billed at its price, less what was credited by hand, and one that was taken back for nothing.
 */
export function expectBilled(books: Books): void {
  const sent = books.documents.filter(({ status, kind }) => status === "sent" && kind !== "cancellation");
  const lines = sent.flatMap((document) => document.lines);
  for (const charge of books.charges.filter((one) => one.reverses === null && !isReduced(one))) {
    const own = lines.filter((line) => line.charge === charge);
    const credits = lines.filter((line) => line.credits !== null && line.credits.charge === charge);
    const byHand = netOfLines(credits.filter((line) => line.charge === null));
    const billed = netOfLines([...own, ...credits]);
    expect([charge.id, billed]).toEqual([charge.id, reversalsOf(books, charge).length > 0 ? 0 : charge.net + byHand]);
  }
}
