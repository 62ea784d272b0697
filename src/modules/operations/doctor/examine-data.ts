import { desc } from "drizzle-orm";
import { type Clock, isSetBack } from "../../../core/clock.ts";
import { type Finding, fault, fine, warning } from "../../../core/finding.ts";
import type { DiagnosisServices } from "../../../module.ts";
import type { UnusableTenant } from "../../../storage/check/tenant-checks.ts";
import { auditLog } from "../../../storage/control.tables.ts";
import type { Control } from "../../../storage/store.ts";
import { mendingCommand } from "../mending-command.ts";
import { organizationNames } from "../organization-names.queries.ts";

/** What `windsock doctor` finds in the data. That they could be opened says that the key is theirs. */
export async function examineData({
  control,
  clock,
  inspection,
  tenants,
  newestBackup,
}: DiagnosisServices): Promise<Finding[]> {
  const withoutOwner = await inspection.unowned();
  const damaged = tenants.unusable().filter(({ orgId }) => !withoutOwner.includes(orgId));
  const isKnown = new Set(damaged.map(({ orgId }) => orgId));
  const missing = (await inspection.missing()).filter((orgId) => !isKnown.has(orgId));
  const files = [...damaged, ...missing.map((orgId) => ({ orgId, faults: ["the file is missing"] }))];
  return [
    fine("key", "The key is the one that this data was sealed with."),
    await clockOf(control, clock),
    ...unowned(withoutOwner),
    ...(await unusable(files, control, newestBackup)),
  ];
}

async function clockOf(control: Control, clock: Clock): Promise<Finding> {
  const [newest] = await control.read((reader) =>
    reader.select({ at: auditLog.at }).from(auditLog).orderBy(desc(auditLog.seq)).limit(1),
  );
  const now = clock.now();
  if (newest && isSetBack(new Date(newest.at), now)) {
    const message = `The clock says ${now.toISOString()}, but control.db has a row of ${newest.at}.`;
    const behind = { code: "clock_behind", params: { now: now.toISOString(), at: newest.at } } as const;
    return fault("clock", message, "Set the clock of this machine, and keep it right (NTP).", behind);
  }
  return fine("clock", `The clock says ${now.toISOString()}.`);
}

function unowned(ids: readonly string[]): Finding[] {
  if (ids.length === 0) return [fine("owners", "Each file belongs to an organization.")];
  const files = ids.map((id) => `${id}.db`);
  const remedy = "Move them to another folder, or restore the control.db that knows them.";
  return [
    warning("owners", `No organization owns ${files.join(", ")}.`, remedy, {
      code: "files_unowned",
      params: { files },
    }),
  ];
}

async function unusable(
  files: readonly Pick<UnusableTenant, "orgId" | "faults">[],
  control: Control,
  newestBackup: DiagnosisServices["newestBackup"],
): Promise<Finding[]> {
  if (files.length === 0) return [fine("files", "No file is known that can't be used.")];
  const newest = await newestBackup().catch(() => undefined);
  const names = await control.read((reader) =>
    organizationNames(
      reader,
      files.map(({ orgId }) => orgId),
    ),
  );
  return files.map(({ orgId, faults: [first = "it can't be opened"] }) => {
    const command = mendingCommand(orgId, newest);
    const name = names.get(orgId) ?? orgId;
    const params = { organization_id: orgId, organization_name: name, fault: first, command };
    const remedy = command.startsWith("windsock restore")
      ? `Restore it from the newest backup: \`${command}\`.`
      : `No backup has a copy. \`${command}\` says whether a file that you put into its place is good.`;
    const message = `${orgId}.db (${name}) can't be used: ${first}`;
    return fault("files", message, remedy, { code: "file_unusable", params });
  });
}
