import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { type MemberActor, permits, type UserActor } from "../../../core/actor.ts";
import { notFound, notPermitted } from "../../../core/errors.ts";
import type { ApplicationId, OrgId, UserId } from "../../../core/ids.ts";
import { lookUp } from "../../../storage/lookup.ts";
import { descending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { resourceBy } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { applications as table } from "../marketplace.tables.ts";
import type { ApplicationFilter } from "./applications.schemas.ts";
import { application, applicationDetail } from "./applications.shapes.ts";

type ControlReader = Reader<"control">;
type ApplicationRow = typeof table.$inferSelect;

const isIt = eq(table.id, sql.placeholder("id"));
const byId = resourceBy(applicationDetail, { from: table, where: isIt });
const rowById = lookUp(getTableColumns(table), sql`from ${table} where ${isIt}`);

export const applicationEntity = {
  kind: "application",
  table,
  read: (reader: ControlReader, id: ApplicationId) => byId(reader, { id }),
};

const newestFirst = descending(application, "id");

/**
 * Returns JSON text, the newest first: what the actor's organization received, or with `mine`, and for an account without an
 * organization, the actor's own.
 *
 * @throws FORBIDDEN the actor does not manage the organization's marketplace
 */
export function listApplications(
  reader: ControlReader,
  actor: MemberActor | UserActor,
  { status, mine, ...page }: ApplicationFilter & PageRequest,
) {
  const received = mine || !("orgId" in actor) ? undefined : actor.orgId;
  if (received !== undefined && !permits(actor, "marketplace:manage")) throw notPermitted();
  const where = and(
    received === undefined ? eq(table.user_id, actor.userId) : eq(table.org_id, received),
    status && eq(table.status, status),
  );
  return pageBody(reader, application, { ...page, from: table, where, orderBy: newestFirst });
}

/** The side of the actor in an application; undefined if it is not theirs. The applicant never decides for the organization. */
export function sideOf(actor: MemberActor | UserActor, { user_id, org_id }: ApplicationRow) {
  if (user_id === actor.userId) return "applicant";
  const manages = "orgId" in actor && actor.orgId === org_id && permits(actor, "marketplace:manage");
  return manages ? "organization" : undefined;
}

/** Returns an application and the side of the actor in it; undefined if there is none, or the actor may not see it. */
export async function visibleApplication(reader: ControlReader, actor: MemberActor | UserActor, id: ApplicationId) {
  const row = await rowById(reader, { id });
  const side = row && sideOf(actor, row);
  return row && side && { row, side };
}

/** Returns what an organization received from these accounts. */
export async function applicationsOf(reader: ControlReader, orgId: OrgId, userIds: readonly UserId[]) {
  const found = [];
  for (const userId of userIds) {
    const isTheirs = and(eq(table.user_id, userId), eq(table.org_id, orgId));
    for (const { id } of await reader.select({ id: table.id }).from(table).where(isTheirs))
      found.push((await applicationEntity.read(reader, id)).value);
  }
  return found;
}

/** @throws NOT_FOUND there is none, or the actor may not see it */
export async function findApplication(reader: ControlReader, actor: MemberActor | UserActor, id: ApplicationId) {
  if ((await visibleApplication(reader, actor, id)) === undefined) throw notFound();
  return applicationEntity.read(reader, id);
}
