/** How documents are drafted, sent, credited, cancelled and paid. */
import {
  type Books,
  balanceOf,
  type Charge,
  creditedOf,
  type Document,
  grossOf,
  type Line,
  type NewLine,
  netOf,
  onAccountOf,
  type Payment,
  type Person,
  paidOf,
  partOf,
  refundedOf,
  refuse,
  settledBy,
  sum,
} from "./books.ts";
import { openCharges, release, takeLines, withDiscounts } from "./charges.ts";
import { drawnPrice, requireMinutes, soldBy, takeBackMinutes } from "./packages.ts";
import { openReversals, Remainder, setLines, writeDraft } from "./remainder.ts";

export interface Drafted {
  person: Person;
  /** Null: all that are open. */
  charges: readonly Charge[] | null;
  lines: readonly NewLine[];
}

export function draft(books: Books, { person, charges, lines }: Drafted): void {
  if (charges?.some((charge) => charge.person !== person || charge.status !== "open")) refuse("400 charge_ids.0");
  const chosen = charges ? withDiscounts(books, charges) : openCharges(books, person);
  const all = [...takeLines(books, chosen), ...lines];
  if (all.length === 0) refuse("400 lines");
  writeDraft(books, { person }, all);
}

/** Replaces the lines by hand of a draft. */
export function edit(books: Books, document: Document, lines: readonly NewLine[]): void {
  requireDraft(document);
  if (document.credits) refuse("400 lines");
  setLines(books, document, [...document.lines.filter(({ charge, credits }) => charge ?? credits), ...lines]);
}

const requireDraft = ({ status }: Document) => status === "draft" || refuse("409 wrong_status");

function requireSendable(document: Document): void {
  const gross = grossOf(document);
  if (document.lines.length === 0 || (document.credits && gross > 0)) refuse("409 invoice_not_sendable");
}

export function send(books: Books, document: Document): void {
  requireDraft(document);
  requireSendable(document);
  Object.assign(document, { status: "sent", sent: books.step });
  if (document.kind === "credit_note") {
    const invoices = unsettled(books, document.person, "invoice");
    for (const invoice of first(invoices, document.credits)) settle(books, document, invoice);
  } else {
    settleByNotes(books, document);
    for (const payment of books.payments) if (payment.person === document.person) settle(books, payment, document);
  }
}

/** Documents with something left, the oldest first. */
const unsettled = (books: Books, person: Person, kind: Document["kind"]): Document[] =>
  books.documents
    .filter((one) => one.person === person && one.kind === kind && balanceOf(books, one) !== 0)
    .sort((one, other) => one.sent - other.sent || (one.id < other.id ? -1 : 1));

const first = (all: readonly Document[], one: Document | null): Document[] => [
  ...all.filter((document) => document === one),
  ...all.filter((document) => document !== one),
];

function settleByNotes(books: Books, invoice: Document): void {
  const notes = unsettled(books, invoice.person, "credit_note");
  const own = notes.filter(({ credits }) => credits === invoice);
  for (const note of [...own, ...notes.filter((one) => !own.includes(one))]) settle(books, note, invoice);
}

/** Settles an invoice by as much as is left of both, and not more than `most`. */
function settle(books: Books, by: Payment | Document, invoice: Document, most = Number.POSITIVE_INFINITY): void {
  const left = "lines" in by ? -balanceOf(books, by) : onAccountOf(books, by);
  const amount = Math.min(left, balanceOf(books, invoice), most);
  if (amount > 0) books.settlements.push({ by, invoice, amount });
}

/** A run: one document for each person with open charges. */
export function run(books: Books, sends: boolean): void {
  for (const person of ["instructor", "student"] as const) {
    const lines = takeLines(books, openCharges(books, person));
    if (lines.length === 0) continue;
    const document = writeDraft(books, { person }, lines);
    if (sends) send(books, document);
  }
}

function toVoid(books: Books, document: Document): void {
  document.status = "void";
  release(books, document);
}

export function voidDraft(books: Books, document: Document): void {
  requireDraft(document);
  toVoid(books, document);
}

