import { Elysia } from "elysia";
import { authorize } from "../../../core/actor.ts";
import { toInstant } from "../../../core/clock.ts";
import { scopeCatalog } from "../../../core/scopes.ts";
import { requires } from "../../../http/before-validation.ts";
import { createdBelow } from "../../../http/created.ts";
import type { Http } from "../../../http/http.ts";
import { listPage } from "../../../http/list-page.ts";
import { templateOf } from "../../../http/path-template.ts";
import { data, page, responses } from "../../../http/responses.ts";
import type { Route } from "../../../http/route.ts";
import { securityOf } from "../../../http/route-security.ts";
import { shownOnce } from "../../../http/shown-once.ts";
import { findApiKey, listApiKeys } from "./api-keys.queries.ts";
import { ApiKeyListQuery, ApiKeyRef, ApiKeyRotation, NewApiKey, Scopes } from "./api-keys.schemas.ts";
import { apiKey, createdApiKey } from "./api-keys.shapes.ts";
import { createApiKey } from "./create-api-key.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { rotateApiKey } from "./rotate-api-key.ts";

const Created = shownOnce(data(createdApiKey));
const One = data(apiKey.schema);
const Many = page(apiKey.schema);

/** `/orgs/{orgId}/integrations/scopes` and `/api-keys` */
export const apiKeyRoutes = ({ session, root }: Http) =>
  new Elysia({ name: "integrations", prefix: "/orgs/:orgId/integrations", tags: ["Integrations"] })
    .use(session)
    .get(
      "/scopes",
      ({ context }) => {
        authorize(context.actor, "integrations:manage");
        const routes = routesByScope(root.routes);
        return { data: scopeCatalog.map((entry) => ({ ...entry, routes: routes.get(entry.name) ?? [] })) };
      },
      {
        response: responses({ 200: Scopes }, 401, 404),
        detail: {
          summary: "List scopes",
          description: "All scopes of API keys, and the routes that require each scope.",
        },
      },
    )
    .post(
      "/api-keys",
      async ({ context, body, request, set }) => {
        const key = await createApiKey(context, body);
        createdBelow(request, set, key);
        return { data: key };
      },
      {
        transform: requires("integrations:manage"),
        body: NewApiKey,
        response: responses({ 201: Created }, 400, 401, 404, "step_up_required", "limit_reached"),
        detail: {
          summary: "Create an API key",
          description:
            "The response contains the token, which is shown once. 409: the organization has 100 valid keys.",
        },
      },
    )
    .get(
      "/api-keys",
      async ({ context, query }) => {
        return listPage(query, (query) =>
          context.tenant.read((reader) => listApiKeys(reader, query, toInstant(context.clock.now()))),
        );
      },
      {
        transform: requires("integrations:manage"),
        query: ApiKeyListQuery,
        response: responses({ 200: Many }, 400, 401, 404),
        detail: {
          summary: "List API keys",
          description: "Newest first. Includes revoked and expired keys. Without tokens.",
        },
      },
    )
    .get(
      "/api-keys/:apiKeyId",
      async ({ context, params }) => {
        authorize(context.actor, "integrations:manage");
        const now = toInstant(context.clock.now());
        return { data: await context.tenant.read((reader) => findApiKey(reader, params.apiKeyId, now)) };
      },
      {
        params: ApiKeyRef,
        response: responses({ 200: One }, 401, 404),
        detail: { summary: "Get an API key", description: "Without its token." },
      },
    )
    .post(
      "/api-keys/:apiKeyId/rotate",
      async ({ context, params, body }) => ({
        data: await rotateApiKey(context, { apiKeyId: params.apiKeyId, rotation: body }),
      }),
      {
        transform: requires("integrations:manage"),
        params: ApiKeyRef,
        body: ApiKeyRotation,
        response: responses({ 200: Created }, 400, 401, 404, "step_up_required", "secret_just_rotated", "wrong_status"),
        detail: {
          summary: "Rotate an API key",
          description:
            "The response contains the new token, which is shown once. The previous token stays valid for `grace_hours`. 409: the key is revoked or expired, or a previous token is still valid.",
        },
      },
    )
    .delete(
      "/api-keys/:apiKeyId",
      async ({ context, params }) => ({ data: await revokeApiKey(context, { apiKeyId: params.apiKeyId }) }),
      {
        transform: requires("integrations:manage"),
        params: ApiKeyRef,
        response: responses({ 200: One }, 401, 404, "wrong_status"),
        detail: {
          summary: "Revoke an API key",
          description:
            "Takes effect with the next request. Also ends the previous token of a rotated key. 409: the key is already revoked or expired.",
        },
      },
    );

/** Returns the routes that require each scope, read from the routes themselves. */
function routesByScope(routes: readonly Route[]): Map<string, string[]> {
  const byScope = new Map<string, string[]>();
  for (const route of routes) {
    const security = securityOf(route);
    if (typeof security !== "object") continue;
    const others = byScope.get(security.scope) ?? [];
    byScope.set(security.scope, [...others, `${route.method} ${templateOf(route.path)}`]);
  }
  return byScope;
}
