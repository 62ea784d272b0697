import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { addCharge } from "./add-charge.ts";
import { chargeEntity, findCharge, listCharges } from "./charges.queries.ts";
import { ChargeListQuery, NewCharge, Reversal } from "./charges.schemas.ts";
import { reverseCharge } from "./reverse-charge.ts";

/** `/orgs/{orgId}/finance/charges` */
export const chargeRoutes = (http: Http): RoutePlugin =>
  resourceRoutes(http, {
    tag: "Finance",
    names: ["a charge", "charges"],
    path: "finance/charges",
    item: "/:chargeId",
    entity: chargeEntity,
    reads: ["finance:read", "finance:own"],
    writes: "finance:manage",
    list: {
      description: "The newest day first. Members without `finance:read` see their own.",
      query: ChargeListQuery,
      read: (reader, query, { actor }) => listCharges(reader, actor, query),
    },
    add: {
      summary: "Add a charge by hand",
      description:
        "In the organization's currency. With a negative price it is a claim of its own, such as fuel that the person paid: nothing else takes it back. A discount names what it reduces (`reduces_id`): both are invoiced, credited and taken back together.",
      body: NewCharge,
      verb: addCharge,
      refuses: ["charge_invoiced", "charge_reversed"],
    },
    get: {
      description: "Returns 404 also for a charge that the caller may not see.",
      read: (reader, { chargeId, actor }) => findCharge(reader, chargeId, actor),
    },
    actions: {
      reverse: {
        summary: "Reverse a charge",
        description:
          "Adds the opposite entry, with a reason. If the charge was not invoiced, both are then `offset`. Discounts on it are reversed as well. Charges of a flight follow the flight.",
        body: Reversal,
        verb: reverseCharge,
        refuses: ["charge_not_by_hand", "charge_reversed", "package_drawn"],
      },
    },
  });
