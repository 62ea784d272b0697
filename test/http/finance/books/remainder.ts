/** What remains of an invoice: of each line, and of the VAT of each rate. Drafts and open reversals reserve theirs. */
import {
  type Books,
  type Charge,
  type Document,
  grossOf,
  type Line,
  type NewLine,
  netOfLines,
  type Rate,
  sum,
  vatOn,
} from "./books.ts";

interface Leaving {
  /** A draft whose lines do not count. */
  draft?: Document;
  /** Reversals that do not count, though they are open. */
  reversals?: readonly (Charge | null)[];
  /** Drafts do not count. */
  sentOnly?: boolean;
}

/** The open reversals of the charges that an invoice has billed, each with the line that it will credit. */
export function openReversals({ charges }: Books, invoice: Document): { charge: Charge; line: Line }[] {
  const open = charges.filter(({ status, reverses }) => status === "open" && reverses !== null);
  return open.flatMap((charge) => {
    const line = invoice.lines.find((one) => one.charge !== null && one.charge === charge.reverses);
    return line ? [{ charge, line }] : [];
  });
}

export class Remainder {
  #left = new Map<Line, number>();
  #invoice: Document;
  #credits: Line[];
  #crediting: Document[];

  constructor(books: Books, invoice: Document, { draft, reversals = [], sentOnly = false }: Leaving = {}) {
    const counts = (one: Document) =>
      one !== draft && one.status !== "void" && !(sentOnly && one.status === "draft") && one.kind !== "cancellation";
    this.#invoice = invoice;
    this.#crediting = books.documents.filter((one) => one !== invoice && counts(one));
    this.#credits = this.#crediting.flatMap(({ lines }) => lines.filter((line) => line.credits?.document === invoice));
    for (const line of this.#own)
      this.#left.set(line, line.net + netOfLines(this.#credits.filter((credit) => credit.credits === line)));
    for (const { charge, line } of openReversals(books, invoice))
      if (!reversals.includes(charge)) this.take(line, -charge.net);
  }

  /** A line that credits is not creditable. */
  get #own(): Line[] {
    return this.#invoice.lines.filter(({ credits }) => credits === null);
  }

  get #vats() {
    return [this.#invoice, ...this.#crediting].flatMap(({ vat }) => vat.filter(({ of }) => of === this.#invoice));
  }

  /** The lines that can be credited: discounts are with what they reduce. */
  get lines(): Line[] {
    return this.#own.filter((line) => !this.#own.some((one) => this.discountsOn(one).includes(line)));
  }

  discountsOn({ charge }: Line): Line[] {
    return this.#own.filter((one) => charge !== null && one.charge?.reduces === charge);
  }

  /** What remains of a line, less its discounts. */
  inAll(line: Line): number {
    return sum([line, ...this.discountsOn(line)].map((one) => this.of(one)));
  }

  /** The net amount that remains of a line, whatever else is on the invoice. */
  of(line: Line): number {
    const left = this.#left.get(line) ?? 0;
    return line.net <= 0 ? Math.min(left, 0) : Math.max(left, 0);
  }

  /** What is left of its quantity: an amount takes none of it, unless it is the price of a piece. */
  quantityOf(line: Line): number {
    return line.amount.quantity - sum(this.#credits.map((one) => (one.credits === line ? (one.part ?? 0) : 0)));
  }

  take(line: Line, net: number): void {
    this.#left.set(line, (this.#left.get(line) ?? 0) - net);
  }

  /**
   * The VAT of a net amount that is credited: what is left of the VAT of its rate stays that of what is left of the net, rounded
   * down or up; with nothing left of the net, nothing is left.
   */
  vatOf(rate: Rate, credited: number): number {
    const [own, credits] = [this.#own, this.#credits].map((lines) => lines.filter((line) => line.rate === rate));
    const vats = this.#vats.filter((one) => one.rate === rate);
    const billed = {
      net: netOfLines(own ?? []),
      vat: this.#invoice.vat.find((one) => vats.includes(one))?.amount ?? 0,
    };
    const left = { net: billed.net + netOfLines(credits ?? []), vat: sum(vats.map(({ amount }) => amount)) };
    const after = left.net - credited;
    if (after === 0) return left.vat;
    const within = billed.net > 0 ? after > 0 && after <= billed.net : after < 0 && after >= billed.net;
    // An invoice that also credits others has a cent more or less of VAT than its own lines.
    const exact =
      billed.vat !== vatOn(billed.net, rate) && within ? (after * billed.vat) / billed.net : (after * rate) / 100;
    return left.vat - Math.min(Math.max(left.vat - vatOn(credited, rate), Math.floor(exact)), Math.ceil(exact));
  }
}

/** Computes the VAT of a document: of each rate once, of which what it credits takes its part from the remainder. */
export function price(books: Books, document: Document): void {
  document.vat = [];
  const { lines } = document;
  const crediting = lines.filter(({ credits }) => credits !== null);
  for (const [invoice, all] of Map.groupBy(crediting, ({ credits }) => credits?.document)) {
    if (invoice === undefined) continue;
    const remainder = new Remainder(books, invoice, { draft: document, reversals: lines.map(({ charge }) => charge) });
    for (const [rate, ofRate] of Map.groupBy(all, (line) => line.rate))
      document.vat.push({ rate, of: invoice, amount: -remainder.vatOf(rate, -netOfLines(ofRate)) });
  }
  for (const [rate, ofRate] of Map.groupBy(lines, (line) => line.rate)) {
    if (ofRate.every(({ credits }) => credits !== null)) continue;
    const given = sum(document.vat.filter((one) => one.rate === rate).map(({ amount }) => amount));
    document.vat.push({ rate, of: document, amount: vatOn(netOfLines(ofRate), rate) - given });
  }
}

/** Writes a draft. */
export function writeDraft(
  books: Books,
  head: Pick<Document, "person"> & Partial<Pick<Document, "credits">>,
  lines: readonly NewLine[],
): Document {
  const document: Document = {
    ...{ id: "", kind: "invoice", status: "draft", credits: null, cancels: null, lines: [], vat: [], sent: 0 },
    ...head,
  };
  setLines(books, document, lines);
  for (const { charge } of lines) if (charge) Object.assign(charge, { status: "invoiced", document });
  books.documents.push(document);
  return document;
}

/** Writes the lines of a draft anew. Those that it had keep their ids. It is a credit note by its total, or for an invoice. */
export function setLines(books: Books, document: Document, lines: readonly (NewLine | Line)[]): void {
  document.lines = lines.map((line) => ({ id: "", ...line, document }));
  price(books, document);
  document.kind = document.credits || grossOf(document) < 0 ? "credit_note" : "invoice";
}
