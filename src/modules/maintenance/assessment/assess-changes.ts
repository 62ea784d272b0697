import { yieldingBetween } from "../../../core/async.ts";
import { toLegalDate } from "../../../core/dates.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { inBatches } from "../../../storage/in-batches.ts";
import { today } from "../../../storage/today.ts";
import { aircraftWithChanges } from "../items/items.queries.ts";
import { assessAircraft } from "./assess-aircraft.ts";

/** Assesses the aircraft for which a date has come that changes the status of an item or ends a deferral. @returns the number of aircraft */
export const assessChanges = (context: TenantContext, now: Date): Promise<number> =>
  inBatches(context.tenant, {
    next: async (reader) => aircraftWithChanges(reader, toLegalDate(await today(reader, now))),
    async work(tx, aircraft) {
      for await (const id of yieldingBetween(aircraft)) await assessAircraft(tx, context, id);
      return aircraft.length;
    },
  });
