import type { Module } from "../../module.ts";
import { directoryPersonal } from "./directory.personal.ts";
import * as profileTables from "./directory.tables.ts";
import { directoryChanged } from "./entries/directory-changed.ts";
import { memberRemoved } from "./entries/member-removed.ts";
import * as entryTables from "./entries.tables.ts";
import { moderationRoutes } from "./moderation/moderation.routes.ts";
import { profileRoutes } from "./profiles/profiles.routes.ts";
import { searchRoutes } from "./search/search.routes.ts";

export const directory = {
  capability: "directory",
  tables: { control: entryTables, tenant: profileTables },
  routes: (http, { clock }) => [...profileRoutes(http), moderationRoutes(http), searchRoutes(http, { clock })],
  intents: [directoryChanged, memberRemoved],
  personal: directoryPersonal,
  tags: { Directory: "Schools, instructors and aircraft that organizations publish, for everybody." },
} satisfies Module;
