import { intents } from "../../storage/shared.tables.ts";
import type { Reader } from "../../storage/store.ts";

/** How many messages from the control database have not reached their tenants yet. */
export const countOpenIntents = (reader: Reader<"control">): Promise<number> => reader.$count(intents);
