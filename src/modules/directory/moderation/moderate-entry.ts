import { and, eq } from "drizzle-orm";
import { notFound } from "../../../core/errors.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { SignedIn } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { rankOf } from "../entries/put-entry.ts";
import { directoryEntries as table } from "../entries.tables.ts";
import type { EntryRef } from "../entry-types.ts";
import { entryEntity, requireModerator } from "./moderation.queries.ts";
import type { Moderation } from "./moderation.schemas.ts";
import type { ModeratedEntry } from "./moderation.shapes.ts";

/**
 * Changes the status, the featuring or the priority of an entry, of any organization. They stay when it is published again.
 *
 * @throws NOT_FOUND the actor is no moderator, or there is no such entry
 */
export function moderateEntry(
  context: SignedIn,
  { type, id, change }: EntryRef & { change: Moderation },
): Promise<JsonOf<ModeratedEntry>> {
  const { actor, control } = context;
  return control.write(async (tx) => {
    await requireModerator(tx, actor.userId);
    const [row] = await tx
      .select()
      .from(table)
      .where(and(eq(table.id, id), eq(table.type, type)));
    if (row === undefined) throw notFound();
    return changeRow(tx, context, entryEntity, {
      id,
      action: "directory_entry.moderated",
      orgId: row.org_id,
      set: { ...change, rank: rankOf({ ...row, ...change }), updated_at: tx.now },
    });
  });
}
