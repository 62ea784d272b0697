/** What the entry of a flight chooses from: aircraft, people and places, those that are used most first. */
import { useMemo } from "preact/hooks";
import type { Aircraft, Flight, Person } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { me } from "../../app/session.ts";
import type { Option } from "../../ui/option.ts";
import { usePeople } from "../people/use-people.ts";

export interface Known {
  aircraft: readonly Aircraft[];
  people: readonly Pick<Person, "id" | "name" | "types" | "user_id">[];
  fleetOptions: readonly Option[];
  crewOptions: readonly Option[];
  placeOptions: readonly Option[];
  home: string | undefined;
  /** Flights that wait for their approval, the last first. */
  waiting: readonly Flight[];
  /** The person of the account. */
  self: Pick<Person, "id" | "name" | "types" | "user_id"> | undefined;
  isLoaded: boolean;
}

/** @param searched what somebody types in a field for people: a large school sends only those who match */
export function useKnown(searched: string): Known {
  const { people: words } = text();
  const fleet = useResource("GET /orgs/{orgId}/aircraft", { query: { limit: 500 } });
  const { people: active, isLoaded: hasPeople } = usePeople(searched);
  const recent = useResource(may("flights:read", "flights:read_own") ? "GET /orgs/{orgId}/flights" : undefined, {
    query: { limit: 100 },
  });
  const school = useResource("GET /orgs/{orgId}");
  const home = school.data?.data.home_icao ?? undefined;

  return useMemo(() => {
    const aircraft = (fleet.data?.data ?? []).filter(({ status }) => status !== "archived");
    const people = new Map<string, Known["people"][number]>();
    for (const person of active) people.set(person.id, person);
    // Students see themselves only in the list of people, and those with whom they flew in their flights.
    for (const { crew } of recent.data?.data ?? [])
      for (const { person_id, name, function: as } of crew)
        if (!people.has(person_id))
          people.set(person_id, {
            id: person_id,
            name,
            types: as === "instructor" ? ["instructor"] : [],
            user_id: null,
          });
    const uses = new Map<string, number>();
    for (const { departure, arrival } of recent.data?.data ?? [])
      for (const place of [departure, arrival]) if (place !== null) uses.set(place, (uses.get(place) ?? 0) + 1);
    const places = [...uses].sort(([, one], [, other]) => other - one).map(([place]) => place);
    const ordered = [...new Set([...(home === undefined ? [] : [home]), ...places])];
    return {
      aircraft,
      people: [...people.values()],
      fleetOptions: aircraft.map(({ id, registration, model }) => ({
        ...{ value: id, label: registration, detail: model },
        // At the field D-EABC is the "ABC", or the "BC".
        also: `${registration.slice(-3)} ${registration.slice(-2)}`,
      })),
      crewOptions: [...people.values()].map(({ id, name, types }) => ({
        value: id,
        label: name,
        detail: types.map((type) => words.types[type]).join(", "),
      })),
      placeOptions: ordered.map((place) => ({ value: place, label: place })),
      home,
      waiting: (recent.data?.data ?? []).filter(({ status }) => status === "submitted"),
      self: [...people.values()].find(({ user_id }) => user_id !== null && user_id === me.value?.user.id),
      isLoaded: fleet.data !== undefined && hasPeople && recent.data !== undefined,
    };
  }, [fleet.data, active, hasPeople, recent.data, home, words]);
}
