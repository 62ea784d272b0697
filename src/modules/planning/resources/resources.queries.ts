import { sql } from "drizzle-orm";
import { type MemberActor, permits } from "../../../core/actor.ts";
import { JsonOf } from "../../../core/json-of.ts";
import { ask } from "../../../storage/occasions.ts";
import type { Resource } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { homePosition } from "../planning.occasions.ts";
import { resources, resourcesByName } from "./resources.shapes.ts";

const inFull = sql`select ${resources.json}`;
const byName = sql`select ${resourcesByName.json}`;

/** Returns what can be booked. Members who may not read records see of an instructor the name, by which they book. */
export async function bookable(
  reader: Reader<"tenant">,
  actor: MemberActor,
): Promise<JsonOf<Resource<typeof resources>>> {
  const [home = null] = await ask(reader, homePosition, { orgId: actor.orgId });
  const values = { userId: actor.userId, home: JSON.stringify(home) };
  const row = await reader.first(permits(actor, "compliance:read") ? inFull : byName, values);
  return new JsonOf(String(row?.[0]));
}
