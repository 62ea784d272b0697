import { eq } from "drizzle-orm";
import { z } from "zod";
import { authorize } from "../../core/actor.ts";
import { notFound } from "../../core/errors.ts";
import type { OrgId } from "../../core/ids.ts";
import { idOf } from "../../http/fields.ts";
import type { OperatorContext } from "../../storage/context.ts";
import { tenantMarks } from "../../storage/control.tables.ts";
import type { Storage } from "../../storage/storage.ts";

const CheckedFile = z.strictObject({
  /** Null for the control database. */
  organization_id: idOf<"organization">().nullable(),
  /** Whether an organization with this id exists. */
  owned: z.boolean(),
  /** Empty if the file can be used. */
  faults: z.array(z.string()),
});

export const FileCheck = z.strictObject({ ok: z.boolean(), files: z.array(CheckedFile) });
export type FileCheck = z.infer<typeof FileCheck>;

interface Input {
  storage: Pick<Storage, "inspection">;
  /** Checks only this organization's file. Without it, all files including the control database. */
  orgId?: OrgId | undefined;
}

/**
 * Reads the database files completely and lists their faults. A tenant whose file has one is not opened from then on.
 *
 * @throws NOT_FOUND no such organization
 */
export async function checkFiles({ actor, control }: OperatorContext, { storage, orgId }: Input): Promise<FileCheck> {
  authorize(actor, "audit:read");
  const tenants = await control.read((reader) =>
    reader
      .select({ id: tenantMarks.org_id })
      .from(tenantMarks)
      .where(orgId === undefined ? undefined : eq(tenantMarks.org_id, orgId))
      .orderBy(tenantMarks.org_id),
  );
  const { inspection } = storage;
  const unowned = (await inspection.unowned()).filter((id) => orgId === undefined || id === orgId);
  if (orgId !== undefined && tenants.length + unowned.length === 0) throw notFound("There is no such organization.");
  const files: FileCheck["files"] = [];
  const check = async (id: OrgId | null, owned: boolean) =>
    void files.push({ organization_id: id, owned, faults: [...(await inspection.check(id ?? "control"))] });
  if (orgId === undefined) await check(null, true);
  for (const { id } of tenants) await check(id, true);
  for (const id of unowned) await check(id, false);
  return { ok: files.every(({ faults }) => faults.length === 0), files };
}
