import type { Module } from "../../module.ts";
import { movingRoutes } from "./moving.routes.ts";
import { schoolAdopted } from "./school-adopted.ts";

/** Schools that move to another installation. */
export const moving = {
  routes: (http, services) => [movingRoutes(http, services)],
  intents: [schoolAdopted],
} satisfies Module;
