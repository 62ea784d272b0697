import type { Module } from "../../module.ts";
import { sharingPersonal } from "./sharing.personal.ts";
import { shareTokenRoutes } from "./sharing.routes.ts";
import * as tables from "./sharing.tables.ts";
import { sharingChanges } from "./sharing-changes.queries.ts";

export const sharing = {
  capability: "sharing",
  tables: { tenant: tables },
  routes: (http) => [shareTokenRoutes(http)],
  personal: sharingPersonal,
  changes: sharingChanges,
  tags: { Sharing: "Tokens with which somebody without an account verifies a pack or subscribes to a calendar." },
} satisfies Module;
