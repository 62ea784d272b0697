import { Elysia } from "elysia";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import { changePreferences } from "./change-preferences.ts";
import { preferencesOf } from "./preferences.queries.ts";
import { Preferences, PreferencesChange } from "./preferences.schemas.ts";

/** `/orgs/{orgId}/notification-preferences` */
export const preferencesRoutes = ({ session }: Http) =>
  new Elysia({
    name: "notification-preferences",
    prefix: "/orgs/:orgId/notification-preferences",
    tags: ["Notifications"],
  })
    .use(session)
    .get(
      "",
      async ({ context: { actor, tenant } }) => ({
        data: await tenant.read((reader) => preferencesOf(reader, actor.userId)),
      }),
      {
        response: responses({ 200: data(Preferences) }, 401, 404),
        detail: { summary: "Get your notification preferences", description: "Which mails you get from this school." },
      },
    )
    .patch("", async ({ context, body }) => ({ data: await changePreferences(context, body) }), {
      body: PreferencesChange,
      response: responses({ 200: data(Preferences) }, 400, 401, 404),
      detail: {
        summary: "Change your notification preferences",
        description: "Switches kinds of mail on or off, for yourself. A mail that waits to be sent is not sent either.",
      },
    });
