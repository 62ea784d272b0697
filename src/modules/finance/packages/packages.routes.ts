import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { findPackage, listPackages, packageEntity } from "./packages.queries.ts";
import { NewPackage, PackageChange, PackageListQuery } from "./packages.schemas.ts";
import { changePackage, sellPackage } from "./packages.verbs.ts";

/** `/orgs/{orgId}/finance/packages` */
export const packageRoutes = (http: Http): RoutePlugin =>
  resourceRoutes(http, {
    tag: "Finance",
    names: ["a package of hours", "packages of hours"],
    path: "finance/packages",
    item: "/:packageId",
    entity: packageEntity,
    reads: ["finance:read", "finance:own"],
    writes: "finance:manage",
    list: {
      description: "The newest first. Members without `finance:read` see their own.",
      query: PackageListQuery,
      read: (reader, query, { actor }) => listPackages(reader, actor, query),
    },
    add: {
      summary: "Sell a package of hours",
      description:
        "Raises its charge. Flights that are approved from then on draw from the person's packages first, from the one that expires first. To take it back, reverse its charge.",
      body: NewPackage,
      verb: sellPackage,
    },
    get: {
      description: "What is left, and what was drawn. Returns 404 also for one that the caller may not see.",
      read: (reader, { packageId, actor }) => findPackage(reader, packageId, actor),
    },
    change: { body: PackageChange, verb: changePackage },
  });
