import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import { listRequirements, requirementEntity } from "./requirements.queries.ts";
import { NewRequirement, RequirementChange, RequirementListQuery } from "./requirements.schemas.ts";
import { addRequirement, changeRequirement, removeRequirement } from "./requirements.verbs.ts";

/** `/orgs/{orgId}/compliance/requirements` */
export const requirementRoutes = (http: Http) =>
  resourceRoutes(http, {
    tag: "Compliance",
    names: ["a compliance requirement", "compliance requirements"],
    path: "compliance/requirements",
    item: "/:requirementId",
    entity: requirementEntity,
    reads: ["compliance:read", "compliance:read_own", "compliance:read_aircraft"],
    writes: "compliance:manage",
    list: {
      description: "What the school requires of people and aircraft, the oldest first.",
      query: RequirementListQuery,
      read: listRequirements,
    },
    add: { description: "Everybody concerned is evaluated again.", body: NewRequirement, verb: addRequirement },
    change: { body: RequirementChange, verb: changeRequirement },
    remove: { verb: removeRequirement },
  });
