/** Access by a share token, without an account. */
import { getTableColumns, sql } from "drizzle-orm";
import { type Clock, type Instant, toInstant } from "../../core/clock.ts";
import { sha256 } from "../../core/crypto.ts";
import { notFound, Problem } from "../../core/errors.ts";
import { isId, type OrgId } from "../../core/ids.ts";
import { activeRolesOf } from "../../identity/memberships.queries.ts";
import { permissionsOf } from "../../identity/roles.ts";
import { requireNotSuspended } from "../../identity/suspensions.queries.ts";
import { lookUp } from "../../storage/lookup.ts";
import { ask } from "../../storage/occasions.ts";
import type { Control, Reader, Tenant } from "../../storage/store.ts";
import type { TenantStore } from "../../storage/tenant-store.ts";
import { findOrganization } from "../organizations/organizations.queries.ts";
import { mayShare } from "./sharing.occasions.ts";
import { type Purpose, shareTokens as table } from "./sharing.tables.ts";

interface Presented {
  purpose: Purpose;
  subject_id: string;
  /** As it arrived. */
  token: string;
}

const byHash = lookUp(
  getTableColumns(table),
  sql`from ${table} where ${table.token_hash} = ${sql.placeholder("token_hash")}`,
);

/** @throws NOT_FOUND the token is unknown, expired, revoked, or for something else: the same error for each */
export async function requireShareToken(
  reader: Reader<"tenant">,
  { purpose, subject_id, token }: Presented,
  now: Instant,
): Promise<Row> {
  const row = await byHash(reader, { token_hash: sha256(token) });
  const isFor = row?.purpose === purpose && row.subject_id === subject_id;
  const isOver = row?.revoked_at != null || (row?.expires_at != null && row.expires_at <= now);
  if (!isFor || isOver) throw notFound();
  return row;
}

type Row = typeof table.$inferSelect;

/** A calendar stays readable as long as the member who shared it may read it. @throws NOT_FOUND, FORBIDDEN they may not */
async function requireSharer(
  { control, tenant }: { control: Control; tenant: Tenant },
  { purpose, subject_id, created_by }: Row,
  orgId: OrgId,
): Promise<void> {
  if (purpose !== "calendar") return;
  const roles = created_by && (await control.read((reader) => activeRolesOf(reader, orgId, created_by)));
  if (!roles) throw notFound();
  const sharer = { kind: "user", userId: created_by, permissions: permissionsOf(roles) } as const;
  await tenant.read((reader) => ask(reader, mayShare, { purpose, id: subject_id, actor: sharer }));
}

/** Milliseconds that a refusal takes at least: more than to open an organization's file. */
const REFUSAL = 25;

interface Shared {
  control: Control;
  clock: Clock;
  tenants: Pick<TenantStore, "tenant">;
}

/**
 * Reads what a token gives access to. A caller can't tell from the error, nor from its time, what is wrong: an unknown
 * organization, an unknown subject, or the token.
 *
 * @param read its NOT_FOUND is as of the token
 * @throws NOT_FOUND
 * @throws FORBIDDEN a calendar of a suspended organization, to the holder of its token
 */
export async function readShared<T>(
  { control, clock, tenants }: Shared,
  { orgId, ...presented }: Presented & { orgId: string },
  read: (tenant: Tenant) => Promise<T>,
): Promise<T> {
  const { promise: later, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, REFUSAL);
  try {
    if (!isId<"organization">(orgId)) throw notFound();
    // A file is opened only for an organization that exists.
    await control.read((reader) => findOrganization(reader, orgId));
    const tenant = tenants.tenant(orgId);
    const token = await tenant.read((reader) => requireShareToken(reader, presented, toInstant(clock.now())));
    await requireSharer({ control, tenant }, token, orgId);
    // What was issued belongs to its holder, and stays verifiable.
    if (token.purpose === "calendar") await control.read((reader) => requireNotSuspended(reader, orgId));
    const found = await read(tenant);
    clearTimeout(timer);
    return found;
  } catch (error) {
    const isRefusal =
      error instanceof Problem &&
      (error.code === "NOT_FOUND" || (error.code === "FORBIDDEN" && error.reason !== "organization_suspended"));
    if (!isRefusal) clearTimeout(timer);
    else await later;
    throw isRefusal ? notFound() : error;
  }
}
