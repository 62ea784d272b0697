import type { Module } from "../../module.ts";
import { publicFleetRoutes } from "./public.routes.ts";

/** The fleet as others see it: with its maintenance. */
export const fleetStatus = { capability: "fleet", routes: (http) => [publicFleetRoutes(http)] } satisfies Module;
