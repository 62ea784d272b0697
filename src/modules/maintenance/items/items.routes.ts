import { Elysia } from "elysia";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { changeItem } from "./change-item.ts";
import { createItem } from "./create-item.ts";
import { itemEntity, listItems } from "./items.queries.ts";
import { Done, ItemChange, ItemListQuery, ItemRef, NewItem } from "./items.schemas.ts";
import { item } from "./items.shapes.ts";
import { markDone } from "./mark-done.ts";
import { removeItem } from "./remove-item.ts";

/** `/orgs/{orgId}/maintenance/items` */
export const itemRoutes = (http: Http) =>
  resourceRoutes(http, {
    tag: "Maintenance",
    names: ["a maintenance item", "maintenance items"],
    path: "maintenance/items",
    item: "/:itemId",
    entity: itemEntity,
    reads: ["maintenance:read"],
    writes: "maintenance:manage",
    list: { description: "Sorted by name.", query: ItemListQuery, read: listItems },
    add: {
      description:
        "Something that must be done to an aircraft after hours, months or landings. With several intervals, the first decides. Until it is known when it was last done, it is overdue.",
      body: NewItem,
      verb: createItem,
      refuses: ["aircraft_archived"],
    },
    change: { body: ItemChange, verb: changeItem },
    remove: {
      description: "Lifts the grounding that it caused. Returns the item as it was.",
      verb: removeItem,
      refuses: ["item_in_work_order"],
    },
  });

/** `/orgs/{orgId}/maintenance/items/{itemId}/done` */
export const itemDoneRoute = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "maintenance item done", prefix: "/orgs/:orgId/maintenance/items", tags: ["Maintenance"] })
    .use(session)
    .post(
      "/:itemId/done",
      async ({ context, params, body }) => jsonData(await markDone(context, { ...body, itemId: params.itemId })),
      {
        transform: requires("maintenance:manage"),
        params: ItemRef,
        body: Done,
        response: responses({ 200: data(item.schema) }, 400, 401, 404),
        detail: {
          summary: "Record that a maintenance item was done",
          description:
            "For work without a work order. The next interval counts from this date and these readings, also if the item was done early or late.",
        },
      },
    );
