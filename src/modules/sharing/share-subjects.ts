/** What tokens of each purpose are for. Modules that share something else add it here. */
import type { Rights } from "../../core/actor.ts";
import type { Id } from "../../core/ids.ts";
import type { Reader } from "../../storage/store.ts";
import { requirePack } from "../evidence/packs/packs.queries.ts";
import { requireCalendar } from "../planning/calendars/calendars.queries.ts";
import type { Purpose } from "./sharing.tables.ts";

/** @throws NOT_FOUND there is no such thing, or the actor may not see it; FORBIDDEN the actor may not share it */
type RequireSubject = (reader: Reader<"tenant">, id: Id<string>, actor: Rights) => Promise<unknown>;

export const shareSubjects: Readonly<Record<Purpose, RequireSubject>> = {
  vtr: (reader, id, actor) => requirePack(reader, id as Id<"evidence_pack">, actor),
  calendar: (reader, id, actor) => requireCalendar(reader, id, actor),
};
