/** The OpenAPI 3.1 document, built from the routes and their schemas. */
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import { inOrder } from "./docs-index.ts";
import { addExamples } from "./openapi-examples.ts";
import { headerComponents } from "./openapi-headers.ts";
import { detailOf, operationOf, templateOf } from "./openapi-operation.ts";
import { nameScalars } from "./openapi-scalars.ts";
import { describeDefaults, describeParametersOnce, openResponses, typeMembers } from "./openapi-schemas.ts";
import { shareParts } from "./openapi-shared.ts";
import type { Route } from "./route.ts";

export interface OpenApiInfo {
  /** Descriptions of tags, in the order in which the document has them. */
  tags?: Readonly<Record<string, string>>;
  webhooks?: DocumentedWebhooks;
  /** Components by name, for what zod can't derive. */
  schemas?: Readonly<Record<string, object>>;
  /** The installation's public address, where a reader finds its operator. */
  publicUrl?: string;
}

/** Requests to other servers, by name. No route has them. */
export type DocumentedWebhooks = Readonly<Record<string, ZodOpenApiOperationObject>>;

export type OpenApiDocument = ReturnType<typeof createDocument>;

export const DESCRIPTION = `Runs a flight school: flights, fleet, people, training, money.

Session routes take \`Authorization: Bearer <access token>\` from the login. The public API, under \`/api/v1/public\`, takes
\`Authorization: Bearer <API key>\` with \`X-Org-Id\`. It reads records and replays events. Every response has \`X-Request-Id\`.

Every error has a \`code\` and, where the code covers several cases, a \`reason\`. Programs decide by these and never by
\`message\`. Each operation lists its reasons; \`ErrorReason\` has all of them.

POSTs of session routes and of the public API take an \`Idempotency-Key\`: a repeat with the same key is not carried out twice. GETs of the public API
have an \`ETag\`, and respond with 304 to a client whose copy is current.`;

const securitySchemes = {
  session: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "The access token of a login." },
  apiKey: { type: "http", scheme: "bearer", description: "An organization's API key, sent with `X-Org-Id`." },
} as const;

/** @throws a route has no gate */
export function openApiDocument(
  routes: readonly Route[],
  { tags: about = {}, webhooks = {}, schemas = {}, publicUrl }: OpenApiInfo = {},
): OpenApiDocument {
  const shown = routes.filter((route) => !detailOf(route).hide);
  const paths: ZodOpenApiPathsObject = {};
  for (const route of shown) {
    const path = templateOf(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  const sent = Object.entries(webhooks);
  const described = [...shown.map(detailOf), ...Object.values(webhooks)];
  const tags = inOrder(
    described.flatMap((one) => one.tags ?? []),
    about,
  );
  const document = createDocument({
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
    paths,
    ...(sent.length > 0 && { webhooks: Object.fromEntries(sent.map(([name, post]) => [name, { post }])) }),
  });
  const components = document.components?.schemas ?? {};
  for (const [name, schema] of Object.entries(schemas))
    components[name] = Object.assign(components[name] ?? {}, schema);
  typeMembers(document);
  openResponses(document);
  describeParametersOnce(document);
  addExamples(document);
  describeDefaults(document);
  nameScalars(document);
  shareParts(document);
  removeUnusedHeaders(document);
  return document;
}

/** Removes header components that neither a route nor a webhook uses. */
function removeUnusedHeaders({ components, paths, webhooks }: OpenApiDocument): void {
  const used = JSON.stringify([paths, webhooks, components?.responses]);
  for (const name of Object.keys(components?.headers ?? {}))
    if (!used.includes(`"#/components/headers/${name}"`)) Reflect.deleteProperty(components?.headers ?? {}, name);
}
