import { and, eq, sql } from "drizzle-orm";
import { notFound } from "../../../core/errors.ts";
import type { UserId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { ascending, listOf } from "../../../storage/page.ts";
import { resourceBy } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { platformPermissionsOf } from "../../accounts/operator/platform-permissions.queries.ts";
import { directoryEntries as table } from "../entries.tables.ts";
import type { EntryRef } from "../entry-types.ts";
import { type ModeratedEntry, moderatedEntry } from "./moderation.shapes.ts";

type ControlReader = Reader<"control">;

const byId = resourceBy(moderatedEntry, { from: table, where: eq(table.id, sql.placeholder("id")) });

export const entryEntity = {
  kind: "directory_entry",
  table,
  read: (reader: ControlReader, id: string) => byId(reader, { id }),
};

const byTypeAndId = resourceBy(moderatedEntry, {
  from: table,
  where: and(eq(table.type, sql.placeholder("type")), eq(table.id, sql.placeholder("id"))),
});

/** @throws NOT_FOUND no such entry of the type */
export const findModerated = (reader: ControlReader, { type, id }: EntryRef): Promise<JsonOf<ModeratedEntry>> =>
  byTypeAndId(reader, { type, id });

/** Returns JSON text. Filters by `type` and `status`. */
export const listModerated = listOf(moderatedEntry, { from: table, orderBy: ascending(moderatedEntry, "id") });

/** @throws NOT_FOUND the account does not moderate: it does not learn which entries there are */
export async function requireModerator(reader: ControlReader, userId: UserId): Promise<void> {
  if (!(await platformPermissionsOf(reader, userId)).has("platform_admin.directory:moderate")) throw notFound();
}
