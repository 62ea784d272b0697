import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { authorize, type MemberActor, permits } from "../../core/actor.ts";
import type { PersonId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import { changedSince, changeTime, type Since } from "../../storage/changes.ts";
import { entityOf } from "../../storage/entity-of.ts";
import { lookUp } from "../../storage/lookup.ts";
import { ascending, type PageRequest, pageBody, resumable } from "../../storage/page.ts";
import { resourceJson } from "../../storage/shape.ts";
import type { Reader } from "../../storage/store.ts";
import type { PublicPilotType } from "./people.schemas.ts";
import { type Person, person, publicPilot } from "./people.shapes.ts";
import { flyingTypes, isOneOf, type PersonType, people, pilotTypes } from "./people.tables.ts";

type TenantReader = Reader<"tenant">;

/** @throws NOT_FOUND no such person, or the actor may not see them; FORBIDDEN */
export async function findPerson(reader: TenantReader, id: PersonId, actor: MemberActor): Promise<JsonOf<Person>> {
  return resourceJson(reader, person, { from: people, where: and(eq(people.id, id), visibleTo(actor)) });
}

/** Its reads do not check the actor. */
export const personEntity = entityOf("person", { table: people, shape: person, path: { personId: people.id } });

/** Returns the `updated_at` of a change to a person. */
export const personChangeTime = changeTime<"tenant">(people, isOneOf(people.types, flyingTypes));

interface PersonFilter {
  type?: PersonType | undefined;
}

/** Returns JSON text, sorted by name. @throws FORBIDDEN */
export async function listPeople(
  reader: TenantReader,
  actor: MemberActor,
  { type, ...page }: PersonFilter & PageRequest,
) {
  const where = and(type && isOneOf(people.types, [type]), visibleTo(actor));
  return pageBody(reader, person, { ...page, from: people, where, orderBy: byName });
}

interface PilotFilter extends Since {
  type: PublicPilotType;
}

/** Returns JSON text for the public API, sorted by name; with `updated_since` in the order of changes. */
export const listPublicPilots = (reader: TenantReader, { type, updated_since, ...page }: PilotFilter & PageRequest) =>
  pageBody(reader, publicPilot, {
    ...page,
    from: people,
    where: and(isOneOf(people.types, typesOf[type]), changedSince(people.updated_at, { updated_since, ...page })),
    orderBy: updated_since === undefined ? byName : oldestChangeFirst,
  });

const typesOf: Record<PublicPilotType, readonly PersonType[]> = {
  pilot: pilotTypes,
  instructor: ["instructor"],
  all: flyingTypes,
};

const byName = ascending(publicPilot, "name", "id");
const oldestChangeFirst = resumable(ascending(publicPilot, "updated_at", "id"));

/** Returns no filter for actors with `people:read`; otherwise a filter for the person linked to the account. */
function visibleTo(actor: MemberActor): SQL | undefined {
  if (permits(actor, "people:read")) return undefined;
  authorize(actor, "people:read_own");
  return eq(people.user_id, actor.userId);
}

/** Returns a person's row, without checking the actor. */
export const findPersonRow = (reader: TenantReader, id: PersonId) => personRow(reader, { id });

const personRow = lookUp(getTableColumns(people), sql`from ${people} where ${people.id} = ${sql.placeholder("id")}`);

/** Those of the ids that name a person of the organization. */
export async function knownPeople(reader: TenantReader, ids: readonly PersonId[]): Promise<ReadonlySet<PersonId>> {
  const row = await reader.first(knownIds, { ids: JSON.stringify(ids) });
  return new Set(JSON.parse(String(row?.[0])) as PersonId[]);
}

const knownIds = sql`select json_group_array(${people.id}) from ${people}
  where ${people.id} in (select value from json_each(${sql.placeholder("ids")}))`;
