/**
 * The common field types of requests and responses. Input fields may transform (`instantField` converts any offset to UTC).
 * Output fields (`…Out`) only validate, because Elysia validates responses with their schemas.
 */
import { z } from "zod";
import { type Instant, toInstant } from "../core/clock.ts";
import { isCountry } from "../core/countries.ts";
import { isLegalDate } from "../core/dates.ts";
import { formats } from "../core/formats.ts";
import type { Id } from "../core/ids.ts";
import { issueCodes } from "../core/issues.ts";
import { languages } from "../core/languages.ts";
import { onceEach } from "../core/once.ts";
import { documentedAs } from "./documented-as.ts";
import { fault } from "./schema-fault.ts";

export const EXAMPLE_ID = "01890a5d-ac96-774b-bcce-b302099a8057";
export const EXAMPLE_INSTANT = "2025-06-14T08:30:00.000Z";

const idText = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, formats.uuid)
  .meta({ format: "uuid", examples: [EXAMPLE_ID] });

/** An id of one kind, for input and output. The cast adds the brand, which exists only in types. */
export const idOf = <Kind extends string>() => idText as unknown as z.ZodType<Id<Kind>, string>;

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Parses an RFC 3339 date-time. Returns `undefined` for a day that does not exist, and for an instant that the offset moves
 * out of the years 0000 to 9999: only these have the fixed width that sorts as text.
 */
function instantOf(text: string): Instant | undefined {
  if (!DATE_TIME.test(text)) return undefined;
  try {
    const instant = toInstant(new Date(Temporal.Instant.from(text).epochMilliseconds));
    return instant.length === EXAMPLE_INSTANT.length ? instant : undefined;
  } catch {
    return undefined; // a RangeError: the day does not exist
  }
}

/** Input: the language of what is built in, such as templates. */
export const languageOfTexts = z
  .enum(languages)
  .default("en")
  .meta({ description: "Of the texts. English by default.", examples: ["en"] });

/** Input: RFC 3339 with any offset. The value is the same instant as stored, in UTC with milliseconds. */
export const instantField = z
  .string()
  .transform((text, { addIssue }) => {
    const instant = instantOf(text);
    if (instant === undefined) {
      const message = formats.date_time;
      addIssue({ code: "custom", message });
    }
    return instant ?? z.NEVER;
  })
  .meta(documentedAs({ type: "string", format: "date-time", examples: [EXAMPLE_INSTANT] }));

/** An instant in a response. */
export const instantOut = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ format: "date-time", examples: [EXAMPLE_INSTANT] }) as unknown as z.ZodType<Instant, string>;

/** When a resource was created, and when it was last changed. */
export const stampsOut = { created_at: instantOut, updated_at: instantOut };

/** An instant in requests and responses. */
export const instant = { in: instantField, out: instantOut };

/** A legal date, valid through that day, for input and output. */
export const dateField = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: formats.date, abort: true })
  .refine(isLegalDate, issueCodes.no_such_day)
  .meta({ format: "date", examples: ["2025-06-14"] });

// Written with \x: a generator of clients prints the character itself for \u, and then the file is not text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects them
const ONE_LINE = /^[^\x00-\x1f\x7f-\x9f]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above, but tab and line feed are allowed
const LINES = /^[^\x00-\x08\x0b-\x1f\x7f-\x9f]*$/;

