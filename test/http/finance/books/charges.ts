/** How charges are raised, taken back, and taken by drafts. */
import {
  type Amount,
  type Books,
  type Charge,
  type Document,
  discountsOn,
  type Flight,
  type Line,
  type NewLine,
  netOf,
  type Person,
  type Rate,
  refuse,
  reversalsOf,
  sum,
} from "./books.ts";
import { drawFrom, endByReversal, giveBackMinutes, returnDrawn } from "./packages.ts";
import { Remainder, setLines, writeDraft } from "./remainder.ts";

/** The prices of flights: an hour, and a landing. */
export const hourly = { price: 22_501, rate: 19 } as const;
export const landing = { price: 333, rate: 7 } as const;

type NewCharge = Pick<Charge, "person" | "flight" | "rate" | "amount"> &
  Partial<Pick<Charge, "package" | "status" | "reduces">>;

export const addCharge = (books: Books, charge: NewCharge): void =>
  void books.charges.push({
    ...{
      id: "",
      reverses: null,
      reduces: null,
      package: null,
      status: "open",
      document: null,
      net: netOf(charge.amount),
    },
    ...charge,
  });

/** A discount is at most what it reduces, with the others. */
export function reduce(books: Books, reduced: Charge, amount: number): void {
  const { person, rate, net } = reduced;
  if (net <= 0 || reduced.reverses) refuse("400 reduces_id");
  if (reversalsOf(books, reduced).length > 0) refuse("409 charge_reversed");
  if (reduced.status !== "open") refuse("409 charge_invoiced");
  if (net + sum(discountsOn(books, reduced).map((one) => one.net)) < amount) refuse("400 unit_price_minor");
  addCharge(books, { person, flight: null, rate, amount: { quantity: 100, price: -amount, per: 1 }, reduces: reduced });
}

/** A charge that is chosen is invoiced with its discounts. */
export function withDiscounts(books: Books, chosen: readonly Charge[]): Charge[] {
  const reduced = chosen.map((charge) => charge.reduces ?? charge);
  const related = books.charges.filter((one) => one.status === "open" && reduced.includes(one.reduces ?? one));
  return [...new Set([...chosen, ...related])];
}

/** The student pays, unless another is named. */
export function raise(books: Books, flight: Flight): void {
  const about = { person: flight.named ?? "student", flight };
  const drawn = drawFrom(books, about, flight.minutes * 100);
  const time: Amount = { quantity: flight.minutes * 100 - drawn, price: hourly.price, per: 60 };
  const landings: Amount = { quantity: flight.landings * 100, price: landing.price, per: 1 };
  if (time.quantity > 0) addCharge(books, { ...about, rate: hourly.rate, amount: time });
  addCharge(books, { ...about, rate: landing.rate, amount: landings });
}

/** Takes a charge back, and the discounts on it. */
export function takeBack(books: Books, charge: Charge): void {
  const discounts = discountsOn(books, charge);
  takeBackAlone(books, charge);
  for (const discount of discounts) takeBack(books, discount);
}

/** What is not sent cancels out with its reversal. Of what was sent, the reversal carries what remains. */
function takeBackAlone(books: Books, charge: Charge): void {
  const reversal = { ...charge, id: "", reverses: charge, reduces: null, document: null };
  if (charge.status === "package" && charge.package) {
    returnDrawn(books, charge.package, charge.amount.quantity);
    books.charges.push(reversal);
    return;
  }
  if (charge.document?.status !== "sent") {
    if (charge.document) dropCharges(books, charge.document, [charge]);
    Object.assign(charge, { status: "offset", document: null });
    books.charges.push({ ...reversal, status: "offset", net: -charge.net || 0 });
    return;
  }
  const net = remainsOf(books, charge);
  books.charges.push({ ...reversal, status: net === 0 ? "offset" : "open", net: -net || 0 });
}

/** The line that has billed a charge. */
const lineOf = (charge: Charge): Line | undefined => charge.document?.lines.find((line) => line.charge === charge);

function remainsOf(books: Books, charge: Charge): number {
  const line = lineOf(charge);
  return line ? new Remainder(books, line.document).of(line) : 0;
}

export const inEffect = (books: Books, flight: Flight): Charge[] =>
  books.charges.filter(
    (charge) => charge.flight === flight && charge.reverses === null && reversalsOf(books, charge).length === 0,
  );

export function reverseCharge(books: Books, charge: Charge): void {
  if (charge.flight) refuse("409 charge_not_by_hand");
  if (charge.reverses || reversalsOf(books, charge).length > 0) refuse("409 charge_reversed");
  if (charge.package) endByReversal(charge.package);
  takeBack(books, charge);
}

