import type { Clock } from "../../../core/clock.ts";
import type { UserId } from "../../../core/ids.ts";
import { membershipsOf } from "../../../identity/memberships.queries.ts";
import { renameAccount } from "../../../storage/account-names.ts";
import { type IntentKind, writeIntent } from "../../../storage/intents.ts";
import { keepWords } from "../../../storage/search-words.ts";
import type { Tx } from "../../../storage/store.ts";
import { memberWords } from "../organizations.queries.ts";

interface Renamed {
  id: UserId;
  name: string;
}

/** Gives a member the new name beside what they have written in the organization's database. */
export const memberRenamed: IntentKind<"control", Renamed> = {
  name: "member.renamed",
  from: "control",
  apply: renameAccount,
};

/** The organizations of the account find it by its new name, and show it. */
export async function followRename(tx: Tx<"control">, { id, name, clock }: Renamed & { clock: Clock }): Promise<void> {
  for (const { id: orgId } of await membershipsOf(tx, id)) {
    await keepWords(tx, memberWords, [id], orgId);
    await writeIntent(tx, clock, memberRenamed, orgId, { id, name });
  }
}
