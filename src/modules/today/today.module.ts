import type { Module } from "../../module.ts";
import { todayRoutes } from "./today.routes.ts";

export const today = {
  routes: (http, { capabilities }) => [todayRoutes(http, capabilities)],
  tags: { Today: "What waits for the caller, and what a new school has not done yet." },
} satisfies Module;
