/** What a response shows of an invite: to the members who invite, and to the holder of the token. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Instant } from "../../../core/clock.ts";
import type { PersonId } from "../../../core/ids.ts";
import { email, idOf, instantOut } from "../../../http/fields.ts";
import { organizations } from "../../../identity/identity.tables.ts";
import { names } from "../../../storage/names.ts";
import { field, fieldsOf, json, part, type Resource, shape } from "../../../storage/shape.ts";
import { heldRoles, organization, userName } from "../organizations.shapes.ts";
import { invites } from "../organizations.tables.ts";
import { inviteStatuses } from "./invites.ts";

/** The status depends on the time of the request and on the people of the tenant, which `invitesAt` supplies. */
export const statusAtPresent = sql`case
  when ${invites.claimed_at} is not null then 'claimed'
  when ${invites.revoked_at} is not null then 'revoked'
  when ${invites.expires_at} <= present.now then 'expired'
  when ${invites.person_id} in (select value from json_each(present.gone)) then 'expired'
  else 'open' end`;

/**
 * The rows of `invites`, with the time that their status is computed for.
 *
 * @param gone people that the tenant no longer has, for example because an older file was restored
 */
export const invitesAt = (now: Instant, gone: readonly PersonId[] = []) =>
  sql`${invites} cross join (select ${now} as now, ${JSON.stringify(gone)} as gone) as present`;

/** A field that is null while the invite is open, as it is in the example. */
const nullWhileOpen = <Schema extends z.ZodType>(schema: Schema) => schema.meta({ examples: [null] });

export const invite = shape("Invite", {
  id: field(idOf<"invite">(), invites.id),
  email: field(email, invites.email),
  roles: field(heldRoles, json(invites.roles)),
  status: field(z.enum(inviteStatuses).meta({ examples: ["open"] }), statusAtPresent),
  invited_by: field(
    idOf<"user">().meta({ description: "The member who created it or sent it again last." }),
    invites.invited_by,
  ),
  created_at: field(instantOut, invites.created_at),
  expires_at: field(instantOut, invites.expires_at),
  claimed_at: field(nullWhileOpen(instantOut.nullable()), invites.claimed_at),
  claimed_by: field(
    nullWhileOpen(idOf<"user">().nullable()).meta({ description: "The account that joined." }),
    invites.claimed_by,
  ),
  revoked_at: field(nullWhileOpen(instantOut.nullable()), invites.revoked_at),
  ...names(invites, { invited_by: userName, claimed_by: userName }),
});

export const studentRoles = heldRoles.meta({ examples: [["student"]] });

export const studentInvite = shape("StudentInvite", {
  ...invite.fields,
  roles: field(studentRoles, json(invites.roles)),
  person_id: field(
    idOf<"person">().meta({ description: "The person that the account will be linked to." }),
    invites.person_id,
  ),
});

export type InviteSeen = Resource<typeof invite>;
export type StudentInviteSeen = Resource<typeof studentInvite>;

/** Fields of the only response that shows the token. */
const onceShown = {
  token: z.string().meta({
    description: "Only this response shows it; it is stored as a hash. Give it to the invited person.",
    examples: ["ccWPj5p7kRJmXcXKbRLrYk0xw1oKZkPqJ0c2i8m3jD4"],
  }),
  mailed: z.boolean().meta({
    description: "Whether a mail with the token is sent. False if the installation has no mail server.",
    examples: [true],
  }),
};

export const createdInvite = invite.schema.extend(onceShown).meta({ id: "CreatedInvite" });
export const createdStudentInvite = studentInvite.schema.extend(onceShown).meta({ id: "CreatedStudentInvite" });

const invitingOrganization = part(fieldsOf(organization, "id", "name"));

/** An invite as the holder of the token sees it. It does not reveal whether the address has an account. */
export const publicInvite = shape("PublicInvite", {
  organization: field(invitingOrganization.schema, invitingOrganization.json),
  email: field(email, invites.email),
  roles: field(heldRoles, json(invites.roles)),
  expires_at: field(instantOut, invites.expires_at),
});

export const publicInviteSource = sql`${invites} join ${organizations} on ${organizations.id} = ${invites.org_id}`;

export type PublicInvite = Resource<typeof publicInvite>;

/** The person of a student invite. Only the tenant database has the name. */
export const invitedPerson = z.strictObject({
  id: idOf<"person">(),
  name: z.string().meta({ examples: ["Anna Berg"] }),
});

export const publicStudentInvite = publicInvite.schema
  .extend({ roles: studentRoles, person: invitedPerson })
  .meta({ id: "PublicStudentInvite" });

export type PublicStudentInvite = z.infer<typeof publicStudentInvite>;
