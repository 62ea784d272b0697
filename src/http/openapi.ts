/** The OpenAPI 3.1 document, built from the routes and their schemas. */
import { isDeepStrictEqual } from "node:util";
import { createDocument, type ZodOpenApiObject, type ZodOpenApiPathsObject } from "zod-openapi";
import { atOnce, type Steps } from "../core/steps.ts";
import { inOrder } from "./docs-index.ts";
import { taggedResources } from "./if-match.ts";
import { addExamples } from "./openapi-examples.ts";
import { headerComponents } from "./openapi-headers.ts";
import type { DocumentedWebhooks, OpenApiInfo } from "./openapi-info.ts";
import { detailOf, operationOf } from "./openapi-operation.ts";
import { nameScalars } from "./openapi-scalars.ts";
import { describeDefaults, describeParametersOnce, openResponses, reach, typeMembers } from "./openapi-schemas.ts";
import { shareParts } from "./openapi-shared.ts";
import { templateOf } from "./path-template.ts";
import type { Route } from "./route.ts";

export type OpenApiDocument = ReturnType<typeof createDocument>;

export const DESCRIPTION = `Runs a flight school: flights, fleet, people, training, money.

Session routes take \`Authorization: Bearer <access token>\` from the login. The public API, under \`/api/v1/public\`, takes
\`Authorization: Bearer <API key>\` with \`X-Org-Id\`. It reads records and replays events. Every response has \`X-Request-Id\`.

Every error has a \`code\` and, where the code covers several cases, a \`reason\`. Programs decide by these and never by
\`message\`. Each operation lists its reasons; \`ErrorReason\` has all of them.

POSTs of session routes and of the public API take an \`Idempotency-Key\`: a repeat with the same key is not carried out twice. GETs with a credential
have an \`ETag\`, and respond with 304 to a client whose copy is current. PATCH, DELETE and actions take it as \`If-Match\`, and
respond with 412 if the resource has changed since.`;

const securitySchemes = {
  session: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "The access token of a login." },
  apiKey: { type: "http", scheme: "bearer", description: "An organization's API key, sent with `X-Org-Id`." },
} as const;

/** @throws a route has no gate */
export const openApiDocument = (routes: readonly Route[], info: OpenApiInfo = {}): OpenApiDocument =>
  atOnce(documentSteps(routes, info));

/** Builds the document in steps: all at once, it would stop other requests for a second. @throws a route has no gate */
export function* documentSteps(
  routes: readonly Route[],
  { tags: about = {}, webhooks = {}, schemas = {}, publicUrl }: OpenApiInfo = {},
): Steps<OpenApiDocument> {
  const shown = routes.filter((route) => !detailOf(route).hide);
  const described = [...shown.map(detailOf), ...Object.values(webhooks)];
  const tags = inOrder(
    described.flatMap((one) => one.tags ?? []),
    about,
  );
  const head = {
    openapi: "3.1.0",
    info: {
      title: "Windsock",
      version: "1.0",
      description: DESCRIPTION,
      ...(publicUrl !== undefined && { contact: { name: "The operator of this installation", url: publicUrl } }),
      license: { name: "MIT", identifier: "MIT" },
    },
    // Relative: browsers may use another address than the configured one, and the page may not call another origin.
    servers: [{ url: "/", description: "This installation" }],
    tags: tags.map((name) => ({ name, description: about[name] ?? `${name}.` })),
    security: [{ session: [] }],
    components: { securitySchemes, headers: headerComponents },
  } as const satisfies ZodOpenApiObject;
  const document = yield* derived(head, yield* pathsOf(shown), webhooks);
  const components = document.components?.schemas ?? {};
  for (const [name, schema] of Object.entries(schemas))
    components[name] = Object.assign(components[name] ?? {}, schema);
  yield* typeMembers(document);
  yield* openResponses(document);
  describeParametersOnce(document);
  yield* addExamples(document);
  yield* describeDefaults(document);
  yield* nameScalars(document);
  yield* shareParts(document);
  yield* removeUnusedHeaders(document);
  return document;
}

function* pathsOf(routes: readonly Route[]): Steps<ZodOpenApiPathsObject> {
  const paths: ZodOpenApiPathsObject = {};
  const resourceWritten = taggedResources(routes);
  for (const route of routes) {
    const path = templateOf(route.path);
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: operationOf(route, resourceWritten(route.method, path) !== undefined),
    };
    yield;
  }
  return paths;
}

/**
 * Derives the schemas of the paths, of one resource after the other. A schema that has another form in requests than in responses
 * must not be in the requests of one resource and in the responses of another only: both forms would get one name.
 *
 * @throws two resources have different schemas of one name
 */
function* derived(
  head: ZodOpenApiObject,
  paths: ZodOpenApiPathsObject,
  webhooks: DocumentedWebhooks,
): Steps<OpenApiDocument> {
  const sent = Object.entries(webhooks).map(([name, post]) => [name, { post }] as const);
  const document = createDocument({ ...head, ...(sent.length > 0 && { webhooks: Object.fromEntries(sent) }) });
  document.paths = {};
  const found = { ...document.components?.schemas };
  const all = Object.entries(paths);
  for (const same of Map.groupBy(all, ([path]) => resourceOf(path)).values()) {
    yield;
    const part = createDocument({ ...head, paths: Object.fromEntries(same) });
    Object.assign(document.paths, part.paths);
    for (const [name, schema] of Object.entries(part.components?.schemas ?? {})) {
      if (name in found && !isDeepStrictEqual(found[name], schema))
        throw new Error(
          `The schema ${name} has one form in the requests of a resource, and another in the responses of another.`,
        );
      found[name] = schema;
    }
  }
  document.paths = Object.fromEntries(all.map(([path]) => [path, document.paths?.[path] ?? {}]));
  document.components = { ...document.components, schemas: found };
  return document;
}

/** `/orgs/{orgId}/finance/invoices` of a path below it, whatever its ids are called. */
const resourceOf = (path: string): string =>
  path
    .split("/")
    .filter((part) => !part.startsWith("{"))
    .slice(0, 4)
    .join("/");

/** Removes header components that neither a route nor a webhook uses. */
function* removeUnusedHeaders({ components, paths, webhooks }: OpenApiDocument): Steps<void> {
  const nodes = yield* reach([{ paths, webhooks, responses: components?.responses }], {});
  const used = new Set([...nodes].map(({ $ref }) => $ref));
  for (const name of Object.keys(components?.headers ?? {}))
    if (!used.has(`#/components/headers/${name}`)) Reflect.deleteProperty(components?.headers ?? {}, name);
}
