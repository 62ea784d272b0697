import { asc, eq, isNotNull } from "drizzle-orm";
import { days, shift } from "../../../core/clock.ts";
import { type Finding, fine, warning } from "../../../core/finding.ts";
import { organizations, suspensions } from "../../../identity/identity.tables.ts";
import { countSuspended } from "../../../identity/suspensions.queries.ts";
import type { DiagnosisServices } from "../../../module.ts";
import { counted } from "../../../scheduler/job.ts";

/** A removal is made by the first nightly run after its time. */
const longest = days(2);

/** What `windsock doctor` finds of suspended schools. */
export async function examineSuspensions({
  control,
  clock,
}: Pick<DiagnosisServices, "control" | "clock">): Promise<Finding[]> {
  const suspended = await control.read(countSuspended);
  const planned = await control.read((reader) =>
    reader
      .select({ name: organizations.name, removal_at: suspensions.removal_at })
      .from(suspensions)
      .innerJoin(organizations, eq(organizations.id, suspensions.org_id))
      .where(isNotNull(suspensions.removal_at))
      .orderBy(asc(suspensions.removal_at)),
  );
  const latest = shift(clock.now(), -longest);
  const late = planned.flatMap(({ name, removal_at }) =>
    removal_at !== null && removal_at < latest ? [{ name, removal_at }] : [],
  );
  if (late.length > 0)
    return late.map(({ name, removal_at }) =>
      warning(
        "schools",
        `${name} was to be deleted on ${removal_at.slice(0, 10)}, and is still there.`,
        "`windsock jobs run organization-removal` deletes it, or logs why it can't. See `windsock manual`.",
        { code: "removal_late", params: { organization_name: name, at: removal_at } },
      ),
    );
  if (suspended === 0) return [fine("schools", "No school is suspended.")];
  const toBe = planned.length > 0 ? `, of which ${planned.length} will be deleted` : "";
  return [fine("schools", `Suspended: ${counted(suspended, "school")}${toBe}. See \`windsock org list\`.`)];
}
