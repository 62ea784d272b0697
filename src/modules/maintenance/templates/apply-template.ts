import { authorize } from "../../../core/actor.ts";
import { notFound } from "../../../core/errors.ts";
import type { MaintenanceItemId } from "../../../core/ids.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { requireUsable } from "../../fleet/fleet.queries.ts";
import { assessAircraft } from "../assessment/assess-aircraft.ts";
import { insertItem } from "../items/insert-item.ts";
import { itemEntity, itemsOf } from "../items/items.queries.ts";
import { NewItem } from "../items/items.schemas.ts";
import type { Item } from "../items/items.shapes.ts";
import type { TemplateUse } from "./templates.schemas.ts";
import { templates } from "./templates.ts";

type Input = TemplateUse & { key: string };

/**
 * Adds the items of a template to an aircraft, except those whose names it already has, in any language.
 *
 * @returns the new items
 * @throws NOT_FOUND no such template; VALIDATION_ERROR; CONFLICT the aircraft is archived
 */
export async function applyTemplate(
  context: TenantContext,
  { key, aircraft_id, language, ...done }: Input,
): Promise<Item[]> {
  authorize(context.actor, "maintenance:manage");
  const template = templates.find((one) => one.key === key);
  if (template === undefined) throw notFound();
  return context.tenant.write(async (tx) => {
    const aircraft = await requireUsable(tx, aircraft_id);
    const known = new Set((await itemsOf(tx, aircraft_id)).map(({ name }) => name));
    const added: MaintenanceItemId[] = [];
    for (const item of template.items)
      if (!Object.values(item.name).some((name) => known.has(name))) {
        // The readings are those of the request, which has been parsed: hundredths of an hour.
        const input = { ...NewItem.parse({ ...item, name: item.name[language], aircraft_id }), ...done };
        added.push(await insertItem(tx, context, aircraft, input));
      }
    await assessAircraft(tx, context, aircraft_id);
    const items: Item[] = [];
    for (const id of added) items.push((await itemEntity.read(tx, id)).value);
    return items;
  });
}
