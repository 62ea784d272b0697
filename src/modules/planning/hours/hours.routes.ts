import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import { absenceEntity, absenceFor, hoursEntity, listAbsencesFor, listHours } from "./hours.queries.ts";
import { NewAbsence, NewHours, OfPersonQuery } from "./hours.schemas.ts";
import { addAbsence, addHours, removeAbsence, removeHours } from "./hours.verbs.ts";

/** `/orgs/{orgId}/planning/hours` */
export const hoursRoutes = (http: Http) =>
  resourceRoutes(http, {
    tag: "Planning",
    names: ["weekly hours", "weekly hours"],
    path: "planning/hours",
    item: "/:hoursId",
    entity: hoursEntity,
    reads: "planning:read",
    writes: "planning:manage",
    list: { description: "Of people, and the opening hours of the school.", query: OfPersonQuery, read: listHours },
    add: {
      description:
        "In the organization's time zone. A person without any is always available, and a school without any is always open.",
      body: NewHours,
      verb: addHours,
      refuses: ["limit_reached", "person_archived"],
    },
    remove: { verb: removeHours },
  });

/** `/orgs/{orgId}/planning/absences` */
export const absenceRoutes = (http: Http) =>
  resourceRoutes(http, {
    tag: "Planning",
    names: ["an absence", "absences"],
    path: "planning/absences",
    item: "/:absenceId",
    entity: absenceEntity,
    reads: "planning:read",
    writes: "planning:manage",
    list: {
      description: "Newest first: of people, and days on which the school is closed.",
      query: OfPersonQuery,
      read: (reader, query, { actor }) => listAbsencesFor(reader, actor, query),
    },
    get: {
      read: async (reader, { actor, ...ref }) => absenceFor(reader, actor, await absenceEntity.find(reader, ref)),
    },
    add: {
      description: "Whole days, in the organization's time zone. Sessions that are booked stay.",
      body: NewAbsence,
      verb: addAbsence,
      refuses: ["limit_reached", "person_archived"],
    },
    remove: { verb: removeAbsence },
  });
