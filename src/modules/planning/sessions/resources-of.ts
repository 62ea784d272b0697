import { conflict, invalid, type Problem } from "../../../core/errors.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { findAircraftRow } from "../../fleet/fleet.queries.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import type { ResourceType } from "../planning.tables.ts";
import { findRoomRow } from "../rooms/rooms.queries.ts";
import type { Booking, Resource } from "../rules/booking.ts";
import { type Boarding, type OnBoard, onBoardOf } from "../rules/on-board.ts";

interface Named {
  resources: Resource[];
  onBoard: OnBoard;
  /** What can't be booked any more, and why. */
  unusable: { resource: Resource; problem: Problem }[];
}

/** Returns what a booking takes up, and who is on board. @throws VALIDATION_ERROR no such aircraft, person or room */
export async function resourcesOf(
  reader: Reader<"tenant">,
  booking: Boarding & Pick<Booking, "aircraft_id" | "room_id">,
): Promise<Named> {
  const { aircraft_id, instructor_id, room_id, student_ids } = booking;
  const resources: Resource[] = [];
  const unusable: Named["unusable"] = [];
  const pilots = new Set<string>();
  const add = (resource: Resource, problem: Problem | false) => {
    resources.push(resource);
    if (problem) unusable.push({ resource, problem });
  };
  if (aircraft_id !== null) {
    const plane = await findAircraftRow(reader, aircraft_id);
    if (plane === undefined)
      throw invalid({ path: "aircraft_id", code: "unknown", message: "There is no such aircraft." });
    const isArchived = plane.status === "archived";
    const resource = { type: "aircraft", id: aircraft_id, name: plane.registration } as const;
    add(resource, isArchived && conflict("aircraft_archived", "The aircraft is archived."));
  }
  if (room_id !== null) {
    const room = await findRoomRow(reader, room_id);
    const isArchived = room.status === "archived";
    const resource = { type: "room", id: room_id, name: room.name } as const;
    add(resource, isArchived && conflict("room_archived", "The room is archived."));
  }
  const people: [path: string, ResourceType, PersonId][] = [
    ...(instructor_id === null
      ? []
      : [["instructor_id", "instructor", instructor_id] as [string, ResourceType, PersonId]]),
    ...student_ids.map((id, at): [string, ResourceType, PersonId] => [`student_ids.${at}`, "student", id]),
  ];
  for (const [path, type, id] of people) {
    const person = await findPersonRow(reader, id);
    if (person === undefined) throw invalid({ path, code: "unknown", message: "There is no such person." });
    const problem =
      (person.status === "archived" && conflict("person_archived", `${person.name} is archived.`)) ||
      (type === "instructor" &&
        !person.types.includes("instructor") &&
        invalid({ path, code: "impossible", message: "The person is no instructor." }));
    if (person.types.includes("pilot") || person.types.includes("instructor")) pilots.add(id);
    add({ type, id, name: person.name }, problem);
  }
  return { resources, onBoard: await onBoardOf(reader, booking, pilots), unusable };
}
