/** The steps of a history: what is requested, of which of the things that there are, and how much. */
import fc from "fast-check";
import type { Amount, Person, Rate } from "./books.ts";

/** How much of what is left. */
const parts = ["all", "rest", "above", "below", "half", "quantity", "nothing", "other"] as const;

export const kinds = [
  ...(["charge", "discount", "sell", "fly", "draft", "edit", "send", "void", "cancel", "credit", "run"] as const),
  ...(["reverse", "reverseFlight", "waive", "chargeAnew", "rebill"] as const),
  ...(["pay", "deposit", "allocate", "refund", "refundNote"] as const),
] as const;
export type Kind = (typeof kinds)[number];

export interface Step {
  kind: Kind;
  /** Which of those that fit, from the latest on. */
  at: number;
  /** Also one that does not fit. */
  any: boolean;
  /** Which line of a document. */
  line: number;
  part: (typeof parts)[number];
  person: Person;
  rate: Rate;
  amount: Amount;
  /** By kind: all that is open, a run that also sends, a second line, back to who usually pays. */
  also: boolean;
  minutes: number;
  landings: number;
  /** Of a package, in hundredths of minutes. */
  bought: number;
}

const whole = (min: number, max: number) => fc.integer({ min, max });
const amount: fc.Arbitrary<Amount> = fc
  .oneof(
    fc.record({ quantity: fc.constant(100), price: whole(1, 30_000) }),
    fc.record({ quantity: whole(1, 190).map((pieces) => pieces * 100), price: fc.constantFrom(3, 7) }),
    fc.record({ quantity: whole(1, 9999), price: whole(1, 999) }),
  )
  .map((one) => ({ ...one, per: 1 }));

/** One of six is a reduction. */
const signed = fc
  .tuple(amount, fc.constantFrom(1, 1, 1, 1, 1, -1))
  .map(([one, sign]): Amount => ({ ...one, price: sign * one.price }));

/** A step of a kind. */
export const stepOf = (kind: fc.Arbitrary<Kind>): fc.Arbitrary<Step> =>
  fc.record({
    kind,
    at: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(20)),
    any: fc.constantFrom(false, false, false, false, true),
    line: fc.nat(6),
    part: fc.constantFrom(...parts),
    person: fc.constantFrom<Person>("student", "student", "student", "instructor"),
    rate: fc.constantFrom<Rate>(19, 19, 7, 0),
    amount: signed,
    also: fc.boolean(),
    minutes: whole(1, 60),
    landings: whole(1, 4),
    bought: whole(1, 9000),
  });
