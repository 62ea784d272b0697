import { Elysia } from "elysia";
import { createdBelow } from "../../http/created.ts";
import type { Http } from "../../http/http.ts";
import { jsonData } from "../../http/json-text.ts";
import { listPage } from "../../http/list-page.ts";
import { data, page, responses } from "../../http/responses.ts";
import type { RoutePlugin } from "../../http/route.ts";
import { shownOnce } from "../../http/shown-once.ts";
import { createShareToken } from "./create-share-token.ts";
import { revokeShareToken } from "./revoke-share-token.ts";
import { listShareTokens, requireOwnShareToken, shareTokenEntity } from "./sharing.queries.ts";
import { CreatedShareToken, NewShareToken, ShareTokenListQuery, ShareTokenRef, shareToken } from "./sharing.schemas.ts";

const Created = shownOnce(data(CreatedShareToken));
const One = data(shareToken.schema);

/** `/orgs/{orgId}/share-tokens`. Every member may share what they may see, so the verbs decide. */
export const shareTokenRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "share-tokens", prefix: "/orgs/:orgId/share-tokens", tags: ["Sharing"] })
    .use(session)
    .get(
      "/",
      async ({ context: { tenant, actor }, query }) =>
        listPage(query, (query) => tenant.read((reader) => listShareTokens(reader, actor, query))),
      {
        query: ShareTokenListQuery,
        response: responses({ 200: page(shareToken.schema) }, 400, 401, 404),
        detail: {
          summary: "List share tokens",
          description:
            "Newest first, with those that are revoked or expired: your own, with `sharing:manage` all, and with `subject_id` all for an evidence pack that you may see. Without the tokens themselves.",
        },
      },
    )
    .post(
      "/",
      async ({ context, body, request, set }) => {
        const created = await createShareToken(context, body);
        createdBelow(request, set, created);
        return { data: created };
      },
      {
        body: NewShareToken,
        response: responses({ 201: Created }, 400, 401, 404, "limit_reached", "step_up_required"),
        detail: {
          summary: "Create a share token",
          description:
            "Lets somebody without an account see one thing: verify an evidence pack, or subscribe to a calendar. The response contains the token, which is shown once. 404: there is no such thing, or you may not see it. 409: it has 100 valid tokens.",
        },
      },
    )
    .get(
      "/:shareTokenId",
      async ({ context: { tenant, actor }, params: { shareTokenId } }) =>
        jsonData(
          await tenant.read(async (reader) => {
            const { id } = await requireOwnShareToken(reader, shareTokenId, actor);
            return shareTokenEntity.read(reader, id);
          }),
        ),
      {
        params: ShareTokenRef,
        response: responses({ 200: One }, 401, 404),
        detail: { summary: "Get a share token", description: "Without the token itself." },
      },
    )
    .delete("/:shareTokenId", async ({ context, params }) => jsonData(await revokeShareToken(context, params)), {
      params: ShareTokenRef,
      response: responses({ 200: One }, 401, 404, "wrong_status"),
      detail: {
        summary: "Revoke a share token",
        description: "Takes effect with the next request. 409: it is revoked already.",
      },
    });
