import type { Http } from "../../../http/http.ts";
import { importRoute } from "../../../http/import-route.ts";
import { examplePeople, personColumns } from "./import.schemas.ts";
import { importPeople } from "./import-people.ts";

/** `POST /orgs/{orgId}/people/import` */
export const importPeopleRoutes = (http: Http) =>
  importRoute(http, {
    tag: "People",
    path: "people",
    name: "people",
    permission: "people:manage",
    description:
      "A line with the e-mail address or the licence number of a person changes that person; with both, they must be the same person's. With an `id`, only the id counts. Every other line adds a person.",
    example: examplePeople,
    columns: personColumns,
    verb: importPeople,
  });
