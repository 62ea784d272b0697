import { eraseFromLogs } from "../../storage/erase-logs.ts";
import type { IntentKind } from "../../storage/intents.ts";
import type { DataSubject } from "../../storage/personal-data.ts";
import { eraseFromListings } from "../addons/listings/erase-from-listings.ts";
import { removeEntryOf } from "../directory/entries/put-entry.ts";
import { eraseFromMarketplace } from "../marketplace/erase-from-marketplace.ts";
import { forgetPerson } from "../organizations/forget-person.ts";

/** One that an older version has written has neither names nor addresses. */
type Stored = Pick<DataSubject, "personId" | "userIds"> & Partial<DataSubject>;

/**
 * Deletes the invites, applications and the directory entry of a person whose data a school has erased, and what the control
 * database's log has about them, and replaces them in what the school has written there.
 */
export const personErased: IntentKind<"tenant", Stored> = {
  name: "person.erased",
  from: "tenant",
  async apply(tx, { names = [], emails: known = [], ...ids }, orgId) {
    const { personId } = ids;
    const subject = { ...ids, names, emails: known };
    await removeEntryOf(tx, orgId, personId);
    const emails = [...new Set([...known, ...(await forgetPerson(tx, orgId, subject))])];
    await eraseFromMarketplace(tx, orgId, { ...subject, emails });
    await eraseFromListings(tx, orgId, { ...subject, emails });
    const by = { actor: { kind: "job", name: "intents" }, requestId: "" } as const;
    await eraseFromLogs(tx, by, { ...subject, emails }, orgId);
  },
};