/** Line separators and bidirectional controls. They have no \x, so they are not in the pattern that the document shows. */
const INVISIBLE_CONTROLS = /[\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const NO_CONTROLS = issueCodes.control_characters;

/** Returns whether text is one line without characters that control a terminal or reorder what is shown. */
export const isOneLine = (value: string): boolean => ONE_LINE.test(value) && !INVISIBLE_CONTROLS.test(value);

/** A visible character: no space, no zero-width character, no blank of Braille. */
const VISIBLE = /(?!\p{Default_Ignorable_Code_Point}|\u2800)[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * One `check` for all, since each makes a schema, and a start makes thousands. A lone surrogate has no UTF-8 form, so the
 * database would store other text than the request had.
 */
const plainText = (max: number, pattern: RegExp, ...more: z.core.$ZodCheck<string>[]) =>
  z.string().check(
    z.trim(),
    z.minLength(1, { abort: true }),
    z.maxLength(max, { abort: true }),
    z.regex(pattern, { error: NO_CONTROLS, abort: true }),
    z.refine((value) => value.isWellFormed(), issueCodes.not_unicode),
    ...more,
  );

/**
 * One line of text, trimmed, with a visible character. Bidirectional control characters are rejected: they can make a name
 * look like another in a list or a mail.
 */
export const text = onceEach((max: number) =>
  plainText(
    max,
    ONE_LINE,
    z.refine((value) => !INVISIBLE_CONTROLS.test(value), { error: NO_CONTROLS, abort: true }),
    z.refine((value) => VISIBLE.test(value), issueCodes.not_visible),
  ),
);

/** Text of several lines (remarks, reasons), trimmed, not empty. */
export const longText = onceEach((max: number) => plainText(max, LINES));

const isAscii = (value: string) => /^[\x20-\x7e]*$/.test(value);

/** Trimmed and in lower case, so that one mailbox is one account. ASCII only: some other letters become ASCII in lower case. */
export const email = z
  .string()
  .trim()
  .refine(isAscii, { error: formats.email, abort: true })
  .toLowerCase()
  .max(254, { abort: true })
  .regex(z.regexes.email, formats.email)
  .meta({ format: "email", examples: ["ada@example.com"] });

/** A whole number from `min` to `max`. */
export const integer = (min: number, max: number) => z.int().check(z.gte(min), z.lte(max));

const HUNDREDTHS = /^(0|[1-9]\d{0,6})\.\d{2}$/;

/** An hour counter (Hobbs, tacho): a decimal string with two places on the wire, integer hundredths in code and column. */
export function hourCounter({ description, example = "1234.50" }: { description?: string; example?: string } = {}) {
  const about = description === undefined ? {} : { description };
  return {
    in: z
      .string()
      .regex(HUNDREDTHS, formats.hours)
      .transform((value) => Number(value.replace(".", "")))
      .meta({ ...documentedAs({ type: "string", pattern: HUNDREDTHS.source, examples: [example] }), ...about }),
    out: z
      .string()
      .regex(HUNDREDTHS)
      .meta({ examples: [example], ...about }),
    stored: "hundredths",
  } as const;
}

const LITRES = /^(0|[1-9]\d{0,4})(\.\d{1,2})?$/;
const SHOWN_LITRES = /^(0|[1-9]\d{0,4})\.\d{2}$/;

/** An amount of a liquid: a decimal string, in responses with two places; integer hundredths in code and column. */
export function litres({ description, example }: { description: string; example: string }) {
  return {
    in: z
      .string()
      .regex(LITRES, formats.litres)
      .transform((value) => {
        const [whole = "", places = ""] = value.split(".");
        return Number(whole + places.padEnd(2, "0"));
      })
      .meta({ ...documentedAs({ type: "string", pattern: LITRES.source, examples: [example] }), description }),
    out: z
      .string()
      .regex(SHOWN_LITRES)
      .meta({ examples: [example], description }),
    stored: "hundredths",
  } as const;
}

/** Returns the field with null allowed, for an unknown value. */
export const nullable = <F extends { in: z.ZodType; out: z.ZodType }>(
  field: F,
): Omit<F, "in" | "out"> & { in: z.ZodNullable<F["in"]>; out: z.ZodNullable<F["out"]> } => ({
  ...field,
  in: field.in.nullable(),
  out: field.out.nullable(),
});

/** An ICAO location indicator (Doc 7910); `ZZZZ` for a place without one. */
export const icaoPlace = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z][A-Z0-9]{3}$/, formats.icao_place)
  .meta({ examples: ["EDTF"] });

/** For `refine` of a list. */
export const isDistinct = (values: readonly string[]): boolean => new Set(values).size === values.length;

/** ISO 3166-1, two letters. */
export const countryCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, { error: formats.country_code, abort: true })
  .refine(isCountry, formats.country)
  .meta({ description: "ISO 3166-1, two letters.", examples: ["DE"] });

/** Shown as a link, so it may not run a script, nor carry a credential. */
function isWebAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return protocol === "https:" && username === "" && password === "";
}

export const webAddress = (example: string) =>
  text(2048)
    .refine(isWebAddress, formats.web_address)
    .meta({ format: "uri", examples: [example] });

const DEGREES = /^-?(0|[1-9]\d{0,2})(\.\d{1,6})?$/;
const SHOWN_DEGREES = /^-?(0|[1-9]\d{0,2})\.\d{6}$/;

/** Decimal degrees, at most `limit` in either direction: `undefined` if it is no such text. In millionths. */
export function millionthsOfDegrees(text: string, limit: number): number | undefined {
  const value = DEGREES.test(text) ? Math.round(Number(text) * 1e6) : Number.NaN;
  return Math.abs(value) <= limit * 1e6 ? value : undefined;
}

/** A coordinate: a decimal string, in responses with six places; integer millionths of a degree in code and column. */
export const degrees = (limit: 90 | 180, { description, example }: { description: string; example: string }) =>
  ({
    in: z
      .string()
      .transform((text, { addIssue }) => {
        const value = millionthsOfDegrees(text, limit);
        if (value === undefined)
          addIssue({
            code: "custom",
            message: `Must be decimal degrees from -${limit} to ${limit} with at most six places.`,
          });
        return value ?? z.NEVER;
      })
      .meta({ ...documentedAs({ type: "string", pattern: DEGREES.source, examples: [example] }), description }),
    out: z
      .string()
      .regex(SHOWN_DEGREES)
      .meta({ examples: [example], description }),
    stored: "millionths",
  }) as const;

export const QUANTITY = /^(0|[1-9]\d{0,4})\.\d{2}$/;

/** A positive quantity of something, which may be measured: a decimal string with two places. */
export const quantityText = z
  .string()
  .regex(QUANTITY, formats.quantity)
  .refine((value) => Number(value) > 0, fault("not_above", { min: 0 }));
