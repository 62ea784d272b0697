import { Elysia } from "elysia";
import { authorize } from "../../core/actor.ts";
import type { Http } from "../../http/http.ts";
import { jsonText } from "../../http/json-text.ts";
import { data, page, responses } from "../../http/responses.ts";
import { shownOnce } from "../../http/shown-once.ts";
import { findApiKey, listApiKeys } from "./api-keys.queries.ts";
import { ApiKeyListQuery, ApiKeyRef, NewApiKey } from "./api-keys.schemas.ts";
import { apiKey, createdApiKey } from "./api-keys.shapes.ts";
import { createApiKey } from "./create-api-key.ts";
import { revokeApiKey } from "./revoke-api-key.ts";

const Created = shownOnce(data(createdApiKey));
const One = data(apiKey.schema);
const Many = page(apiKey.schema);

/** `/orgs/{orgId}/integrations` */
export const apiKeyRoutes = ({ session }: Http) =>
  new Elysia({ name: "integrations", prefix: "/orgs/:orgId/integrations", tags: ["Integrations"] })
    .use(session)
    .post(
      "/api-keys",
      async ({ context, body, set }) => {
        set.status = 201;
        return { data: await createApiKey(context, body) };
      },
      {
        body: NewApiKey,
        response: responses({ 201: Created }, 400, 401, 403, 404),
        detail: {
          summary: "Create an API key",
          description:
            "The answer holds the token, this one time. 403 `STEP_UP_REQUIRED`: you have a second factor and have not shown it in the last 10 minutes.",
        },
      },
    )
    .get(
      "/api-keys",
      async ({ context, query }) => {
        authorize(context.actor, "integrations:manage");
        return jsonText(await context.tenant.read((reader) => listApiKeys(reader, query)));
      },
      {
        query: ApiKeyListQuery,
        response: responses({ 200: Many }, 400, 401, 403, 404),
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
        return { data: await context.tenant.read((reader) => findApiKey(reader, params.apiKeyId)) };
      },
      {
        params: ApiKeyRef,
        response: responses({ 200: One }, 401, 403, 404),
        detail: { summary: "Get an API key", description: "Everything but its token." },
      },
    )
    .delete(
      "/api-keys/:apiKeyId",
      async ({ context, params }) => ({ data: await revokeApiKey(context, { apiKeyId: params.apiKeyId }) }),
      {
        params: ApiKeyRef,
        response: responses({ 200: One }, 401, 403, 404, 409),
        detail: {
          summary: "Revoke an API key",
          description: "Works from the next request on. A key that is revoked or expired already answers 409.",
        },
      },
    );
