/** Queries about organizations that the operator has suspended. */
import { type SQLWrapper, sql } from "drizzle-orm";
import { organizationSuspended } from "../core/errors.ts";
import type { OrgId } from "../core/ids.ts";
import type { ReasonFields } from "../core/reason-fields.ts";
import { lookUp } from "../storage/lookup.ts";
import type { Reader } from "../storage/store.ts";
import { suspensions } from "./identity.tables.ts";

type ControlReader = Reader<"control">;

const suspension = lookUp(
  { suspended_at: suspensions.suspended_at, removal_at: suspensions.removal_at },
  sql`from ${suspensions} where ${suspensions.org_id} = ${sql.placeholder("orgId")}`,
);

/** Returns what the refusal of a request tells; undefined if the organization is not suspended. */
export async function suspensionOf(
  reader: ControlReader,
  orgId: OrgId,
): Promise<ReasonFields["organization_suspended"] | undefined> {
  const row = await suspension(reader, { orgId });
  if (row === undefined) return undefined;
  const { suspended_at, removal_at } = row;
  return { suspended_at, ...(removal_at !== null && { removal_at }) };
}

/** @throws FORBIDDEN */
export async function requireNotSuspended(reader: ControlReader, orgId: OrgId): Promise<void> {
  const suspension = await suspensionOf(reader, orgId);
  if (suspension !== undefined) throw organizationSuspended(suspension);
}

export const isSuspended = (orgId: SQLWrapper) =>
  sql`exists (select 1 from ${suspensions} where ${suspensions.org_id} = ${orgId})`;

export const countSuspended = (reader: ControlReader): Promise<number> => reader.$count(suspensions);

export const schoolStates = ["active", "suspended", "removal_planned"] as const;

/** The state of an organization, beside a left join of its suspension. `removal_planned`: it is suspended until it is removed. */
export const schoolState = sql<
  (typeof schoolStates)[number]
>`case when ${suspensions.removal_at} is not null then 'removal_planned'
  when ${suspensions.suspended_at} is not null then 'suspended' else 'active' end`;
