/** How packages are sold, drawn, and taken back by what credits their sale. Quantities are hundredths of minutes. */
import {
  type Books,
  type Charge,
  type Document,
  type Line,
  netOf,
  netOfLines,
  type Package,
  type Person,
  partOf,
  type Rate,
  refuse,
  sum,
} from "./books.ts";

/** What a package costs is one piece. */
export function sell(books: Books, { person, quantity, price, rate }: Sale): void {
  const sold: Package = { id: "", person, quantity, remaining: quantity, returned: 0, ended: null };
  const amount = { quantity: 100, price, per: 1 };
  const about = { flight: null, reverses: null, reduces: null, status: "open" as const, document: null };
  books.packages.push(sold);
  books.charges.push({ id: "", person, ...about, package: sold, rate, amount, net: netOf(amount) });
}

export interface Sale {
  person: Person;
  quantity: number;
  price: number;
  rate: Rate;
}

/** Draws from the person's packages, the oldest first, as much as they have. @returns how much */
export function drawFrom(books: Books, about: Pick<Charge, "person" | "flight">, wanted: number): number {
  let left = wanted;
  for (const one of books.packages.filter(({ person, ended }) => person === about.person && ended === null)) {
    const drawn = Math.min(left, one.remaining);
    if (drawn === 0) continue;
    left -= drawn;
    one.remaining -= drawn;
    const { rate } = saleOf(books, one);
    const amount = { quantity: drawn, price: 0, per: 60 };
    const draw = { reverses: null, reduces: null, package: one, status: "package" as const, document: null };
    books.charges.push({ id: "", ...about, ...draw, rate, amount, net: 0 });
  }
  return wanted - left;
}

function saleOf({ charges }: Books, sold: Package): Charge {
  const sale = charges.find((one) => one.package === sold && one.flight === null && one.reverses === null);
  return sale ?? refuse("A package has no sale.");
}

/** The flights' part. */
const drawnOf = ({ quantity, remaining, returned }: Package): number => quantity - remaining - returned;

/** The package whose sale a line bills. */
export const soldBy = (line: Line): Package | null => (line.charge?.flight ? null : (line.charge?.package ?? null));

/** The part of its price, or of a discount on it, that flights have drawn. */
export const drawnPrice = (line: Line, sold: Package): number => partOf(line.net, drawnOf(sold), sold.quantity);

export function endByReversal(sold: Package): void {
  if (drawnOf(sold) > 0) refuse("409 package_drawn");
  sold.ended = "reversed";
}

/** @param quantity in hundredths of the sale */
export function requireMinutes(line: Line, quantity: number): void {
  const sold = soldBy(line);
  if (sold && (quantity * sold.quantity) / 100 > sold.remaining) refuse("409 package_drawn");
}

/**
 * A credit note was drafted. By a quantity it takes back the minutes of that part, rounded down, by an amount none. Once nothing of
 * the price is left but what was drawn, it takes back all that is left, and the package ends.
 */
export function takeBackMinutes(books: Books, { lines }: Document): void {
  for (const credit of lines) {
    const line = credit.credits;
    const sold = line && soldBy(line);
    if (!sold || sold.ended === "reversed") continue;
    const ends = isUsedUp(books, line, sold);
    const returned = ends ? sold.remaining : Math.floor((sold.quantity * (credit.part ?? 0)) / 100);
    credit.returned = returned;
    sold.remaining -= returned;
    sold.returned += returned;
    if (ends) sold.ended ??= credit;
  }
}

/** Nothing of the price is left but what was drawn. */
function isUsedUp({ documents }: Books, line: Line, sold: Package): boolean {
  const others = documents.filter(({ status }) => status !== "void").flatMap(({ lines }) => lines);
  const unit = line.document.lines.filter((one) => one === line || one.charge?.reduces === line.charge);
  const credits = others.filter((one) => one.credits && unit.includes(one.credits));
  const left = netOfLines([...unit, ...credits]);
  const drawn = sum(unit.map((one) => drawnPrice(one, sold)));
  return left === 0 || (drawnOf(sold) < sold.quantity && left <= drawn);
}

/** A flight gives back what it drew: the price of that stays paid, so a package that a credit note ended can be used. */
export function returnDrawn(books: Books, sold: Package, quantity: number): void {
  sold.remaining += quantity;
  const line = sold.ended === "reversed" ? null : sold.ended?.credits;
  if (line && !isUsedUp(books, line, sold)) sold.ended = null;
}

/** A credit note is void: what it took back is there again, and what it ended can be used. */
export function giveBackMinutes({ lines }: Document): void {
  for (const { id, credits, returned = 0 } of lines) {
    const sold = credits && soldBy(credits);
    if (!sold) continue;
    sold.remaining += returned;
    sold.returned -= returned;
    if (sold.ended !== "reversed" && sold.ended?.id === id) sold.ended = null;
  }
}
