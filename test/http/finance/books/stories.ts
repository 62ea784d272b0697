/** The histories that are played: stories in which happens what matters, and random ones. */
import fc from "fast-check";
import { type Kind, kinds, type Step, stepOf } from "./steps.ts";

const often: Kind[] = [
  "charge",
  "discount",
  "sell",
  "fly",
  "draft",
  "draft",
  "send",
  "send",
  "credit",
  "credit",
  "credit",
  "pay",
];
const single = stepOf(fc.constantFrom<Kind>(...kinds, ...often)).map((one) => [one]);

type Told = Partial<Step> & Pick<Step, "kind">;

/** A step with the latest that fits; with `any` the latest at all. */
const latest = (kind: Kind, rest: Partial<Step> = {}): Told => ({ kind, at: 0, any: false, ...rest });
const unfit = (kind: Kind): Told => latest(kind, { any: true });
const credit = (part: Step["part"], rest: Partial<Step> = {}): Told => latest("credit", { part, ...rest });
const pieces = (price: number): Partial<Step> => ({ amount: { quantity: 100, price, per: 1 }, person: "student" });

const cents = (price: number): Told => latest("charge", { ...pieces(price), rate: 19 });
/** Credits all of one line. */
const only = (line: number): Told => credit("rest", { line, also: false });

const fly = latest("fly");
const charge = latest("charge", { person: "student" });
const lesson = latest("charge", pieces(5000));
const dear = latest("charge", pieces(50_000));
/** Fuel that the pilot has paid. */
const fuel = (price: number): Told => latest("charge", { ...pieces(-price), rate: 0 });
/** A discount on the latest open charge. */
const discount = (part: Step["part"], rest: Partial<Step> = {}): Told => latest("discount", { part, ...rest });
const deposit = latest("deposit", { person: "student" });
const draft = latest("draft", { also: true, person: "student" });
/** Without lines by hand. */
const plain: Told = { ...draft, line: 5 };
const send = latest("send");
const sent = [draft, send];
const billed = [lesson, plain, send];
const paid = latest("pay", { part: "rest" });
/** Credits half of the one line of an invoice. */
const half = (at: number): Told => credit("half", { at, line: 0, also: false });
const cancel = latest("cancel");
const reverse = latest("reverseFlight");
const hours = latest("sell", { ...pieces(60_001), bought: 6001, rate: 19 });
const flyFor = (minutes: number): Told => latest("fly", { minutes });
/** Credits hundredths of the one line of an invoice. */
const hundredths = (minutes: number): Told => credit("quantity", { line: 0, also: false, rate: 19, minutes });
const rebill = latest("rebill");
const run = latest("run", { also: true });