export function reverseFlight(books: Books, flight: Flight): void {
  requireApproved(flight);
  for (const charge of inEffect(books, flight)) takeBack(books, charge);
  flight.status = "reversed";
}

const requireApproved = ({ status }: Flight) => status === "approved" || refuse("409 wrong_status");

/** Takes back what is open of a flight: charges on documents, also drafts, are to be billed again instead. */
export function waive(books: Books, flight: Flight): void {
  requireApproved(flight);
  const charges = inEffect(books, flight);
  if (charges.some(({ status }) => status === "invoiced")) refuse("409 charge_invoiced");
  for (const charge of charges) takeBack(books, charge);
}

export function chargeAnew(books: Books, flight: Flight): void {
  waive(books, flight);
  raise(books, flight);
}

/** Credits what was sent, takes back what was not, and bills the flight to whom it names. @returns the drafts */
export function rebill(books: Books, flight: Flight, named: Person | null): Document[] {
  requireApproved(flight);
  for (const charge of inEffect(books, flight)) takeBack(books, charge);
  const isOf = (charge: Charge | null) => charge?.flight === flight || charge?.reduces?.flight === flight;
  const open = books.charges.filter(({ status, reverses }) => status === "open" && isOf(reverses));
  const notes: Document[] = [];
  for (const [credits, reversals] of Map.groupBy(open, ({ reverses }) => reverses?.document)) {
    const lines = takeLines(books, reversals);
    if (credits && lines.length > 0) notes.push(writeDraft(books, { person: credits.person, credits }, lines));
  }
  flight.named = named;
  raise(books, flight);
  const raised = inEffect(books, flight).filter(({ status }) => status === "open");
  return [...notes, writeDraft(books, { person: named ?? "student" }, takeLines(books, raised))];
}

/** The lines for open charges. Those of reversals credit the lines of their charges; those with nothing to credit are offset. */
export function takeLines(
  books: Books,
  charges: readonly Charge[],
  remainders = new Map<Document, Remainder>(),
): NewLine[] {
  return charges.flatMap((charge): NewLine[] => {
    const { net, rate, amount, reverses } = charge;
    const credits = reverses && lineOf(reverses);
    if (!credits) return [{ charge, credits: null, net, rate, amount }];
    const invoice = credits.document;
    const remainder = remainders.get(invoice) ?? new Remainder(books, invoice, { reversals: charges });
    remainders.set(invoice, remainder);
    const remains = remainder.of(credits);
    const given = remains > 0 ? Math.min(-net, remains) : remains;
    if (given === 0) {
      charge.status = "offset";
      return [];
    }
    remainder.take(credits, given);
    return [{ charge, credits, net: -given, rate, amount }];
  });
}

/** Removes the lines of charges from a draft. */
function dropCharges(books: Books, draft: Document, charges: readonly Charge[]): void {
  setLines(
    books,
    draft,
    draft.lines.filter(({ charge }) => !charge || !charges.includes(charge)),
  );
}

/** Opens the charges of a document that became void, or cancels them out with their reversals. */
export function release(books: Books, document: Document): void {
  const on = books.charges.filter((charge) => charge.document === document);
  for (const charge of on) {
    if (charge.reverses && on.includes(charge.reverses)) continue;
    const reversals = reversalsOf(books, charge);
    for (const [other, onOther] of Map.groupBy(reversals, (reversal) => reversal.document))
      if (other && other !== document) dropCharges(books, other, onOther);
    for (const one of [charge, ...reversals])
      Object.assign(one, { status: reversals.length > 0 ? "offset" : "open", document: null });
  }
  giveBackMinutes(document);
  // What the document reserved by hand of a charge that was taken back meanwhile: a further reversal carries it.
  for (const { charge, credits } of document.lines) {
    const credited = charge === null ? credits?.charge : undefined;
    if (!credited || credited.document !== credits?.document || reversalsOf(books, credited).length === 0) continue;
    if (remainsOf(books, credited) !== 0) takeBack(books, credited);
  }
}

/** What a draft takes of a person's open charges, the oldest first. */
export const openCharges = (books: Books, person: Person): Charge[] =>
  books.charges.filter((charge) => charge.person === person && charge.status === "open");

/** What a line by hand states. */
export const byHand = (amount: Amount, rate: Rate): NewLine => ({
  ...{ charge: null, credits: null, net: netOf(amount), rate, amount },
});
