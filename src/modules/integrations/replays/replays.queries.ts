import { eq, sql } from "drizzle-orm";
import type { ReplayId } from "../../../core/ids.ts";
import { descending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { resource } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { type Replay, replay } from "./replays.shapes.ts";
import { replays } from "./replays.tables.ts";

type TenantReader = Reader<"tenant">;

/** @throws NOT_FOUND */
export const findReplay = (reader: TenantReader, id: ReplayId): Promise<Replay> =>
  resource(reader, replay, { from: replays, where: eq(replays.id, id) });

export const replayEntity = { kind: "replay", table: replays, read: findReplay };

const newestFirst = descending(replay, "id");

/** Returns JSON text, newest first: ids begin with the time of creation. */
export const listReplays = (reader: TenantReader, page: PageRequest) =>
  pageBody(reader, replay, { ...page, from: replays, orderBy: newestFirst });

/** Returns the row of the running replay, if there is one. */
export async function runningReplay(reader: TenantReader): Promise<typeof replays.$inferSelect | undefined> {
  const [row] = await reader.select().from(replays).where(sql`${replays.status} = 'running'`);
  return row;
}
