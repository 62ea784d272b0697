import type { MemberActor, Rights } from "../../core/actor.ts";
import type { Id } from "../../core/ids.ts";
import { question } from "../../storage/occasions.ts";
import type { Purpose } from "./sharing.tables.ts";

/**
 * May the actor share it? Each module answers for its purpose. An answer throws NOT_FOUND: there is no such thing, or the actor
 * may not see it; FORBIDDEN: the actor may not share it.
 */
export const mayShare = question<{ purpose: Purpose; id: Id<string>; actor: Rights }, unknown>("may it be shared?", [
  "planning",
  "evidence",
]);

/** Whether the actor manages all links to it: who may see a pack does. */
export const managesLinks = question<{ id: Id<string>; actor: MemberActor }, boolean>("who manages all links to it?", [
  "evidence",
]);
