/** Compares the books that the API shows with those of the model, which takes the ids of what is new from it. */
import { expect } from "bun:test";
import { isDeepStrictEqual } from "node:util";
import { expectStatus, type School } from "../../../support/school.ts";
import {
  type Books,
  balanceOf,
  type Charge,
  creditedOf,
  type Document,
  grossOf,
  netOfLines,
  onAccountOf,
  owedBy,
  type Package,
  type Person,
  paidOf,
  type Rate,
  refundedOf,
  settledBy,
  sum,
  vatOn,
} from "./books.ts";
import { decimal, idOf } from "./take-step.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

const hundredths = (text: string): number => Number(text.replace(".", ""));

const people: Person[] = ["student", "instructor"];

export async function compare(school: School, books: Books): Promise<void> {
  const get = async (path: string): Promise<Body> => expectStatus(200, await school.owner.get(path)).body.data;
  const all = (path: string): Promise<Body[]> => get(`${path}?limit=500`);
  const ofPerson = (person: Person) => idOf(school, person);
  const [packages, charges, documents, payments] = [
    await all("/finance/packages"),
    await all("/finance/charges"),
    await all("/finance/invoices"),
    await all("/finance/payments"),
  ];
  const charge = (one: Charge) => ({
    ...{ id: one.id, person_id: ofPerson(one.person), status: one.status, net_minor: one.net },
    ...{ flight_id: one.flight?.id ?? null, reverses_id: one.reverses?.id ?? null, vat_rate: `${one.rate}.00` },
    ...{ package_id: one.package?.id ?? null, reduces_id: one.reduces?.id ?? null },
    invoice_id: one.document?.id ?? null,
  });
  const head = (one: Document) => ({
    ...{ id: one.id, kind: one.kind, person_id: ofPerson(one.person) },
    ...{ credits_id: one.credits?.id ?? null, cancels_id: one.cancels?.id ?? null, vat: vatOf(one) },
  });
  const sold = ({ id, person, quantity, remaining, returned, ended }: Package) => ({
    ...{ id, person_id: ofPerson(person), quantity: decimal(quantity), remaining: decimal(remaining) },
    ...{ returned: decimal(returned), hasEnded: ended !== null },
  });
  const hours = packages.map((one) => ({ ...one, hasEnded: one.voided_at !== null }));
  adopt(books.packages, hours, sold);
  same(hours, books.packages.map(sold));
  for (const { quantity, remaining, returned, draws } of packages)
    expect(sum([remaining, returned, ...draws.map((one: Body) => one.quantity)].map(hundredths))).toBe(
      hundredths(quantity),
    );
  adopt(books.payments, payments, ({ id, person, amount }) => ({
    id,
    person_id: ofPerson(person),
    amount_minor: amount,
  }));
  // Which document a charge is on is compared below, when those have their ids.
  adopt(books.charges, charges, (one) => ({ ...charge(one), invoice_id: undefined }));
  adopt(books.documents, documents, head);

  same(charges, books.charges.map(charge));
  same(
    documents.map((one) => ({ ...one, vat: byRate(one.vat) })),
    books.documents.map((one) => ({
      ...{ ...head(one), status: statusOf(books, one), net_minor: netOfLines(one.lines), gross_minor: grossOf(one) },
      ...{
        paid_minor: paidOf(books, one),
        credited_minor: creditedOf(books, one),
        balance_minor: balanceOf(books, one),
      },
    })),
  );
  same(
    payments,
    books.payments.map((one) => ({
      ...{ id: one.id, person_id: ofPerson(one.person), on_account_minor: onAccountOf(books, one) },
      ...{ allocated_minor: settledBy(books, one), refunded_minor: refundedOf(books, one) },
    })),
  );
  for (const document of books.documents)
    if (document.lines.some(({ id }) => id === ""))
      compareLines(document, (await get(`/finance/invoices/${document.id}`)).lines);
  for (const person of people) {
    const { balances } = await get(`/people/${ofPerson(person)}/account`);
    expect([person, balances]).toMatchObject([person, [accountOf(books, person)]]);
  }
}

/** Gives what is new in the model the ids of what is new in the answer and looks the same. */
function adopt<T extends { id: string }>(own: readonly T[], found: readonly Body[], looks: (one: T) => object): void {
  const known = new Set(own.map(({ id }) => id));
  const fresh = byId(found.filter(({ id }) => !known.has(id)));
  for (const one of own.filter(({ id }) => id === "")) {
    const wanted = Object.entries({ ...looks(one), id: undefined }).filter(([, value]) => value !== undefined);
    const at = fresh.findIndex((body) =>
      wanted.every(([name, value]) => isDeepStrictEqual(name === "vat" ? byRate(body.vat) : body[name], value)),
    );
    one.id = fresh.splice(at, at < 0 ? 0 : 1)[0]?.id ?? "";
  }
}

const byId = <T extends { id: string }>(all: readonly T[]): T[] =>
  all.toSorted((one, other) => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0));

/** Compares the fields that the model knows, whatever the order. */
function same(found: readonly Body[], wanted: readonly { id: string }[]): void {
  const names = Object.keys(wanted[0] ?? {});
  const known = found.map((one): Body => Object.fromEntries(names.map((name) => [name, one[name]])));
  expect(byId(known)).toEqual(byId(wanted));
}

type Sums = Partial<Record<Rate, [net: number, vat: number]>>;

function vatOf({ lines, vat }: Document): Sums {
  const sums: Sums = {};
  for (const [rate, ofRate] of Map.groupBy(lines, (line) => line.rate))
    sums[rate] = [netOfLines(ofRate), sum(vat.filter((one) => one.rate === rate).map(({ amount }) => amount)) || 0];
  return sums;
}

const byRate = (vat: Body[]): Sums =>
  Object.fromEntries(vat.map(({ vat_rate, net_minor, vat_minor }) => [Number(vat_rate), [net_minor, vat_minor]]));

function statusOf(books: Books, document: Document): string {
  return document.status === "sent" && balanceOf(books, document) === 0 ? "paid" : document.status;
}

/** Compares the lines of a document, whose order does not matter: a line has its charge, or the line that it credits. */
function compareLines(document: Document, found: Body[]): void {
  const named = (charge: unknown, credits: unknown, net: unknown) => [charge ?? null, credits ?? null, net].join();
  const left = [...found];
  for (const line of document.lines) {
    const name = named(line.charge?.id, line.credits?.id, line.net);
    const at = left.findIndex((one) => named(one.charge_id, one.credits_line_id, one.net_minor) === name);
    line.id = left.splice(at, at < 0 ? 0 : 1)[0]?.id ?? `none: ${name}`;
  }
  expect(byId(found.map(({ id }) => ({ id })))).toEqual(byId(document.lines.map(({ id }) => ({ id }))));
}

function accountOf(books: Books, person: Person) {
  const own = books.documents.filter((document) => document.person === person);
  const open = own.filter(({ kind }) => kind === "invoice").map((invoice) => balanceOf(books, invoice));
  const charges = books.charges.filter((charge) => charge.person === person && charge.status === "open");
  const ofRates = [...Map.groupBy(charges, ({ rate }) => rate)].map(
    ([rate, ofRate]) => netOfLines(ofRate) + vatOn(netOfLines(ofRate), rate),
  );
  const drafts = own.filter(({ status }) => status === "draft").map(grossOf);
  return {
    balance_minor: -owedBy(books, person) || 0,
    open_invoices_minor: sum(open),
    open_charges_minor: sum([...ofRates, ...drafts]),
  };
}
