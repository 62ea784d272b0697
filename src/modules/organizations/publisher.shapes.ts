import { type SQLWrapper, sql } from "drizzle-orm";
import { z } from "zod";
import { idOf } from "../../http/fields.ts";
import { organizations } from "../../identity/identity.tables.ts";
import { field } from "../../storage/shape.ts";

const Publisher = z.strictObject({
  id: idOf<"organization">(),
  name: z.string().meta({ examples: ["Flugschule Egelsbach"] }),
});

/** The organization behind what the control database publishes: a field of its shapes. */
export const publisher = (orgId: SQLWrapper) =>
  field(
    Publisher,
    sql`(select json_object('id', ${organizations.id}, 'name', ${organizations.name})
      from ${organizations} where ${organizations.id} = ${orgId})`,
  );
