import { Elysia } from "elysia";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { listPage } from "../../../http/list-page.ts";
import { data, page, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import type { SignedIn } from "../../../storage/context.ts";
import { EntryPath, TypeRef } from "../search/search.schemas.ts";
import { moderateEntry } from "./moderate-entry.ts";
import { findModerated, listModerated, requireModerator } from "./moderation.queries.ts";
import { Moderation, ModerationQuery } from "./moderation.schemas.ts";
import { moderatedEntry } from "./moderation.shapes.ts";

/** Before the input is validated. */
const transform = ({ context: { control, actor } }: { context: SignedIn }) =>
  control.read((reader) => requireModerator(reader, actor.userId));

/** `/admin/directory/{type}`: for platform admins. */
export const moderationRoutes = ({ signedIn }: Http): RoutePlugin =>
  new Elysia({ name: "directory moderation", prefix: "/admin/directory", tags: ["Directory"] })
    .use(signedIn)
    .get(
      "/:type",
      async ({ context: { control }, params, query }) =>
        listPage(query, (query) => control.read((reader) => listModerated(reader, { ...params, ...query }))),
      {
        transform,
        params: TypeRef,
        query: ModerationQuery,
        response: responses({ 200: page(moderatedEntry.schema) }, 400, 401, 404),
        detail: {
          summary: "List entries of the directory for moderation",
          description:
            "Of all organizations, without their fields, by default those that are `published`; also those that no organization publishes any more, which keep their moderation. For accounts with `platform_admin.directory:moderate`; 404 for all others.",
        },
      },
    )
    .get(
      "/:type/:id",
      async ({ context: { control }, params }) =>
        jsonData(await control.read((reader) => findModerated(reader, params))),
      {
        transform,
        params: EntryPath,
        response: responses({ 200: data(moderatedEntry.schema) }, 401, 404),
        detail: {
          summary: "Get an entry of the directory for moderation",
          description:
            "Whatever its status. For accounts with `platform_admin.directory:moderate`; 404 for all others.",
        },
      },
    )
    .patch(
      "/:type/:id",
      async ({ context, params, body }) => jsonData(await moderateEntry(context, { ...params, change: body })),
      {
        transform,
        params: EntryPath,
        body: Moderation,
        response: responses({ 200: data(moderatedEntry.schema) }, 400, 401, 404),
        detail: {
          summary: "Moderate an entry of the directory",
          description:
            "For accounts with `platform_admin.directory:moderate`; 404 for all others. Changes the given fields, of this entry only: the instructors and aircraft of a school have entries of their own. They stay when the organization publishes the entry again.",
        },
      },
    );
