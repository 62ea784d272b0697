import { authorize } from "../../../core/actor.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { requireUsable } from "../../fleet/fleet.queries.ts";
import { assessAircraft } from "../assessment/assess-aircraft.ts";
import { insertItem } from "./insert-item.ts";
import { itemEntity } from "./items.queries.ts";
import type { NewItem } from "./items.schemas.ts";
import type { Item } from "./items.shapes.ts";

/**
 * Adds a maintenance item to an aircraft. If it is upcoming or overdue already, that is reported as a change.
 *
 * @throws VALIDATION_ERROR; CONFLICT the aircraft is archived
 */
export async function createItem(context: TenantContext, input: NewItem): Promise<JsonOf<Item>> {
  authorize(context.actor, "maintenance:manage");
  return context.tenant.write(async (tx) => {
    const aircraft = await requireUsable(tx, input.aircraft_id);
    const id = await insertItem(tx, context, aircraft, input);
    await assessAircraft(tx, context, aircraft.id);
    return itemEntity.read(tx, id);
  });
}
