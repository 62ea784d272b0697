import { writeIntent } from "../../../storage/intents.ts";
import type { Tx } from "../../../storage/store.ts";
import { meta } from "../../../storage/tenant.tables.ts";
import type { EntryRef } from "../entry-types.ts";
import { profileRow } from "../profiles/profile-row.queries.ts";
import { directoryProfiles as profiles } from "../profiles.tables.ts";
import { directoryChanged } from "./directory-changed.ts";

/** Posting: as `refreshEntry`, of everything that the directory may show. */
export async function refreshEntries(tx: Tx<"tenant">): Promise<void> {
  const described = await tx.select({ type: profiles.type, id: profiles.subject_id }).from(profiles);
  for (const ref of described) await refreshEntry(tx, ref);
}

/**
 * A posting for every change of what the directory may show: its entry follows. Does nothing for a subject without a profile;
 * so the end of a profile calls it before the row is deleted.
 */
export async function refreshEntry(tx: Tx<"tenant">, { type, id }: EntryRef): Promise<void> {
  if ((await profileRow(tx, { type, id })) === undefined) return;
  const [described] = await tx.select({ org_id: meta.org_id }).from(meta);
  if (described === undefined) throw new Error("The tenant's `meta` table has no row.");
  await writeIntent(tx, { now: () => new Date(tx.now) }, directoryChanged, described.org_id, { type, id });
}
