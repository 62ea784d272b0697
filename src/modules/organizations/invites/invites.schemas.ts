/** The requests and responses of the routes of invites. */
import { z } from "zod";
import { email, idOf } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { TokenPair, wantsCookie } from "../../accounts/accounts.schemas.ts";
import { newPassword } from "../../accounts/passwords/password-policy.ts";
import { assignedRoles, personName } from "../organizations.schemas.ts";
import { heldRoles, organization } from "../organizations.shapes.ts";
import { invitedPerson, studentRoles } from "./invites.shapes.ts";
import { inviteStatuses } from "./invites.ts";

export const NewInvite = z.strictObject({ email, roles: assignedRoles }).meta({ id: "NewInvite" });

export const NewStudentInvite = z
  .strictObject({
    person_id: idOf<"person">(),
    email: email.optional().describe("By default the e-mail address of the person."),
  })
  .meta({ id: "NewStudentInvite" });

export const InviteIdRef = z.object({ inviteId: idOf<"invite">() });

export const InvitesQuery = z.strictObject({
  ...paging,
  status: z
    .enum(inviteStatuses)
    .optional()
    .meta({ description: "Only invites with this status.", examples: ["open"] }),
});

const exampleToken = "ccWPj5p7kRJmXcXKbRLrYk0xw1oKZkPqJ0c2i8m3jD4";
const inviteToken = z
  .string()
  .min(1)
  .max(200)
  .meta({ examples: [exampleToken] });

export const InviteTokenRef = z.object({ token: inviteToken });

/** Any text: the verb rejects a malformed token with 400. */
export const StudentInviteTokenRef = z.object({ token: z.string().meta({ examples: [exampleToken] }) });

const claim = {
  token: inviteToken,
  password: newPassword.optional(),
  name: personName.optional().describe("By default the part of the e-mail address before the @."),
  cookie: wantsCookie,
};
const description =
  "`password`, `name` and `cookie` are for a new account. They are ignored if the caller is signed in.";

export const ClaimBody = z.strictObject(claim).meta({ id: "ClaimInvite", description });

export const StudentClaimBody = z
  .strictObject({ ...claim, name: personName.optional().describe("By default the name of the person.") })
  .meta({ id: "ClaimStudentInvite", description });

const claimed = {
  organization: organization.schema,
  roles: heldRoles,
  tokens: TokenPair.optional().describe("Only for a new account."),
};

export const Claimed = z.strictObject(claimed).meta({ id: "ClaimedInvite" });

export const StudentClaimed = z
  .strictObject({ ...claimed, roles: studentRoles, person: invitedPerson })
  .meta({ id: "ClaimedStudentInvite", description: "`roles` are all roles of the account in the organization." });
