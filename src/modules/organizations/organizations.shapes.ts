/** What organizations and their members look like from outside. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { email, icaoPlace, idOf, instantOut } from "../../http/fields.ts";
import { field, json, type Resource, shape } from "../../storage/shape.ts";
import { users } from "../accounts/accounts.tables.ts";
import { memberships, organizationKinds, organizations } from "./organizations.tables.ts";
import { roles } from "./roles.ts";

const name = z.string().meta({ examples: ["Flugschule Egelsbach"] });
const person = z.string().meta({ examples: ["Ada Lindner"] });

export const organization = shape("Organization", {
  id: field(idOf<"organization">(), organizations.id),
  name: field(name, organizations.name),
  kind: field(
    z.enum(organizationKinds).meta({
      description: "Approved (ato) or declared (dto) training organization, or a club that trains nobody.",
      examples: ["ato"],
    }),
    organizations.kind,
  ),
  approval_number: field(
    z
      .string()
      .nullable()
      .meta({ description: "As the competent authority wrote it.", examples: ["DE.ATO.123"] }),
    organizations.approval_number,
  ),
  authority: field(
    z
      .string()
      .nullable()
      .meta({ description: "The competent authority.", examples: ["LBA"] }),
    organizations.authority,
  ),
  home_icao: field(icaoPlace.nullable(), organizations.home_icao),
  time_zone: field(z.string().meta({ examples: ["Europe/Berlin"] }), organizations.time_zone),
  currency: field(z.string().meta({ examples: ["EUR"] }), organizations.currency),
  created_at: field(instantOut, organizations.created_at),
  updated_at: field(instantOut, organizations.updated_at),
});

export const heldRoles = z.array(z.enum(roles)).meta({ examples: [["instructor", "mechanic"]] });

export const member = shape("Member", {
  user_id: field(idOf<"user">(), memberships.user_id),
  email: field(email, users.email),
  name: field(person, users.name),
  roles: field(heldRoles, json(memberships.roles)),
  joined_at: field(instantOut, memberships.created_at),
});

export const memberSource = sql`${memberships} join ${users} on ${users.id} = ${memberships.user_id}`;

export type Organization = Resource<typeof organization>;
export type Member = Resource<typeof member>;
