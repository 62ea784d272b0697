import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import { listRooms, roomEntity } from "./rooms.queries.ts";
import { NewRoom, RoomChange, RoomListQuery } from "./rooms.schemas.ts";
import { addRoom, changeRoom } from "./rooms.verbs.ts";

/** `/orgs/{orgId}/planning/rooms` */
export const roomRoutes = (http: Http) =>
  resourceRoutes(http, {
    tag: "Planning",
    names: ["a room", "rooms"],
    path: "planning/rooms",
    item: "/:roomId",
    entity: roomEntity,
    reads: ["planning:read", "planning:read_own"],
    writes: "planning:configure",
    list: { description: "Sorted by name.", query: RoomListQuery, read: listRooms },
    add: { body: NewRoom, verb: addRoom, refuses: ["room_name_taken"] },
    change: { body: RoomChange, verb: changeRoom, refuses: ["room_name_taken"] },
  });
