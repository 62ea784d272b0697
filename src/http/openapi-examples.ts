/**
 * Builds an example of every request body and refusal from the examples of the fields. Examples written by hand would become
 * wrong when a schema changes. Other responses have those of their fields alone, from which tools make the same.
 */
import { issue } from "../core/errors.ts";
import { exampleOf, isNode, type Node, nodeAt, nodes } from "../core/example-of.ts";
import { isReason, reasons } from "../core/reasons.ts";
import type { Steps } from "../core/steps.ts";
import { inUnits, usualLimits } from "./body-limits.ts";
import { shownIssue } from "./error-envelope.ts";
import { fieldsWith } from "./reason-fields.ts";
import { otherTypeMessage } from "./request-body.ts";
import { noSuchField, noSuchParameter } from "./validation-issues.ts";

/** Adds `example` to every body and refusal without one; `examples` where a schema has alternatives. */
export function* addExamples(document: { components?: unknown; paths?: unknown }): Steps<void> {
  const find = (ref: string): Node => nodeAt({ ...document }, ref);
  for (const operation of operationsOf(document.paths)) {
    yield;
    if (isNode(operation.requestBody)) exemplify(operation.requestBody.content, find);
    for (const [status, response] of Object.entries(isNode(operation.responses) ? operation.responses : {}))
      if (isNode(response)) {
        exemplify(response.content, find, Number(status));
        if (status === "413" && isCsv(operation.requestBody)) Object.assign(errorIn(response.content), tooManyLines);
        if (status === "415")
          errorIn(response.content).message = otherTypeMessage(Object.keys(contentOf(operation.requestBody)));
        if (status === "503") {
          const [code, message] = isOfOrganization(operation, response) ? ofTenant : ofControl;
          Object.assign(errorIn(response.content), { code, message, reason: undefined });
        }
        if (status === "400") nameField(response.content, faultIn(operation));
      }
  }
}

const tooManyLines = { message: "The file has more than 5000 lines after the first." };

/** A 503 where no organization's records are read. */
const ofControl = ["UNAVAILABLE", "The server can't read or store its records at the moment."];
const ofTenant = ["TENANT_UNAVAILABLE", "These records can't be opened at the moment."];

/** Only where an organization's records are read, a client may wait for the end of their check. */
const isOfOrganization = ({ parameters }: Node, { headers }: Node) =>
  nodes(parameters).some(({ name }) => name === "orgId" || name === "X-Org-Id") &&
  isNode(headers) &&
  "Retry-After" in headers;

const contentOf = (body: unknown): Node => (isNode(body) && isNode(body.content) ? body.content : {});
const isCsv = (body: unknown) => "text/csv" in contentOf(body);

function errorIn(content: unknown): Node {
  const [media] = Object.values(isNode(content) ? content : {});
  return isNode(media) && isNode(media.example) && isNode(media.example.error) ? media.example.error : {};
}

export const operationsOf = (paths: unknown) =>
  Object.values(isNode(paths) ? paths : {}).flatMap((item) => Object.values(isNode(item) ? item : {}).filter(isNode));

/** The code and message of an error without a reason. */
const codes: Record<number, [code: string, message: string]> = {
  400: ["VALIDATION_ERROR", "The request is not valid."],
  401: ["UNAUTHORIZED", "Missing or invalid credentials."],
  404: ["NOT_FOUND", "There is no such resource."],
  413: ["PAYLOAD_TOO_LARGE", `The body is larger than ${inUnits(usualLimits.bytes)}.`],
  415: ["UNSUPPORTED_MEDIA_TYPE", otherTypeMessage(usualLimits.mediaTypes)],
  422: ["IDEMPOTENCY_KEY_REUSED", "This `Idempotency-Key` was used with another body. Send a new key."],
  429: ["RATE_LIMITED", "Too many requests. Wait for the time in `Retry-After`."],
  500: ["SERVER_ERROR", "An internal error occurred."],
  502: ["BAD_GATEWAY", "The provider does not answer as it should. Try again later."],
};

function exemplify(content: unknown, find: (ref: string) => Node, status?: number): void {
  for (const media of Object.values(isNode(content) ? content : {})) {
    if (!isNode(media) || !isNode(media.schema) || "example" in media || "examples" in media) continue;
    const forms = namedForms(media.schema);
    if (forms.length > 1) {
      media.examples = Object.fromEntries(
        forms.map(([name, ref]) => [name, { value: exampleOf({ $ref: ref }, find) ?? null }]),
      );
      continue;
    }
    if (status !== undefined && status < 400) continue;
    const example = exampleOf(media.schema, find);
    if (isNode(example) && isNode(example.error))
      media.example = { ...example, error: ofItsReason(example.error, status) };
    else if (example !== undefined) media.example = example;
  }
}

/** Returns an example of an error with what one of its reason has. */
function ofItsReason({ code, reason, message, request_id, ...fields }: Node, status: number | undefined): Node {
  const names = isReason(reason) ? fieldsWith(reason) : [];
  const own = Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
  return { code, ...(reason !== undefined && { reason }), message, request_id, ...own, ...refusalOf(status, reason) };
}

/** Returns the code and message of a reason or, without one, of a status. */
function refusalOf(status: number | undefined, reason: unknown): { code?: string; message?: string } {
  if (isReason(reason)) return { code: reasons[reason].code, message: reasons[reason].means };
  const [code, message] = codes[status ?? 0] ?? [];
  return code === undefined || message === undefined ? {} : { code, message };
}

/** Returns the alternatives of a schema, each with its component's name. */
const namedForms = ({ anyOf }: Node): [name: string, ref: string][] =>
  nodes(anyOf).flatMap(({ $ref: ref }) =>
    typeof ref === "string" ? [[ref.split("/").at(-1) ?? "", ref] satisfies [string, string]] : [],
  );

type Fault = ReturnType<typeof shownIssue>;

/** Returns a fault that every route with such input can find: a field that no body has or, without a body, in the query. */
function faultIn({ requestBody, parameters }: Node): Fault {
  if ("application/json" in contentOf(requestBody)) return { path: "body.no_such_field", ...noSuchField };
  const query = nodes(parameters).find((parameter) => parameter.in === "query");
  if (query) return shownIssue(issue(`query.${String(query.name)}`, "invalid"));
  return { path: "query.limit", ...noSuchParameter("limit", []) };
}

/** Sets the fault in the example of a 400. */
function nameField(content: unknown, fault: Fault): void {
  for (const media of Object.values(isNode(content) ? content : {}))
    if (isNode(media) && isNode(media.example) && "issues" in media.example) media.example.issues = [{ ...fault }];
}
