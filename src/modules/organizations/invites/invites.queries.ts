import { and, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import type { InviteId, OrgId, PersonId } from "../../../core/ids.ts";
import type { Bytes } from "../../../core/kept-body.ts";
import { descending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { resource } from "../../../storage/shape.ts";
import type { Control, Reader, Tenant } from "../../../storage/store.ts";
import { statusOfPeople } from "../../people/people.queries.ts";
import { inviteState, invites } from "../organizations.tables.ts";
import {
  type InviteSeen,
  invite,
  invitesAt,
  type StudentInviteSeen,
  statusAtPresent,
  studentInvite,
} from "./invites.shapes.ts";
import { type InviteKind, type InviteStatus, isOfKind } from "./invites.ts";

type ControlReader = Reader<"control">;

interface InviteList extends PageRequest {
  orgId: OrgId;
  kind: InviteKind;
  status?: InviteStatus | undefined;
  now: Instant;
  /** Invited people that the tenant no longer has. */
  gone?: readonly PersonId[];
}

const newestFirst = descending(invite, "id");

/** Returns a page of the invites, newest first, as the bytes of JSON text. */
export function listInvites(
  reader: ControlReader,
  { orgId, kind, status, now, gone, ...page }: InviteList,
): Promise<Bytes> {
  // The index has claimed and revoked invites; open and expired ones differ only by the time.
  const state = status === "open" || status === "expired" ? "pending" : status;
  const inState: SQL | undefined = status && sql`${inviteState} = ${state} and ${statusAtPresent} = ${status}`;
  return pageBody(reader, kind === "student" ? studentInvite : invite, {
    ...page,
    from: invitesAt(now, gone),
    where: and(eq(invites.org_id, orgId), isOfKind(kind), inState),
    orderBy: newestFirst,
  });
}

/** @throws NOT_FOUND */
export const readInvite = (reader: ControlReader, id: InviteId, now: Instant): Promise<InviteSeen> =>
  resource(reader, invite, { from: invitesAt(now), where: eq(invites.id, id) });

/** @throws NOT_FOUND */
export const readStudentInvite = (reader: ControlReader, id: InviteId, now: Instant): Promise<StudentInviteSeen> =>
  resource(reader, studentInvite, { from: invitesAt(now), where: eq(invites.id, id) });

interface InviteSought extends Pick<InviteList, "orgId" | "now" | "gone"> {
  inviteId: InviteId;
}

/** Returns an invite of the organization as the list shows it. @throws NOT_FOUND */
export const findMemberInvite = (reader: ControlReader, sought: InviteSought): Promise<InviteSeen> =>
  resource(reader, invite, oneOf("organization", sought));

/** As `findMemberInvite`, for student invites. */
export const findStudentInviteById = (reader: ControlReader, sought: InviteSought): Promise<StudentInviteSeen> =>
  resource(reader, studentInvite, oneOf("student", sought));

const oneOf = (kind: InviteKind, { orgId, inviteId, now, gone }: InviteSought) => ({
  from: invitesAt(now, gone),
  where: and(eq(invites.id, inviteId), eq(invites.org_id, orgId), isOfKind(kind)),
});

/** Returns the people of open student invites that the tenant no longer has. Nobody can claim these invites. */
export async function invitedPeopleGone(
  { control, tenant }: { control: Control; tenant: Tenant },
  now: Instant,
): Promise<PersonId[]> {
  const open = await control.read((reader) =>
    reader
      .select({ id: invites.person_id })
      .from(invites)
      .where(
        and(
          eq(invites.org_id, tenant.id),
          isOfKind("student"),
          sql`${inviteState} = 'pending'`,
          gt(invites.expires_at, now),
        ),
      ),
  );
  const ids = open.flatMap(({ id }) => (id === null ? [] : [id]));
  if (ids.length === 0) return [];
  const found = await tenant.read((reader) => statusOfPeople(reader, ids));
  return ids.filter((id) => !found.has(id));
}

/** Returns whether an address could claim an invite. */
export async function hasOpenInvite(
  reader: ControlReader,
  { email, now }: { email: string; now: Instant },
): Promise<boolean> {
  const open = and(
    eq(invites.email, email),
    isNull(invites.claimed_at),
    isNull(invites.revoked_at),
    gt(invites.expires_at, now),
  );
  return (await reader.select({ id: invites.id }).from(invites).where(open).limit(1)).length > 0;
}
