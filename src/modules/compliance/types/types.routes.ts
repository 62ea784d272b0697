import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import { listTypes, typeEntity } from "./types.queries.ts";
import { NewRecordType, RecordTypeChange, RecordTypeListQuery } from "./types.schemas.ts";
import { addType, changeType, removeType } from "./types.verbs.ts";

/** `/orgs/{orgId}/compliance/types` */
export const recordTypeRoutes = (http: Http) =>
  resourceRoutes(http, {
    tag: "Compliance",
    names: ["a record type", "record types"],
    path: "compliance/types",
    item: "/:typeId",
    entity: typeEntity,
    reads: ["compliance:read", "compliance:read_own", "compliance:read_aircraft"],
    writes: "compliance:manage",
    list: {
      description: "By key: the built-in types and the school's own.",
      query: RecordTypeListQuery,
      read: listTypes,
    },
    add: {
      description: "A type of the school's own. Its key and subject never change.",
      body: NewRecordType,
      verb: addType,
      refuses: ["type_key_taken"],
    },
    change: {
      description: "Changes the given fields. Of a built-in type, only `warning_days` can change.",
      body: RecordTypeChange,
      verb: changeType,
      refuses: ["type_built_in"],
    },
    remove: { verb: removeType, refuses: ["type_built_in", "type_in_use"] },
  });
