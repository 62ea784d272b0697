import type { Module } from "../../module.ts";
import { searchRoutes } from "./search.routes.ts";

export const search = {
  routes: (http, { finders }) => [searchRoutes(http, finders)],
  tags: { Search: "Records of all kinds, by words." },
} satisfies Module;
