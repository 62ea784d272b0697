import { z } from "zod";
import { idOf, integer, stampsOut, text } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { changeOf, newOf, rowShape } from "../../../storage/columns.ts";
import { roomStatuses, planningRooms as table } from "../planning.tables.ts";

const fields = {
  name: text(80).meta({ examples: ["Briefing room 1"] }),
  seats: integer(1, 999)
    .nullable()
    .meta({ examples: [6] }),
};
const status = z.enum(roomStatuses).meta({ description: "An archived room can't be booked.", examples: ["available"] });

export const NewRoom = newOf("NewPlanningRoom", fields);
export type NewRoom = z.infer<typeof NewRoom>;
export const RoomChange = changeOf("PlanningRoomChange", { ...fields, status });
export type RoomChange = z.infer<typeof RoomChange>;
export const RoomListQuery = z.strictObject({ ...paging, status: status.optional() });

export const room = rowShape("PlanningRoom", table, { id: idOf<"room">(), ...fields, status, ...stampsOut });
