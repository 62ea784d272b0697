import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { MemberActor } from "../../../core/actor.ts";
import type { LegalDate } from "../../../core/dates.ts";
import type { AircraftId, PersonId } from "../../../core/ids.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { lookUpAll } from "../../../storage/lookup.ts";
import { descending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { resourceJson } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { type PackageId, financePackages as table } from "../finance.tables.ts";
import { visibleTo } from "../own-money.queries.ts";
import { hourPackage } from "./packages.schemas.ts";

type TenantReader = Reader<"tenant">;
export type PackageRow = typeof table.$inferSelect;

/** Its reads do not check the actor. */
export const packageEntity = entityOf("finance_package", {
  table,
  shape: hourPackage,
  path: { packageId: table.id },
});

const newestFirst = descending(hourPackage, "id");

/** Returns JSON text, the newest first. */
export const listPackages = (
  reader: TenantReader,
  actor: MemberActor,
  { person_id, ...page }: { person_id?: PersonId | undefined } & PageRequest,
) =>
  pageBody(reader, hourPackage, {
    ...page,
    from: table,
    where: and(person_id && eq(table.person_id, person_id), visibleTo(actor, table.person_id)),
    orderBy: newestFirst,
  });

/** @throws NOT_FOUND no such package, or the actor may not see it */
export const findPackage = (reader: TenantReader, id: PackageId, actor: MemberActor) =>
  resourceJson(reader, hourPackage, {
    from: table,
    where: and(eq(table.id, id), visibleTo(actor, table.person_id)),
  });

interface Use {
  uses: PackageRow["uses"];
  person_id: PersonId;
  on: LegalDate;
  aircraft_id: AircraftId;
  icao_type: string | null;
}

/** Returns the person's packages that cover this and have minutes left: the one that expires first comes first. */
export const usablePackages = (
  reader: TenantReader,
  { uses, person_id, on, aircraft_id, icao_type }: Use,
): Promise<PackageRow[]> => usable(reader, { uses, person_id, on, aircraft_id, icao_type });

const value = sql.placeholder;
const usable = lookUpAll(
  getTableColumns(table),
  sql`from ${table}
    where ${table.person_id} = ${value("person_id")} and ${table.uses} = ${value("uses")}
      and ${table.remaining} > 0 and ${table.voided_at} is null and ${table.valid_from} <= ${value("on")}
      and (${table.valid_until} is null or ${table.valid_until} >= ${value("on")})
      and (${table.aircraft_id} is null or ${table.aircraft_id} = ${value("aircraft_id")})
      and (${table.icao_type} is null or ${table.icao_type} = ${value("icao_type")})
    order by ${table.valid_until} is null, ${table.valid_until}, ${table.id}`,
);
