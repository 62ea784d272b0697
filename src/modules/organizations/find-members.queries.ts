/** Members in the search. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { bestMatches } from "../../storage/best-matches.ts";
import type { Finder } from "../../storage/finder.ts";
import { field, shape } from "../../storage/shape.ts";
import { memberWords } from "./organizations.queries.ts";
import { member } from "./organizations.shapes.ts";

const { user_id, name, email, roles } = member.fields;

const found = shape("FoundMember", {
  kind: field(z.literal("member"), sql`'member'`),
  id: user_id,
  title: name,
  email,
  roles,
});

const matches = bestMatches({ searched: memberWords, shape: found });

export const memberFinder: Finder = {
  permissions: ["members:read"],
  found: found.schema,
  find: ({ actor, control }, search) => control.read((reader) => matches(reader, search, { scope: actor.orgId })),
};
