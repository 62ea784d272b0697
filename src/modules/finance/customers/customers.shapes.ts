import { sql } from "drizzle-orm";
import { z } from "zod";
import { idOf } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { field, type Resource, shape } from "../../../storage/shape.ts";
import { people } from "../../people/people.tables.ts";
import { audiences, financeCustomers as table } from "../finance.tables.ts";
import { audienceOfPerson } from "./audience.queries.ts";
import { customerFields } from "./customers.schemas.ts";

/** Each person is a customer: what is not stated is null. */
export const customer = shape("Customer", {
  person_id: field(idOf<"person">(), people.id),
  person_name: field(z.string().meta({ examples: ["Anna Berg"] }), people.name),
  ...columns(table, customerFields),
  pays_as: field(
    z.enum(audiences).meta({ description: "The audience whose prices they pay.", examples: ["student"] }),
    audienceOfPerson,
  ),
});
export type Customer = Resource<typeof customer>;

export const customerSource = sql`${people} left join ${table} on ${table.id} = ${people.id}`;
