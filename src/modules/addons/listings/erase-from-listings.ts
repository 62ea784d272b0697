import { eq } from "drizzle-orm";
import type { OrgId } from "../../../core/ids.ts";
import { eraseFromTexts } from "../../../storage/personal-texts.ts";
import type { Known } from "../../../storage/personal-words.ts";
import type { Tx } from "../../../storage/store.ts";
import { addonListings as table } from "../addons.tables.ts";
import { listingWords } from "./listings.queries.ts";

/** Replaces a person whom an organization erases in the texts of its listings. */
export async function eraseFromListings(tx: Tx<"control">, orgId: OrgId, subject: Known): Promise<void> {
  const texts = ["name", "summary", "description", "pricing", "review_notes"] as const;
  await eraseFromTexts(tx, table, texts, subject, { where: eq(table.org_id, orgId), words: listingWords });
}
