import { randomFillSync } from "node:crypto";
import type { Clock, Instant } from "./clock.ts";

declare const kind: unique symbol;

/** A lowercase UUIDv7, typed by kind: the compiler rejects a person's id in place of a flight's. */
export type Id<Kind extends string> = string & { readonly [kind]: Kind };

export type UserId = Id<"user">;
export type SessionId = Id<"session">;
export type OrgId = Id<"organization">;
export type InviteId = Id<"invite">;
export type ApiKeyId = Id<"api_key">;
export type PersonId = Id<"person">;
export type AircraftId = Id<"aircraft">;
export type GroundingId = Id<"grounding">;
export type MaintenanceItemId = Id<"item">;
export type WorkOrderId = Id<"workOrder">;
export type DefectId = Id<"defect">;
export type FlightId = Id<"flight">;
export type ProgramId = Id<"program">;
export type LessonId = Id<"lesson">;
export type EnrollmentId = Id<"enrollment">;
export type LessonRecordId = Id<"lessonRecord">;
export type EndpointId = Id<"webhook_endpoint">;
export type DeliveryId = Id<"delivery">;
export type ReplayId = Id<"replay">;
export type OpportunityId = Id<"opportunity">;
export type ApplicationId = Id<"application">;
export type ListingId = Id<"listing">;
export type DirectoryProfileId = Id<"directory_profile">;
/** `evt_` and 32 hex digits. */
export type EventId = `evt_${string}`;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns whether `text` has the format of an id. The row it names may still not exist. */
export const isId = <Kind extends string>(text: string): text is Id<Kind> => uuid.test(text);

/** As `newIdAt`, made now. */
export const newId = <Kind extends string>(clock: Clock): Id<Kind> => newIdAt(clock.now());

/** Returns whether an id was made at an instant or later, to the millisecond. */
export const isMadeSince = (id: string, since: Instant): boolean => timeIn(id) >= timeIn(newIdAt(since));

/** Its 48 bits of milliseconds, as text that sorts. */
const timeIn = (id: string): string => id.slice(0, 13);

/** Returns a new UUIDv7 (RFC 9562, 5.7): 48 bits of milliseconds, then random bits. Ids sort by creation time. */
export function newIdAt<Kind extends string>(at: Date | Instant): Id<Kind> {
  const bytes = randomFillSync(Buffer.alloc(16));
  bytes.writeUIntBE(new Date(at).getTime(), 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return groups.join("-") as Id<Kind>;
}
