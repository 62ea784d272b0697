/** The office: invoices on the first day of a month, and payments, of which some are late or missing. */
import { z } from "zod";
import { createRandom } from "../random.ts";
import type { DemoSchool } from "../school/demo-school.ts";

const Run = z.object({
  data: z.object({
    invoices: z.array(
      z.object({ invoice_id: z.string(), person_id: z.string(), gross_minor: z.number(), refusal: z.unknown() }),
    ),
  }),
});

interface Payment {
  day: number;
  invoice_id: string;
  amount_minor: number;
}

/** Who pays late, and who pays a part. */
const slow = ["henrik", "jonas", "ulrike"];
const inParts = ["sam", "emre"];

export interface Office {
  /** Does the money of a day. */
  work(day: number): Promise<void>;
}

export function openOffice({ api, org, account, person, dateOf }: DemoSchool): Office {
  const random = createRandom(1_848);
  const expected: Payment[] = [];
  const slowOnes = new Set(slow.map(person));
  const inPartsOnes = new Set(inParts.map(person));

  async function sendInvoices(day: number): Promise<void> {
    const body = { until: dateOf(day - 1).toString(), send: true, note: "Thank you for flying with us." };
    const { invoices } = (await api.post(`${org}/finance/invoice-runs`, Run, body, account("birgit"))).data;
    for (const { invoice_id, person_id, gross_minor, refusal } of invoices) {
      if (refusal !== null) throw new Error(`The demo's invoice ${invoice_id} was not sent.`);
      const share = inPartsOnes.has(person_id) ? 0.6 : 1;
      const wait = random.between(2, 12) + (slowOnes.has(person_id) ? 60 : 0);
      expected.push({ day: day + wait, invoice_id, amount_minor: Math.round(gross_minor * share) });
    }
  }

  return {
    async work(day) {
      if (dateOf(day).day === 1) await sendInvoices(day);
      for (const { invoice_id, amount_minor } of expected.filter((payment) => payment.day === day))
        if (amount_minor > 0)
          await api.create(
            `${org}/finance/payments`,
            { invoice_id, amount_minor, method: "bank_transfer" },
            account("birgit"),
          );
    },
  };
}
