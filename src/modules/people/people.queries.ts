import { and, eq, type SQL, sql } from "drizzle-orm";
import { authorize, type MemberActor, permits } from "../../core/actor.ts";
import type { PersonId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import { ascending, type PageRequest, pageText } from "../../storage/page.ts";
import { resourceBy, resourceJson } from "../../storage/shape.ts";
import type { Reader } from "../../storage/store.ts";
import type { PublicPilotType } from "./people.schemas.ts";
import { type Person, person, publicPilot } from "./people.shapes.ts";
import { flyingTypes, isOneOf, type PersonType, people, pilotTypes } from "./people.tables.ts";

type TenantReader = Reader<"tenant">;

/** The person as the school sees them. @throws NOT_FOUND no such person, or none that the actor may see; FORBIDDEN */
export async function findPerson(reader: TenantReader, id: PersonId, actor: MemberActor): Promise<JsonOf<Person>> {
  return resourceJson(reader, person, { from: people, where: and(eq(people.id, id), visibleTo(actor)) });
}

/** The person, whoever asks. @throws NOT_FOUND */
export const readPerson = (reader: TenantReader, id: PersonId): Promise<JsonOf<Person>> => personById(reader, { id });

const personById = resourceBy(person, { from: people, where: eq(people.id, sql.placeholder("id")) });

export const personEntity = { kind: "person", table: people, read: readPerson };

interface PersonFilter {
  type?: PersonType | undefined;
}

/** By name. JSON text. @throws FORBIDDEN */
export async function listPeople(
  reader: TenantReader,
  actor: MemberActor,
  { type, ...page }: PersonFilter & PageRequest,
) {
  const where = and(type && isOneOf(people.types, [type]), visibleTo(actor));
  return pageText(reader, person, { ...page, from: people, where, orderBy: byName });
}

interface PilotFilter {
  type: PublicPilotType;
}

/** By name, for integrators. JSON text. */
export const listPublicPilots = (reader: TenantReader, { type, ...page }: PilotFilter & PageRequest) =>
  pageText(reader, publicPilot, {
    ...page,
    from: people,
    where: isOneOf(people.types, typesOf[type]),
    orderBy: byName,
  });

const typesOf: Record<PublicPilotType, readonly PersonType[]> = {
  pilot: pilotTypes,
  instructor: ["instructor"],
  all: flyingTypes,
};

const byName = ascending(publicPilot, "name", "id");

/** Nothing, that is no limit, for those who may read all people; else only the person that the account is. */
function visibleTo(actor: MemberActor): SQL | undefined {
  if (permits(actor, "people:read")) return undefined;
  authorize(actor, "people:read_own");
  return eq(people.user_id, actor.userId);
}
