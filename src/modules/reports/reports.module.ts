import type { Module } from "../../module.ts";
import { reportRoutes } from "./reports.routes.ts";

export const reports = {
  capability: "planning",
  routes: (http) => [reportRoutes(http)],
  tags: { Reports: "What was booked, flown and missed, by period." },
} satisfies Module;
