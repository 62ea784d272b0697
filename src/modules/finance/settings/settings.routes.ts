import { Elysia } from "elysia";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { Settings, SettingsChange } from "./settings.schemas.ts";
import { changeSettings, settingsOf } from "./settings.ts";

/** `/orgs/{orgId}/finance/settings` */
export const settingsRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "finance settings", prefix: "/orgs/:orgId/finance/settings", tags: ["Finance"] })
    .use(session)
    .get("", async ({ context }) => ({ data: await context.tenant.read(settingsOf) }), {
      transform: requires("finance:read"),
      response: responses({ 200: data(Settings) }, 401, 404),
      detail: { summary: "Get the settings of the money", description: "The seller, and what new prices have." },
    })
    .patch("", async ({ context, body }) => ({ data: await changeSettings(context, body) }), {
      transform: requires("finance:manage"),
      body: SettingsChange,
      response: responses({ 200: data(Settings) }, 400, 401, 404),
      detail: {
        summary: "Change the settings of the money",
        description:
          "The VAT is that of what is added from then on, the rest that of invoices that are sent from then on. Null clears a field.",
      },
    });
