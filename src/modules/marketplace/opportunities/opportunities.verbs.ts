import { and, eq, gt, or } from "drizzle-orm";
import { type Instant, toInstant } from "../../../core/clock.ts";
import type { LegalDate } from "../../../core/dates.ts";
import { conflict, invalid, wrongStatus } from "../../../core/errors.ts";
import type { OrgId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { addVerb, changeVerb, removeVerb } from "../../../storage/verbs.ts";
import { findOrganization } from "../../organizations/organizations.queries.ts";
import { opportunities as table } from "../marketplace.tables.ts";
import { opportunityEntity } from "./opportunities.queries.ts";
import type { NewOpportunity, OpportunityChange } from "./opportunities.schemas.ts";

type Row = typeof table.$inferSelect;

const permission = "marketplace:manage";

/** Of one organization. */
const MOST = 200;

const isDraft = eq(table.status, "draft");
const isOpenAt = (now: Instant) => and(eq(table.status, "published"), gt(table.closes_at, now));

/** @throws VALIDATION_ERROR; CONFLICT the organization has too many */
export const addOpportunity = addVerb(opportunityEntity, {
  permission,
  async row(tx, fresh, input: NewOpportunity, { orgId }: { orgId: OrgId }) {
    const others = await tx.$count(table, and(eq(table.org_id, orgId), or(isDraft, isOpenAt(tx.now))));
    if (others >= MOST)
      throw conflict("limit_reached", `There are ${MOST} drafts and published ones already.`, { max: MOST });
    checkDates(input);
    const closes_at = await endOf(tx, orgId, input.expires_on);
    return { ...fresh, ...input, org_id: orgId, status: "draft" as const, closes_at, published_at: null };
  },
});

/** @throws NOT_FOUND; VALIDATION_ERROR; CONFLICT it is closed */
export const changeOpportunity = changeVerb(opportunityEntity, {
  permission,
  async set(tx, row, { change }: { change: OpportunityChange }) {
    const status = statusNow(row, tx);
    if (status === "closed") throw wrongStatus("opportunity", status, "draft");
    const changed = { ...row, ...change };
    checkDates(changed);
    const closes_at = await endOf(tx, row.org_id, changed.expires_on);
    if (status === "published" && closes_at <= tx.now)
      throw invalid({ path: "expires_on", code: "in_the_past", message: "Must be today or later." });
    return { ...change, closes_at };
  },
});

/** @throws NOT_FOUND; CONFLICT it is no draft, or has expired */
export const publishOpportunity = changeVerb(opportunityEntity, {
  permission,
  action: "published",
  async set(tx, row) {
    const status = statusNow(row, tx);
    if (status !== "draft") throw wrongStatus("opportunity", status, "draft");
    const closes_at = await endOf(tx, row.org_id, row.expires_on);
    if (closes_at <= tx.now)
      throw conflict("wrong_status", "The opportunity has expired. Change `expires_on` first.", {
        status: "closed",
      });
    return { status: "published" as const, published_at: tx.now, closes_at };
  },
});

/** @throws NOT_FOUND; CONFLICT it is not published */
export const closeOpportunity = changeVerb(opportunityEntity, {
  permission,
  action: "closed",
  async set(tx, row) {
    const status = statusNow(row, tx);
    if (status !== "published") throw wrongStatus("opportunity", status, "published");
    return { status: "closed" as const };
  },
});

/** @throws NOT_FOUND; CONFLICT it is no draft */
export const removeOpportunity = removeVerb(opportunityEntity, {
  permission,
  async also(tx, row) {
    const status = statusNow(row, tx);
    if (status === "published")
      throw conflict("wrong_status", "Only drafts are deleted. Close it instead.", { status, allowed: ["draft"] });
    if (status === "closed") throw wrongStatus("opportunity", status, "draft");
  },
});

/** The status that the organization sees, as `statusAtPresent` in SQL. */
const statusNow = ({ status, closes_at }: Row, { now }: Tx<"control">): Row["status"] =>
  status === "published" && closes_at <= now ? "closed" : status;

/** @throws VALIDATION_ERROR it ends before it starts */
function checkDates({ starts_on, ends_on }: Pick<NewOpportunity, "starts_on" | "ends_on">): void {
  if (starts_on !== null && ends_on !== null && ends_on < starts_on)
    throw invalid({ path: "ends_on", code: "too_early", message: "Must not be before `starts_on`." });
}

/** Returns the end of a day where the organization is. */
async function endOf(tx: Tx<"control">, orgId: OrgId, date: LegalDate) {
  const { time_zone } = (await findOrganization(tx, orgId)).value;
  const next = Temporal.PlainDate.from(date).add({ days: 1 });
  return toInstant(new Date(next.toZonedDateTime(time_zone).epochMilliseconds));
}
