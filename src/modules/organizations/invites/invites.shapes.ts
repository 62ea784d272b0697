/** What an invite looks like to those who make them, and to whoever holds its token. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Instant } from "../../../core/clock.ts";
import { email, idOf, instantOut } from "../../../http/fields.ts";
import { field, json, part, type Resource, shape } from "../../../storage/shape.ts";
import { heldRoles, organization } from "../organizations.shapes.ts";
import { invites, organizations } from "../organizations.tables.ts";
import { inviteStatuses } from "./invites.ts";

/** An invite is open only until a moment, so its status takes the time of the question: `invitesAt`. */
export const statusAtPresent = sql`case
  when ${invites.claimed_at} is not null then 'claimed'
  when ${invites.revoked_at} is not null then 'revoked'
  when ${invites.expires_at} <= present.now then 'expired'
  else 'open' end`;

/** Where the invites come from, as they stand at a moment. */
export const invitesAt = (now: Instant) => sql`${invites} cross join (select ${now} as now) as present`;

/** What an invite has not, as long as it is open: its example is. */
const untilThen = <Schema extends z.ZodType>(schema: Schema) => schema.meta({ examples: [null] });

export const invite = shape("Invite", {
  id: field(idOf<"invite">(), invites.id),
  email: field(email, invites.email),
  roles: field(heldRoles, json(invites.roles)),
  status: field(z.enum(inviteStatuses).meta({ examples: ["open"] }), statusAtPresent),
  invited_by: field(idOf<"user">().meta({ description: "Who made it, or sent it again." }), invites.invited_by),
  created_at: field(instantOut, invites.created_at),
  expires_at: field(instantOut, invites.expires_at),
  claimed_at: field(untilThen(instantOut.nullable()), invites.claimed_at),
  claimed_by: field(
    untilThen(idOf<"user">().nullable()).meta({ description: "The account that joined." }),
    invites.claimed_by,
  ),
  revoked_at: field(untilThen(instantOut.nullable()), invites.revoked_at),
});

export const studentRoles = heldRoles.meta({ examples: [["student"]] });

export const studentInvite = shape("StudentInvite", {
  ...invite.fields,
  roles: field(studentRoles, json(invites.roles)),
  person_id: field(idOf<"person">().meta({ description: "The person that the account will be." }), invites.person_id),
});

export type InviteSeen = Resource<typeof invite>;
export type StudentInviteSeen = Resource<typeof studentInvite>;

/** What is told the one time that the token is known. */
const onceShown = {
  token: z.string().meta({
    description: "Shown this once and kept only as a hash. Hand it to the person invited.",
    examples: ["ccWPj5p7kRJmXcXKbRLrYk0xw1oKZkPqJ0c2i8m3jD4"],
  }),
  mailed: z.boolean().meta({
    description: "Whether it is also on its way by mail: not where the installation has no mail server.",
    examples: [true],
  }),
};

export const createdInvite = invite.schema.extend(onceShown).meta({ id: "CreatedInvite" });
export const createdStudentInvite = studentInvite.schema.extend(onceShown).meta({ id: "CreatedStudentInvite" });

const invitingOrganization = part({
  id: organization.fields.id,
  name: organization.fields.name,
});

/** An invite to whoever holds its token. Whether the address has an account is not for them to know. */
export const publicInvite = shape("PublicInvite", {
  organization: field(invitingOrganization.schema, invitingOrganization.json),
  email: field(email, invites.email),
  roles: field(heldRoles, json(invites.roles)),
  expires_at: field(instantOut, invites.expires_at),
});

export const publicInviteSource = sql`${invites} join ${organizations} on ${organizations.id} = ${invites.org_id}`;

export type PublicInvite = Resource<typeof publicInvite>;

/** The person of a student invite, whose name only the organization's own records have. */
export const invitedPerson = z.strictObject({
  id: idOf<"person">(),
  name: z.string().meta({ examples: ["Anna Berg"] }),
});

export const publicStudentInvite = publicInvite.schema
  .extend({ roles: studentRoles, person: invitedPerson })
  .meta({ id: "PublicStudentInvite" });

export type PublicStudentInvite = z.infer<typeof publicStudentInvite>;
