/** Why an aircraft can't be booked, in the words of the grounding and the work order. They are asked for when there is something to say. */
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { reasonOf } from "../aircraft/status.tsx";
import type { Row } from "./rows.ts";

const most = 200;

/** @returns the reasons by the row's id, as far as the reader may know them */
export function useReasons(rows: readonly Row[]): ReadonlyMap<string, readonly string[]> {
  const asks = (because: Row["state"]) => rows.some(({ type, state }) => type === "aircraft" && state === because);
  const grounded = useResource(asks("grounded") && may("aircraft:read") ? "GET /orgs/{orgId}/aircraft" : undefined, {
    query: { status: "grounded", limit: most },
  });
  const reads = asks("out_of_service") && may("maintenance:read");
  const orders = "GET /orgs/{orgId}/maintenance/work-orders";
  const open = useResource(reads ? orders : undefined, { query: { status: "open", limit: most } });
  const begun = useResource(reads ? orders : undefined, { query: { status: "in_progress", limit: most } });
  const reasons = new Map<string, string[]>();
  for (const { id, groundings } of grounded.data?.data ?? []) reasons.set(id, groundings.map(reasonOf));
  // What an aircraft is grounded for has a work order of the same name.
  const groundedOnes = new Set(reasons.keys());
  for (const { aircraft_id, title } of [...(begun.data?.data ?? []), ...(open.data?.data ?? [])])
    if (!groundedOnes.has(aircraft_id)) {
      // That of a defect is called as its grounding would be.
      const reason = reasonOf({ kind: "defect", note: title });
      reasons.set(aircraft_id, [...(reasons.get(aircraft_id) ?? []), reason]);
    }
  return reasons;
}
