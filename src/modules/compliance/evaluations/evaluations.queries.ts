import { and, eq, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { type MemberActor, permits } from "../../../core/actor.ts";
import { notPermitted } from "../../../core/errors.ts";
import type { AircraftId, PersonId } from "../../../core/ids.ts";
import { dateField, idOf, instantOut } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { columns } from "../../../storage/columns.ts";
import { lookUp } from "../../../storage/lookup.ts";
import { names } from "../../../storage/names.ts";
import { ascending, listOf, pageBody } from "../../../storage/page.ts";
import { shape } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { aircraftRegistration } from "../../fleet/fleet.shapes.ts";
import { personName } from "../../people/people.shapes.ts";
import { type PersonType, people } from "../../people/people.tables.ts";
import {
  type ComplianceRole,
  complianceRecords,
  complianceRequirements,
  evaluationStatuses,
  roles,
  complianceEvaluations as table,
} from "../compliance.tables.ts";
import type { Requirement } from "./compare.ts";

type TenantReader = Reader<"tenant">;

const reason = z.strictObject({
  requirement_id: idOf<"requirement">(),
  any_of: z.array(z.string()).meta({ description: "Keys of types, one of which is enough.", examples: [["medical"]] }),
  state: z.enum(["missing", "expired", "expiring"]).meta({ examples: ["missing"] }),
  record_id: idOf<"record">()
    .nullable()
    .meta({ description: "The record that counts.", examples: [null] }),
  valid_until: dateField.nullable().meta({ examples: [null] }),
});

export const evaluation = shape("ComplianceEvaluation", {
  ...columns(table, {
    id: idOf<"evaluation">(),
    person_id: idOf<"person">().nullable(),
    aircraft_id: idOf<"aircraft">()
      .nullable()
      .meta({ examples: [null] }),
    status: z.enum(evaluationStatuses).meta({ examples: ["not_compliant"] }),
    reasons: z.array(reason),
    evaluated_at: instantOut,
  }),
  ...names(table, { person_id: personName, aircraft_id: aircraftRegistration }),
});

export const EvaluationListQuery = z.strictObject({
  ...paging,
  status: z.enum(evaluationStatuses).optional(),
  person_id: idOf<"person">().optional(),
  aircraft_id: idOf<"aircraft">().optional(),
});

const orderBy = ascending(evaluation, "id");

/** Returns JSON text, without checking the actor. */
export const allEvaluations = listOf(evaluation, { from: table, orderBy });

/** Returns JSON text: the evaluations that the actor may see. */
export function listEvaluations(
  reader: TenantReader,
  actor: MemberActor,
  { status, person_id, aircraft_id, ...page }: z.infer<typeof EvaluationListQuery>,
) {
  const where = and(
    status && eq(table.status, status),
    person_id && eq(table.person_id, person_id),
    aircraft_id && eq(table.aircraft_id, aircraft_id),
    visibleTo(actor),
  );
  return pageBody(reader, evaluation, { ...page, from: table, where, orderBy });
}

/** Without `compliance:read`, a member sees their own evaluation, and with `compliance:read_aircraft` those of aircraft. @throws FORBIDDEN */
function visibleTo(actor: MemberActor): SQL | undefined {
  if (permits(actor, "compliance:read")) return undefined;
  const parts = [
    permits(actor, "compliance:read_aircraft") && isNotNull(table.aircraft_id),
    permits(actor, "compliance:read_own") &&
      sql`${table.person_id} in (select ${people.id} from ${people} where ${people.user_id} = ${actor.userId})`,
  ].filter((part) => part !== false);
  if (parts.length === 0) throw notPermitted();
  return or(...parts);
}

/** A person, or an aircraft. */
export type SubjectRef = { person_id: PersonId; aircraft_id: null } | { person_id: null; aircraft_id: AircraftId };

/** Returns the subject of a record or an evaluation. */
export function subjectOf({
  person_id,
  aircraft_id,
}: {
  person_id: PersonId | null;
  aircraft_id: AircraftId | null;
}): SubjectRef {
  if (person_id !== null) return { person_id, aircraft_id: null };
  if (aircraft_id !== null) return { person_id, aircraft_id };
  throw new Error("A record is of a person or of an aircraft.");
}

export const isOf = (
  columns: Pick<typeof complianceRecords, "person_id" | "aircraft_id"> | typeof table,
  { person_id, aircraft_id }: SubjectRef,
): SQL =>
  person_id === null ? sql`${columns.aircraft_id} = ${aircraft_id}` : sql`${columns.person_id} = ${person_id}`;

/** Returns what is required of somebody with these types, of an aircraft or of a simulator. */
export const requirementsFor = (
  reader: TenantReader,
  types: readonly (PersonType | "aircraft" | "simulator")[],
): Promise<Requirement[]> =>
  reader
    .select()
    .from(complianceRequirements)
    .where(inArray(complianceRequirements.applies_to, roles.filter(isRoleIn(types))))
    .orderBy(complianceRequirements.id);

const isRoleIn = (types: readonly string[]) => (role: ComplianceRole) => types.includes(role);

export async function evaluationOf(
  reader: TenantReader,
  subject: SubjectRef,
): Promise<typeof table.$inferSelect | undefined> {
  const [row] = await reader.select().from(table).where(isOf(table, subject));
  return row;
}

const anyOfType = lookUp(
  { id: complianceRecords.id },
  sql`from ${complianceRecords} where ${complianceRecords.aircraft_id} = ${sql.placeholder("aircraftId")}
    and ${complianceRecords.type} = ${sql.placeholder("type")} and not ${complianceRecords.entered_by_mistake} limit 1`,
);

/** Returns whether an aircraft has or had a record of the type. One that was entered by mistake never counted. */
export const hasHadRecord = async (reader: TenantReader, aircraftId: AircraftId, type: string): Promise<boolean> =>
  (await anyOfType(reader, { aircraftId, type })) !== undefined;