/** Cancels what was sent, while nothing of it is settled or credited. Drafts that credit it are void as well. */
export function cancel(books: Books, document: Document): void {
  if (document.status !== "sent" || document.kind === "cancellation") refuse("409 wrong_status");
  const credits = (other: Document) => other.lines.some((line) => line.credits?.document === document);
  const isCredited = books.documents.some((other) => other.status === "sent" && credits(other));
  const isSettled = balanceOf(books, document) === 0 || paidOf(books, document) !== 0;
  if (isSettled || creditedOf(books, document) !== 0 || isCredited) refuse("409 invoice_settled");
  const drafts = books.documents.filter((other) => other.status === "draft" && other.credits === document);
  for (const one of [document, ...drafts]) toVoid(books, one);
  const { person, lines, vat } = document;
  const cancellation: Document = {
    ...{ id: "", kind: "cancellation", status: "sent", person, credits: null, cancels: document, lines: [] },
    ...{ vat: vat.map((one) => ({ ...one, amount: -one.amount })), sent: books.step },
  };
  for (const line of lines) {
    const { rate, amount } = line;
    const opposite = { net: -line.net || 0, rate, amount, charge: null };
    cancellation.lines.push({ id: "", document: cancellation, credits: line, ...opposite });
  }
  books.documents.push(cancellation);
}

/** A line that is credited: all that is left of it, a quantity, or an amount. */
export interface Named {
  line: Line;
  quantity: number | null;
  net: number | null;
}

/** Drafts a credit note. @param named null: all that is left of the invoice */
export function credit(books: Books, invoice: Document, named: readonly Named[] | null): void {
  if (invoice.kind !== "invoice" || invoice.status !== "sent") refuse("409 wrong_status");
  const all = new Remainder(books, invoice);
  const wanted = named ?? all.lines.map((line) => ({ line, quantity: null, net: null }));
  const whole = wanted.filter(({ quantity, net }) => quantity === null && net === null).map(({ line }) => line);
  const units = whole.flatMap((line) => [line, ...all.discountsOn(line)]);
  const reversals = openReversals(books, invoice).filter(({ line }) => units.includes(line));
  const remainder = new Remainder(books, invoice, { reversals: reversals.map(({ charge }) => charge) });
  const rest = (line: Line): NewLine[] => {
    const unit = [line, ...remainder.discountsOn(line)];
    const takenBack = reversals.filter((one) => unit.includes(one.line));
    const lines = takenBack.flatMap(({ charge }) => takeLines(books, [charge], new Map([[invoice, remainder]])));
    const sold = soldBy(line);
    const drawn = (one: Line) => (sold ? drawnPrice(one, sold) : 0);
    const left = remainder.inAll(line);
    // Of a package, what was drawn stays, less the discounts' share of it.
    const given = sold ? left - Math.max(0, sum(unit.map(drawn))) : left;
    if (given === 0 || (sold && given < 0)) return lines;
    const discounts = remainder.discountsOn(line).map((one) => ({
      ...{ one, net: Math.min(0, remainder.of(one) - drawn(one)) },
    }));
    const net = given - sum(discounts.map((discount) => discount.net));
    return [
      ...lines,
      ...taken(remainder, line, net),
      ...discounts.flatMap((discount) => taken(remainder, discount.one, discount.net)),
    ];
  };
  const part = ({ line, quantity, net }: Named): NewLine[] => {
    const amount = Math.abs(net ?? netOf({ ...line.amount, quantity: quantity ?? 0 }));
    const remains = quantity === null ? remainder.inAll(line) : remainder.of(line);
    if (amount === 0) refuse("400 lines.0.quantity");
    if (remains === 0) refuse("409 line_credited");
    if (quantity !== null) requireMinutes(line, quantity);
    if (quantity !== null && quantity > remainder.quantityOf(line)) refuse("409 credit_exceeds_line");
    if (amount > Math.abs(remains)) refuse("409 credit_exceeds_line");
    const isPiece = amount === line.amount.price && line.amount.per === 1;
    const parts = { part: quantity ?? (isPiece ? 100 : 0) };
    const shares = quantity === null ? [] : sharesOf(remainder, line, amount);
    return [
      ...taken(remainder, line, Math.sign(line.net) * amount).map((one) => ({ ...one, ...parts })),
      ...shares.flatMap((share) => taken(remainder, share.line, share.net)),
    ];
  };
  const lines = wanted.flatMap((one, at) => {
    if (!remainder.lines.includes(one.line)) refuse(`400 lines.${at}.line_id`);
    const found = whole.includes(one.line) ? rest(one.line) : part(one);
    if (named && found.length === 0) refuse(soldBy(one.line) ? "409 package_drawn" : "409 line_credited");
    return found;
  });
  if (lines.length === 0) refuse("409 line_credited");
  const { person } = invoice;
  const note = writeDraft(books, { person, credits: invoice }, lines);
  requireSendable(note);
  takeBackMinutes(books, note);
}

