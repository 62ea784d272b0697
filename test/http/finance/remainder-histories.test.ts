/** Whatever happens to flights, charges and documents, the books are those of a model that follows the rules by itself. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { newSellingSchool } from "../../support/money.ts";
import { attempt, emptyBooks } from "./books/books.ts";
import { hourly, landing } from "./books/charges.ts";
import { compare } from "./books/compare.ts";
import { expectBilled, expectSound } from "./books/sound.ts";
import type { Kind, Step } from "./books/steps.ts";
import { closing, history, stories, storyOf } from "./books/stories.ts";
import { moves, outcomeOf } from "./books/take-step.ts";
import { addRate } from "./school.ts";

/** Plays a history in a new school, and compares the books after each step; then sends all that is open. @returns what happened */
async function play(installation: Installation, steps: readonly Step[]): Promise<string[]> {
  const school = await newSellingSchool(installation);
  const vat = { vat_category: "standard" };
  await addRate(school, { ...vat, price_minor: hourly.price, vat_rate: `${hourly.rate}.00` });
  await addRate(school, { ...vat, kind: "landing", price_minor: landing.price, vat_rate: `${landing.rate}.00` });
  const books = emptyBooks();
  const happened: string[] = [];
  const take = async (step: Step): Promise<void> => {
    const move = moves[step.kind]({ school, books, step });
    if (move === undefined) return;
    // Ids are in the order of the clock.
    installation.clock.advance(1);
    books.step += 1;
    const outcome = outcomeOf(await move.request());
    expect([step.kind, outcome]).toEqual([step.kind, attempt(books, () => move.does()) ?? "done"]);
    await compare(school, books);
    expectSound(books);
    happened.push(`${step.kind} ${outcome}`);
  };
  for (const step of steps) await take(step);
  const isOpen = () =>
    [...books.documents, ...books.charges].some(({ status }) => status === "draft" || status === "open");
  for (let rounds = 0; rounds < 20 && isOpen(); rounds += 1) for (const step of closing) await take(step);
  expect(isOpen()).toBe(false);
  expectBilled(books);
  return happened;
}

/** How each kind of step has to end, or the stories do not show much. */
const wanted: Record<Kind, string[]> = {
  allocate: ["400 amount_minor", "400 invoice_id", "409 invoice_not_payable", "409 nothing_on_account", "done"],
  cancel: ["409 invoice_settled", "409 wrong_status", "done"],
  charge: ["done"],
  chargeAnew: ["409 charge_invoiced", "409 wrong_status", "done"],
  credit: [
    "400 lines.0.line_id",
    "400 lines.0.quantity",
    "409 credit_exceeds_line",
    "409 invoice_not_sendable",
    "409 line_credited",
    "409 package_drawn",
    "409 wrong_status",
    "done",
  ],
  deposit: ["done"],
  discount: ["400 reduces_id", "400 unit_price_minor", "409 charge_invoiced", "409 charge_reversed", "done"],
  draft: ["400 charge_ids.0", "400 lines", "done"],
  edit: ["400 lines", "409 wrong_status", "done"],
  fly: ["done"],
  pay: ["409 invoice_not_payable", "done"],
  rebill: ["409 wrong_status", "done"],
  refund: ["400 amount_minor", "409 nothing_to_refund", "done"],
  refundNote: ["400 amount_minor", "409 nothing_to_refund", "done"],
  reverse: ["409 charge_not_by_hand", "409 charge_reversed", "409 package_drawn", "done"],
  reverseFlight: ["409 wrong_status", "done"],
  run: ["done"],
  sell: ["done"],
  send: ["409 invoice_not_sendable", "409 wrong_status", "done"],
  void: ["409 wrong_status", "done"],
  waive: ["409 charge_invoiced", "409 wrong_status", "done"],
};

test("charges, documents, payments and accounts are those of the rules, in each story", async () => {
  const installation = await newInstallation();
  const outcomes = new Set<string>();
  for (const [at, story] of stories.entries()) {
    const property = fc.asyncProperty(storyOf(story), async (steps) => {
      for (const one of await play(installation, steps)) outcomes.add(one);
    });
    await fc.assert(property, { seed: at, numRuns: 1, endOnFailure: true });
  }
  const named = Object.entries(wanted).flatMap(([kind, all]) => all.map((outcome) => `${kind} ${outcome}`));
  expect(named.filter((name) => !outcomes.has(name))).toEqual([]);
}, 300_000);

/** `HISTORIES=1000` plays many, and shrinks one that fails. */
test("charges, documents, payments and accounts are those of the rules, after any history", async () => {
  const installation = await newInstallation();
  const { HISTORIES, SEED } = process.env;
  const seed = SEED === undefined ? {} : { seed: Number(SEED) };
  await fc.assert(
    fc.asyncProperty(history, async (steps) => void (await play(installation, steps))),
    { numRuns: Number(HISTORIES ?? 5), ...seed, endOnFailure: HISTORIES === undefined },
  );
}, 3_600_000);
