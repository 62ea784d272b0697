import { Elysia } from "elysia";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { Settings, SettingsChange } from "./settings.schemas.ts";
import { changeSettings, settingsOf } from "./settings.ts";

/** `/orgs/{orgId}/planning/settings` */
export const settingsRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "planning settings", prefix: "/orgs/:orgId/planning/settings", tags: ["Planning"] })
    .use(session)
    .get("", async ({ context }) => ({ data: await context.tenant.read(settingsOf) }), {
      transform: requires("planning:read", "planning:read_own"),
      response: responses({ 200: data(Settings) }, 401, 404),
      detail: { summary: "Get the settings of the planning", description: "What the school allows, and its rules." },
    })
    .patch("", async ({ context, body }) => ({ data: await changeSettings(context, body) }), {
      transform: requires("planning:configure"),
      body: SettingsChange,
      response: responses({ 200: data(Settings) }, 400, 401, 404),
      detail: {
        summary: "Change the settings of the planning",
        description: "Applies to bookings from then on. Sessions that are booked stay.",
      },
    });
