/** The fields of an organization, and what the routes of organizations and members take. Invites: `invites.schemas.ts`. */
import { z } from "zod";
import { email, icaoPlace, idOf, text } from "../../http/fields.ts";
import { paging, sortedBy } from "../../http/query.ts";
import { organizationKinds } from "../../identity/identity.tables.ts";
import { roles } from "../../identity/roles.ts";
import { byDefault, changeOf } from "../../storage/columns.ts";
import { wantsCookie } from "../accounts/accounts.schemas.ts";
import { newPassword } from "../accounts/passwords/password-policy.ts";
import { currency, timeZone } from "./regional.ts";

export const personName = text(120).meta({ examples: ["Ada Lindner"] });

const identity = {
  name: text(120).meta({ examples: ["Flugschule Egelsbach"] }),
  kind: z.enum(organizationKinds).meta({
    description: "Approved (ato) or declared (dto) training organization, or a club without training.",
    examples: ["ato"],
  }),
};

const approval = {
  approval_number: text(60)
    .nullable()
    .meta({ description: "As the competent authority wrote it.", examples: ["DE.ATO.123"] }),
  authority: text(120)
    .nullable()
    .meta({ description: "The competent authority.", examples: ["LBA"] }),
  home_icao: icaoPlace.nullable().meta({ examples: ["EDTF"] }),
};

export const settings = { ...identity, ...approval, time_zone: timeZone, currency };

export const NewOrganization = z
  .strictObject({
    ...identity,
    ...byDefault(null, approval),
    time_zone: timeZone.in.default("UTC").describe("IANA time zone. By default UTC."),
    currency: currency.default("EUR"),
  })
  .meta({ id: "NewOrganization" });
export type NewOrganization = z.infer<typeof NewOrganization>;

export const SignUpBody = z
  .strictObject({ email, password: newPassword, name: personName, organization: NewOrganization, cookie: wantsCookie })
  .meta({ id: "SignUpOrganization" });
export type SignUpBody = z.infer<typeof SignUpBody>;

export const OrganizationPatch = changeOf("OrganizationPatch", settings);
export type OrganizationPatch = z.infer<typeof OrganizationPatch>;

export const assignedRoles = z
  .array(z.enum(roles))
  .min(1)
  .max(roles.length)
  .meta({ description: "What the account may do here; at least one.", examples: [["instructor"]] });

export const MemberRef = z.object({ userId: idOf<"user">() });

export const MemberPatch = z.strictObject({ roles: assignedRoles }).meta({ id: "MemberPatch" });

export const MembersQuery = z.strictObject({ ...paging, order: sortedBy("name", "-name", "-joined_at") });
