/** People in the search. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { permits } from "../../core/actor.ts";
import { idOf } from "../../http/fields.ts";
import { bestMatches } from "../../storage/best-matches.ts";
import { columns } from "../../storage/columns.ts";
import type { Finder } from "../../storage/finder.ts";
import { field, shape } from "../../storage/shape.ts";
import { personWords } from "./people.queries.ts";
import { privateFields, publicFields, status } from "./people.schemas.ts";
import { people } from "./people.tables.ts";

const found = shape("FoundPerson", {
  kind: field(z.literal("person"), sql`'person'`),
  ...columns(people, { id: idOf<"person">() }),
  title: field(publicFields.name, people.name),
  ...columns(people, { status, types: publicFields.types, email: privateFields.email }),
});

const all = bestMatches({ searched: personWords, shape: found });
const own = bestMatches({
  searched: personWords,
  shape: found,
  among: sql`found.record in (select ${people.id} from ${people} where ${people.user_id} = ${sql.placeholder("userId")})`,
});

/** Members without `people:read` find themselves. */
export const peopleFinder: Finder = {
  permissions: ["people:read", "people:read_own"],
  found: found.schema,
  find: ({ actor, tenant }, search) =>
    tenant.read((reader) =>
      permits(actor, "people:read") ? all(reader, search) : own(reader, search, { userId: actor.userId }),
    ),
};
