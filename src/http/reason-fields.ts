/** The fields of `error` that some reasons have besides, as the document describes them. */
import { z } from "zod";
import { onceRead } from "../core/once.ts";
import type { ReasonFields } from "../core/reason-fields.ts";

type NameOf<Fields> = Fields extends unknown ? keyof Fields : never;
type Name = NameOf<ReasonFields[keyof ReasonFields]>;
/** The reasons that have a field. */
type ReasonWith<Field> = {
  [R in keyof ReasonFields]: Field extends NameOf<ReasonFields[R]> ? R : never;
}[keyof ReasonFields];

interface Described<Field> {
  schema: z.ZodType;
  example: unknown;
  /** What it is, with each reason that has it. */
  with: Record<ReasonWith<Field>, string>;
}

const text = z.string();
const texts = z.array(z.string());
const uuid = z.string().meta({ format: "uuid" });
const date = z.string().meta({ format: "date" });
const dateTime = z.string().meta({ format: "date-time" });
const count = z.int();

const id = "01890a5d-ac96-774b-bcce-b302099a8057";
const day = "2026-06-14";
const time = "2026-06-14T09:00:00.000Z";
const paths = "the paths of the fields";

const described: { readonly [Field in Name]: Described<Field> } = {
  suspended_at: { schema: dateTime, example: time, with: { organization_suspended: "since when" } },
  removal_at: {
    schema: dateTime,
    example: time,
    with: { organization_suspended: "when the organization will be removed with its records, if it will" },
  },
  status: {
    schema: text,
    example: "draft",
    with: {
      wrong_status: "the present status",
      registration_taken: "the status of the other aircraft",
      invoice_not_payable: "the status of the invoice",
    },
  },
  again_at: {
    schema: dateTime,
    example: time,
    with: { reminded_already: "from when on the person can be reminded again" },
  },
  allowed: { schema: texts, example: ["submitted"], with: { wrong_status: "the statuses in which it is allowed" } },
  on: {
    schema: date,
    example: day,
    with: {
      wrong_status: "the only day on which it is allowed",
      instructor_not_qualified: "the day of the flight or the signature",
      student_not_qualified: "the day of the flight",
      subject_passed: "when",
      exchange_rate_missing: "the day of the exchange rate",
    },
  },
  revision: { schema: count, example: 2, with: { revision_changed: "the present revision" } },
  erased_at: { schema: dateTime, example: time, with: { person_erased: "when, if it is known" } },
  content_removed_at: { schema: dateTime, example: time, with: { content_removed: "when" } },
  max: { schema: z.number(), example: 50, with: { limit_reached: "the most that there may be" } },
  max_bytes: { schema: count, example: 1073741824, with: { quota_exceeded: "the quota" } },
  until: {
    schema: text,
    example: day,
    with: {
      records_kept: "the last day on which they are kept, unless a training has not ended",
      rate_used: "the last day on which it was used",
      secret_just_rotated: "the time until which the previous one is valid",
    },
  },
  scope: { schema: text, example: "flights:read", with: { scope_missing: "the scope" } },
  flight_id: { schema: uuid, example: id, with: { flight_overlaps: "the other flight" } },
  rules: {
    schema: texts,
    example: ["medical_expired"],
    with: { findings_not_acknowledged: "the rules that block" },
  },
  counter: { schema: text, example: "hobbs_minutes", with: { counter_out_of_range: "the counter" } },
  kind: {
    schema: text,
    example: "defect",
    with: {
      grounding_not_by_hand: "what the aircraft is grounded by",
      invoice_not_payable: "the kind of the invoice",
    },
  },
  aircraft_id: { schema: uuid, example: id, with: { registration_taken: "the other aircraft" } },
  model: { schema: text, example: "Cessna 172", with: { registration_taken: "the model of that aircraft" } },
  article: { schema: text, example: "ARA.GEN.220", with: { records_kept: "the law" } },
  kinds: { schema: texts, example: ["ppl_a"], with: { program_not_permitted: "the kinds of training" } },
  lessons: {
    schema: texts,
    example: ["3"],
    with: {
      revision_empty: "the codes of the lessons without items; none if there is no lesson",
      prerequisite_missing: "the codes of the lessons that come first",
    },
  },
  state: {
    schema: text,
    example: "expired",
    with: {
      instructor_not_qualified: "the state of the certificate, or `restricted`",
      student_not_qualified: "the state of the medical certificate, or `too_young` or `age_unknown`",
    },
  },
  min_age: { schema: count, example: 16, with: { student_not_qualified: "the minimum age, with `too_young`" } },
  subject: { schema: text, example: "air_law", with: { subject_passed: "the subject" } },
  since: { schema: date, example: day, with: { training_recorded: "the day of the first record" } },
  missing: {
    schema: texts,
    example: ["dual_minutes"],
    with: {
      training_incomplete: "what the program wants besides",
      not_ready_for_test: "what must be done before the test",
    },
  },
  recorded: {
    schema: z.array(z.strictObject({ kind: z.string(), count: z.int() })),
    example: [{ kind: "signoffs", count: 2 }],
    with: { own_training_recorded: "what the account has recorded" },
  },
  issued_at: { schema: dateTime, example: time, with: { pack_outdated: "when the newer pack was issued" } },
  trainings: {
    schema: z.array(z.strictObject({ enrollment_id: z.string(), kind: z.string() })),
    example: [{ enrollment_id: id, kind: "ppl_a" }],
    with: { training_not_in_pack: "those in the pack" },
  },
  fields: {
    schema: texts,
    example: ["seller.street"],
    with: {
      other_subject: "what differs",
      seller_incomplete: paths,
      buyer_incomplete: paths,
      vat_category_mismatch: paths,
      e_invoice_incomplete: paths,
    },
  },
  from: { schema: text, example: "CHF", with: { exchange_rate_missing: "the currency of the invoice" } },
  to: { schema: text, example: "EUR", with: { exchange_rate_missing: "the currency of the VAT" } },
  person_id: { schema: uuid, example: id, with: { customer_number_taken: "the other person" } },
  rate_id: { schema: uuid, example: id, with: { rate_overlaps: "the other rate" } },
  valid_from: { schema: date, example: day, with: { rate_overlaps: "the first day of the other rate" } },
  valid_until: { schema: date.nullable(), example: day, with: { rate_overlaps: "its last day" } },
  line: {
    schema: count,
    example: 1,
    with: { line_credited: "the position of the line, if it is one", credit_exceeds_line: "the position of the line" },
  },
  quantity: {
    schema: text,
    example: "0.90",
    with: {
      credit_exceeds_line: "the quantity that is left to credit, or `net_minor`",
      package_drawn: "the largest quantity of its sale that can be credited",
    },
  },
  net_minor: { schema: count, example: 1200, with: { credit_exceeds_line: "the net amount that is left to credit" } },
};

const descriptionOf = (reasons: Readonly<Record<string, string>>): string =>
  Object.entries(reasons)
    .map(([reason, what]) => `\`${reason}\`: ${what}`)
    .join("; ");

/** The fields that the errors of a reason have, or may have. */
export const fieldsWith = (reason: string): string[] =>
  Object.entries(described).flatMap(([name, { with: reasons }]) => (reason in reasons ? [name] : []));

export const reasonFields: Readonly<Record<string, z.ZodType>> = onceRead(
  described,
  ({ schema, example, with: reasons }) =>
    schema.optional().meta({ description: descriptionOf(reasons), examples: [example] }),
);
