import type { Http } from "../../http/http.ts";
import { resourceRoutes } from "../../http/resource-routes.ts";
import { createPerson } from "./create-person.ts";
import { findPerson, listPeople, personEntity } from "./people.queries.ts";
import { NewPerson, PersonChange, PersonListQuery } from "./people.schemas.ts";
import { updatePerson } from "./update-person.ts";

/** `/orgs/{orgId}/people` */
export const peopleRoutes = (http: Http) =>
  resourceRoutes(http, {
    tag: "People",
    names: ["a person", "people"],
    path: "people",
    item: "/:personId",
    entity: personEntity,
    reads: ["people:read", "people:read_own"],
    writes: "people:manage",
    list: {
      description:
        "By name. Includes archived people. A caller without `people:read` sees only the person linked to their account.",
      query: PersonListQuery,
      read: (reader, query, { actor }) => listPeople(reader, actor, query),
    },
    add: {
      description: "With or without an account. A restricted instructor needs a supervisor.",
      body: NewPerson,
      verb: createPerson,
      refuses: ["account_linked"],
    },
    get: {
      description: "Returns 404 also for a person that the caller may not see.",
      read: (reader, { personId, actor }) => findPerson(reader, personId, actor),
    },
    change: {
      description:
        "Changes the given fields; null clears a field. Lifting an instructor's restriction also removes the supervisor. `status` archives the person, or undoes that. An archived person can't be changed otherwise, can't be in the crew of a new flight, is not in the public list of pilots, and stays in their flights. An account that has recorded training of the person can't be linked to them before another member has redone that.",
      body: PersonChange,
      verb: updatePerson,
      refuses: [
        "account_linked",
        "own_training_recorded",
        "person_archived",
        "person_erased",
        "supervises_instructors",
      ],
    },
  });
