import type { OrgId } from "../../core/ids.ts";
import type { Inspection } from "../../storage/check/inspection.ts";
import type { OperatorContext } from "../../storage/context.ts";
import type { Moves } from "../../storage/move/moves.ts";
import { type AdoptDeps, type AdoptedSchool, type AdoptInput, adoptSchool } from "./adopt-school.ts";

interface RebuildDeps extends AdoptDeps {
  inspection: Pick<Inspection, "unowned">;
  moves: Pick<Moves, "adoptSchool" | "pathOf">;
}

interface Rebuilt {
  adopted: AdoptedSchool[];
  /** Files that could not be, and why. */
  left: { organization_id: OrgId; fault: string }[];
}

/** Adopts all files of the data directory that no organization owns: those of a control database that was lost. */
export async function rebuildControl(
  context: OperatorContext,
  deps: RebuildDeps,
  input: Pick<AdoptInput, "owner" | "members" | "by">,
): Promise<Rebuilt> {
  const rebuilt: Rebuilt = { adopted: [], left: [] };
  for (const id of await deps.inspection.unowned()) {
    try {
      rebuilt.adopted.push(await adoptSchool(context, deps, { ...input, from: deps.moves.pathOf(id) }));
    } catch (error) {
      rebuilt.left.push({ organization_id: id, fault: error instanceof Error ? error.message : String(error) });
    }
  }
  return rebuilt;
}
