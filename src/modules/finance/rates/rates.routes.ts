import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { listRates, rateEntity } from "./rates.queries.ts";
import { NewRate, RateChange, RateListQuery } from "./rates.schemas.ts";
import { addRate, changeRate, removeRate } from "./rates.verbs.ts";

/** `/orgs/{orgId}/finance/rates` */
export const rateRoutes = (http: Http): RoutePlugin =>
  resourceRoutes(http, {
    tag: "Finance",
    names: ["a rate", "rates"],
    path: "finance/rates",
    item: "/:rateId",
    entity: rateEntity,
    reads: "finance:read",
    writes: "finance:manage",
    list: { description: "The newest `valid_from` first.", query: RateListQuery, read: listRates },
    add: {
      description:
        "A net price. The most specific rate of the day is charged: a person's before an audience's before all; an aircraft's before a type's before all.",
      body: NewRate,
      verb: addRate,
      refuses: ["rate_overlaps"],
    },
    change: {
      description: "Once charges have used it, only `valid_until` can change.",
      body: RateChange,
      verb: changeRate,
      refuses: ["rate_overlaps", "rate_used"],
    },
    remove: {
      description: "Returns it as it was. A rate that charges have used stays.",
      verb: removeRate,
      refuses: ["rate_used"],
    },
  });
