import type { Module } from "../../module.ts";
import { seenWith } from "../../storage/change-kinds.ts";
import { directoryFollows } from "./directory.follows.ts";
import { directoryPersonal } from "./directory.personal.ts";
import { directoryChanged } from "./entries/directory-changed.ts";
import * as entryTables from "./entries.tables.ts";
import { moderationRoutes } from "./moderation/moderation.routes.ts";
import { memberRemoved } from "./profiles/member-removed.ts";
import { profileRoutes } from "./profiles/profiles.routes.ts";
import * as profileTables from "./profiles.tables.ts";
import { searchRoutes } from "./search/search.routes.ts";

export const directory = {
  capability: "directory",
  tables: { control: entryTables, tenant: profileTables },
  routes: (http, { clock }) => [...profileRoutes(http), moderationRoutes(http), searchRoutes(http, { clock })],
  intents: [directoryChanged, memberRemoved],
  follows: directoryFollows,
  personal: directoryPersonal,
  changes: [{ kind: "directory_profile", seenBy: seenWith("directory:manage") }],
  tags: { Directory: "Schools, instructors and aircraft that organizations publish, for everybody." },
} satisfies Module;
