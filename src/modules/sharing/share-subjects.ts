/** What tokens of each purpose are for. Modules that share something else add it here. */
import type { MemberActor } from "../../core/actor.ts";
import { notFound } from "../../core/errors.ts";
import type { Id, PersonId } from "../../core/ids.ts";
import type { Reader } from "../../storage/store.ts";
import { findPerson } from "../people/people.queries.ts";
import type { Purpose } from "./sharing.tables.ts";

/** @throws NOT_FOUND there is no such thing, or the actor may not see it; FORBIDDEN the actor may not share it */
type RequireSubject = (reader: Reader<"tenant">, id: Id<string>, actor: MemberActor) => Promise<unknown>;

export const shareSubjects: Readonly<Record<Purpose, RequireSubject>> = {
  vtr: async () => {
    throw notFound();
  },
  calendar: (reader, id, actor) => findPerson(reader, id as PersonId, actor),
};
