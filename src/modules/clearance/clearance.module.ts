import type { Module } from "../../module.ts";
import { clearanceFollows } from "./clearance.follows.ts";
import { clearanceRoutes } from "./clearance.routes.ts";
import { matrixRoutes } from "./matrix/matrix.routes.ts";

export const clearance = {
  capability: "compliance",
  routes: (http) => [clearanceRoutes(http), matrixRoutes(http)],
  follows: clearanceFollows,
  tags: { Clearance: "Whether a person may fly an aircraft, and why not." },
} satisfies Module;
