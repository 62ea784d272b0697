/** The `response` record of a route: what it answers when all is well, and the statuses it may refuse with. */
import { z } from "zod";
import { errorCodes } from "../core/errors.ts";
import { EXAMPLE_CURSOR } from "./query.ts";

const errorFields = {
  error: z.strictObject({
    code: z.enum(errorCodes).meta({ description: "What went wrong, for programs." }),
    message: z.string().meta({ description: "What went wrong, for people.", examples: ["There is no such resource."] }),
    request_id: z.string().meta({
      description: "Names this request in the log; quote it when asking for help.",
      examples: ["01890a5d-ac96-774b-bcce-b302099a8057"],
    }),
  }),
};

/** Every error but an invalid request. */
export const ErrorEnvelope = z
  .strictObject(errorFields)
  .meta({ id: "Error", description: "Why a request was refused." });

/** A 400: with `issues` when fields are at fault, without when the request could not be read at all. */
export const ValidationErrorEnvelope = z
  .strictObject({
    ...errorFields,
    issues: z
      .array(
        z.strictObject({
          path: z.string().meta({ description: "Where, from `body`, `query` down.", examples: ["body.email"] }),
          code: z.string().meta({ description: "The kind of fault.", examples: ["invalid_format"] }),
          message: z.string().meta({ examples: ["Must be an e-mail address."] }),
        }),
      )
      .optional(),
  })
  .meta({ id: "ValidationError", description: "A request that is not valid, and where." });

export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 410 | 412 | 413 | 415 | 422 | 429 | 500 | 502 | 503;

type ErrorSchema<Status extends ErrorStatus> = Status extends 400
  ? typeof ValidationErrorEnvelope
  : typeof ErrorEnvelope;

/** `responses({ 200: FlightResponse }, 401, 404)`. The common ones (500, 413, 429, …) come into the document by themselves. */
export function responses<Success extends Record<number, z.ZodType>, Status extends ErrorStatus = never>(
  success: Success,
  ...errors: Status[]
): Success & { [S in Status]: ErrorSchema<S> } {
  const refusals = errors.map((status) => [status, status === 400 ? ValidationErrorEnvelope : ErrorEnvelope]);
  return { ...success, ...Object.fromEntries(refusals) };
}

/** `{"data": …}`: one resource. */
export const data = <Schema extends z.ZodType>(schema: Schema) => z.strictObject({ data: schema });

const next_cursor = z.string().nullable();
const nextCursor = "The `cursor` of the next page; null at the end of the list.";

const Page = z
  .strictObject({
    limit: z.int().meta({ examples: [100] }),
    offset: z.int().meta({ examples: [0] }),
    has_more: z.boolean().meta({ examples: [false] }),
    next_cursor: next_cursor.meta({ description: nextCursor, examples: [null] }),
    total: z
      .int()
      .optional()
      .meta({ description: "Only with `with_total=true`.", examples: [1] }),
  })
  .meta({ id: "Page" });

/** `{"data": […], "page": {…}}`: a list in pages. */
export const page = <Schema extends z.ZodType>(schema: Schema) => z.strictObject({ data: z.array(schema), page: Page });

const CursorPage = z
  .strictObject({
    limit: z.int().meta({ examples: [100] }),
    has_more: z.boolean().meta({ examples: [true] }),
    next_cursor: next_cursor.meta({ description: nextCursor, examples: [EXAMPLE_CURSOR] }),
  })
  .meta({ id: "CursorPage" });

/** As `page`, for a list that is read by cursor alone. */
export const cursorPage = <Schema extends z.ZodType>(schema: Schema) =>
  z.strictObject({ data: z.array(schema), page: CursorPage });

/** An answer that leads elsewhere (303): its `Location` is all there is to it. */
export const redirection = z.instanceof(Response);

const mediaTypes = new WeakMap<object, string>();

/** A response that is text and not JSON: `responses({ 200: textResponse("text/plain") })`. */
export function textResponse(mediaType: "text/plain" | "text/html") {
  const schema = z.string().meta({ examples: [mediaType === "text/html" ? "<!doctype html>" : "ok"] });
  mediaTypes.set(schema, mediaType);
  return schema;
}

/** The media type a `textResponse` was declared with; JSON for every other schema. */
export const mediaTypeOf = (schema: z.ZodType): string => mediaTypes.get(schema) ?? "application/json";
