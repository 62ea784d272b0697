/** The OpenAPI 3.1 document, made from the routes themselves: what is not in a route's schemas is not in the document. */
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import { addExamples } from "./openapi-examples.ts";
import { headerComponents } from "./openapi-headers.ts";
import { detailOf, operationOf, templateOf } from "./openapi-operation.ts";
import type { Route } from "./route.ts";

export interface OpenApiInfo {
  /** What each tag is about. */
  tags?: Readonly<Record<string, string>>;
  webhooks?: DocumentedWebhooks;
}

/** What is posted to other servers, by name: no route tells of it. */
export type DocumentedWebhooks = Readonly<Record<string, ZodOpenApiOperationObject>>;

export type OpenApiDocument = ReturnType<typeof createDocument>;

const DESCRIPTION = `Runs a flight school: flights, fleet, people, training, money.

Session routes take \`Authorization: Bearer <access token>\` from the login. The public API, under \`/api/v1/public\`, takes
\`Authorization: Bearer <API key>\` with \`X-Org-Id\`; it changes nothing, and replays events. Every response carries \`X-Request-Id\`.

Every error has a \`code\` and, where the code covers several cases, a \`reason\`. Programs decide by these and never by
\`message\`. Each operation lists the reasons that it may answer with; \`ErrorReason\` has all of them.

POSTs of session routes take an \`Idempotency-Key\`, with which they may be sent again without being carried out twice. GETs of
the public API answer with an \`ETag\`, and with 304 to whoever has the present answer.`;

const securitySchemes = {
  session: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "The access token of a login." },
  apiKey: { type: "http", scheme: "bearer", description: "An organization's API key, sent with `X-Org-Id`." },
} as const;

/** @throws when a route does not say who may call it */
export function openApiDocument(
  routes: readonly Route[],
  { tags: about = {}, webhooks = {} }: OpenApiInfo = {},
): OpenApiDocument {
  const shown = routes.filter((route) => !detailOf(route).hide);
  const paths: ZodOpenApiPathsObject = {};
  for (const route of shown) {
    const path = templateOf(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  const sent = Object.entries(webhooks);
  const described = [...shown.map(detailOf), ...Object.values(webhooks)];
  const tags = [...new Set(described.flatMap((one) => one.tags ?? []))].sort((a, b) => a.localeCompare(b, "en"));
  const document = createDocument({
    openapi: "3.1.0",
    info: {
      title: "Windsock",
      version: "1.0",
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    // Relative: the page is opened under names that nobody configured, and may ask no other origin.
    servers: [{ url: "/", description: "This installation" }],
    tags: tags.map((name) => ({ name, description: about[name] ?? `${name}.` })),
    components: { securitySchemes, headers: headerComponents },
    paths,
    ...(sent.length > 0 && { webhooks: Object.fromEntries(sent.map(([name, post]) => [name, { post }])) }),
  });
  addExamples(document);
  leaveOutUnusedHeaders(document);
  return document;
}

/** Which headers there are follows from the routes, as everything does, and from what is sent elsewhere. */
function leaveOutUnusedHeaders({ components, paths, webhooks }: OpenApiDocument): void {
  const used = JSON.stringify([paths, webhooks]);
  for (const name of Object.keys(components?.headers ?? {}))
    if (!used.includes(`"#/components/headers/${name}"`)) Reflect.deleteProperty(components?.headers ?? {}, name);
}
