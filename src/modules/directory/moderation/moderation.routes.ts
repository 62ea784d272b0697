import { Elysia } from "elysia";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import type { SignedIn } from "../../../storage/context.ts";
import { EntryPath } from "../search/search.schemas.ts";
import { moderateEntry } from "./moderate-entry.ts";
import { Moderation, moderatedEntry } from "./moderation.schemas.ts";
import { requireModerator } from "./moderators.queries.ts";

/** `/admin/directory/{type}/{id}`: for platform admins. */
export const moderationRoutes = ({ signedIn }: Http): RoutePlugin =>
  new Elysia({ name: "directory moderation", prefix: "/admin/directory", tags: ["Directory"] })
    .use(signedIn)
    .patch(
      "/:type/:id",
      async ({ context, params, body }) => jsonData(await moderateEntry(context, { ...params, change: body })),
      {
        transform: ({ context: { control, actor } }: { context: SignedIn }) =>
          control.read((reader) => requireModerator(reader, actor.userId)),
        params: EntryPath,
        body: Moderation,
        response: responses({ 200: data(moderatedEntry.schema) }, 400, 401, 404),
        detail: {
          summary: "Moderate an entry of the directory",
          description:
            "For accounts with `platform_admin.directory:moderate`; 404 for all others. Changes the given fields. They stay when the organization publishes the entry again.",
        },
      },
    );
