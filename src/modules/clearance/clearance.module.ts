import type { Module } from "../../module.ts";
import { clearanceFollows } from "./clearance.follows.ts";
import { clearanceRoutes } from "./clearance.routes.ts";

export const clearance = {
  capability: "compliance",
  routes: (http) => [clearanceRoutes(http)],
  follows: clearanceFollows,
  tags: { Clearance: "Whether a person may fly an aircraft, and why not." },
} satisfies Module;
