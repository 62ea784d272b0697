import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import { listWishes, requireWish, wishEntity } from "./wishes.queries.ts";
import { NewWish, WishListQuery } from "./wishes.schemas.ts";
import { addWish, declineOffer, withdrawWish } from "./wishes.verbs.ts";

/** `/orgs/{orgId}/planning/wishes` */
export const wishRoutes = (http: Http) =>
  resourceRoutes(http, {
    tag: "Planning",
    names: ["a wish", "wishes"],
    path: "planning/wishes",
    item: "/:wishId",
    entity: wishEntity,
    reads: ["planning:read", "planning:read_own"],
    writes: ["planning:book", "planning:manage"],
    list: {
      description: "The waiting list: who waits longest first. Members without `planning:read` see their own.",
      query: WishListQuery,
      read: (reader, query, { actor }) => listWishes(reader, actor, query),
    },
    get: {
      async read(reader, { wishId, actor }) {
        await requireWish(reader, wishId, actor, "planning:read");
        return wishEntity.find(reader, { wishId });
      },
    },
    add: {
      summary: "Wait for a free time",
      description:
        "When a session is cancelled or moved, or nobody comes, what fits and can be booked is offered to the first who waits. It is not reserved: the person books it. If somebody else does, the person waits on.",
      body: NewWish,
      verb: addWish,
      refuses: ["not_own_session", "person_archived", "limit_reached"],
    },
    actions: {
      decline: {
        summary: "Decline an offer",
        description: "From `offered` back to `waiting`. The offer goes to the next who waits.",
        verb: declineOffer,
        refuses: ["wrong_status"],
      },
      withdraw: {
        summary: "Withdraw a wish",
        description: "From `waiting` or `offered` to `withdrawn`.",
        verb: withdrawWish,
        refuses: ["wrong_status"],
      },
    },
  });
