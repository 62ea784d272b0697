import { addVerb, changeVerb } from "../../../storage/verbs.ts";
import { touchSessionsOf } from "../planning.follows.ts";
import { requireFreeName, roomEntity } from "./rooms.queries.ts";
import type { NewRoom, RoomChange } from "./rooms.schemas.ts";

/** @throws CONFLICT another room has the name */
export const addRoom = addVerb(roomEntity, {
  permission: "planning:configure",
  async row(tx, fresh, input: NewRoom) {
    await requireFreeName(tx, input.name);
    return { ...fresh, ...input, status: "available" as const };
  },
});

/** @throws NOT_FOUND; CONFLICT another room has the name */
export const changeRoom = changeVerb(roomEntity, {
  permission: "planning:configure",
  async set(tx, row, { change }: { change: RoomChange }) {
    if (change.name !== undefined) await requireFreeName(tx, change.name, row.id);
    if (change.name !== undefined && change.name !== row.name) await touchSessionsOf(tx, row.id);
    return change;
  },
});
