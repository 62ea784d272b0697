import { eq } from "drizzle-orm";
import type { Id } from "../../core/ids.ts";
import { allRows, type PersonalData } from "../../storage/personal-data.ts";
import { eraseFromTexts } from "../../storage/personal-texts.ts";
import type { Tx } from "../../storage/store.ts";
import { pageOfSubject } from "./sharing.queries.ts";
import { shareTokens as table } from "./sharing.tables.ts";

/** Deletes all tokens for a subject that is deleted. */
export const removeShareTokens = (tx: Tx<"tenant">, subjectId: Id<string>) =>
  tx.delete(table).where(eq(table.subject_id, subjectId));

/** Tokens for what belongs to the person. */
export const sharingPersonal: PersonalData = {
  lists: {
    shared: (tenant, { personId }) => allRows(tenant, (reader, page) => pageOfSubject(reader, personId, page)),
  },
  async erase(tx, subject) {
    await removeShareTokens(tx, subject.personId);
    await eraseFromTexts(tx, table, ["name"], subject);
  },
};
