import type { Module } from "../../module.ts";
import { personErased } from "./person-erased.ts";
import { privacyRoutes } from "./privacy.routes.ts";

/** The export and the erasure of a person, made of the parts of all modules. */
export const privacy = {
  capability: "people",
  routes: (http, { personal }) => [privacyRoutes(http, personal)],
  intents: [personErased],
} satisfies Module;
