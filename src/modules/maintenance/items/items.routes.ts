import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import { changeItem } from "./change-item.ts";
import { createItem } from "./create-item.ts";
import { itemEntity, listItems } from "./items.queries.ts";
import { Done, ItemChange, ItemListQuery, NewItem } from "./items.schemas.ts";
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
    reads: "maintenance:read",
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
    actions: {
      done: {
        operationId: "recordMaintenanceItemDone",
        summary: "Record that a maintenance item was done",
        description:
          "For work without a work order. The next interval counts from this date and these readings, also if the item was done early or late.",
        body: Done,
        verb: markDone,
      },
    },
  });
