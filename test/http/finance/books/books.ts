/** The books of a school, as a model has them: what happened, and what follows from it. Ids are those of the API's answers. */
export type Person = "student" | "instructor";
/** In percent. */
export type Rate = 0 | 7 | 19;

/** A quantity in hundredths, at a price for so many units. */
export interface Amount {
  quantity: number;
  price: number;
  per: number;
}

export interface Flight {
  id: string;
  named: Person | null;
  status: "approved" | "reversed";
  minutes: number;
  landings: number;
}

/** Hours that were bought ahead. Quantities are hundredths of minutes. */
export interface Package {
  id: string;
  person: Person;
  quantity: number;
  remaining: number;
  /** What credit notes have taken back. */
  returned: number;
  /** The line that ended it: of its sale that was reversed, or of a credit note. */
  ended: "reversed" | Line | null;
}

export interface Charge {
  id: string;
  person: Person;
  flight: Flight | null;
  /** The charge that it takes back. */
  reverses: Charge | null;
  /** The charge that this discount reduces. */
  reduces: Charge | null;
  net: number;
  rate: Rate;
  amount: Amount;
  /** The package that it sells, or draws from. */
  package: Package | null;
  status: "open" | "invoiced" | "offset" | "package";
  document: Document | null;
}

export interface Line {
  id: string;
  document: Document;
  charge: Charge | null;
  /** The line that it credits. */
  credits: Line | null;
  net: number;
  rate: Rate;
  amount: Amount;
  /** It credits a quantity of the line, in hundredths. */
  part?: number;
  /** The minutes of a package that it takes back, in hundredths. */
  returned?: number;
}
export type NewLine = Omit<Line, "id" | "document">;

export interface Document {
  id: string;
  kind: "invoice" | "credit_note" | "cancellation";
  status: "draft" | "sent" | "void";
  person: Person;
  /** The invoice that it credits. */
  credits: Document | null;
  cancels: Document | null;
  lines: Line[];
  /** By rate: what it charges itself, and what it gives back of each other document. */
  vat: { rate: Rate; of: Document; amount: number }[];
  /** The step that sent it; 0: none. */
  sent: number;
}

export interface Payment {
  id: string;
  person: Person;
  amount: number;
}

export interface Books {
  step: number;
  flights: Flight[];
  packages: Package[];
  charges: Charge[];
  documents: Document[];
  payments: Payment[];
  /** What settles invoices, the oldest first; negative: it was taken back. */
  settlements: { by: Payment | Document; invoice: Document; amount: number }[];
  refunds: { of: Payment | Document; amount: number }[];
}

export const emptyBooks = (): Books => ({
  ...{ step: 0, flights: [], packages: [], charges: [], documents: [], payments: [], settlements: [], refunds: [] },
});

/** What the API refuses: its status and its reason, or the field. */
export class Refused extends Error {}
export const refuse = (reason: string): never => {
  throw new Refused(reason);
};

/** Does a step as a transaction does: a step that is refused changes nothing. @returns the refusal */
export function attempt(books: Books, step: () => void): string | undefined {
  const before = structuredClone(books);
  try {
    step();
    return undefined;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    Object.assign(books, before);
    return error.message;
  }
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The nearest integer, half away from zero. There is no -0. */
const nearest = (dividend: number, divisor: number): number =>
  Math.sign(dividend) * Math.floor((2 * Math.abs(dividend) + divisor) / (2 * divisor)) || 0;

/** A part of an amount. */
export const partOf = (amount: number, part: number, whole: number): number => nearest(amount * part, whole);

export const netOf = ({ quantity, price, per }: Amount): number => nearest(quantity * price, 100 * per);
export const vatOn = (net: number, rate: Rate): number => nearest(net * rate, 100);

export const netOfLines = (lines: readonly { net: number }[]): number => sum(lines.map(({ net }) => net));
export const grossOf = ({ lines, vat }: Document): number => netOfLines(lines) + sum(vat.map(({ amount }) => amount));

/** The discounts on a charge that were not taken back. */
export const discountsOn = (books: Books, charge: Charge): Charge[] =>
  books.charges.filter((one) => one.reduces === charge && reversalsOf(books, one).length === 0);

/** The charges that take a charge back. */
export const reversalsOf = ({ charges }: Books, charge: Charge): Charge[] =>
  charges.filter(({ reverses }) => reverses === charge);

const amountsOf = (all: readonly { amount: number }[]): number => sum(all.map(({ amount }) => amount));
export const refundedOf = ({ refunds }: Books, refunded: Payment | Document): number =>
  amountsOf(refunds.filter((one) => one.of === refunded));
export const settledBy = ({ settlements }: Books, by: Payment | Document): number =>
  amountsOf(settlements.filter((one) => one.by === by));

export const paidOf = (books: Books, document: Document): number =>
  amountsOf(books.settlements.filter(({ by, invoice }) => invoice === document && "amount" in by)) -
  refundedOf(books, document);

export const creditedOf = (books: Books, document: Document): number =>
  document.kind === "cancellation"
    ? grossOf(document)
    : amountsOf(books.settlements.filter(({ by, invoice }) => invoice === document && "lines" in by)) -
      settledBy(books, document);

/** What is left to pay; of a credit note, negative, what is left to give back. */
export const balanceOf = (books: Books, document: Document): number =>
  document.status === "sent" ? grossOf(document) - paidOf(books, document) - creditedOf(books, document) : 0;

export const onAccountOf = (books: Books, payment: Payment): number =>
  payment.amount - settledBy(books, payment) - refundedOf(books, payment);

/** What a person owes: what was sent and is in effect, less what was paid and not given back. */
export function owedBy(books: Books, person: Person): number {
  const sent = books.documents.filter(
    ({ status, kind, person: payer }) => payer === person && status === "sent" && kind !== "cancellation",
  );
  const paid = books.payments.filter((payment) => payment.person === person);
  return (
    sum(sent.map((document) => grossOf(document) + refundedOf(books, document))) -
    sum(paid.map((payment) => payment.amount - refundedOf(books, payment)))
  );
}
