import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import type { OpportunityId, OrgId } from "../../../core/ids.ts";
import { wordsIn } from "../../../core/words.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { ascending, descending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { hasWords, searchable } from "../../../storage/search-words.ts";
import { resourceBy } from "../../../storage/shape.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { isManaged } from "../../organizations/usable.queries.ts";
import { isPublished, opportunities as table } from "../marketplace.tables.ts";
import type { OpenOpportunityFilter, OpportunityFilter } from "./opportunities.schemas.ts";
import { openOpportunity, opportunity, statusAtPresent } from "./opportunities.shapes.ts";

type ControlReader = Reader<"control">;

/** The opportunities, with the time that their status is computed for. */
const at = (now: SQLWrapper | Instant) => sql`${table} cross join (select ${now} as now) as present`;

const present = at(sql.placeholder("now"));
const isIt = eq(table.id, sql.placeholder("opportunityId"));
const byId = resourceBy(opportunity, { from: present, where: isIt });
const byRef = resourceBy(opportunity, {
  from: present,
  where: and(isIt, eq(table.org_id, sql.placeholder("orgId"))),
});

interface Ref {
  orgId: OrgId;
  opportunityId: OpportunityId;
}

export const opportunityWords = searchable({
  list: "opportunity",
  from: table,
  id: table.id,
  texts: [table.title],
});

export const opportunityEntity = {
  ...entityOf("opportunity", {
    database: "control",
    table,
    shape: opportunity,
    path: { orgId: table.org_id, opportunityId: table.id },
    words: opportunityWords,
  }),
  read: (tx: Tx<"control">, opportunityId: OpportunityId) => byId(tx, { opportunityId, now: tx.now }),
  find: (reader: ControlReader, { orgId, opportunityId, now }: Ref & { now: Instant }) =>
    byRef(reader, { orgId, opportunityId, now }),
};

const newestFirst = descending(opportunity, "id");

/** Returns JSON text, the newest first. */
export function listOpportunities(
  reader: ControlReader,
  { status, kind, ...page }: OpportunityFilter & PageRequest,
  { orgId, now }: { orgId: OrgId; now: Instant },
) {
  const where = and(
    eq(table.org_id, orgId),
    status && hasStatus(status),
    // The organization's index of one of the two filters is enough.
    kind && sql`${sql.raw(status ? "+" : "")}${table.kind} = ${kind}`,
  );
  return pageBody(reader, opportunity, { ...page, from: at(now), where, orderBy: newestFirst });
}

/** The index has the stored status: only published ones become closed by time. */
const hasStatus = (status: NonNullable<OpportunityFilter["status"]>): SQL | undefined =>
  and(status === "closed" ? undefined : eq(table.status, status), sql`${statusAtPresent} = ${status}`);

const isOpen = (now: SQLWrapper | Instant) =>
  and(isPublished, sql`${table.closes_at} > ${now}`, isManaged(table.org_id));

const soonestClosing = ascending(openOpportunity, "closes_at", "id");

/** Returns JSON text, those that close soonest first. With `q`, SQLite sorts what it finds. */
export function listOpenOpportunities(
  reader: ControlReader,
  { kind, country, place, q, now, ...page }: OpenOpportunityFilter & PageRequest & { now: Instant },
) {
  const where = and(
    isOpen(now),
    kind && eq(table.kind, kind),
    country === undefined ? undefined : eq(table.country, country),
    place === undefined ? undefined : eq(table.place, place),
    q === undefined ? undefined : hasWords(opportunityWords, wordsIn(q)),
  );
  return pageBody(reader, openOpportunity, { ...page, from: table, where, orderBy: soonestClosing });
}

/** @throws NOT_FOUND there is none, or it is not open */
export const findOpenOpportunity = resourceBy(openOpportunity, {
  from: table,
  where: and(isIt, isOpen(sql.placeholder("now"))),
});

/** Returns an opportunity that is or was open, for an application. */
export async function publishedOpportunity(reader: ControlReader, id: OpportunityId) {
  const [row] = await reader
    .select()
    .from(table)
    .where(and(eq(table.id, id), sql`${table.published_at} is not null`, isManaged(table.org_id)));
  return row;
}
