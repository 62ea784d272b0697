/** What the routes of organizations and members read and answer; those of invites: `invites.schemas.ts`. */
import { z } from "zod";
import { email, icaoPlace, idOf, text } from "../../http/fields.ts";
import { paging } from "../../http/query.ts";
import { TokenPair } from "../accounts/accounts.schemas.ts";
import { user } from "../accounts/accounts.shapes.ts";
import { newPassword } from "../accounts/passwords/password-policy.ts";
import { organization } from "./organizations.shapes.ts";
import { organizationKinds } from "./organizations.tables.ts";
import { currency, timeZone } from "./regional.ts";
import { roles } from "./roles.ts";

export const personName = text(120).meta({ examples: ["Ada Lindner"] });

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

export const assignedRoles = z
  .array(z.enum(roles))
  .min(1)
  .max(roles.length)
  .meta({ description: "What the account may do here; at least one.", examples: [["instructor"]] });

export const MemberRef = z.object({ userId: idOf<"user">() });

export const MemberPatch = z.strictObject({ roles: assignedRoles }).meta({ id: "MemberPatch" });

export const MembersQuery = z.object({ ...paging });
