/** What a response shows of organizations and their members. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { email, idOf, instantOut, stampsOut } from "../../http/fields.ts";
import { memberships, organizations, users } from "../../identity/identity.tables.ts";
import { roles } from "../../identity/roles.ts";
import { rowShape } from "../../storage/columns.ts";
import { knownBy } from "../../storage/names.ts";
import { field, json, type Resource, shape } from "../../storage/shape.ts";
import { TokenPair } from "../accounts/accounts.schemas.ts";
import { user } from "../accounts/accounts.shapes.ts";
import { settings } from "./organizations.schemas.ts";

export const organization = rowShape("Organization", organizations, {
  id: idOf<"organization">(),
  ...settings,
  ...stampsOut,
});

export const signedUp = z
  .strictObject({ user: user.schema, organization: organization.schema, tokens: TokenPair })
  .meta({ id: "SignedUpOrganization" });

export const heldRoles = z.array(z.enum(roles)).meta({ examples: [["instructor", "mechanic"]] });

/** Beside the ids of accounts, of what is in the control database as they are. */
export const userName = knownBy(users, "name", "Ada Lindner");

export const member = shape("Member", {
  user_id: field(idOf<"user">(), memberships.user_id),
  email: field(email, users.email),
  name: field(z.string().meta({ examples: ["Ada Lindner"] }), users.name),
  roles: field(heldRoles, json(memberships.roles)),
  joined_at: field(instantOut, memberships.created_at),
});

export const memberSource = sql`${memberships} join ${users} on ${users.id} = ${memberships.user_id}`;

export type Organization = Resource<typeof organization>;
export type Member = Resource<typeof member>;
