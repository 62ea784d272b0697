import { type MemberActor, permits } from "../../../core/actor.ts";
import { notFound } from "../../../core/errors.ts";
import type { AircraftId, PersonId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import type { Reader } from "../../../storage/store.ts";
import { requireAircraft } from "../../fleet/fleet.queries.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import type { EntryRef } from "../entry-types.ts";
import { directoryProfiles as table } from "../profiles.tables.ts";
import { type ProfileRow, profileRow } from "./profile-row.queries.ts";
import { type Profile, profile } from "./profiles.shapes.ts";

type TenantReader = Reader<"tenant">;

export const profileEntity = entityOf("directory_profile", { table, shape: profile, path: { profileId: table.id } });

/** @throws NOT_FOUND the subject has no profile */
export async function requireProfile(reader: TenantReader, ref: EntryRef): Promise<ProfileRow> {
  const row = await profileRow(reader, ref);
  if (row === undefined) throw notFound();
  return row;
}

/** @throws NOT_FOUND it has no profile, or the actor neither manages the directory nor is the instructor */
export async function findProfile(reader: TenantReader, ref: EntryRef, actor: MemberActor): Promise<JsonOf<Profile>> {
  if (!permits(actor, "directory:manage")) await requireOwnPerson(reader, ref, actor);
  return profileEntity.read(reader, (await requireProfile(reader, ref)).id);
}

/** @throws NOT_FOUND the actor is not the instructor */
export async function requireOwnPerson(
  reader: TenantReader,
  { type, id }: EntryRef,
  actor: MemberActor,
): Promise<void> {
  const person = type === "instructors" ? await findPersonRow(reader, id as PersonId) : undefined;
  if (person === undefined || person.user_id !== actor.userId) throw notFound();
}

/** @throws NOT_FOUND there is no such instructor or aircraft in the school */
export async function requireSubject(reader: TenantReader, { type, id }: EntryRef): Promise<void> {
  if (type === "aircraft") await requireAircraft(reader, id as AircraftId);
  if (type !== "instructors") return;
  const person = await findPersonRow(reader, id as PersonId);
  if (!person?.types.includes("instructor") || person.erased_at !== null) throw notFound();
}
