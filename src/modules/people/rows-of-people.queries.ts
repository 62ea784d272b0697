/** The people who are the rows of a matrix, in pieces by their names. */
import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { byCursor, integerQuery } from "../../http/query.ts";
import { ascending, type PageRequest, pageBody } from "../../storage/page.ts";
import { fieldsOf, part, type Resource } from "../../storage/shape.ts";
import type { Reader } from "../../storage/store.ts";
import { person } from "./people.shapes.ts";
import { flyingTypes, isOneOf, type PersonType, people, personTypes } from "./people.tables.ts";

/** In the query of a matrix. */
export const rowsQuery = {
  type: z
    .enum(personTypes)
    .optional()
    .meta({ description: "Only people of this type. By default students, pilots and instructors." }),
  limit: integerQuery(1, 500, 500, "How many people to return at most."),
  cursor: byCursor.cursor,
};

export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: "The `cursor` of the next people; null at the end.", examples: [null] });

const row = part(fieldsOf(person, "id", "name", "types"));
type Page = { data: Resource<typeof row>[]; page: { next_cursor: string | null } };
const byName = ascending(row, "name", "id");

/** Returns active people, sorted by name. @throws BAD_REQUEST the cursor is of another list */
export async function rowsOfPeople(
  reader: Reader<"tenant">,
  { type, ...page }: { type?: PersonType | undefined } & PageRequest,
) {
  const where = and(isOneOf(people.types, type === undefined ? flyingTypes : [type]), eq(people.status, "active"));
  const body = await pageBody(reader, row, { ...page, from: people, where, orderBy: byName });
  const { data, page: shown } = JSON.parse(body.toString()) as Page; // of hundreds, a check takes longer than the rest
  return { rows: data, next_cursor: shown.next_cursor };
}
