import { and, eq, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { authorize, type MemberActor, permits } from "../../core/actor.ts";
import { yieldToEventLoop } from "../../core/async.ts";
import type { PersonId } from "../../core/ids.ts";
import type { Bytes } from "../../core/kept-body.ts";
import { idOf } from "../../http/fields.ts";
import { columns } from "../../storage/columns.ts";
import { ascending, type PageRequest, pageBody } from "../../storage/page.ts";
import { shape } from "../../storage/shape.ts";
import type { Reader } from "../../storage/store.ts";
import { today } from "../../storage/today.ts";
import { complianceRecords as records } from "../compliance/compliance.tables.ts";
import { people } from "../people/people.tables.ts";
import { type Assessed, assessed } from "./flown.queries.ts";
import type { PersonRevalidations, RevalidationFilter } from "./revalidations.schemas.ts";

type TenantReader = Reader<"tenant">;

/** People that are assessed without a pause. */
export const PIECE = 20;

/** Has something that is revalidated by flying. */
const isConcerned = sql`exists (select 1 from ${records} where ${records.person_id} = ${people.id}
  and +${records.status} = 'current'
  and (${records.type} in ('sep', 'tmg', 'fi') or ${records.type} = 'licence' and ${records.level} = 'lapl'))`;
/** The `+` keeps SQLite from using another index than that of the order. */
const isActive = sql`+${people.status} = 'active'`;

const key = shape("RevalidatedPerson", columns(people, { id: idOf<"person">() }));
const inOrder = ascending(key, "id");
const Listed = z.object({ data: z.array(z.object({ id: idOf<"person">() })), page: z.unknown() });

/** Returns JSON text: what people lack as of today. Members without `compliance:read` see their own. @throws FORBIDDEN */
export async function listRevalidations(
  reader: TenantReader,
  { person_id, ...page }: RevalidationFilter & PageRequest,
  { actor, now }: { actor: MemberActor; now: Date },
): Promise<Bytes> {
  const where = and(isConcerned, isActive, person_id && eq(people.id, person_id), visibleTo(actor));
  const listed = await pageBody(reader, key, { ...page, from: people, where, orderBy: inOrder });
  const { data, page: about } = Listed.parse(JSON.parse(Buffer.from(listed).toString()));
  const on = await today(reader, now);
  const found: PersonRevalidations[] = [];
  for (let at = 0; at < data.length; at += PIECE) {
    const ids = data.slice(at, at + PIECE).map(({ id }) => id);
    found.push(...(await assessed(reader, ids, on)).map(shown));
    await yieldToEventLoop();
  }
  return Buffer.from(JSON.stringify({ data: found, page: about }));
}

const shown = ({ id, name, items }: Assessed): PersonRevalidations => ({
  person_id: id,
  person_name: name,
  items: items.map(({ missing, obligatory, ...item }) => ({
    ...item,
    missing: [...missing],
    obligatory: [...obligatory],
  })),
});

function visibleTo(actor: MemberActor): SQL | undefined {
  if (permits(actor, "compliance:read")) return undefined;
  authorize(actor, "compliance:read_own");
  return eq(people.user_id, actor.userId);
}

/** Returns the next people who may have to be told something, by id. */
export async function concerned(reader: TenantReader, after: PersonId | ""): Promise<PersonId[]> {
  const rows = await reader.values<[PersonId]>(sql`select ${people.id} from ${people}
    where ${people.id} > ${after} and ${isConcerned} and ${isActive} order by ${people.id} limit ${PIECE}`);
  return rows.map(([id]) => id);
}
