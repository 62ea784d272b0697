import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { LegalDate } from "../../../core/dates.ts";
import type { AircraftId, PersonId, ProgramId } from "../../../core/ids.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { lookUp } from "../../../storage/lookup.ts";
import { descending, listOf } from "../../../storage/page.ts";
import type { Reader } from "../../../storage/store.ts";
import { trainingPrograms } from "../../training/training.tables.ts";
import {
  type Audience,
  financeCharges,
  type RateId,
  type RateKind,
  ratePerson,
  financeRates as table,
} from "../finance.tables.ts";
import { presentVat } from "../settings/small-business.ts";
import { rate } from "./rates.schemas.ts";

type TenantReader = Reader<"tenant">;
export type RateRow = typeof table.$inferSelect;

export const rateEntity = entityOf("finance_rate", { table, shape: rate, path: { rateId: table.id } });

/** Returns JSON text, the newest `valid_from` first. */
export const listRates = listOf(rate, { from: table, orderBy: descending(rate, "valid_from", "id") });

/** Returns the name of a program. */
export async function programName(reader: TenantReader, id: ProgramId): Promise<string | undefined> {
  const [row] = await reader
    .select({ name: trainingPrograms.name })
    .from(trainingPrograms)
    .where(eq(trainingPrograms.id, id));
  return row?.name;
}

/** What is charged, and to whom, on which day. */
export interface Occasion {
  kind: RateKind;
  currency: string;
  on: LegalDate;
  person_id: PersonId;
  audience: Audience;
  aircraft_id?: AircraftId;
  icao_type?: string | null;
  instructor_id?: PersonId;
  place?: string | null;
  program_id?: ProgramId;
}

const targets = ["audience", "aircraft_id", "icao_type", "instructor_id", "place", "program_id"] as const;
const value = sql.placeholder;

/** A rate for all of them, or for this one. */
const fits = and(...targets.map((name) => sql`(${table[name]} is null or ${table[name]} = ${value(name)})`));
const namesIt = (name: "person_id" | (typeof targets)[number]): SQL => sql`${table[name]} is null`;

/**
 * The most specific first: by whom, by aircraft, by instructor, place or program. Two for exactly the same do not overlap, so
 * one of them is valid.
 */
const chosen = lookUp(
  getTableColumns(table),
  sql`from ${table}
  where ${table.kind} = ${value("kind")} and ${ratePerson} in ('', ${value("person_id")})
    and ${table.valid_from} <= ${value("on")}
    and (${table.valid_until} is null or ${table.valid_until} >= ${value("on")})
    and ${table.currency} = ${value("currency")} and ${fits}
  order by ${sql.join([namesIt("person_id"), ...targets.map(namesIt)], sql.raw(", "))}
  limit 1`,
);

/** Returns the most specific rate of the day, or undefined. Its VAT is that of the settings, where a rate is impossible. */
export async function chooseRate(reader: TenantReader, occasion: Occasion): Promise<RateRow | undefined> {
  const rate = await chosen(reader, completed(occasion));
  return rate && presentVat(reader, rate);
}

function completed(occasion: Occasion) {
  const { aircraft_id = null, icao_type = null, instructor_id = null, place = null, program_id = null } = occasion;
  return { ...occasion, aircraft_id, icao_type, instructor_id, place, program_id };
}

/** Whether the fuel was to be paid besides: of the last of the rates. */
const ranOut = sql`select ${table.fuel} from ${table}
  where ${table.kind} = ${value("kind")} and ${ratePerson} in ('', ${value("person_id")})
    and ${table.valid_from} <= ${value("on")} and ${table.valid_until} < ${value("on")}
    and ${table.currency} = ${value("currency")} and ${fits}
  order by ${table.valid_until} desc limit 1`;

/** Returns whether a rate fits that is not valid any more. */
export const hasRunOut = async (reader: TenantReader, occasion: Occasion): Promise<boolean> =>
  (await reader.first(ranOut, completed(occasion))) !== undefined;

/** As `hasRunOut`, of a rate of an aircraft without its fuel. */
export const hasDryRunOut = async (reader: TenantReader, occasion: Occasion): Promise<boolean> =>
  (await reader.first(ranOut, completed(occasion)))?.[0] === "dry";

/** Returns whether the school has a rate. Without one, it does not charge flights here. */
export const hasRates = async (reader: TenantReader): Promise<boolean> =>
  (await reader.first(anyRate, {})) !== undefined;
const anyRate = sql`select 1 from ${table} limit 1`;

type Scope = Pick<RateRow, (typeof targets)[number] | "kind" | "person_id" | "currency"> & {
  id: RateId;
  valid_from: LegalDate;
  valid_until: LegalDate | null;
};

/** Returns another rate for exactly the same that is valid on one of the same days. */
export async function overlappingRate(reader: TenantReader, scope: Scope): Promise<RateRow | undefined> {
  const isSame = and(...targets.map((name) => sql`${table[name]} is ${scope[name]}`));
  const [row] = await reader
    .select()
    .from(table)
    .where(
      and(
        eq(table.kind, scope.kind),
        sql`${ratePerson} = ${scope.person_id ?? ""}`,
        eq(table.currency, scope.currency),
        isSame,
        sql`${table.id} <> ${scope.id}`,
        sql`(${table.valid_until} is null or ${table.valid_until} >= ${scope.valid_from})`,
        scope.valid_until === null ? undefined : sql`${table.valid_from} <= ${scope.valid_until}`,
      ),
    )
    .limit(1);
  return row;
}

/** Returns the last day on which a charge used the rate, or undefined. */
export async function lastUse(reader: TenantReader, id: RateId): Promise<LegalDate | undefined> {
  const [row] = await reader
    .select({ on: financeCharges.on })
    .from(financeCharges)
    .where(eq(financeCharges.rate_id, id))
    .orderBy(sql`${financeCharges.on} desc`)
    .limit(1);
  return row?.on;
}
