/** The people of the school who work on aircraft: the caller first, then its mechanics, if the caller may see them. */
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { me, organization } from "../../app/session.ts";

interface Mechanic {
  id: string;
  name: string;
  licence_number: string | null;
}

export interface Mechanics {
  /** The caller's person; null if they have none. */
  own: string | null;
  people: readonly Mechanic[];
}

export function useMechanics(): Mechanics {
  const own = organization.value?.person_id ?? null;
  const record = useResource(own === null ? undefined : "GET /orgs/{orgId}/people/{personId}", {
    path: { personId: own ?? "" },
  }).data?.data;
  const mechanics = useResource(may("people:read") ? "GET /orgs/{orgId}/people" : undefined, {
    query: { type: "mechanic", status: "active", limit: 100 },
  }).data?.data;
  const self = {
    id: own ?? "",
    name: record?.name ?? me.value?.user.name ?? "",
    licence_number: record?.licence_number ?? null,
  };
  return { own, people: [...(own === null ? [] : [self]), ...(mechanics ?? []).filter(({ id }) => id !== own)] };
}
