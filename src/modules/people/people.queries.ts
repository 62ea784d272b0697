import { and, eq, getTableColumns, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { authorize, type MemberActor, permits } from "../../core/actor.ts";
import type { PersonId, UserId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import { wordsIn } from "../../core/words.ts";
import { changedSince, changeTime, type Since } from "../../storage/changes.ts";
import { entityOf } from "../../storage/entity-of.ts";
import { lookUp } from "../../storage/lookup.ts";
import {
  ascending,
  descending,
  type InOrder,
  inOrderOfChanges,
  orderIn,
  type PageRequest,
  pageBody,
  reversed,
} from "../../storage/page.ts";
import { hasWords, searchable } from "../../storage/search-words.ts";
import { resourceJson } from "../../storage/shape.ts";
import type { Reader } from "../../storage/store.ts";
import type { PublicPilotType } from "./people.schemas.ts";
import { type Person, person, publicPilot } from "./people.shapes.ts";
import { flyingTypes, isOneOf, type PersonStatus, type PersonType, people, pilotTypes } from "./people.tables.ts";

type TenantReader = Reader<"tenant">;

/** @throws NOT_FOUND no such person, or the actor may not see them; FORBIDDEN */
export async function findPerson(reader: TenantReader, id: PersonId, actor: MemberActor): Promise<JsonOf<Person>> {
  return resourceJson(reader, person, { from: people, where: and(eq(people.id, id), visibleTo(actor)) });
}

const unlessErased = (text: SQLWrapper): SQL => sql`iif(${people.erased_at} is null, ${text}, null)`;

export const personWords = searchable({
  list: "person",
  from: people,
  id: people.id,
  texts: [unlessErased(people.name), unlessErased(people.email)],
  past: sql`${people.status} = 'archived'`,
});

/** Its reads do not check the actor. */
export const personEntity = entityOf("person", {
  table: people,
  shape: person,
  path: { personId: people.id },
  changeTime: changeTime(people, isOneOf(people.types_ever, flyingTypes)),
  words: personWords,
});

interface PersonFilter {
  type?: PersonType | undefined;
  status?: PersonStatus | undefined;
  /** Words of the name or of the e-mail address. */
  q?: string | undefined;
}

/** Returns JSON text, sorted by name or as the query says. With `q`, SQLite sorts the people found. @throws FORBIDDEN */
export async function listPeople(
  reader: TenantReader,
  actor: MemberActor,
  { type, status, q, order, ...page }: PersonFilter & InOrder & PageRequest,
) {
  const where = and(
    type && isOneOf(people.types, [type]),
    status && eq(people.status, status),
    q === undefined ? undefined : hasWords(personWords, wordsIn(q)),
    visibleTo(actor),
  );
  return pageBody(reader, person, { ...page, from: people, where, orderBy: orderIn(byName, orders, order) });
}

interface PilotFilter extends Since {
  type: PublicPilotType;
}

/**
 * Active people, as JSON text for the public API, sorted by name. With `updated_since` in the order of changes, with those who left
 * the list: archived people, and people who had one of the types.
 */
export const listPublicPilots = (reader: TenantReader, { type, updated_since, ...page }: PilotFilter & PageRequest) =>
  pageBody(reader, publicPilot, {
    ...page,
    from: people,
    ...(updated_since === undefined
      ? { where: and(isOneOf(people.types, typesOf[type]), eq(people.status, "active")), orderBy: byName }
      : {
          where: and(
            isOneOf(people.types_ever, flyingTypes), // as the index
            isOneOf(people.types_ever, typesOf[type]),
            changedSince(people.updated_at, { updated_since, ...page }),
          ),
          orderBy: byChange,
        }),
  });

const typesOf: Record<PublicPilotType, readonly PersonType[]> = {
  pilot: pilotTypes,
  instructor: ["instructor"],
  all: flyingTypes,
};

const byName = ascending(publicPilot, "name", "id");
/** An id begins with the time at which it was made. */
const orders = { "-name": reversed(byName), "-created_at": descending(person, "id") };
const byChange = inOrderOfChanges(publicPilot);

/** Returns no filter for actors with `people:read`; otherwise a filter for the person linked to the account. */
function visibleTo(actor: MemberActor): SQL | undefined {
  if (permits(actor, "people:read")) return undefined;
  authorize(actor, "people:read_own");
  return eq(people.user_id, actor.userId);
}

/** Returns a person's row, without checking the actor. */
export const findPersonRow = (reader: TenantReader, id: PersonId) => personRow(reader, { id });

const personRow = lookUp(getTableColumns(people), sql`from ${people} where ${people.id} = ${sql.placeholder("id")}`);

/** Returns the name beside the id of a person, for what SQLite does not build. */
export async function personNameOf(reader: TenantReader, id: PersonId | null): Promise<string | null> {
  return id === null ? null : ((await findPersonRow(reader, id))?.name ?? null);
}

/** Returns whether the account is linked to another person. */
export async function isLinkedElsewhere(
  reader: TenantReader,
  { id, user_id }: { id: PersonId; user_id: UserId | null },
): Promise<boolean> {
  if (user_id === null) return false;
  const others = await reader
    .select({ id: people.id })
    .from(people)
    .where(and(eq(people.user_id, user_id), ne(people.id, id)));
  return others.length > 0;
}

/** Returns the status of each of the ids that names a person of the organization. */
export async function statusOfPeople(
  reader: TenantReader,
  ids: readonly PersonId[],
): Promise<ReadonlyMap<PersonId, PersonStatus>> {
  if (ids.length === 0) return new Map();
  const row = await reader.first(statuses, { ids: JSON.stringify(ids) });
  return new Map(JSON.parse(String(row?.[0])) as [PersonId, PersonStatus][]);
}

const statuses = sql`select json_group_array(json_array(${people.id}, ${people.status})) from ${people}
  where ${people.id} in (select value from json_each(${sql.placeholder("ids")}))`;
