/** The fields of a record type and the input of the routes. */
import { z } from "zod";
import { formats } from "../../../core/formats.ts";
import { issueCodes } from "../../../core/issues.ts";
import { integer, text } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { changeOf, newOf } from "../../../storage/columns.ts";
import { subjects } from "../built-in-types.ts";

export const typeKey = z
  .string()
  .regex(/^[a-z][a-z0-9_]{1,39}$/, formats.type_key)
  .meta({ examples: ["club_check"] });

const mayChange = {
  name: text(80).meta({ examples: ["Club check flight"] }),
  levels: z
    .array(text(20))
    .max(20)
    .refine((levels) => new Set(levels).size === levels.length, issueCodes.repeated)
    .meta({ description: "The classes or levels, one of which a record names.", examples: [["day", "night"]] }),
  validity_months: integer(1, 1200)
    .nullable()
    .meta({ description: "The suggested validity. Null: unlimited, or by a rule.", examples: [12] }),
  valid_until_required: z.boolean().meta({
    description:
      "Whether a record needs `valid_until`. Records that were added before stay as they are. Language proficiency of level 6 never needs it.",
    examples: [true],
  }),
  warning_days: integer(0, 365).meta({
    description: "The number of days before the expiry from which on a record counts as expiring.",
    examples: [30],
  }),
};

export const typeFields = {
  key: typeKey,
  subject: z.enum(subjects).meta({ examples: ["person"] }),
  ...mayChange,
};

export const NewRecordType = newOf("NewRecordType", {
  ...typeFields,
  levels: mayChange.levels.default([]),
  valid_until_required: mayChange.valid_until_required.default(false),
  warning_days: mayChange.warning_days.default(30),
});
export type NewRecordType = z.infer<typeof NewRecordType>;

export const RecordTypeChange = changeOf("RecordTypeChange", mayChange);
export type RecordTypeChange = z.infer<typeof RecordTypeChange>;

export const RecordTypeListQuery = z.strictObject({ ...paging, subject: z.enum(subjects).optional() });
