import { eq } from "drizzle-orm";
import type { UserActor } from "../../../core/actor.ts";
import type { ApplicationId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { applicationMoves } from "../marketplace.tables.ts";

interface Move extends Pick<typeof applicationMoves.$inferSelect, "status" | "side" | "note"> {
  id: ApplicationId;
}

/** A posting: adds a status to the history of an application. */
export async function recordMove(tx: Tx<"control">, { userId }: UserActor, { id, ...move }: Move): Promise<void> {
  const number = 1 + (await tx.$count(applicationMoves, eq(applicationMoves.application_id, id)));
  await tx.insert(applicationMoves).values({ application_id: id, number, at: tx.now, user_id: userId, ...move });
}
