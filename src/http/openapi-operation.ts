/** Builds the OpenAPI operation of a route. */
import { z } from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from "zod-openapi";
import { limitsOf, usualLimits } from "./body-limits.ts";
import { idOf } from "./fields.ts";
import { commonErrors, commonReasons, describeErrors, type RouteTraits } from "./openapi-errors.ts";
import { type HeaderTraits, responseHeaders } from "./openapi-headers.ts";
import { requestHeaders } from "./openapi-request-headers.ts";
import { operationIdOf } from "./operation-id.ts";
import { AnyQuery } from "./query.ts";
import {
  declaredReasons,
  errorSchema,
  hasETag,
  isAlsoHtml,
  isAlsoPdf,
  isEventStream,
  mediaTypesOf,
} from "./responses.ts";
import type { Route } from "./route.ts";
import { hasData, isBySession, isOpen, type Security, securityOf } from "./route-security.ts";
import { showsSecret } from "./shown-once.ts";
import { isServedWhileSuspended } from "./while-suspended.ts";

const paramNames = (path: string) => [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);

const AnyId = idOf<string>();

/** @param takesIfMatch whether it compares the tag of a resource (`if-match.ts`) */
export function operationOf(route: Route, takesIfMatch: boolean): ZodOpenApiOperationObject {
  const { summary, description, tags } = detailOf(route);
  const security = securityOf(route);
  const names = paramNames(route.path);
  if (security === "organization" && !names.includes("orgId"))
    throw new Error(`${route.method} ${route.path} uses the gate \`session\`, so its path must have :orgId.`);

  const { params, query, body } = schemasOf(route);
  const sendsBody = route.method !== "GET";
  const usesData = hasData(route);
  const isOfOrganization =
    security === "organization" || security === "named-organization" || typeof security === "object";
  const traits = {
    security,
    sendsBody,
    readsBody: !!body,
    limits: body ? limitsOf(body) : usualLimits,
    checksQuery: query !== AnyQuery,
    hasParams: names.length > 0,
    hasData: usesData,
    hasTenantData: isOfOrganization || (usesData && route.hooks.response?.[503] !== undefined),
    hasETag: route.method === "GET" && hasTag(security, route.hooks.response?.[200]),
    takesIdempotencyKey: route.method === "POST" && !isOpen(security),
    takesIfMatch,
    hasPages: hasPages(route),
    showsSecret: showsSecret(route),
    whileSuspended: isServedWhileSuspended(route),
  };
  const header = requestHeaders(traits);
  const required = requirements(security);
  return {
    operationId: operationIdOfRoute(route),
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description: withScope(description, security) }),
    ...(tags && { tags }),
    ...(required && { security: required }),
    requestParams: {
      ...(names.length > 0 && { path: pathObject(names, params) }),
      ...(query && { query }),
      ...(header && { header }),
    },
    ...(body && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: withTypes(traits.limits.mediaTypes, body),
      },
    }),
    responses: responsesOf(route, traits),
  };
}

const hasTag = (security: Security, response: unknown): boolean =>
  !isEventStream(response) && (!isOpen(security) || hasETag(response));

export const operationIdOfRoute = (route: Route): string =>
  detailOf(route).operationId ?? operationIdOf({ method: route.method, path: route.path, lists: lists(route) });

const withScope = (description: string, security: Security) =>
  typeof security === "object" ? `${description} The key needs the scope \`${security.scope}\`.` : description;

interface Detail {
  summary?: string;
  description?: string;
  tags?: string[];
  operationId?: string;
  hide?: boolean;
}

/** Returns the texts of a route's `detail`. */
export function detailOf(route: Route): Detail {
  return Detail.parse(route.hooks.detail ?? {});
}

const Detail: z.ZodType<Detail> = z.object({
  summary: z.string().exactOptional(),
  description: z.string().exactOptional(),
  tags: z.array(z.string()).exactOptional(),
  operationId: z.string().exactOptional(),
  hide: z.boolean().exactOptional(),
});

const asObject = (schema: unknown) => (schema instanceof z.ZodObject ? schema : undefined);

