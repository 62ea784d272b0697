/** Takes a step: the request, and what the model says of it. */
import type { Answer } from "../../../support/installation.ts";
import type { School } from "../../../support/school.ts";
import {
  type Amount,
  type Books,
  balanceOf,
  type Document,
  discountsOn,
  type Line,
  netOf,
  onAccountOf,
  type Person,
  type Rate,
  refundedOf,
  sum,
} from "./books.ts";
import {
  addCharge,
  byHand,
  chargeAnew,
  openCharges,
  raise,
  rebill,
  reduce,
  reverseCharge,
  reverseFlight,
  waive,
} from "./charges.ts";
import {
  allocate,
  cancel,
  credit,
  draft,
  edit,
  type Named,
  pay,
  refundNote,
  refundPayment,
  run,
  send,
  voidDraft,
} from "./documents.ts";
import { sell, soldBy } from "./packages.ts";
import { Remainder } from "./remainder.ts";
import type { Kind, Step } from "./steps.ts";

export interface Move {
  request(): Promise<Answer>;
  /** The same in the model. */
  does(): void;
}

interface At {
  school: School;
  books: Books;
  step: Step;
}

const until = "2099-01-01";
const reason = "Random.";

/** The person's id. */
export const idOf = (school: School, person: Person): string => school[person].personId;
const other = { student: "instructor", instructor: "student" } as const;

/** Picks one, from the latest on, mostly one that fits. */
function pick<T>(all: readonly T[], { at, any }: Step, fits: (one: T) => boolean): T | undefined {
  const fitting = any ? all : all.filter(fits);
  return fitting[fitting.length - 1 - (at % Math.max(fitting.length, 1))];
}

/** How much of what is left, at least 1; null: all. */
function amountOf({ part }: Step, left: number): number | null {
  const half = Math.floor(left / 2);
  const amounts = { rest: left, above: left + 1, below: left - 1, half, quantity: half };
  return part === "all" || part === "nothing" || part === "other" ? null : Math.max(1, amounts[part]);
}

export const decimal = (hundredths: number): string =>
  `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, "0")}`;

const vatAt = (rate: Rate) => ({ vat_category: rate === 0 ? "zero" : "standard", vat_rate: `${rate}.00` });
const itemOf = ({ quantity, price }: Amount, rate: Rate) => ({
  ...{ description: "Item", quantity: decimal(quantity), unit: "piece", unit_price_minor: price, ...vatAt(rate) },
});

const hasLeft = (books: Books) => (document: Document) =>
  document.kind === "invoice" &&
  document.status === "sent" &&
  document.lines.some((line) => new Remainder(books, document).of(line) !== 0);

