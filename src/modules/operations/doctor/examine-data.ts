import { desc } from "drizzle-orm";
import { type Clock, isSetBack } from "../../../core/clock.ts";
import { type Finding, fault, fine, warning } from "../../../core/finding.ts";
import type { DiagnosisServices } from "../../../module.ts";
import { auditLog } from "../../../storage/control.tables.ts";
import type { Control } from "../../../storage/store.ts";

/** What `windsock doctor` finds in the data. That they could be opened says that the key is theirs. */
export async function examineData({ control, clock, inspection, tenants }: DiagnosisServices): Promise<Finding[]> {
  const withoutOwner = await inspection.unowned();
  return [
    fine("key", "The key is the one that this data was sealed with."),
    await clockOf(control, clock),
    ...unowned(withoutOwner),
    ...unusable(tenants.unusable().filter(({ orgId }) => !withoutOwner.includes(orgId))),
  ];
}

async function clockOf(control: Control, clock: Clock): Promise<Finding> {
  const [newest] = await control.read((reader) =>
    reader.select({ at: auditLog.at }).from(auditLog).orderBy(desc(auditLog.seq)).limit(1),
  );
  const now = clock.now();
  if (newest && isSetBack(new Date(newest.at), now)) {
    const message = `The clock says ${now.toISOString()}, but control.db has a row of ${newest.at}.`;
    return fault("clock", message, "Set the clock of this machine, and keep it right (NTP).");
  }
  return fine("clock", `The clock says ${now.toISOString()}.`);
}

function unowned(ids: readonly string[]): Finding[] {
  if (ids.length === 0) return [fine("owners", "Each file belongs to an organization.")];
  const remedy = "Move them to another folder, or restore the control.db that knows them.";
  return [warning("owners", `No organization owns ${ids.map((id) => `${id}.db`).join(", ")}.`, remedy)];
}

function unusable(files: readonly { orgId: string; faults: readonly string[] }[]): Finding[] {
  if (files.length === 0) return [fine("files", "No file is known that can't be used.")];
  return files.map(({ orgId, faults: [first = "it can't be opened"] }) =>
    fault("files", `${orgId}.db can't be used: ${first}`, "Put a good file into place, see tenants/README.md."),
  );
}
