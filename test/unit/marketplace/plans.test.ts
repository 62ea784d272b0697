/** Lists of the marketplace and of add-ons are read in the order of an index. */
import { test } from "bun:test";
import { listPublic, listQueue } from "../../../src/modules/addons/listings/listings.queries.ts";
import { listApplications } from "../../../src/modules/marketplace/applications/applications.queries.ts";
import type { ApplicationFilter } from "../../../src/modules/marketplace/applications/applications.schemas.ts";
import {
  listOpenOpportunities,
  listOpportunities,
} from "../../../src/modules/marketplace/opportunities/opportunities.queries.ts";
import type {
  OpenOpportunityFilter,
  OpportunityFilter,
} from "../../../src/modules/marketplace/opportunities/opportunities.schemas.ts";
import { areInOrderOfAnIndex, from, id, type List, newStorage, owner } from "../../support/list-plans.ts";

test("lists of the marketplace and of add-ons are read in the order of an index, for all filters", async () => {
  const { control } = await newStorage();
  const at = { orgId: id<"organization">(), now: from };
  const opportunitiesOf =
    (filter: OpportunityFilter): List<"control"> =>
    (reader, page) =>
      listOpportunities(reader, { ...page, ...filter }, at);
  const openOf =
    (filter: OpenOpportunityFilter): List<"control"> =>
    (reader, page) =>
      listOpenOpportunities(reader, { ...page, ...filter, now: from });
  const applicationsOf =
    (filter: ApplicationFilter): List<"control"> =>
    (reader, page) =>
      listApplications(reader, owner, { ...page, ...filter });
  const publicOf =
    (category?: string): List<"control"> =>
    (reader, page) =>
      listPublic(reader, { ...page, category });
  const newest = ["-id", id()];
  const closing = ["closes_at,id", from, id()];
  await areInOrderOfAnIndex(control, [
    [/opportunities USING INDEX opportunities_list \(org_id=\?/, newest, opportunitiesOf({})],
    [
      /opportunities USING INDEX opportunities_status \(org_id=\? AND status=\?/,
      newest,
      opportunitiesOf({ status: "draft" }),
    ],
    [/opportunities USING INDEX opportunities_kind \(org_id=\? AND kind=\?/, newest, opportunitiesOf({ kind: "job" })],
    [/opportunities USING INDEX opportunities_open \(/, closing, openOf({})],
    [/opportunities USING INDEX opportunities_open_kind \(kind=\?/, closing, openOf({ kind: "job" })],
    [/opportunities USING INDEX opportunities_open_country \(country=\?/, closing, openOf({ country: "DE" })],
    [/opportunities USING INDEX opportunities_open_place \(place=\?/, closing, openOf({ place: "EDFE" })],
    [/applications USING INDEX applications_received \(org_id=\?/, newest, applicationsOf({ mine: false })],
    [/applications USING INDEX applications_own \(user_id=\?/, newest, applicationsOf({ mine: true })],
    [
      /applications USING INDEX applications_received_status \(org_id=\? AND status=\?/,
      newest,
      applicationsOf({ mine: false, status: "submitted" }),
    ],
    [
      /applications USING INDEX applications_own_status \(user_id=\? AND status=\?/,
      newest,
      applicationsOf({ mine: true, status: "submitted" }),
    ],
    [
      /addon_listings USING INDEX addon_listings_queue \(review_status=\?/,
      ["submitted_at,id", from, id()],
      (reader, page) => listQueue(reader, { ...page, review_status: "pending_review" }),
    ],
    [/addon_listings USING INDEX addon_listings_public \(review_status=\?/, ["name,id", "A", id()], publicOf()],
    [
      /addon_listings USING INDEX addon_listings_public_category \(review_status=\? AND category=\?/,
      ["name,id", "A", id()],
      publicOf("other"),
    ],
  ]);
});
