import { sql } from "drizzle-orm";
import { z } from "zod";
import { idOf, instantOut, stampsOut } from "../../../http/fields.ts";
import { users } from "../../../identity/identity.tables.ts";
import { columns } from "../../../storage/columns.ts";
import { bool, field, fieldsOf, part, type Resource, shape } from "../../../storage/shape.ts";
import { publisher } from "../../organizations/publisher.shapes.ts";
import { applicationMoves, opportunities, sides, applications as table } from "../marketplace.tables.ts";
import { opportunity } from "../opportunities/opportunities.shapes.ts";
import { applicationStatus, message } from "./applications.schemas.ts";

const about = part(fieldsOf(opportunity, "id", "kind", "title"));

const name = z.string().meta({ examples: ["Ada Lindner"] });
const applicant = part({
  name: field(name, users.name),
  email: field(z.string().meta({ format: "email", examples: ["ada@example.com"] }), users.email),
  email_verified: field(
    z.boolean().meta({ description: "Whether the account has proved its address.", examples: [true] }),
    bool(sql`${users.email_verified_at} is not null`),
  ),
});

const fields = {
  ...columns(table, { id: idOf<"application">(), status: applicationStatus }),
  opportunity: field(
    about.schema,
    sql`(select ${about.json} from ${opportunities} where ${opportunities.id} = ${table.opportunity_id})`,
  ),
  organization: publisher(table.org_id),
  applicant: field(
    applicant.schema.meta({ description: "All that the organization sees of the account." }),
    sql`(select ${applicant.json} from ${users} where ${users.id} = ${table.user_id})`,
  ),
  ...columns(table, { message, ...stampsOut }),
};

/** As lists show it. */
export const application = shape("Application", fields);

const move = part({
  status: field(applicationStatus, applicationMoves.status),
  at: field(instantOut, applicationMoves.at),
  by: field(z.enum(sides).meta({ examples: ["organization"] }), applicationMoves.side),
  name: field(name, sql`(select ${users.name} from ${users} where ${users.id} = ${applicationMoves.user_id})`),
  note: field(
    z
      .string()
      .nullable()
      .meta({ examples: ["Please call us."] }),
    applicationMoves.note,
  ),
});

export const applicationDetail = shape("ApplicationDetail", {
  ...fields,
  history: field(
    z.array(move.schema).meta({ description: "Each status that it had, the first one first." }),
    sql`(select json_group_array(json(item)) from (select ${move.json} as item from ${applicationMoves}
      where ${applicationMoves.application_id} = ${table.id} order by ${applicationMoves.number}))`,
  ),
});

export type ApplicationDetail = Resource<typeof applicationDetail>;
