import { and, eq, ne } from "drizzle-orm";
import { conflict, invalid } from "../../../core/errors.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { ascending, listOf } from "../../../storage/page.ts";
import type { Reader } from "../../../storage/store.ts";
import { type RoomId, planningRooms as table } from "../planning.tables.ts";
import { room } from "./rooms.schemas.ts";

export const roomEntity = entityOf("planning_room", { table, shape: room, path: { roomId: table.id } });

/** Returns JSON text, sorted by name. */
export const listRooms = listOf(room, { from: table, orderBy: ascending(room, "name") });

/** @throws CONFLICT another room has the name */
export async function requireFreeName(reader: Reader<"tenant">, name: string, id?: RoomId): Promise<void> {
  const others = await reader.$count(table, and(eq(table.name, name), id && ne(table.id, id)));
  if (others > 0) throw conflict("room_name_taken", "There is already a room with this name.");
}

/** @throws VALIDATION_ERROR no such room */
export async function findRoomRow(reader: Reader<"tenant">, id: RoomId) {
  const [row] = await reader.select().from(table).where(eq(table.id, id));
  if (row === undefined) throw invalid({ path: "room_id", code: "unknown", message: "There is no such room." });
  return row;
}
