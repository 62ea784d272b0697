/** The fields of an enrollment and the input of the routes. */
import { z } from "zod";
import { dateField, idOf, instantOut, integer, longText } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { byDefault, changeOf, newOf } from "../../../storage/columns.ts";
import { measures } from "../../compliance/rules/training-minima.ts";
import { enrollmentStatuses } from "../training.values.ts";

const newCredit = z.strictObject({
  measure: z.enum(measures).exclude(["age"]),
  amount: integer(1, 100_000).meta({ description: "Minutes or landings; 1 for a long flight." }),
  reason: longText(1000),
});

const credit = newCredit.extend({
  source: z
    .strictObject({
      issuer_id: idOf<"organization">(),
      enrollment_id: idOf<"enrollment">(),
      pack_id: idOf<"evidence_pack">(),
      issued_at: instantOut,
      key_thumbprint: z.string().meta({ description: "The key that had signed the pack." }),
      sha256: z.string().meta({ description: "Of the file of the pack." }),
    })
    .optional()
    .meta({
      description:
        "The evidence pack that it was imported from, and the enrollment at its issuer. Only an import adds a credit with a source; a change keeps it as it is, or leaves it out.",
    }),
});
export type Credit = z.infer<typeof credit>;
export type Source = NonNullable<Credit["source"]>;

export const mostCredits = 30;

const aboutCredits = {
  description: "Earlier training that counts: added to what is flown here.",
  examples: [[{ measure: "dual_minutes", amount: 720, reason: "Trained 12 hours at another school." }]],
};

const plan = {
  planned_start_on: dateField
    .nullable()
    .meta({ description: "From which day on the training is planned; null: from `started_on` on.", examples: [null] }),
  planned_end_on: dateField.nullable().meta({
    description: "By which day the training is to be done; null: no plan, and no pace.",
    examples: ["2026-12-31"],
  }),
};

const mayChange = {
  started_on: dateField,
  ...plan,
  credits: z.array(credit).max(mostCredits).meta(aboutCredits),
  remarks: longText(2000)
    .nullable()
    .meta({ examples: ["Flies on weekends."] }),
};

export const enrollmentFields = {
  student_id: idOf<"person">(),
  revision_id: idOf<"revision">(),
  ...mayChange,
};

export const NewEnrollment = newOf("NewEnrollment", {
  ...enrollmentFields,
  ...byDefault(null, plan),
  credits: z.array(newCredit).max(mostCredits).meta(aboutCredits).default([]),
});
export type NewEnrollment = z.infer<typeof NewEnrollment>;

export const EnrollmentChange = changeOf("EnrollmentChange", mayChange);
export type EnrollmentChange = z.infer<typeof EnrollmentChange>;

export const EnrollmentReason = z
  .strictObject({ reason: longText(1000).meta({ examples: ["Is abroad until May."] }) })
  .meta({ id: "EnrollmentReason" });

export const Migration = z.strictObject({ revision_id: idOf<"revision">() }).meta({ id: "EnrollmentMigration" });

export const MigrationQuery = z.strictObject({ revision_id: idOf<"revision">() });

export const EnrollmentListQuery = z.strictObject({
  ...paging,
  student_id: idOf<"person">().optional(),
  program_id: idOf<"program">().optional(),
  status: z.enum(enrollmentStatuses).optional(),
});
export type EnrollmentFilter = Pick<z.infer<typeof EnrollmentListQuery>, "student_id" | "program_id" | "status">;
