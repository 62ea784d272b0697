/** Query parameters. Use them in a `z.strictObject`, which rejects unknown parameters. */
import { z } from "zod";
import { type Cursor, decodeCursor, encodeCursor } from "../core/cursor.ts";
import { formats } from "../core/formats.ts";
import { issueCodes } from "../core/issues.ts";
import { MOST_SEARCHED, wordsIn } from "../core/words.ts";
import { documentedAs } from "./documented-as.ts";
import { dateField, EXAMPLE_INSTANT, instantField, text } from "./fields.ts";
import { fault } from "./schema-fault.ts";

const wholeNumber = (min: number, max: number, fallback: number, description: string) =>
  z
    .string()
    .regex(/^-?\d+$/, { error: formats.whole_number, abort: true })
    // Infinity is no number for zod, whose message would then be misleading.
    .transform((digits) => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(digits))))
    .pipe(z.number().min(min).max(max))
    .optional()
    .transform((value) => value ?? fallback)
    .meta(
      documentedAs({
        type: "integer",
        minimum: min,
        maximum: max,
        default: fallback,
        description,
        examples: [fallback],
      }),
    );

/** A whole number in a query, e.g. `soon_days`. */
export const integerQuery = wholeNumber;

export const EXAMPLE_CURSOR = encodeCursor(["-id", "01890a5d-ac96-774b-bcce-b302099a8057"]);

const MAX_CURSOR_LENGTH = 2000;

const cursor = z
  .string()
  .max(MAX_CURSOR_LENGTH, { abort: true })
  .transform((text, context): Cursor => {
    const decoded = decodeCursor(text);
    if (decoded !== undefined) return decoded;
    context.addIssue({ code: "custom", message: formats.cursor });
    return z.NEVER;
  })
  .meta(
    documentedAs({
      type: "string",
      maxLength: MAX_CURSOR_LENGTH,
      description:
        "The `next_cursor` of the previous page. Rows added or removed since then do not repeat or hide other rows. It is valid only in the same order of the list.",
      examples: [EXAMPLE_CURSOR],
    }),
  )
  .optional();

/** Paging by cursor alone: `z.strictObject({ ...byCursor, status: … })`. */
export const byCursor = { limit: wholeNumber(1, 500, 100, "How many to return at most."), cursor };

/** True or false in a query; false by default. @param example `true` for a filter, so that tests request it */
export const booleanQuery = (description: string, example = false) =>
  z
    .enum(["true", "false"])
    .optional()
    .transform((value) => value === "true")
    .meta(documentedAs({ type: "boolean", default: false, description, examples: [example] }));

/** `order`: how a list is sorted, by names of its orders. The first is the usual one. */
export const sortedBy = <const Names extends readonly [string, string, ...string[]]>(...names: Names) =>
  z
    .enum(names)
    .optional()
    .meta({
      description: `How the list is sorted, by default \`${names[0]}\`. With \`-\`, the greatest or the latest comes first.`,
      examples: [names.at(-1)],
    });

/** Paging: `z.strictObject({ ...paging, status: … })`. */
export const paging = {
  ...byCursor,
  offset: wholeNumber(0, 999_999_999, 0, "How many to skip."),
  with_total: booleanQuery("Whether to count all rows, as `page.total`, which takes a second scan."),
};

/** `q`: words to search by. @param where they are, for the reference */
export const searchText = (where: string, example: string) =>
  text(120)
    .refine((value) => wordsIn(value).length > 0, issueCodes.no_words)
    .refine((value) => wordsIn(value).length <= MOST_SEARCHED, fault("too_many_words", { max: MOST_SEARCHED }))
    .meta({
      description: `Words of ${where}, or beginnings of words, which must all occur. Accents and case do not matter.`,
      examples: [example],
    });

/** RFC 3339 with any offset. An unencoded `+` arrives as a space and is restored. */
export const instantQuery = z
  .string()
  .transform((value) => value.replace(" ", "+"))
  .pipe(instantField)
  .meta(documentedAs({ type: "string", format: "date-time", examples: [EXAMPLE_INSTANT] }));

/**
 * For a page that links, providers or probes open: they may add parameters of their own. Every other route rejects
 * unknown parameters.
 */
export const AnyQuery = z.object({});

/** `updated_since` (inclusive) of a query: sorts the list by `updated_at`. */
export const updatedSince = {
  updated_since: instantQuery
    .meta({
      description:
        "Only what was added or changed at this time or later, sorted by `updated_at`, the oldest change first. Continue from `page.last_cursor` later to read what is new since then.",
    })
    .optional(),
};

/**
 * Rejects a query with a period and `updated_since`, which is a list in another order, and one whose `from` is after its `to`. No
 * index has both orders.
 */
export const periodOrChanges = <Schema extends z.ZodType<FromAndTo & { updated_since?: string | undefined }>>(
  schema: Schema,
): Schema =>
  period(schema).refine(({ from, to, updated_since }) => updated_since === undefined || (from ?? to) === undefined, {
    path: ["updated_since"],
    ...fault("not_both", { fields: ["updated_since", "from"] }),
  });

export const oneOf = <const Values extends readonly [string, ...string[]]>(...values: Values) => z.enum(values);

/** `from` (inclusive) and `to` (exclusive) of a query: `period(z.strictObject({ ...fromAndTo, … }))`. */
export const fromAndTo = { from: instantQuery.optional(), to: instantQuery.optional() };

/** As `fromAndTo`, as days where the organization is. */
export const fromAndToDays = {
  from: dateField.optional().meta({ description: "The first day.", examples: ["2026-06-01"] }),
  to: dateField.optional().meta({ description: "The day after the last.", examples: ["2026-07-01"] }),
};

interface FromAndTo {
  from?: string | undefined;
  to?: string | undefined;
}

/** Rejects a query whose `from` is after its `to`. */
export const period = <Schema extends z.ZodType<FromAndTo>>(schema: Schema): Schema =>
  schema.refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ["to"],
    ...fault("not_before", { field: "from" }),
  });
