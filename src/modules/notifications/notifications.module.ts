import type { Module } from "../../module.ts";
import { mailSending } from "./notifications.jobs.ts";
import { notificationsPersonal } from "./notifications.personal.ts";
import * as tables from "./notifications.tables.ts";
import { preferencesRoutes } from "./preferences/preferences.routes.ts";

export const notifications = {
  tables: { tenant: tables },
  routes: (http) => [preferencesRoutes(http)],
  jobs: [mailSending],
  personal: notificationsPersonal,
  tags: { Notifications: "The mails that a school sends, and which of them a member wants." },
} satisfies Module;