/** What matters, in each order in which it matters. What a story leaves open is random. */
export const stories: Told[][] = [
  // Amounts at the remainder of a line.
  [charge, ...sent, credit("half"), credit("half"), credit("above"), credit("all")],
  [
    charge,
    ...sent,
    credit("below", { line: 0 }),
    credit("above", { line: 0 }),
    credit("rest", { line: 0 }),
    credit("half"),
  ],
  [cents(3), plain, send, credit("nothing"), credit("above"), credit("rest"), unfit("credit")],
  [fly, ...sent, credit("quantity"), credit("quantity", { line: 0 }), credit("above", { line: 0 }), credit("other")],
  [charge, ...sent, credit("half"), send, credit("above"), latest("void"), credit("above"), credit("rest")],
  // The VAT of parts: 4 of 0.03, and a line on an invoice that also credits another.
  [cents(3), cents(3), cents(3), cents(3), plain, send, only(0), only(1), only(2), only(3)],
  [
    cents(3),
    plain,
    send,
    latest("reverse"),
    latest("reverse"),
    unfit("reverse"),
    cents(27),
    plain,
    send,
    credit("half", { line: 0, also: false }),
  ],
  // A flight that is reversed, and what credits it by hand and by a run, in each order.
  [fly, draft, reverse, send, run, unfit("reverseFlight"), unfit("reverse")],
  [fly, charge, draft, reverse, draft, run],
  [fly, ...sent, credit("half"), send, reverse, run],
  [fly, ...sent, credit("half"), reverse, latest("void"), run],
  [fly, ...sent, reverse, credit("half"), credit("all", { line: 0 }), send],
  [fly, ...sent, reverse, run, credit("all", { line: 5 }), credit("half")],
  [fly, plain, send, reverse, lesson, plain, latest("reverse"), send],
  [fly, ...sent, reverse, dear, plain, send, credit("other"), credit("all", { line: 0 }), send],
  [fly, ...sent, reverse, draft, credit("all"), latest("void"), credit("all")],
  // To another payer.
  [fly, ...sent, rebill, send, send, credit("half"), credit("half", { at: 1 }), reverse, unfit("rebill")],
  [fly, ...sent, rebill, latest("void", { at: 1 }), rebill, run],
  [fly, draft, rebill, send, credit("half"), rebill, reverse],
  [
    fly,
    latest("waive"),
    latest("chargeAnew"),
    draft,
    unfit("waive"),
    unfit("chargeAnew"),
    reverse,
    unfit("waive"),
    unfit("chargeAnew"),
  ],
  // Cancellations.
  [fly, plain, send, reverse, dear, plain, send, latest("cancel", { at: 1 }), cancel, cancel],
  [charge, ...sent, credit("half"), cancel, unfit("cancel")],
  [charge, ...sent, credit("half"), send, cancel, credit("rest")],
  [fly, ...sent, credit("half"), reverse, draft, cancel],
  [fly, charge, ...sent, latest("reverse"), latest("cancel", { at: 1 }), cancel, unfit("draft")],
  // Charges of a negative price: claims of their own, also on what is a credit note in all.
  [flyFor(60), fuel(10_000), plain, send, reverse, run],
  [flyFor(60), fuel(30_000), plain, send, reverse, run],
  [flyFor(60), fuel(10_000), plain, send, rebill, send, send],
  [fuel(30_000), flyFor(60), plain, send, rebill, send, send],
  [flyFor(60), fuel(10_000), plain, send, credit("half", { line: 0 }), reverse, latest("void"), credit("all"), run],
  [cents(-1000), fuel(10_000), dear, cents(500), plain, send, credit("half", { line: 2 }), send, credit("all"), send],
  [fuel(10_000), flyFor(60), plain, send, latest("reverse"), reverse, run],
  [fuel(10_000), dear, plain, send, only(0), credit("all", { line: 0 })],
  // Discounts share the fate of what they reduce: of a flight, a charge, or a package; also several, and of all that it costs.
  [flyFor(60), discount("half"), discount("above"), discount("half"), plain, send, reverse, run],
  [flyFor(60), discount("half", { at: 1 }), discount("half"), fuel(9000), plain, rebill, send, rebill, send, send],
  [flyFor(60), discount("rest"), discount("rest", { at: 1 }), plain, send, rebill, send, send, unfit("discount")],
  [flyFor(60), discount("half"), latest("waive"), unfit("discount"), latest("chargeAnew"), plain, latest("reverse")],
  [
    dear,
    discount("half"),
    discount("half"),
    plain,
    send,
    credit("half", { line: 0 }),
    credit("quantity", { line: 0, rate: 19 }),
    send,
  ],
  [
    dear,
    discount("half"),
    { ...plain, also: false },
    send,
    credit("above", { line: 0 }),
    credit("rest", { line: 0, also: false }),
    credit("all"),
  ],
  [
    dear,
    discount("half"),
    plain,
    send,
    credit("half", { line: 1 }),
    credit("quantity", { line: 0, rate: 19 }),
    latest("reverse", { at: 1 }),
    latest("void"),
    run,
  ],
  [lesson, latest("reverse"), unfit("discount"), { ...unfit("discount"), at: 1 }],
  [lesson, discount("below"), plain, unfit("discount"), send, latest("reverse"), run, credit("all")],
  [
    lesson,
    discount("half"),
    plain,
    send,
    credit("all", { line: 0 }),
    latest("reverse", { at: 1 }),
    latest("void"),
    run,
    cancel,
  ],
  [
    hours,
    discount("half"),
    plain,
    send,
    flyFor(30),
    credit("all", { line: 0 }),
    latest("void"),
    flyFor(9),
    hundredths(20),
    send,
    only(0),
  ],
  [
    hours,
    discount("half"),
    discount("half"),
    plain,
    send,
    flyFor(20),
    half(0),
    credit("all", { line: 0 }),
    latest("void"),
    run,
  ],
  [
    hours,
    discount("rest"),
    plain,
    send,
    flyFor(20),
    hundredths(30),
    credit("all", { line: 0 }),
    credit("rest", { line: 0 }),
  ],
  // No more than what is left of the quantity, also where it rounds to the same amount.
  [cents(1), plain, send, credit("quantity", { line: 0, rate: 0, also: false })],
  [cents(1), plain, send, credit("quantity", { line: 0, rate: 7, also: false })],
  // Reductions by hand.
  [fly, charge, draft, latest("edit", pieces(-2000)), send, credit("all"), reverse],
  [charge, fly, draft, latest("edit", pieces(-900)), send, reverse, credit("rest"), credit("above"), run],
  [lesson, plain, latest("edit", pieces(-2000)), send, credit("rest", { line: 1 }), credit("all")],
  [fly, fly, charge, draft, latest("edit", pieces(-3000)), send, reverse, credit("half"), reverse, credit("rest"), run],
  [latest("charge", pieces(-5000)), charge, ...sent, latest("reverse", { at: 1 }), run],
  [cents(2000), plain, latest("edit", { ...pieces(-2000), rate: 19 }), send, credit("all", { line: 0 })],
  [
    lesson,
    lesson,
    plain,
    latest("edit", pieces(-3000)),
    send,
    latest("reverse"),
    credit("all", { line: 6, also: true }),
  ],
  // Packages: parts that are taken back, between flights that draw, and that void drafts and cancellations give back.
  [hours, plain, send, flyFor(15), hundredths(25), flyFor(15), latest("void"), hundredths(50), send, hundredths(1)],
  [hours, plain, send, hundredths(33), hundredths(33), hundredths(34), latest("void"), flyFor(30), unfit("credit")],
  [hours, plain, send, hundredths(30), send, flyFor(12), credit("all", { line: 0 }), latest("void"), flyFor(50)],
  [hours, plain, send, flyFor(12), hundredths(60), cancel, credit("rest", { line: 0, also: false }), flyFor(12)],
  [hours, plain, send, flyFor(20), credit("all", { line: 0 }), cancel, flyFor(20), plain, send],
  [hours, plain, send, hundredths(30), send, cancel, flyFor(55), only(0), hundredths(9)],
  [hours, plain, send, flyFor(60), hundredths(1), credit("all", { line: 5 }), credit("half"), reverse, flyFor(9)],
  [hours, plain, send, flyFor(30), credit("all", { line: 0 }), reverse, flyFor(9), only(0), latest("void"), flyFor(9)],
  // Amounts: it keeps its minutes, until nothing is left but what was drawn.
  [hours, plain, send, flyFor(20), half(0), flyFor(5), credit("below", { line: 0 }), latest("void"), flyFor(9)],
  [hours, plain, send, flyFor(20), half(0), flyFor(30), only(0), credit("half", { line: 0 }), latest("void"), run],
  // And its sale is taken back.
  [hours, latest("reverse"), hours, flyFor(5), latest("reverse"), reverse, latest("reverse"), flyFor(5)],
  [hours, plain, send, hundredths(30), latest("reverse"), latest("void"), flyFor(5), run],
  [hours, plain, send, credit("all", { line: 0 }), latest("reverse"), latest("void"), flyFor(5), run],
  [hours, hours, flyFor(60), latest("chargeAnew"), rebill, reverse, plain, send, only(1)],
  // Drafts that can't be changed, or sent.
  [
    charge,
    ...sent,
    unfit("send"),
    unfit("void"),
    unfit("edit"),
    credit("half"),
    latest("edit"),
    latest("reverse"),
    { ...unfit("draft"), also: false },
  ],
  [latest("charge", pieces(50)), plain, latest("edit", pieces(-5000)), send, latest("draft", { line: 5, also: true })],
  // Payments and refunds.
  [
    lesson,
    plain,
    send,
    latest("pay", { part: "rest" }),
    credit("half", { line: 0 }),
    send,
    latest("refundNote", { part: "above" }),
    latest("refundNote"),
    latest("refund"),
  ],
  [
    lesson,
    ...sent,
    latest("pay", { part: "above" }),
    lesson,
    ...sent,
    cancel,
    latest("refund", { part: "above" }),
    latest("refund", { part: "all" }),
    unfit("refund"),
  ],
  [
    lesson,
    ...sent,
    deposit,
    latest("allocate", { part: "above" }),
    latest("allocate", { part: "half" }),
    latest("allocate", { part: "rest" }),
    latest("refund", { part: "below" }),
    cancel,
  ],
  [
    lesson,
    ...sent,
    latest("pay", { part: "half" }),
    unfit("allocate"),
    credit("half"),
    send,
    latest("refund"),
    lesson,
    draft,
    unfit("pay"),
  ],
  [
    lesson,
    ...sent,
    latest("deposit", { person: "instructor" }),
    unfit("allocate"),
    lesson,
    plain,
    unfit("allocate"),
    unfit("refundNote"),
  ],
  // What settles an invoice: its own credit note, the oldest, and what a refund takes back from the last.
  [...billed, paid, ...billed, paid, half(1), send, half(0), send, latest("refund", { part: "all" })],
  [...billed, ...billed, ...billed, paid, half(0), send, latest("refundNote", { part: "half" })],
  [latest("deposit", pieces(9000)), ...billed, ...billed, latest("refund", { part: "half" })],
];

const toldAs = (one: Told) => stepOf(fc.constant(one.kind)).map((step): Step => ({ ...step, ...one }));
const told = (story: readonly Told[]): fc.Arbitrary<Step[]> => fc.tuple(...story.map(toldAs));

/** A story, and a few steps after it. */
export const storyOf = (story: readonly Told[]): fc.Arbitrary<Step[]> =>
  fc.tuple(told(story), fc.array(single, { maxLength: 3 })).map((all) => all.flat(2));

/** Stories, with other steps before, between and after them. */
export const history: fc.Arbitrary<Step[]> = fc
  .array(
    fc.oneof({ weight: 4, arbitrary: single }, { weight: 1, arbitrary: fc.constantFrom(...stories).chain(told) }),
    { minLength: 4, maxLength: 14 },
  )
  .map((all) => all.flat());

/** Sends what is open; a draft that can't be sent is void. */
export const closing: Step[] = (["run", "send", "send", "send", "void"] as const).map((kind) => ({
  ...{ kind, at: 0, any: false, line: 0, part: "all", person: "student", rate: 19 },
  ...{ amount: { quantity: 100, price: 1, per: 1 }, also: true, minutes: 1, landings: 1, bought: 100 },
}));
