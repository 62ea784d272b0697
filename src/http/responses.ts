/** The `response` record of a route: its success and error responses. */
import { z } from "zod";
import { formatNames } from "../core/formats.ts";
import { type IssueValues, issueCodeNames, issueCodes, kinds, paramNames } from "../core/issues.ts";
import { errorCodes, type Reason, reasonNames, reasons } from "../core/reasons.ts";
import { statusOf } from "./error-envelope.ts";
import { EXAMPLE_CURSOR } from "./query.ts";
import { reasonFields } from "./reason-fields.ts";

const code = z.enum(errorCodes).meta({ id: "ErrorCode", description: "The kind of error, for programs." });
const message = z.string().meta({ description: "The error, for people.", examples: ["There is no such resource."] });
const request_id = z.string().meta({
  description: "Identifies this request in the log. Include it in support requests.",
  examples: ["01890a5d-ac96-774b-bcce-b302099a8057"],
});
const error = z.strictObject({ code, message, request_id });

/** An error without a reason. */
export const ErrorEnvelope = z.strictObject({ error }).meta({ id: "Error", description: "Why a request was refused." });

const ErrorReason = z
  .enum(reasonNames)
  .meta({ id: "ErrorReason", description: "The case of the code, for programs. Each operation lists its own." });

const issueCode = z.enum(issueCodeNames).meta({
  id: "IssueCode",
  description: `The fault, for programs. Those with values in \`params\`:\n\n${issueCodeNames
    .filter((name) => paramNames(name).length > 0)
    .map((name) => `- \`${name}\`: ${issueCodes[name]}`)
    .join("\n")}`,
  examples: ["invalid_format"],
});

const name = z.string().meta({ examples: ["from_at"] });
const limit = z.number().meta({ examples: [1] });

const issueParams = z
  .strictObject({
    min: limit,
    max: limit,
    field: name,
    fields: z.array(name),
    format: z.enum(formatNames).meta({ examples: ["email"] }),
    kind: z.enum(kinds).meta({ examples: ["text"] }),
    divisor: z.number().meta({ examples: [5] }),
    nearest: name.nullable(),
    reason: ErrorReason.nullable(),
    options: z.array(z.string()).meta({ examples: [["yes", "no"]] }),
  } satisfies Record<keyof IssueValues, z.ZodType>)
  .partial()
  .meta({ id: "IssueParams", description: "The values of the code.", examples: [{ format: "email" }] });

/** A fault of a field. */
export const issue = z
  .strictObject({
    path: z.string().meta({ description: "The path of the field, from `body` or `query`.", examples: ["body.email"] }),
    code: issueCode,
    params: issueParams.optional(),
    message: z.string().meta({ examples: ["Must be an e-mail address."] }),
  })
  .meta({ id: "Issue" });

/** A 400: with `issues` for faults of fields, without them if the request could not be read. */
export const ValidationErrorEnvelope = z
  .strictObject({
    error,
    issues: z.array(issue).optional(),
  })
  .meta({ id: "ValidationError", description: "A request that is not valid, and the faults of its fields." });

const clashAt = z.string().meta({ format: "date-time", examples: ["2025-06-14T08:30:00.000Z"] });

/** What a booking clashes with, or a rule that it does not meet. */
export const Clash = z
  .strictObject({
    rule: z.string().meta({
      description: "`overlap`, a rule of the planning, or the key of a rule of the clearance.",
      examples: ["overlap"],
    }),
    message: z.string().meta({ examples: ["D-EABC is booked from 2025-06-14T08:30:00.000Z."] }),
    resource: z
      .strictObject({
        type: z.string().meta({ examples: ["aircraft"] }),
        id: z.string().meta({ examples: ["01890a5d-ac96-774b-bcce-b302099a8057"] }),
      })
      .nullable()
      .meta({ description: "What is not free, or not in order; null: the booking itself." }),
    session_id: z
      .string()
      .nullable()
      .meta({
        description: "The session that it clashes with.",
        format: "uuid",
        examples: ["01890a5d-ac96-774b-bcce-b302099a8057"],
      }),
    start_at: clashAt,
    end_at: clashAt,
  })
  .meta({ id: "PlanningConflict" });

const reasoned = z
  .strictObject({ code, reason: ErrorReason.optional(), message, request_id })
  .extend(reasonFields)
  .meta({ id: "Refusal", description: "The case, and what there is to say about it." });

const ReasonedErrorEnvelope = z
  .strictObject({ error: reasoned })
  .meta({ id: "ReasonedError", description: "Why a request was refused, where one code has several reasons." });

const RefusedBooking = z
  .strictObject({
    error: reasoned,
    conflicts: z
      .array(Clash)
      .optional()
      .meta({ description: "With the reason `booking_conflicts`: all that is against the booking." }),
  })
  .meta({ id: "RefusedBooking", description: "Why a booking was refused." });

const reasonsOf = new WeakMap<object, readonly Reason[]>();

/** By status and reasons: many operations have the same. */
const reasonedErrors = new Map<string, z.ZodType>();

/** Statuses that an operation also responds with without a reason: no valid credential, and no database. */
const alsoWithout = new Set([401, 503]);

/** Returns the schema of a status with exactly these reasons. */
function reasonedError(status: number, given: readonly Reason[]): z.ZodType {
  const key = `${status} ${given}`;
  const schema = reasonedErrors.get(key) ?? newReasonedError(status, given);
  reasonedErrors.set(key, schema);
  return schema;
}

/** Lazy: there are a hundred of them, and only the document reads them. */
function newReasonedError(status: number, given: readonly Reason[]): z.ZodType {
  const schema = z.lazy(() => {
    const reason = z.enum(given);
    const narrowed = z.looseObject({
      error: z.looseObject({ reason: alsoWithout.has(status) ? reason.optional() : reason }),
    });
    const envelope = given.includes("booking_conflicts") ? RefusedBooking : ReasonedErrorEnvelope;
    return z.intersection(envelope, narrowed);
  });
  reasonsOf.set(schema, given);
  return schema;
}

/** Returns the reasons that an error was declared with. */
export const declaredReasons = (schema: z.ZodType): readonly Reason[] => reasonsOf.get(schema) ?? [];

/** Statuses that routes declare by number. The others (403, 409, 410, 412) are declared by their reasons. */
export type PlainErrorStatus = 400 | 401 | 404 | 413 | 415 | 422 | 429 | 500 | 502 | 503;

type Refusals = readonly (PlainErrorStatus | Reason)[];

/** By what is declared: many routes declare the same. */
const refusalSchemas = new Map<string, Record<number, z.ZodType>>();

function schemasOf(refusals: Refusals): Record<number, z.ZodType> {
  const key = refusals.join();
  const known = refusalSchemas.get(key);
  if (known) return known;
  const byStatus = new Map<number, Reason[]>();
  for (const refusal of refusals) {
    const status = typeof refusal === "number" ? refusal : statusOf[reasons[refusal].code];
    const given = byStatus.get(status) ?? [];
    byStatus.set(status, typeof refusal === "number" ? given : [...given, refusal]);
  }
  const schemas = Object.fromEntries([...byStatus].map(([status, given]) => [status, errorSchema(status, given)]));
  refusalSchemas.set(key, schemas);
  return schemas;
}

/**
 * `responses({ 200: FlightResponse }, 401, 404, "revision_changed")`: a reason also declares the status of its code. Common
 * errors (500, 413, 429, `permission_missing`, …) are added to the document automatically.
 */
export function responses<Success extends Record<number, z.ZodType>>(success: Success, ...refusals: Refusals): Success {
  return { ...success, ...schemasOf(refusals) };
}

/** Returns the schema of an error body with this status and these reasons. */
export function errorSchema(status: number, given: readonly Reason[]): z.ZodType {
  if (given.length > 0) return reasonedError(status, given);
  return status === 400 ? ValidationErrorEnvelope : ErrorEnvelope;
}

/** `{"data": …}`: one resource. */
export const data = <Schema extends z.core.$ZodType>(schema: Schema) => z.strictObject({ data: schema });

const next_cursor = z.string().nullable();
const nextCursor = "The `cursor` of the next page; null at the end of the list.";

const last_cursor = z
  .string()
  .nullable()
  .optional()
  .meta({
    description:
      "Only in the order of time: the `cursor` of what comes after this page, also at the end of the list. Use it later to read what is new since then. Null if the list is empty.",
    examples: [EXAMPLE_CURSOR],
  });

const Page = z
  .strictObject({
    limit: z.int().meta({ examples: [100] }),
    offset: z.int().meta({ examples: [0] }),
    has_more: z.boolean().meta({ examples: [false] }),
    next_cursor: next_cursor.meta({ description: nextCursor, examples: [null] }),
    last_cursor,
    total: z
      .int()
      .optional()
      .meta({ description: "Only with `with_total=true`.", examples: [1] }),
  })
  .meta({ id: "Page" });

/** `{"data": […], "page": {…}}`: a list in pages. */
export const page = <Schema extends z.core.$ZodType>(schema: Schema) =>
  z.strictObject({ data: z.array(schema), page: Page });

const CursorPage = z
  .strictObject({
    limit: z.int().meta({ examples: [100] }),
    has_more: z.boolean().meta({ examples: [true] }),
    next_cursor: next_cursor.meta({ description: nextCursor, examples: [EXAMPLE_CURSOR] }),
    last_cursor,
  })
  .meta({ id: "CursorPage" });

/** As `page`, for a list without `offset`. */
export const cursorPage = <Schema extends z.core.$ZodType>(schema: Schema) =>
  z.strictObject({ data: z.array(schema), page: CursorPage });

/** A redirect (303): a `Location` without a body. */
export const redirection = z.instanceof(Response);

/** The schema of a 204. */
export const empty = z.instanceof(Response);

export const noContent = (): Response => new Response(null, { status: 204 });

const mediaTypes = new WeakMap<object, readonly string[]>();

/** A text response: `responses({ 200: textResponse("text/plain") })`. */
export function textResponse(mediaType: "text/plain" | "text/html" | "application/zip") {
  const schema = z.string().meta({ examples: [mediaType === "text/html" ? "<!doctype html>" : "ok"] });
  mediaTypes.set(schema, [mediaType]);
  return schema;
}

const tags = new WeakSet<object>();

/** A file of one of the types: `responses({ 200: fileResponse(["image/png"]) })`, for a route that returns `sendFile(…)`. */
export function fileResponse(types: readonly string[]) {
  const schema = z.string().meta({ format: "binary", description: "The file.", examples: ["%PDF-1.7 …"] });
  mediaTypes.set(schema, types);
  tags.add(schema);
  return schema;
}

/** Server-sent events: `responses({ 200: eventStream(Change) })`. @param data the JSON of an event. Not for a schema that others share */
export function eventStream<Schema extends z.ZodType>(data: Schema): Schema {
  mediaTypes.set(data, ["text/event-stream"]);
  return data;
}

export const isEventStream = (schema: unknown): boolean =>
  schema instanceof z.ZodType && mediaTypesOf(schema).includes("text/event-stream");

/** A response with an `ETag`, of a route without a key that uses `conditional`. Not for a schema that others share. */
export function tagged<Schema extends z.ZodType>(schema: Schema): Schema {
  tags.add(schema);
  return schema;
}

/** Returns whether a response has an `ETag`: files have one. */
export const hasETag = (schema: unknown): boolean => typeof schema === "object" && schema !== null && tags.has(schema);

/** Returns the media types of a text or a file; JSON for every other schema. */
export const mediaTypesOf = (schema: z.ZodType): readonly string[] => mediaTypes.get(schema) ?? ["application/json"];

const pages = new WeakSet<object>();

/** A response that is also a page for people: of a route that asks `prefersHtml`. Not for a schema that others share. */
export function alsoHtml<Schema extends z.ZodType>(schema: Schema): Schema {
  pages.add(schema);
  return schema;
}

export const isAlsoHtml = (schema: z.ZodType): boolean => pages.has(schema);

const pdfs = new WeakSet<object>();

/** A list that is also a PDF file: of a route that returns a `ListPage` with `pdf`. */
export function alsoPdf<Schema extends z.ZodType>(schema: Schema): Schema {
  pdfs.add(schema);
  return schema;
}

export const isAlsoPdf = (schema: z.ZodType): boolean => pdfs.has(schema);
