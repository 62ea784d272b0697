import type { Module } from "../../module.ts";
import { boardRoutes } from "./board/board.routes.ts";
import { calendarRoutes } from "./calendars/calendars.routes.ts";
import { cancellationRoutes } from "./cancellations/cancellations.routes.ts";
import { dryRunRoutes } from "./dry-runs/dry-runs.routes.ts";
import { absenceRoutes, hoursRoutes } from "./hours/hours.routes.ts";
import { planningFollows } from "./planning.follows.ts";
import { planningOffers } from "./planning.jobs.ts";
import { planningPersonal } from "./planning.personal.ts";
import * as tables from "./planning.tables.ts";
import { planningChanges } from "./planning-changes.queries.ts";
import { resourcesRoutes } from "./resources/resources.routes.ts";
import { roomRoutes } from "./rooms/rooms.routes.ts";
import { seriesRoutes } from "./series/series.routes.ts";
import { busyRoutes, checkRoutes } from "./sessions/checks.routes.ts";
import { publicSessionRoute, publicSessionRoutes } from "./sessions/public.routes.ts";
import { sessionRoutes } from "./sessions/sessions.routes.ts";
import { settingsRoutes } from "./settings/settings.routes.ts";
import { slotRoutes } from "./slots/slots.routes.ts";
import { wishRoutes } from "./wishes/wishes.routes.ts";

export const planning = {
  capability: "planning",
  tables: { tenant: tables },
  routes: (http, services) => [
    calendarRoutes(http, services),
    sessionRoutes(http),
    checkRoutes(http),
    dryRunRoutes(http, services.capabilities),
    seriesRoutes(http),
    cancellationRoutes(http),
    slotRoutes(http),
    wishRoutes(http),
    busyRoutes(http),
    resourcesRoutes(http),
    boardRoutes(http),
    roomRoutes(http),
    hoursRoutes(http),
    absenceRoutes(http),
    settingsRoutes(http),
    publicSessionRoutes(http),
    publicSessionRoute(http),
  ],
  jobs: [planningOffers],
  personal: planningPersonal,
  follows: planningFollows,
  changes: planningChanges,
  tags: { Planning: "Bookings of aircraft, instructors, students and rooms, and when they are there." },
} satisfies Module;