/** The move of a step; undefined if there is nothing that it could be about. */
export const moves: Record<Kind, (at: At) => Move | undefined> = {
  charge({ school, books, step: { person, amount, rate } }) {
    const body = { person_id: idOf(school, person), ...itemOf(amount, rate) };
    return {
      request: () => school.owner.post("/finance/charges", body),
      does: () => addCharge(books, { person, flight: null, rate, amount }),
    };
  },
  discount({ school, books, step }) {
    const charge = pick(books.charges, step, ({ status, net, reverses }) => status === "open" && net > 0 && !reverses);
    if (!charge) return undefined;
    const left = charge.net + sum(discountsOn(books, charge).map(({ net }) => net));
    const amount = amountOf(step, Math.max(0, left)) ?? Math.max(1, left);
    const { person, rate } = charge;
    const item = itemOf({ quantity: 100, price: -amount, per: 1 }, rate);
    const body = { person_id: idOf(school, person), ...item, reduces_id: charge.id };
    return {
      request: () => school.owner.post("/finance/charges", body),
      does: () => reduce(books, charge, amount),
    };
  },
  sell({ school, books, step: { person, bought, amount, rate } }) {
    const price = Math.abs(netOf(amount));
    const body = {
      ...{ person_id: idOf(school, person), name: "Hours", uses: "aircraft", quantity: decimal(bought) },
      ...{ price_minor: price, valid_from: "2026-01-01", ...vatAt(rate) },
    };
    return {
      request: () => school.owner.post("/finance/packages", body),
      does: () => sell(books, { person, quantity: bought, price, rate }),
    };
  },
  fly({ school, books, step: { minutes, landings } }) {
    const flight = { id: "", named: null, status: "approved" as const, minutes, landings };
    return {
      async request() {
        const body = { day_landings: landings };
        flight.id = (await school.submitFlight(school.owner, { blockMinutes: minutes, body })).id;
        return school.owner.post(`/flights/${flight.id}/approve`);
      },
      does() {
        books.flights.push(flight);
        raise(books, flight);
      },
    };
  },
  draft({ school, books, step }) {
    const open = [step.person, other[step.person]].find((one) => openCharges(books, one).length > 0);
    const person = step.any ? step.person : (open ?? step.person);
    const one = pick(books.charges, step, (charge) => charge.person === person && charge.status === "open");
    const charges = step.also ? null : one ? [one] : [];
    const lines = step.line < 2 ? [byHand(step.amount, step.rate)] : [];
    const body = {
      ...{ person_id: idOf(school, person), until: charges ? null : until },
      ...{
        charge_ids: charges?.map(({ id }) => id) ?? [],
        lines: lines.map(({ amount, rate }) => itemOf(amount, rate)),
      },
    };
    return {
      request: () => school.owner.post("/finance/invoices", body),
      does: () => draft(books, { person, charges, lines }),
    };
  },
  edit(at) {
    const { school, books, step } = at;
    const lines = step.line === 6 ? [] : [byHand(step.amount, step.rate)];
    const body = { lines: lines.map(({ amount, rate }) => itemOf(amount, rate)) };
    return onDocument(at, {
      fits: ({ status }) => status === "draft",
      request: (path) => school.owner.patch(path, body),
      does: (document) => edit(books, document, lines),
    });
  },
  send: (at) =>
    onDocument(at, {
      fits: ({ status }) => status === "draft",
      request: (path) => at.school.owner.post(`${path}/send`),
      does: (document) => send(at.books, document),
    }),
  void: (at) =>
    onDocument(at, {
      fits: ({ status }) => status === "draft",
      request: (path) => at.school.owner.post(`${path}/void`, { reason }),
      does: (document) => voidDraft(at.books, document),
    }),
  cancel: (at) =>
    onDocument(at, {
      fits: ({ status, kind }) => status === "sent" && kind !== "cancellation",
      request: (path) => at.school.owner.post(`${path}/cancel`, { reason }),
      does: (document) => cancel(at.books, document),
    }),
  credit({ school, books, step }) {
    const invoice = pick(books.documents, step, hasLeft(books));
    if (!invoice) return undefined;
    const named = namedIn(books, invoice, step);
    const lines = named?.map(({ line: { id }, quantity, net }) => ({
      ...{ line_id: id, net_minor: net },
      ...(quantity !== null && { quantity: decimal(quantity) }),
    }));
    return {
      request: () => school.owner.post(`/finance/invoices/${invoice.id}/credit`, { reason, ...(lines && { lines }) }),
      does: () => credit(books, invoice, named),
    };
  },
  run: ({ school, books, step: { also } }) => ({
    request: () => school.owner.post("/finance/invoice-runs", { until, send: also }),
    does: () => run(books, also),
  }),
  reverse({ school, books, step }) {
    const charge = pick(books.charges, step, ({ flight, reverses }) => !flight && !reverses);
    return (
      charge && {
        request: () => school.owner.post(`/finance/charges/${charge.id}/reverse`, { reason }),
        does: () => reverseCharge(books, charge),
      }
    );
  },
  reverseFlight: (at) =>
    onFlight(at, {
      request: (id) => at.school.owner.post(`/flights/${id}/reverse`, { reason }),
      does: (flight) => reverseFlight(at.books, flight),
    }),
  waive: (at) =>
    onFlight(at, {
      request: (id) => at.school.owner.post(`/finance/flights/${id}/waive`, { reason }),
      does: (flight) => waive(at.books, flight),
    }),
  chargeAnew: (at) =>
    onFlight(at, {
      request: (id) => at.school.owner.post(`/finance/flights/${id}/charge`),
      does: (flight) => chargeAnew(at.books, flight),
    }),
  rebill(at) {
    const { school, books, step } = at;
    const payer = step.also ? null : "instructor";
    const body = { payer_id: payer && idOf(school, payer), reason };
    return onFlight(at, {
      request: (id) => school.owner.post(`/finance/flights/${id}/rebill`, body),
      does: (flight) => void rebill(books, flight, payer),
    });
  },
  pay(at) {
    const { books, step } = at;
    const invoice = pick(books.documents, step, (one) => balanceOf(books, one) > 0);
    if (!invoice) return undefined;
    const amount = amountOf(step, balanceOf(books, invoice)) ?? Math.max(1, balanceOf(books, invoice));
    return payment(at, { amount, invoice, body: { invoice_id: invoice.id } });
  },
  deposit(at) {
    const body = { person_id: idOf(at.school, at.step.person) };
    return payment(at, { amount: Math.max(1, Math.abs(netOf(at.step.amount))), invoice: null, body });
  },
  allocate({ school, books, step }) {
    const source = pick(books.payments, step, (one) => onAccountOf(books, one) > 0);
    const invoice = pick(books.documents, step, (one) => balanceOf(books, one) > 0 && one.person === source?.person);
    if (!source || !invoice) return undefined;
    const most = Math.min(onAccountOf(books, source), balanceOf(books, invoice));
    const amount = amountOf(step, most);
    const body = { invoice_id: invoice.id, amount_minor: amount };
    return {
      request: () => school.owner.post(`/finance/payments/${source.id}/allocate`, body),
      does: () => allocate(books, source, { invoice, amount }),
    };
  },
  refund({ school, books, step }) {
    const payment = pick(books.payments, step, (one) => one.amount > refundedOf(books, one));
    if (!payment) return undefined;
    const amount = amountOf(step, payment.amount - refundedOf(books, payment));
    return {
      request: () => school.owner.post(`/finance/payments/${payment.id}/refund`, { amount_minor: amount, reason }),
      does: () => refundPayment(books, payment, amount),
    };
  },
  refundNote(at) {
    const { school, books, step } = at;
    const note = pick(books.documents, step, (one) => balanceOf(books, one) < 0);
    if (!note) return undefined;
    const amount = amountOf(step, -balanceOf(books, note));
    return {
      request: () => school.owner.post(`/finance/invoices/${note.id}/refund`, { amount_minor: amount, reason }),
      does: () => refundNote(books, note, amount),
    };
  },
};

