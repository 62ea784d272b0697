import { Elysia } from "elysia";
import { authorize } from "../../../core/actor.ts";
import { toInstant } from "../../../core/clock.ts";
import type { Http } from "../../../http/http.ts";
import { jsonText } from "../../../http/json-text.ts";
import { data, page, responses } from "../../../http/responses.ts";
import { shownOnce } from "../../../http/shown-once.ts";
import { findApiKey, listApiKeys } from "./api-keys.queries.ts";
import { ApiKeyListQuery, ApiKeyRef, ApiKeyRotation, NewApiKey } from "./api-keys.schemas.ts";
import { apiKey, createdApiKey } from "./api-keys.shapes.ts";
import { createApiKey } from "./create-api-key.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { rotateApiKey } from "./rotate-api-key.ts";
import { openedBy } from "./scope-routes.ts";
import { Scopes } from "./scopes.schemas.ts";
import { scopeCatalog } from "./scopes.ts";

const Created = shownOnce(data(createdApiKey));
const One = data(apiKey.schema);
const Many = page(apiKey.schema);

/** `/orgs/{orgId}/integrations` */
export const apiKeyRoutes = ({ session, root }: Http) =>
  new Elysia({ name: "integrations", prefix: "/orgs/:orgId/integrations", tags: ["Integrations"] })
    .use(session)
    .get(
      "/scopes",
      ({ context }) => {
        authorize(context.actor, "integrations:manage");
        const opens = openedBy(root.routes);
        return { data: scopeCatalog.map((entry) => ({ ...entry, routes: opens(entry.name) })) };
      },
      {
        response: responses({ 200: Scopes }, 401, 404),
        detail: {
          summary: "List scopes",
          description: "What an API key can be permitted to do, and the routes that each scope opens.",
        },
      },
    )
    .post(
      "/api-keys",
      async ({ context, body, set }) => {
        set.status = 201;
        return { data: await createApiKey(context, body) };
      },
      {
        body: NewApiKey,
        response: responses({ 201: Created }, 400, 401, 404, "step_up_required", "limit_reached"),
        detail: {
          summary: "Create an API key",
          description: "The answer holds the token, this one time. 409: there are 100 that can be used.",
        },
      },
    )
    .get(
      "/api-keys",
      async ({ context, query }) => {
        authorize(context.actor, "integrations:manage");
        return jsonText(
          await context.tenant.read((reader) => listApiKeys(reader, query, toInstant(context.clock.now()))),
        );
      },
      {
        query: ApiKeyListQuery,
        response: responses({ 200: Many }, 400, 401, 404),
        detail: {
          summary: "List API keys",
          description: "Newest first, revoked and expired ones included; never a token.",
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
        detail: { summary: "Get an API key", description: "Everything but its token." },
      },
    )
    .post(
      "/api-keys/:apiKeyId/rotate",
      async ({ context, params, body }) => ({
        data: await rotateApiKey(context, { apiKeyId: params.apiKeyId, rotation: body }),
      }),
      {
        params: ApiKeyRef,
        body: ApiKeyRotation,
        response: responses({ 200: Created }, 400, 401, 404, "step_up_required", "secret_just_rotated", "wrong_status"),
        detail: {
          summary: "Rotate an API key",
          description:
            "The answer holds the new token, this one time. The old one is good as well for `grace_hours`; until then, and for a key that is revoked or expired, 409.",
        },
      },
    )
    .delete(
      "/api-keys/:apiKeyId",
      async ({ context, params }) => ({ data: await revokeApiKey(context, { apiKeyId: params.apiKeyId }) }),
      {
        params: ApiKeyRef,
        response: responses({ 200: One }, 401, 404, "wrong_status"),
        detail: {
          summary: "Revoke an API key",
          description:
            "Works from the next request on, for the token before its last rotation too. A key that is revoked or expired already answers 409.",
        },
      },
    );
