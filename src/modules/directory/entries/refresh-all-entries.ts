import { eq } from "drizzle-orm";
import type { TenantContext } from "../../../storage/context.ts";
import { writeIntent } from "../../../storage/intents.ts";
import { directoryEntries as entries } from "../entries.tables.ts";
import { directoryProfiles as profiles } from "../profiles.tables.ts";
import { directoryChanged } from "./directory-changed.ts";

/**
 * Brings all entries of an organization up to date, after its file was restored: those of subjects that the file lacks, too. The
 * caller applies the intents.
 */
export async function refreshAllEntries({
  control,
  tenant,
  clock,
}: Pick<TenantContext, "control" | "tenant" | "clock">): Promise<void> {
  const { id: orgId } = tenant;
  const listed = await control.read((reader) =>
    reader.select({ type: entries.type, id: entries.id }).from(entries).where(eq(entries.org_id, orgId)),
  );
  await tenant.write(async (tx) => {
    const described = await tx.select({ type: profiles.type, id: profiles.subject_id }).from(profiles);
    const refs = new Map([...listed, ...described].map((ref) => [ref.id, ref]));
    for (const ref of refs.values()) await writeIntent(tx, clock, directoryChanged, orgId, ref);
  });
}
