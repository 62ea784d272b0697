import { descending, listOf } from "../../storage/page.ts";
import { counterCorrection, pastGrounding } from "./aircraft-history.shapes.ts";
import { counterCorrections, groundings } from "./fleet.tables.ts";

/** Returns JSON text, newest first: ids begin with the time of creation. */
export const listGroundings = listOf(pastGrounding, { from: groundings, orderBy: descending(pastGrounding, "id") });

/** Returns JSON text, newest first. */
export const listCorrections = listOf(counterCorrection, {
  from: counterCorrections,
  orderBy: descending(counterCorrection, "id"),
});
