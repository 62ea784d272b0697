/** One route as one OpenAPI operation. */
import { z } from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from "zod-openapi";
import { idOf } from "./fields.ts";
import { commonErrors, errorDescriptions, type RouteTraits } from "./openapi-errors.ts";
import { responseHeaders } from "./openapi-headers.ts";
import { ErrorEnvelope, mediaTypeOf, ValidationErrorEnvelope } from "./responses.ts";
import type { Route } from "./route.ts";
import { type Security, securityOf } from "./route-security.ts";

/** `/orgs/:orgId` as OpenAPI writes it, without the slash Elysia leaves after a group's prefix. */
export const templateOf = (path: string) => path.replace(/:(\w+)\??/g, "{$1}").replace(/(.)\/$/, "$1");

const paramNames = (path: string) => [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);

const AnyId = idOf<string>();
const OrgHeader = z.object({
  "X-Org-Id": idOf<"organization">().meta({ description: "The organization the key belongs to." }),
});

export function operationOf(route: Route): ZodOpenApiOperationObject {
  const { summary, description, tags, operationId } = detailOf(route);
  const security = securityOf(route);
  const names = paramNames(route.path);
  if (security === "organization" && !names.includes("orgId"))
    throw new Error(`${route.method} ${route.path} is for members of an organization but has no :orgId.`);

  const { params, query, body } = schemasOf(route);
  const sendsBody = route.method !== "GET";
  const traits = { security, sendsBody, readsBody: !!body, hasQuery: !!query, hasParams: names.length > 0 };
  return {
    operationId: operationId ?? derivedId(route),
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(tags && { tags }),
    security: requirements(security),
    requestParams: {
      ...(names.length > 0 && { path: pathObject(names, params) }),
      ...(query && { query }),
      ...(typeof security === "object" && { header: OrgHeader }),
    },
    ...(body && {
      requestBody: { required: !body.safeParse(undefined).success, content: { "application/json": { schema: body } } },
    }),
    responses: responsesOf(route, traits),
  };
}

interface Detail {
  summary?: string;
  description?: string;
  tags?: string[];
  operationId?: string;
  hide?: boolean;
}

/** What a route says about itself in prose. */
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

/** Every name in the path, with the route's own schema where it has one; `orgId`, say, is the gate's. */
function pathObject(names: readonly string[], params: z.ZodObject | undefined) {
  return z.object(Object.fromEntries(names.map((name) => [name, params?.shape[name] ?? AnyId])));
}

function requirements(security: Security): Record<string, string[]>[] {
  if (security === "open") return [];
  if (security === "optional") return [{}, { session: [] }];
  if (typeof security === "object") return [{ apiKey: [] }];
  return [{ session: [] }];
}

function responsesOf(route: Route, traits: RouteTraits): ZodOpenApiResponsesObject {
  const declared = new Map<number, z.ZodType>();
  for (const [status, schema] of Object.entries(route.hooks.response ?? {}))
    if (schema instanceof z.ZodType) declared.set(Number(status), schema);
  for (const status of commonErrors(traits))
    if (!declared.has(status)) declared.set(status, status === 400 ? ValidationErrorEnvelope : ErrorEnvelope);

  const sorted = [...declared].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    sorted.map(([status, schema]) => [
      String(status),
      {
        description: schema.meta()?.description && status < 400 ? String(schema.meta()?.description) : describe(status),
        headers: responseHeaders(status, traits.security),
        ...(status !== 204 && status !== 304 && { content: { [mediaTypeOf(schema)]: { schema } } }),
      },
    ]),
  );
}

const successDescriptions: Record<number, string> = {
  200: "Done.",
  201: "Created.",
  202: "Accepted.",
  204: "Done.",
  304: "Unchanged.",
};
const describe = (status: number) => successDescriptions[status] ?? errorDescriptions[status] ?? "An answer.";

/** `POST /orgs/:orgId/flights/:flightId/approve` becomes `postFlightsByFlightIdApprove`. */
function derivedId({ method, path }: Route): string {
  const parts = path
    .replace(/^\/orgs\/:orgId\//, "/")
    .replace(/^\/api\/v1\//, "/")
    .split(/[/-]/)
    .filter(Boolean);
  const words = parts.map((part) => (part.startsWith(":") ? `By${capital(part.slice(1))}` : capital(part)));
  return method.toLowerCase() + (words.join("") || "Root");
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).replace(/\W/g, "");
