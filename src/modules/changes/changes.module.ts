import type { Module } from "../../module.ts";
import { changesRoutes } from "./changes.routes.ts";
import { ChangeStreams } from "./streams.ts";

export const changes = {
  routes: (http, { storage: { control, commits }, tenants, clock, log, stopping, changeKinds: kinds, heartbeat }) => {
    const streams = new ChangeStreams({ control, commits, tenants, clock, log, stopping, kinds, heartbeat });
    return [changesRoutes(http, { clock, streams })];
  },
  tags: { Changes: "What others change, as it happens." },
} satisfies Module<{ heartbeat: number }>;
