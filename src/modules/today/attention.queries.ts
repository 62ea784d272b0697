/** What needs attention in a fleet, and whose records have lapsed or soon will. */
import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { MemberActor } from "../../core/actor.ts";
import { idOf, instantOut } from "../../http/fields.ts";
import { field, json, shape } from "../../storage/shape.ts";
import type { Reader, Value } from "../../storage/store.ts";
import { complianceEvaluations as evaluations } from "../compliance/compliance.tables.ts";
import { evaluation } from "../compliance/evaluations/evaluations.queries.ts";
import { aircraft as aircraftShape } from "../fleet/fleet.shapes.ts";
import { aircraft } from "../fleet/fleet.tables.ts";
import { flightShowing } from "../flights/flights.queries.ts";
import { flight } from "../flights/flights.shapes.ts";
import { flights } from "../flights/flights.tables.ts";
import { maintenanceDue } from "../maintenance/due/due.shapes.ts";
import { defects } from "../maintenance/maintenance.tables.ts";
import { people } from "../people/people.tables.ts";
import { seesAllFindings } from "../rules/who-sees-findings.ts";

type TenantReader = Reader<"tenant">;

const limit = sql.placeholder("limit");

const { status, groundings } = aircraftShape.fields;

export const aircraftInNeed = shape("AircraftInNeed", { ...maintenanceDue.fields, status, groundings });

const inNeed = sql`${aircraft.status} = 'grounded' or ${maintenanceDue.fields.overdue.value} > 0
  or ${maintenanceDue.fields.upcoming.value} > 0`;

/** A fleet is small. Grounded ones first, then what is overdue. */
const aircraftRows = sql<[string, number]>`
  select ${aircraftInNeed.json}, count(*) over () from ${aircraft}
  where ${aircraft.status} <> 'archived' and (${inNeed})
  order by ${aircraft.status} <> 'grounded', ${maintenanceDue.fields.overdue.value} = 0, ${aircraft.registration}
  limit ${limit}`;

/** By the index of their status. The evaluations that are in order are most. */
const lapses = sql<[string, number]>`
  select ${evaluation.json}, count(*) over () from ${evaluations}
  where ${evaluations.status} in ('not_compliant', 'expiring')
  order by ${evaluations.status} <> 'not_compliant', ${evaluations.id} limit ${limit}`;

export const openDefect = shape("OpenDefect", {
  id: field(idOf<"defect">(), defects.id),
  aircraft: field(
    maintenanceDue.fields.aircraft.schema,
    json(
      sql`(select ${maintenanceDue.fields.aircraft.value} from ${aircraft} where ${aircraft.id} = ${defects.aircraft_id})`,
    ),
  ),
  description: field(z.string().meta({ examples: ["Nose wheel shimmies."] }), defects.description),
  reported_at: field(instantOut, defects.created_at),
});

const defectRows = sql<[string, number]>`
  select ${openDefect.json}, count(*) over () from ${defects} where ${defects.status} = 'open'
  order by ${defects.id} desc limit ${limit}`;

async function read(reader: TenantReader, statement: typeof lapses, values: Record<string, Value>): Promise<string> {
  const found = await reader.rows(statement, values);
  return `{"count":${found[0]?.[1] ?? 0},"rows":[${found.map(([text]) => text).join()}]}`;
}

/** Those of the caller, the last changed first. */
const draftsWith = (json: SQL<string>) => sql<[string, number]>`
  select ${json}, count(*) over () from ${flights}
  where ${flights.created_by} = ${sql.placeholder("userId")} and +${flights.status} in ('draft', 'rejected')
  order by ${flights.updated_at} desc, ${flights.id} desc limit ${limit}`;

const allFindings = draftsWith(flight.json);
const ownFindings = draftsWith(
  flightShowing(sql`(select ${people.id} from ${people} where ${people.user_id} = ${sql.placeholder("userId")})`).json,
);

export const findDrafts = (reader: TenantReader, actor: MemberActor, most: number): Promise<string> =>
  read(reader, seesAllFindings(actor) ? allFindings : ownFindings, { limit: most, userId: actor.userId });

/** @returns how many there are and the first of them, as JSON text */
export const findAircraftInNeed = (reader: TenantReader, most: number) => read(reader, aircraftRows, { limit: most });
export const findLapses = (reader: TenantReader, most: number) => read(reader, lapses, { limit: most });
export const findOpenDefects = (reader: TenantReader, most: number) => read(reader, defectRows, { limit: most });