/** Which lines a credit note names, with how much of the first: null, all of the invoice. */
function namedIn(books: Books, invoice: Document, step: Step): Named[] | null {
  const { part, line: at, also } = step;
  if (part === "all" && at < 4) return null;
  const isCreditable = ({ credits }: Line) => credits === null;
  const crediting = invoice.lines.filter((one) => !isCreditable(one));
  const others = books.documents.flatMap((one) => (one === invoice ? [] : one.lines));
  const wrong = crediting.length > 0 ? crediting : others;
  const found = part === "other" ? wrong : invoice.lines.filter(isCreditable);
  const line = found[at % Math.max(found.length, 1)];
  if (!line) return null;
  const second = also && invoice.lines.find((one) => isCreditable(one) && one !== line);
  const whole = { quantity: null, net: null };
  return [{ line, ...whole, ...amountIn(books, line, step) }, ...(second ? [{ line: second, ...whole }] : [])];
}

function amountIn(books: Books, line: Line, step: Step): Partial<Named> {
  // A part of a package is any.
  const half = soldBy(line) ? step.minutes : Math.max(1, Math.floor(line.amount.quantity / 2));
  const quantities: Partial<Record<Rate, number>> = { 7: line.amount.quantity, 0: line.amount.quantity + 49 };
  if (step.part === "quantity") return { quantity: quantities[step.rate] ?? half };
  // 0.01 of a price below 50 is 0.
  if (step.part === "nothing") return { quantity: 1 };
  return { net: amountOf(step, Math.abs(new Remainder(books, line.document).inAll(line))) };
}

interface OnDocument {
  fits(document: Document): boolean;
  request(path: string): Promise<Answer>;
  does(document: Document): void;
}

function onDocument({ books, step }: At, { fits, request, does }: OnDocument): Move | undefined {
  const document = pick(books.documents, step, fits);
  return document && { request: () => request(`/finance/invoices/${document.id}`), does: () => does(document) };
}

interface OnFlight {
  request(id: string): Promise<Answer>;
  does(flight: Books["flights"][number]): void;
}

function onFlight({ books, step }: At, { request, does }: OnFlight): Move | undefined {
  const flight = pick(books.flights, step, ({ status }) => status === "approved");
  return flight && { request: () => request(flight.id), does: () => does(flight) };
}

interface Paid {
  amount: number;
  invoice: Document | null;
  body: object;
}

const payment = ({ school, books, step: { person } }: At, { amount, invoice, body }: Paid): Move => ({
  request: () => school.owner.post("/finance/payments", { ...body, amount_minor: amount, method: "cash" }),
  does: () => pay(books, { person, amount, invoice }),
});

/** The status, and why it was refused: the reason, or the field. */
export function outcomeOf({ status, body }: Answer): string {
  if (status < 400) return "done";
  return `${status} ${body.error?.reason ?? String(body.issues?.[0]?.path).replace("body.", "")}`;
}
