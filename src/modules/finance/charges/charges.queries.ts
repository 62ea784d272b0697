import { and, eq, sql } from "drizzle-orm";
import type { MemberActor } from "../../../core/actor.ts";
import type { FlightId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { descending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { resourceJson } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { type ChargeId, type ChargeRow, financeCharges as table } from "../finance.tables.ts";
import { visibleTo } from "../own-money.queries.ts";
import { type Charge, type ChargeFilter, charge } from "./charges.schemas.ts";

type TenantReader = Reader<"tenant">;

/** Its reads do not check the actor. */
export const chargeEntity = entityOf("finance_charge", { table, shape: charge, path: { chargeId: table.id } });

const newestFirst = descending(charge, "on", "id");

/** Returns JSON text, the newest day first. A flight has few charges: their index is the right one. */
export function listCharges(
  reader: TenantReader,
  actor: MemberActor,
  { person_id, status, flight_id, from, to, ...page }: ChargeFilter & PageRequest,
) {
  const plus = sql.raw(flight_id === undefined ? "" : "+");
  const own = visibleTo(actor, table.person_id);
  const where = and(
    flight_id && eq(table.flight_id, flight_id),
    person_id && sql`${plus}${table.person_id} = ${person_id}`,
    status && sql`${plus}${table.status} = ${status}`,
    from && sql`${table.on} >= ${from}`,
    to && sql`${table.on} < ${to}`,
    own,
  );
  return pageBody(reader, charge, { ...page, from: table, where, orderBy: newestFirst });
}

/** @throws NOT_FOUND no such charge, or the actor may not see it */
export const findCharge = (reader: TenantReader, id: ChargeId, actor: MemberActor): Promise<JsonOf<Charge>> =>
  resourceJson(reader, charge, { from: table, where: and(eq(table.id, id), visibleTo(actor, table.person_id)) });

/** The oldest first. Charges of one posting are of one instant, and their ids are in no order, but their rows are. */
export const asPosted = sql`${table.created_at}, ${table}.rowid`;

/** Returns the charges of a flight, the oldest first. */
export async function chargesOfFlight(reader: TenantReader, id: FlightId): Promise<Charge[]> {
  const rows = await reader.values<[string]>(
    sql`select ${charge.json} from ${table} where ${table.flight_id} = ${id} order by ${asPosted}`,
  );
  return rows.map(([text]) => JSON.parse(text) as Charge);
}

/** Returns the charges of a flight that no other takes back, and that are no reversals. */
export async function chargesInEffect(reader: TenantReader, id: FlightId): Promise<ChargeRow[]> {
  const rows = await reader.select().from(table).where(eq(table.flight_id, id)).orderBy(asPosted);
  const reversed = new Set(rows.map(({ reverses_id }) => reverses_id));
  return rows.filter(({ id, reverses_id }) => reverses_id === null && !reversed.has(id));
}

/** Returns whether another charge takes it back. */
export const isReversed = async (reader: TenantReader, id: ChargeId): Promise<boolean> =>
  (await reader.$count(table, eq(table.reverses_id, id))) > 0;
