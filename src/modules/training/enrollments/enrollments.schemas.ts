/** The fields of an enrollment and the input of the routes. */
import { z } from "zod";
import { dateField, idOf, longText } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { changeOf, newOf } from "../../../storage/columns.ts";
import { measures } from "../../compliance/rules/training-minima.ts";
import { enrollmentStatuses } from "../training.tables.ts";

const credit = z.strictObject({
  measure: z.enum(measures).exclude(["age"]),
  amount: z.int().min(1).max(100_000).meta({ description: "Minutes or landings; 1 for a long flight." }),
  reason: longText(1000),
  source: z
    .strictObject({
      issuer_id: idOf<"organization">(),
      enrollment_id: idOf<"enrollment">(),
      pack_id: idOf<"evidence_pack">(),
    })
    .optional()
    .meta({ description: "The evidence pack that it was imported from, and the enrollment at its issuer." }),
});
export type Credit = z.infer<typeof credit>;
export type ImportedCredit = Credit & { source: NonNullable<Credit["source"]> };

const mayChange = {
  started_on: dateField,
  credits: z
    .array(credit)
    .max(30)
    .meta({
      description: "Earlier training that counts: added to what is flown here.",
      examples: [[{ measure: "dual_minutes", amount: 720, reason: "Trained 12 hours at another school." }]],
    }),
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
  credits: mayChange.credits.default([]),
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
