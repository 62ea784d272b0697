/** What a response shows of an account to its owner. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { languages } from "../../core/languages.ts";
import { email, idOf, instantOut } from "../../http/fields.ts";
import { users } from "../../identity/identity.tables.ts";
import { bool, field, type Resource, shape } from "../../storage/shape.ts";

export const user = shape("User", {
  id: field(idOf<"user">(), users.id),
  email: field(email, users.email),
  email_verified: field(
    z.boolean().meta({ description: "Whether the ownership of the address is verified.", examples: [false] }),
    bool(sql`${users.email_verified_at} is not null`),
  ),
  name: field(z.string().meta({ examples: ["Ada Lindner"] }), users.name),
  language: field(
    z.enum(languages).meta({ description: "Of mails to the account. At first that of the browser.", examples: ["de"] }),
    users.language,
  ),
  created_at: field(instantOut, users.created_at),
});

export type User = Resource<typeof user>;
