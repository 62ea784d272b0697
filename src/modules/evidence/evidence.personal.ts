import { and, eq, ne } from "drizzle-orm";
import { allRows, type PersonalData } from "../../storage/personal-data.ts";
import { addUsage } from "../attachments/usage.ts";
import { personEntity } from "../people/people.queries.ts";
import { removeShareTokens } from "../sharing/sharing.personal.ts";
import { evidencePacks as table } from "./evidence.tables.ts";
import { packEntity, packsSince, pageOfPerson } from "./packs/packs.queries.ts";
import { removeParts } from "./packs/parts.ts";
import { removeContent } from "./packs/remove-content.ts";

/**
 * The content, the manifests and the links of the person's packs, and the content of the organization's packs since the person is
 * there. The metadata of their packs stays, so that a mirror of the public list sees the change. Other people's packs stay, and the
 * copies that others have.
 */
export const evidencePersonal: PersonalData = {
  lists: {
    evidence_packs: (tenant, { personId }) => allRows(tenant, (reader, page) => pageOfPerson(reader, personId, page)),
  },
  async erase(tx, { personId }, by) {
    const { id, size_bytes, content_removed_at } = table;
    const own = tx.select({ id, size_bytes, content_removed_at }).from(table).where(eq(table.person_id, personId));
    for (const pack of await own) {
      await removeShareTokens(tx, pack.id);
      await removeParts(tx, pack.id);
      if (pack.size_bytes !== null && pack.content_removed_at === null) await addUsage(tx, -pack.size_bytes);
    }
    const updated_at = await packEntity.changeTime(tx);
    const isOwn = eq(table.person_id, personId);
    await tx
      .update(table)
      .set({ ...nothing, content_removed_at: tx.now, updated_at })
      .where(isOwn);
    await tx
      .update(table)
      .set({ status: "failed", failure: "person_erased" })
      .where(and(isOwn, ne(table.status, "ready")));
    const { created_at } = await personEntity.row(tx, { personId });
    // Also of days before: the training in a pack is as it was when it was built.
    for (const pack of await packsSince(tx, created_at)) await removeContent(tx, by, pack);
  },
};

const nothing = { manifest: null, signature: null, manifest_sha256: null, sha256: null, size_bytes: null };
