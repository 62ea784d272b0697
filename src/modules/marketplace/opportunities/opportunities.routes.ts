import { Elysia } from "elysia";
import { toInstant } from "../../../core/clock.ts";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { listPage } from "../../../http/list-page.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import { data, page, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import {
  findOpenOpportunity,
  listOpenOpportunities,
  listOpportunities,
  opportunityEntity,
} from "./opportunities.queries.ts";
import {
  NewOpportunity,
  OpenOpportunityQuery,
  OpportunityChange,
  OpportunityListQuery,
  OpportunityRef,
} from "./opportunities.schemas.ts";
import { openOpportunity } from "./opportunities.shapes.ts";
import {
  addOpportunity,
  changeOpportunity,
  closeOpportunity,
  publishOpportunity,
  removeOpportunity,
} from "./opportunities.verbs.ts";

/** `/orgs/{orgId}/opportunities` */
export const opportunityRoutes = (http: Http) =>
  resourceRoutes(http, {
    tag: "Marketplace",
    names: ["an opportunity", "opportunities"],
    path: "opportunities",
    item: "/:opportunityId",
    entity: opportunityEntity,
    reads: "marketplace:manage",
    writes: "marketplace:manage",
    list: {
      description: "What the organization offers, the newest first: drafts, published and closed ones.",
      query: OpportunityListQuery,
      read: listOpportunities,
    },
    add: {
      description: "Adds a draft. 409: the organization has 200 that are not closed.",
      body: NewOpportunity,
      verb: addOpportunity,
      refuses: ["limit_reached"],
    },
    change: {
      description: "Of a draft or a published one. Changes the given fields; null clears a field. 409: it is closed.",
      body: OpportunityChange,
      verb: changeOpportunity,
      refuses: ["wrong_status"],
    },
    remove: {
      description: "Only a draft. Returns it as it was.",
      verb: removeOpportunity,
      refuses: ["wrong_status"],
    },
    actions: {
      publish: {
        summary: "Publish an opportunity",
        description:
          "From `draft` to `published`: every account of the installation sees it and can apply, until `closes_at`. 409: it is no draft, or `expires_on` is over.",
        verb: publishOpportunity,
        refuses: ["wrong_status"],
      },
      close: {
        summary: "Close an opportunity",
        description:
          "From `published` to `closed`, which is final. 409: it is not published, or was closed by time. Applications can still be decided.",
        verb: closeOpportunity,
        refuses: ["wrong_status"],
      },
    },
  });

/** `/opportunities`: for every account. */
export const openOpportunityRoutes = ({ signedIn }: Http): RoutePlugin =>
  new Elysia({ name: "open opportunities", prefix: "/opportunities", tags: ["Marketplace"] })
    .use(signedIn)
    .get(
      "/",
      async ({ context: { control, clock }, query }) =>
        listPage(query, (query) =>
          control.read((reader) => listOpenOpportunities(reader, { ...query, now: toInstant(clock.now()) })),
        ),
      {
        query: OpenOpportunityQuery,
        response: responses({ 200: page(openOpportunity.schema) }, 400, 401),
        detail: {
          operationId: "listOpenOpportunities",
          summary: "List open opportunities",
          description:
            "What all organizations have published, those that close soonest first. For every account, also without an organization.",
        },
      },
    )
    .get(
      "/:opportunityId",
      async ({ context: { control, clock }, params: { opportunityId } }) => {
        const now = toInstant(clock.now());
        return jsonData(await control.read((reader) => findOpenOpportunity(reader, { opportunityId, now })));
      },
      {
        params: OpportunityRef,
        response: responses({ 200: data(openOpportunity.schema) }, 401, 404),
        detail: {
          operationId: "getOpenOpportunity",
          summary: "Get an open opportunity",
          description: "404: it is not published, or it is closed.",
        },
      },
    );
