import { count, eq, sql } from "drizzle-orm";
import type { OrgId, UserId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import type { Bytes } from "../../core/kept-body.ts";
import { memberships, organizations, users } from "../../identity/identity.tables.ts";
import { isMembership } from "../../identity/memberships.queries.ts";
import {
  ascending,
  descending,
  type InOrder,
  orderIn,
  type PageRequest,
  pageBody,
  reversed,
} from "../../storage/page.ts";
import { searchable } from "../../storage/search-words.ts";
import { resource, resourceBy } from "../../storage/shape.ts";
import type { Reader } from "../../storage/store.ts";
import { type Member, member, memberSource, type Organization, organization } from "./organizations.shapes.ts";

type ControlReader = Reader<"control">;

/** @throws NOT_FOUND */
export const findOrganization = (reader: ControlReader, id: OrgId): Promise<JsonOf<Organization>> =>
  organizationById(reader, { id });

const organizationById = resourceBy(organization, {
  from: organizations,
  where: eq(organizations.id, sql.placeholder("id")),
});

export const organizationEntity = { kind: "organization", table: organizations, read: findOrganization };

/** @throws NOT_FOUND the account is not a member */
export const findMember = (reader: ControlReader, orgId: OrgId, userId: UserId): Promise<Member> =>
  resource(reader, member, { from: memberSource, where: isMembership(orgId, userId) });

/** The scope is the organization. */
export const memberWords = searchable({
  list: "member",
  from: memberSource,
  id: memberships.user_id,
  texts: [users.name, users.email],
  within: sql`${memberships.org_id} = ${sql.placeholder("scope")}`,
});

const byName = ascending(member, "name", "user_id");

const lastJoinedFirst = descending(member, "joined_at", "user_id");
const orders = { "-name": reversed(byName), "-joined_at": lastJoinedFirst };

/** Returns a page of the members, sorted by name or as the query says, as the bytes of JSON text. */
export const listMembers = (
  reader: ControlReader,
  orgId: OrgId,
  { order, ...page }: PageRequest & InOrder,
): Promise<Bytes> =>
  pageBody(reader, member, {
    ...page,
    from: memberSource,
    where: eq(memberships.org_id, orgId),
    orderBy: orderIn(byName, orders, order),
  });

export async function countOrganizations(reader: ControlReader): Promise<number> {
  const [row] = await reader.select({ count: count() }).from(organizations);
  return row?.count ?? 0;
}
