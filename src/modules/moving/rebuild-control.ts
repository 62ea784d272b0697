import type { OrgId } from "../../core/ids.ts";
import { messageOf } from "../../core/system-error.ts";
import type { Inspection } from "../../storage/check/inspection.ts";
import type { OperatorContext } from "../../storage/context.ts";
import type { Moves } from "../../storage/move/moves.ts";
import type { TenantStore } from "../../storage/tenant-store.ts";
import { type AdoptDeps, type AdoptedSchool, type AdoptInput, adoptSchool } from "./adopt-school.ts";
import { type KnownAccount, knownAccounts, withFile, withoutMembership } from "./lost-members.queries.ts";

interface RebuildDeps extends AdoptDeps {
  inspection: Pick<Inspection, "unowned">;
  moves: Pick<Moves, "adoptSchool" | "aside" | "pathOf">;
  tenants: Pick<TenantStore, "tenant">;
}

interface Rebuilt {
  adopted: AdoptedSchool[];
  /** Files that could not be, and why. */
  left: { organization_id: OrgId; fault: string }[];
  /** Those whom the schools' files know as accounts, and who are no members: they must be invited again. By school. */
  lost: { organization_id: OrgId; name: string; members: Pick<KnownAccount, "name" | "email">[] }[];
  /** Schools whose files could not be looked at for them, and why. */
  unread: { organization_id: OrgId; fault: string }[];
}

/**
 * Adopts all files of the data directory that no organization owns, and those that a start has put aside: of a control database that
 * was lost, or is older than they are. Then looks in all files for those who have no membership any more.
 */
export async function rebuildControl(
  context: OperatorContext,
  deps: RebuildDeps,
  input: Pick<AdoptInput, "owner" | "members" | "by">,
): Promise<Rebuilt> {
  const rebuilt: Rebuilt = { adopted: [], left: [], lost: [], unread: [] };
  const { inspection, moves } = deps;
  const unowned = (await inspection.unowned()).map((id) => ({ id, path: moves.pathOf(id) }));
  for (const { id, path } of [...unowned, ...(await moves.aside())]) {
    try {
      rebuilt.adopted.push(await adoptSchool(context, deps, { ...input, from: path }));
    } catch (error) {
      rebuilt.left.push({ organization_id: id, fault: messageOf(error) });
    }
  }
  await moves.aside(); // those that are adopted now
  for (const { id, name } of await context.control.read(withFile)) {
    try {
      const known = await deps.tenants.tenant(id).read(knownAccounts);
      const lost = await context.control.read((reader) => withoutMembership(reader, id, known));
      const members = lost.map(({ name, email }) => ({ name, email }));
      if (members.length > 0) rebuilt.lost.push({ organization_id: id, name, members });
    } catch (error) {
      rebuilt.unread.push({ organization_id: id, fault: messageOf(error) });
    }
  }
  return rebuilt;
}