function schemasOf({ hooks }: Route) {
  return {
    params: asObject(hooks.params),
    query: asObject(hooks.query),
    body: hooks.body instanceof z.ZodType ? hooks.body : undefined,
  };
}

/** Returns a schema for each name in the path: the route's own, or an id for names that the gate reads, such as `orgId`. */
function pathObject(names: readonly string[], params: z.ZodObject | undefined) {
  return z.object(Object.fromEntries(names.map((name) => [name, params?.shape[name] ?? AnyId])));
}

/** Returns what a route requires; undefined if that is a session, as the document says for all. */
function requirements(security: Security): Record<string, string[]>[] | undefined {
  if (security === "open") return [];
  if (security === "optional") return [{}, { session: [] }];
  return typeof security === "object" ? [{ apiKey: [] }] : undefined;
}

/** Returns whether the response is `{"data": […], "page": {…}}`. */
const hasPages = ({ hooks }: Route): boolean => "page" in (asObject(hooks.response?.[200])?.shape ?? {});

/** Returns whether the response is `{"data": […]}`. */
const lists = ({ hooks }: Route): boolean => asObject(hooks.response?.[200])?.shape.data instanceof z.ZodArray;

function responsesOf(route: Route, traits: RouteTraits & HeaderTraits): ZodOpenApiResponsesObject {
  const declared = new Map<number, z.ZodType>();
  for (const [status, schema] of Object.entries(route.hooks.response ?? {}))
    if (schema instanceof z.ZodType) declared.set(Number(status), schema);
  for (const status of commonErrors(traits)) if (!declared.has(status)) declared.set(status, errorSchema(status, []));
  for (const [status, reasons] of commonReasons(traits)) {
    const own = declared.get(status);
    declared.set(status, errorSchema(status, [...new Set([...(own ? declaredReasons(own) : []), ...reasons])]));
  }

  if (traits.hasETag) declared.set(304, Unchanged);

  const sorted = [...declared].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    sorted.map(([status, schema]) => [
      String(status),
      {
        description: descriptionOf(status, schema, traits),
        headers: responseHeaders(status, traits),
        ...(!bodiless.has(status) && { content: contentOf(status, schema, traits) }),
      },
    ]),
  );
}

const withTypes = (mediaTypes: readonly string[], schema: z.ZodType) =>
  Object.fromEntries(mediaTypes.map((type) => [type, { schema }]));

/** A list of the session API is also CSV (`list-page.ts`). */
const contentOf = (status: number, schema: z.ZodType, { hasPages, security }: HeaderTraits) => ({
  ...withTypes(mediaTypesOf(schema), schema),
  ...(status === 200 && hasPages && isBySession(security) && { "text/csv": { schema: Csv } }),
  ...(isAlsoPdf(schema) && { "application/pdf": { schema: Pdf } }),
  ...(isAlsoHtml(schema) && { "text/html": { schema: Html } }),
});

const Csv = z.string().meta({
  id: "Csv",
  description:
    "With `Accept: text/csv`: the whole list, or with `limit` one page of it. The first line names the columns; an object's fields are columns such as `aircraft.registration`. An apostrophe precedes text that a spreadsheet would take for a formula.",
});

const Pdf = z.string().meta({
  id: "Pdf",
  format: "binary",
  description: "With `Accept: application/pdf`: the whole list for print, also with `limit` and `cursor`.",
});

const Html = z.string().meta({ id: "Html", description: "With `Accept: text/html`: a page for people." });

/** A response without a body. */
const Unchanged = z.void();

/** Statuses without a body. */
const bodiless: ReadonlySet<number> = new Set([204, 303, 304]);

const successDescriptions: Record<number, string> = {
  200: "Done.",
  201: "Created.",
  202: "Accepted.",
  204: "Done.",
  303: "Continue at `Location`.",
  304: "Unchanged: the body that `If-None-Match` identifies is current.",
};

function descriptionOf(status: number, schema: z.ZodType, traits: RouteTraits): string {
  if (status >= 400) return describeErrors(status, declaredReasons(schema), traits);
  return schema.meta()?.description ?? successDescriptions[status] ?? "A response.";
}
