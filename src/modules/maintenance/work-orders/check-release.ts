/** Who may release what a work order covers, under which approval, and what a release has to say. */
import { conflict, type Issue, invalid } from "../../../core/errors.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { pilotOwnerRule } from "../../compliance/rules/rules.ts";
import type { AircraftRow } from "../../fleet/fleet.queries.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import type { ItemRow } from "../items/items.queries.ts";
import type { WorkOrderRow } from "./work-orders.queries.ts";
import type { Release } from "./work-orders.schemas.ts";

interface Released {
  order: Pick<WorkOrderRow, "findings">;
  aircraft: Pick<AircraftRow, "mtom_kg">;
  /** What the work order covers. */
  items: readonly Pick<ItemRow, "name" | "critical">[];
}

/**
 * A release says what was done: by the items that the work order covers, or by its findings. The approval of an organization has a
 * number, and a pilot-owner releases no more than a pilot-owner may.
 *
 * @throws VALIDATION_ERROR the approval lacks its number, or can't have one; CONFLICT nothing was done, or it is beyond a pilot-owner
 */
export function checkRelease({ kind, reference }: Release["approval"], { order, aircraft, items }: Released): void {
  const isOfOrganization = kind === "cao" || kind === "part_145";
  if (isOfOrganization && reference === null) throw invalid(wrong("missing", "The approval has a number."));
  if (!isOfOrganization && reference !== null)
    throw invalid(wrong("not_allowed", "Only the approval of an organization has a number."));
  if (items.length === 0 && order.findings === null)
    throw conflict("nothing_done", "The work order covers no item and has no findings. Say what was done first.");
  if (kind === "pilot_owner") checkPilotOwner(aircraft, items);
}

function checkPilotOwner({ mtom_kg }: Released["aircraft"], items: Released["items"]): void {
  const refused = (why: string) => conflict("pilot_owner_may_not", `A pilot-owner may not release this: ${why}`);
  if (mtom_kg !== null && mtom_kg > pilotOwnerRule.mtom_kg)
    throw refused(`the aircraft has a take-off mass of more than ${pilotOwnerRule.mtom_kg} kg.`);
  const critical = items.find((item) => item.critical);
  if (critical) throw refused(`"${critical.name}" is critical.`);
}

const wrong = (code: Issue["code"], message: string): Issue => ({ path: "approval.reference", code, message });

interface Certifier {
  by: string | undefined;
  person_id: PersonId | undefined;
}

/**
 * Returns who certifies a release, as it is signed.
 *
 * @throws VALIDATION_ERROR no such person; CONFLICT the person is archived
 */
export async function certifier(reader: Reader<"tenant">, { by, person_id }: Certifier) {
  if (person_id === undefined) return { name: by ?? "", person_id: null };
  const person = await findPersonRow(reader, person_id);
  if (person === undefined) throw invalid({ path: "person_id", code: "unknown", message: "There is no such person." });
  if (person.status === "archived") throw conflict("person_archived", "The person is archived.");
  return { name: person.name, person_id };
}
