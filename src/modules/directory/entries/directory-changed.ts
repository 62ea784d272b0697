import type { IntentKind } from "../../../storage/intents.ts";
import type { EntryRef } from "../entry-types.ts";
import { publishedBy } from "./publish.queries.ts";
import { putEntry } from "./put-entry.ts";

/**
 * Brings an entry of the directory up to date with its tenant. It has no fields, and reads what the tenant publishes when it is
 * applied: so the last one applied is right, in whatever order, and no copy of personal data is left in it.
 */
export const directoryChanged: IntentKind<"tenant", EntryRef> = {
  name: "directory.changed",
  from: "tenant",
  async apply(tx, ref, orgId, tenant) {
    await putEntry(tx, orgId, ref, await publishedBy(tenant, tx, orgId, ref));
  },
};
