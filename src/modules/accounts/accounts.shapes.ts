/** What an account looks like from outside: to whoever it belongs to. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { email, idOf, instantOut } from "../../http/fields.ts";
import { bool, field, type Resource, shape } from "../../storage/shape.ts";
import { users } from "./accounts.tables.ts";

export const user = shape("User", {
  id: field(idOf<"user">(), users.id),
  email: field(email, users.email),
  email_verified: field(
    z.boolean().meta({ description: "Whether somebody has proved that the address is theirs.", examples: [false] }),
    bool(sql`${users.email_verified_at} is not null`),
  ),
  name: field(z.string().meta({ examples: ["Ada Lindner"] }), users.name),
  created_at: field(instantOut, users.created_at),
});

export type User = Resource<typeof user>;