/** The part of the discounts on a line that goes with a part of its amount: what stays of them together is rounded. */
function sharesOf(remainder: Remainder, line: Line, amount: number): { line: Line; net: number }[] {
  const left = remainder.of(line);
  const stays = (net: number) => -partOf(-net, left - amount, left) || 0;
  return remainder.discountsOn(line).map((one, at, all) => {
    const before = sum(all.slice(0, at).map((other) => remainder.of(other)));
    const own = remainder.of(one);
    return { line: one, net: own - (stays(before + own) - stays(before)) };
  });
}

function taken(remainder: Remainder, line: Line, net: number): NewLine[] {
  if (net === 0) return [];
  remainder.take(line, net);
  return [{ charge: null, credits: line, net: -net, rate: line.rate, amount: line.amount }];
}

const requirePayable = (books: Books, invoice: Document) =>
  balanceOf(books, invoice) > 0 || refuse("409 invoice_not_payable");

/** Records a payment of an invoice; what is more than its balance is on account. Without one: on account. */
export function pay(
  books: Books,
  { person, amount, invoice }: Omit<Payment, "id"> & { invoice: Document | null },
): void {
  if (invoice) requirePayable(books, invoice);
  const payment: Payment = { id: "", person: invoice?.person ?? person, amount };
  books.payments.push(payment);
  if (invoice) settle(books, payment, invoice);
}

export function allocate(
  books: Books,
  payment: Payment,
  { invoice, amount }: { invoice: Document; amount: number | null },
) {
  requirePayable(books, invoice);
  if (invoice.person !== payment.person) refuse("400 invoice_id");
  const most = Math.min(onAccountOf(books, payment), balanceOf(books, invoice));
  if (most === 0) refuse("409 nothing_on_account");
  if (amount !== null && amount > most) refuse("400 amount_minor");
  settle(books, payment, invoice, amount ?? most);
}

/** Gives back what is on account, then what settled invoices, the last one first: credit notes settle those anew. */
export function refundPayment(books: Books, payment: Payment, amount: number | null): void {
  const refunded = refundable(payment.amount - refundedOf(books, payment), amount);
  let missing = refunded - onAccountOf(books, payment);
  const invoices = new Set(
    books.settlements
      .filter(({ by }) => by === payment)
      .map(({ invoice }) => invoice)
      .reverse(),
  );
  const settled = [...invoices].map((invoice) => ({
    invoice,
    most: settledBy({ ...books, settlements: books.settlements.filter((one) => one.invoice === invoice) }, payment),
  }));
  for (const { invoice, most } of settled) {
    if (missing <= 0 || most <= 0) continue;
    books.settlements.push({ by: payment, invoice, amount: -Math.min(missing, most) });
    settleByNotes(books, invoice);
    missing -= most;
  }
  books.refunds.push({ of: payment, amount: refunded });
}

export function refundNote(books: Books, document: Document, amount: number | null): void {
  const left = document.kind === "credit_note" ? -balanceOf(books, document) : 0;
  books.refunds.push({ of: document, amount: refundable(left, amount) });
}

function refundable(left: number, amount: number | null): number {
  if (left <= 0) refuse("409 nothing_to_refund");
  if (amount !== null && amount > left) refuse("400 amount_minor");
  return amount ?? left;
}
