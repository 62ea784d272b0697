/** The fields of a record and the input of the routes. `add-record.ts` checks them against the record's type. */
import { z } from "zod";
import { dateField, EXAMPLE_ID, idOf, longText, text } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { newOf } from "../../../storage/columns.ts";
import { recordStatuses } from "../compliance.tables.ts";
import { methods } from "../rules/rule.ts";
import { typeKey } from "../types/types.schemas.ts";

const type = typeKey.meta({ description: "The key of the record's type.", examples: ["arc"] });
const level = text(20)
  .nullable()
  .meta({ description: "One of the type's levels, if it has any.", examples: [null] });
const issued_on = dateField.meta({ examples: ["2025-03-14"] });
const valid_until = dateField.nullable();

const method = z
  .enum(methods)
  .nullable()
  .meta({
    description:
      "How it was made valid: a rating by a `check` or by `experience`, an ARC by a `review` or by an `extension`. Null: not stated.",
    examples: [null],
  });

export const other_levels = z
  .array(
    z.strictObject({
      level: text(20).meta({ examples: ["class_2"] }),
      valid_until: dateField.meta({ examples: ["2030-03-13"] }),
    }),
  )
  .max(5)
  .meta({ examples: [[]] });

/** The fields that the public API shows. */
export const publicFields = {
  type,
  level,
  issued_on,
  valid_until: valid_until.meta({
    description: "Valid through this day, as printed on the document. Null: unlimited. Required if the type says so.",
    examples: ["2026-03-13"],
  }),
  other_levels: other_levels.meta({
    description:
      "The last days that the document states for other levels: a medical of class 1 for class 2 and the LAPL, one of class 2 for the LAPL. Where none is stated, it is computed from `issued_on`, unless `valid_until` is before what the rule gives: then the medical is limited.",
  }),
  method,
};

/** The fields that only the school sees. A medical has none of them. */
export const privateFields = {
  number: text(60)
    .nullable()
    .meta({ examples: ["DE.21G.1234"] }),
  issued_by: text(120)
    .nullable()
    .meta({ description: "The authority, examiner or insurer.", examples: ["LBA"] }),
  remarks: longText(1000).nullable(),
};

export const subjectIds = {
  person_id: idOf<"person">()
    .nullable()
    .meta({ description: "Of a person's record.", examples: [null] }),
  aircraft_id: idOf<"aircraft">()
    .nullable()
    .meta({ description: "Of an aircraft's record.", examples: [EXAMPLE_ID] }),
};

export const NewRecord = newOf("NewComplianceRecord", {
  ...subjectIds,
  ...publicFields,
  other_levels: publicFields.other_levels.default([]),
  ...privateFields,
  supersedes: idOf<"record">().nullable().meta({
    description:
      "A current record of the same person or aircraft that this one replaces. A record of the same type and level is replaced anyway.",
  }),
}).meta({
  description: "Of a person or of an aircraft, as the type says. A medical has a class and dates only.",
});
export type NewRecord = z.infer<typeof NewRecord>;

export const Withdrawal = z
  .strictObject({
    reason: longText(1000).meta({ examples: ["The authority suspended the rating."] }),
    entered_by_mistake: z
      .boolean()
      .default(false)
      .meta({
        description:
          "It never counted, and what it had superseded counts again. Otherwise the document was suspended or revoked: from the day of its withdrawal on, earlier ones of its type and level do not count either; of medicals, none that was issued before that day, whatever its level.",
        examples: [false],
      }),
  })
  .meta({ id: "RecordWithdrawal" });
export type Withdrawal = z.input<typeof Withdrawal>;

export const RecordListQuery = z.strictObject({
  ...paging,
  person_id: idOf<"person">().optional(),
  aircraft_id: idOf<"aircraft">().optional(),
  type: type.optional(),
  status: z.enum(recordStatuses).optional(),
});
export type RecordFilter = Partial<
  Pick<z.infer<typeof RecordListQuery>, "person_id" | "aircraft_id" | "type" | "status">
>;

export const SuggestionQuery = z.strictObject({
  type: typeKey.meta({ description: "The key of the record's type.", examples: ["sep"] }),
  level: text(20).optional().meta({ description: "One of the type's levels, if it has any." }),
  done_on: dateField.meta({ description: "The day of the examination, check or test.", examples: ["2025-03-14"] }),
  previous_until: dateField
    .optional()
    .meta({ description: "The expiry of the document before.", examples: ["2025-03-31"] }),
  person_id: idOf<"person">()
    .optional()
    .meta({ description: "The holder. Required if the validity depends on the age." }),
  aircraft_id: idOf<"aircraft">()
    .optional()
    .meta({ description: "Required for an extension: the school's records say how many there were." }),
  method: z
    .enum(methods)
    .optional()
    .meta({ description: "By default the usual one: `check`, of an ARC `review`.", examples: ["check"] }),
  single_pilot_commercial: z
    .enum(["true", "false"])
    .default("false")
    .transform((value) => value === "true")
    .meta({ description: "The holder flies passengers commercially, with one pilot.", examples: ["false"] }),
});
export type SuggestionQuery = z.infer<typeof SuggestionQuery>;
