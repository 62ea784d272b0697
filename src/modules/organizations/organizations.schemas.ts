/** What the routes of organizations, members and invites read and answer. */
import { z } from "zod";
import { email, icaoPlace, idOf, instantOut, text } from "../../http/fields.ts";
import { paging } from "../../http/query.ts";
import { TokenPair } from "../accounts/accounts.schemas.ts";
import { user } from "../accounts/accounts.shapes.ts";
import { newPassword } from "../accounts/password-policy.ts";
import { heldRoles, organization } from "./organizations.shapes.ts";
import { organizationKinds } from "./organizations.tables.ts";
import { currency, timeZone } from "./regional.ts";
import { roles } from "./roles.ts";

const personName = text(120).meta({ examples: ["Ada Lindner"] });

const settings = {
  name: text(120).meta({ examples: ["Flugschule Egelsbach"] }),
  kind: z.enum(organizationKinds).meta({ examples: ["ato"] }),
  approval_number: text(60)
    .nullable()
    .meta({ description: "As the competent authority wrote it.", examples: ["DE.ATO.123"] }),
  authority: text(120)
    .nullable()
    .meta({ description: "The competent authority.", examples: ["LBA"] }),
  home_icao: icaoPlace.nullable(),
  time_zone: timeZone,
  currency,
};

export const SignUpBody = z
  .strictObject({
    email,
    password: newPassword,
    name: personName,
    organization: z
      .strictObject({
        name: settings.name,
        kind: settings.kind,
        approval_number: settings.approval_number.optional(),
        authority: settings.authority.optional(),
        home_icao: settings.home_icao.optional(),
        time_zone: settings.time_zone.optional().describe("IANA time zone. By default UTC."),
        currency: settings.currency.optional().describe("ISO 4217 currency. By default EUR."),
      })
      .meta({ id: "NewOrganization" }),
  })
  .meta({ id: "SignUpOrganization" });

export const SignedUp = z
  .strictObject({ user: user.schema, organization: organization.schema, tokens: TokenPair })
  .meta({ id: "SignedUpOrganization" });

export const OrganizationPatch = z
  .strictObject(settings)
  .partial()
  .refine((change) => Object.keys(change).length > 0, "Nothing to change.")
  .meta({ id: "OrganizationPatch" });

const assignedRoles = z
  .array(z.enum(roles))
  .min(1)
  .max(roles.length)
  .meta({ description: "What the account may do here; at least one.", examples: [["instructor"]] });

export const NewInvite = z.strictObject({ email, roles: assignedRoles }).meta({ id: "NewInvite" });

export const Invite = z
  .strictObject({
    id: idOf<"invite">(),
    email,
    roles: heldRoles,
    expires_at: instantOut,
    token: z.string().meta({
      description: "Shown this once. Hand it to the person invited.",
      examples: ["ccWPj5p7kRJmXcXKbRLrYk0xw1oKZkPqJ0c2i8m3jD4"],
    }),
  })
  .meta({ id: "Invite" });

const inviteToken = z
  .string()
  .min(1)
  .max(200)
  .meta({ examples: ["ccWPj5p7kRJmXcXKbRLrYk0xw1oKZkPqJ0c2i8m3jD4"] });

export const InviteRef = z.object({ token: inviteToken });

export const ClaimBody = z
  .strictObject({
    token: inviteToken,
    password: newPassword.optional(),
    name: personName.optional().describe("By default what stands before the @ of the e-mail address."),
  })
  .meta({
    id: "ClaimInvite",
    description: "`password` and `name` are for a new account; when signed in, they have no effect.",
  });

export const Claimed = z
  .strictObject({
    organization: organization.schema,
    roles: heldRoles,
    tokens: TokenPair.optional().describe("Only for a new account."),
  })
  .meta({ id: "ClaimedInvite" });

export const MemberRef = z.object({ userId: idOf<"user">() });

export const MemberPatch = z.strictObject({ roles: assignedRoles }).meta({ id: "MemberPatch" });

export const MembersQuery = z.object({ ...paging });
