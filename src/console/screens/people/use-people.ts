/** The active people of the school, to choose from. */
import { useMemo } from "preact/hooks";
import type { Person } from "../../api/operations.ts";
import { useResource } from "../../app/resource.ts";

interface People {
  people: readonly Person[];
  isLoaded: boolean;
}

/** @param searched what somebody types: a large school sends only those who match */
export function usePeople(searched: string): People {
  const all = useResource("GET /orgs/{orgId}/people", { query: { limit: 500, status: "active" } });
  const isLarge = all.data?.page.has_more === true;
  const found = useResource(isLarge && searched !== "" ? "GET /orgs/{orgId}/people" : undefined, {
    query: { limit: 50, status: "active", q: searched },
  });
  const people = useMemo(() => {
    const byId = new Map<string, Person>();
    for (const person of [...(all.data?.data ?? []), ...(found.data?.data ?? [])]) byId.set(person.id, person);
    return [...byId.values()];
  }, [all.data, found.data]);
  return { people, isLoaded: all.data !== undefined };
}
