/** Lists are read in the order of an index: SQLite never sorts a whole table to return a page. */
import { expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import type { MemberActor } from "../../src/core/actor.ts";
import { type Instant, toInstant } from "../../src/core/clock.ts";
import type { Cursor } from "../../src/core/cursor.ts";
import { type LegalDate, toLegalDate } from "../../src/core/dates.ts";
import { type Id, isId } from "../../src/core/ids.ts";
import { permissions } from "../../src/core/permissions.ts";
import { listSessions } from "../../src/modules/accounts/sessions/sessions.queries.ts";
import { listPublic, listQueue } from "../../src/modules/addons/listings/listings.queries.ts";
import { complianceRecords } from "../../src/modules/compliance/compliance.tables.ts";
import { heldRecords, listRecords } from "../../src/modules/compliance/records/records.queries.ts";
import type { RecordFilter } from "../../src/modules/compliance/records/records.schemas.ts";
import { asOf, holdersOn, stands, withdrawnOnes } from "../../src/modules/compliance/records/standing.queries.ts";
import { listModerated } from "../../src/modules/directory/moderation/moderation.queries.ts";
import { searchEntries } from "../../src/modules/directory/search/search.queries.ts";
import type { Search } from "../../src/modules/directory/search/search.schemas.ts";
import { standingOf } from "../../src/modules/finance/accounts/standing.queries.ts";
import { listStatement } from "../../src/modules/finance/accounts/statement.queries.ts";
import { listAging } from "../../src/modules/finance/aging/aging.queries.ts";
import { listUnbilled } from "../../src/modules/finance/billing/billing.queries.ts";
import { listCharges } from "../../src/modules/finance/charges/charges.queries.ts";
import type { ChargeFilter } from "../../src/modules/finance/charges/charges.schemas.ts";
import { listInvoiceLines, listJournal } from "../../src/modules/finance/exports/exports.queries.ts";
import { type InvoiceFilter, listInvoices } from "../../src/modules/finance/invoices/invoices.queries.ts";
import { listPayments, type PaymentFilter } from "../../src/modules/finance/payments/payments.queries.ts";
import { listAircraft } from "../../src/modules/fleet/fleet.queries.ts";
import { flightsOn } from "../../src/modules/flights/flights.personal.ts";
import { listFlights, listPublicFlights } from "../../src/modules/flights/flights.queries.ts";
import type { FlightFilter, FlightListFilter } from "../../src/modules/flights/flights.schemas.ts";
import { flightAt } from "../../src/modules/flights/import/flown.queries.ts";
import { listApiKeys } from "../../src/modules/integrations/api-keys/api-keys.queries.ts";
import { listReplays } from "../../src/modules/integrations/replays/replays.queries.ts";
import { listEndpoints } from "../../src/modules/integrations/webhooks/webhooks.queries.ts";
import { journeyReads } from "../../src/modules/logbooks/journey.queries.ts";
import { logbookReads } from "../../src/modules/logbooks/logbook.queries.ts";
import { listItems } from "../../src/modules/maintenance/items/items.queries.ts";
import { listPublicWorkOrders } from "../../src/modules/maintenance/work-orders/work-orders.queries.ts";
import { listApplications } from "../../src/modules/marketplace/applications/applications.queries.ts";
import type { ApplicationFilter } from "../../src/modules/marketplace/applications/applications.schemas.ts";
import {
  listOpenOpportunities,
  listOpportunities,
} from "../../src/modules/marketplace/opportunities/opportunities.queries.ts";
import type {
  OpenOpportunityFilter,
  OpportunityFilter,
} from "../../src/modules/marketplace/opportunities/opportunities.schemas.ts";
import { listAuditLog } from "../../src/modules/operations/audit-log.queries.ts";
import { listInvites } from "../../src/modules/organizations/invites/invites.queries.ts";
import { inviteStatuses } from "../../src/modules/organizations/invites/invites.ts";
import { invitesOf } from "../../src/modules/organizations/invites/invites-of.queries.ts";
import { listMembers } from "../../src/modules/organizations/organizations.queries.ts";
import { invites } from "../../src/modules/organizations/organizations.tables.ts";
import { findMatches } from "../../src/modules/people/import/person-matches.queries.ts";
import { listPeople, listPublicPilots } from "../../src/modules/people/people.queries.ts";
import { personTypes } from "../../src/modules/people/people.tables.ts";
import { listSessions as listPlanned } from "../../src/modules/planning/sessions/sessions.queries.ts";
import type { SessionFilter } from "../../src/modules/planning/sessions/sessions.schemas.ts";
import { listEnrollments } from "../../src/modules/training/enrollments/enrollments.queries.ts";
import type { EnrollmentFilter } from "../../src/modules/training/enrollments/enrollments.schemas.ts";
import { factsOf } from "../../src/modules/training/progress/facts.queries.ts";
import { listPublicSignoffs } from "../../src/modules/training/signoffs/signoffs.queries.ts";
import type { SignoffFilter } from "../../src/modules/training/signoffs/signoffs.schemas.ts";
import type { Since } from "../../src/storage/changes.ts";
import { searchRows } from "../../src/storage/personal-texts.ts";
import { auditLog, intents } from "../../src/storage/shared.tables.ts";
import type { Kind, Reader, Store, Tenant, Tx } from "../../src/storage/store.ts";
import { newInstallation } from "../support/installation.ts";
import { planOf } from "../support/query-plans.ts";
import { newSchool } from "../support/school.ts";

const from = toInstant(new Date("2026-06-01"));
const page = { limit: 100, offset: 0 };

const id = <K extends string>() => "01890a5d-ac96-774b-bcce-b302099a8057" as Id<K>;
const owner: MemberActor = {
  kind: "user",
  userId: id(),
  sessionId: id(),
  email: "ada@example.com",
  name: "Ada",
  orgId: id(),
  permissions: new Set(permissions),
};

type List<K extends Kind> = (reader: Reader<K>, page: { limit: number; cursor?: Cursor }) => Promise<unknown>;
/** From the beginning, and from a cursor. */
type Case<K extends Kind> = [access: RegExp, cursor: Cursor, list: List<K>];

async function newStorage() {
  const { installation, orgId } = await newSchool(await newInstallation());
  if (!isId<"organization">(orgId)) throw new Error("A school has an id.");
  return { control: installation.storage.control, tenant: installation.storage.tenants.tenant(orgId) };
}

async function areInOrderOfAnIndex<K extends Kind>(store: Store<K>, lists: Case<K>[]) {
  for (const [access, cursor, list] of lists)
    for (const start of [{}, { cursor }]) {
      const plan = await store.read((reader) => planOf(reader, (reader) => list(reader, { ...page, ...start })));
      const at = new RegExp(`^(SCAN|SEARCH) ${access.source}`);
      const lines = plan.filter((line) => at.test(line));
      expect({ plan, lines }).toEqual({ plan, lines: [expect.any(String)] });
      expect(plan.filter((line) => line.includes("TEMP B-TREE FOR ORDER BY"))).toEqual([]);
      // With a cursor, the search in the index starts there.
      if ("cursor" in start) expect(lines[0]).toMatch(/[<>]\(?\?/);
    }
}

test("the directory is read in the order of an index, and searched by the index of words and of coordinates", async () => {
  const { control } = await newStorage();
  const usual = { radius_km: 0, with_total: false } as const;
  const by =
    (filter: Partial<Search>): List<"control"> =>
    (reader, page) =>
      searchEntries(reader, "aircraft", { ...usual, ...page, ...filter });
  const ranked = ["rank,name,id", 11_000, "A", id()];
  const index = (name: string, column: string) =>
    new RegExp(`directory_entries USING INDEX directory_entries_${name} \\(type=\\?${column}`);
  await areInOrderOfAnIndex(control, [
    [index("list", ""), ranked, by({})],
    [index("country", " AND country=\\?"), ranked, by({ country: "DE" })],
    [index("place", " AND place=\\?"), ranked, by({ place: "EDFE" })],
    [index("class", " AND class=\\?"), ranked, by({ class: "SEP" })],
  ]);
  const moderated: List<"control"> = (reader, page) =>
    listModerated(reader, { ...page, type: "schools", status: "suspended" });
  await areInOrderOfAnIndex(control, [[index("moderation", " AND status=\\?"), ["id", id()], moderated]]);
  const planWith = (filter: Partial<Search>) =>
    control.read((reader) => planOf(reader, (reader) => by(filter)(reader, page))).then((plan) => plan.join("\n"));
  // Few entries match: SQLite sorts them.
  const word = "directory_words USING COVERING INDEX directory_words_word (type=? AND word>? AND word<?)";
  expect(await planWith({ q: "flight", country: "DE" })).toContain(word);
  expect(await planWith({ rating: "FI" })).toContain("directory_words_word (type=? AND word=?)");
  const near = { place: { latitude: 50e6, longitude: 8e6 }, radius_km: 50 };
  expect(await planWith(near)).toContain("directory_entries_coordinates (type=? AND latitude>? AND latitude<?)");
});

test("sessions of the planning are read in the order of an index, for all filters", async () => {
  const { tenant } = await newStorage();
  const by: [RegExp, SessionFilter][] = [
    [/planning_sessions USING INDEX planning_sessions_start\b/, {}],
    [/planning_sessions USING INDEX planning_sessions_start \(/, { from, to: from }],
    [/planning_sessions USING INDEX planning_sessions_kind \(kind=\?/, { kind: "lesson", from }],
    [/planning_sessions USING INDEX planning_sessions_status \(status=\?/, { status: "planned", from }],
    [/planning_sessions USING INDEX planning_sessions_aircraft \(aircraft_id=\?/, { aircraft_id: id(), from }],
    [/planning_sessions USING INDEX planning_sessions_room \(room_id=\?/, { room_id: id(), from }],
    [/planning_sessions USING INDEX planning_sessions_series \(series_id=\?/, { series_id: id(), from }],
    [
      /planning_session_resources USING COVERING INDEX planning_session_resources_start \(resource_id=\?/,
      { person_id: id(), from },
    ],
  ];
  await areInOrderOfAnIndex(
    tenant,
    by.map(([access, filter]) => [
      access,
      ["start_at,id", from, id()],
      (reader, page) => listPlanned(reader, owner, { ...page, ...filter }),
    ]),
  );
});

test("charges and unbilled flights are read in the order of an index, for all filters", async () => {
  const { tenant } = await newStorage();
  const from = "2026-06-01" as LegalDate;
  const person_id = id<"person">();
  const by: [RegExp, ChargeFilter][] = [
    [/finance_charges USING INDEX finance_charges_on\b/, {}],
    [/finance_charges USING INDEX finance_charges_on \(on>\?/, { from, to: from }],
    [/finance_charges USING INDEX finance_charges_status \(status=\?/, { status: "open", from }],
    [/finance_charges USING INDEX finance_charges_person \(person_id=\?/, { person_id, to: from }],
    [
      /finance_charges USING INDEX finance_charges_person_status \(person_id=\? AND status=\?/,
      { person_id, status: "open" },
    ],
    [
      /finance_charges USING INDEX finance_charges_flight \(flight_id=\?/,
      { flight_id: id(), person_id, status: "open" },
    ],
  ];
  await areInOrderOfAnIndex(tenant, [
    ...by.map(
      ([access, filter]): Case<"tenant"> => [
        access,
        ["-on,id", from, id()],
        (reader, page) => listCharges(reader, owner, { ...page, ...filter }),
      ],
    ),
    [/finance_flights USING INDEX finance_flights_unbilled\b/, ["on,flight_id", from, id()], listUnbilled],
  ]);
});

test("statements, exports and the aging are read in the order of an index", async () => {
  const { tenant } = await newStorage();
  const period = { from: "2026-06-01" as LegalDate, to: "2026-07-01" as LegalDate };
  const whose = { person_id: id<"person">(), currency: "EUR" };
  const place: Cursor = ["on,entry", "2026-06-14", 1];
  const line: Cursor = ["issued_on,id,position", from, id(), 1];
  const owed: Cursor = ["-owed_minor,person_id,currency", 1, id(), "EUR"];
  const named: Cursor = ["name,person_id,currency", "Ada", id(), "EUR"];
  await areInOrderOfAnIndex(tenant, [
    [
      /finance_entries USING INDEX finance_entries_person \(person_id=\? AND account=\?/,
      place,
      (reader, page) => listStatement(reader, { ...page, ...whose }),
    ],
    [
      /finance_entries USING INDEX finance_entries_person \(person_id=\? AND account=\? AND on>\?/,
      place,
      (reader, page) => listStatement(reader, { ...page, ...whose, ...period }),
    ],
    [/finance_entries USING INDEX finance_entries_on\b/, place, listJournal],
    [
      /finance_entries USING INDEX finance_entries_on \(on>\?/,
      place,
      (reader, page) => listJournal(reader, { ...page, ...period }),
    ],
    [/finance_invoices USING INDEX finance_invoices_issued\b/, line, listInvoiceLines],
    [
      /finance_invoices USING INDEX finance_invoices_issued \(<expr>>\?/,
      line,
      (reader, page) => listInvoiceLines(reader, { ...page, ...period }),
    ],
    [
      /finance_balances USING (COVERING )?INDEX finance_balances_owed\b/,
      owed,
      (reader, page) => listAging(reader, page, new Date(from)),
    ],
    [
      /people USING (COVERING )?INDEX people_name\b/,
      named,
      (reader, page) => listAging(reader, { ...page, order: "name" }, new Date(from)),
    ],
  ]);
  const indexes = async (query: (reader: Reader<"tenant">) => Promise<unknown>) => {
    const plan = await tenant.read((reader) => planOf(reader, query));
    return plan.filter((line) => /^(SCAN|SEARCH) finance_/.test(line));
  };
  const open = "SEARCH finance_invoices USING INDEX finance_invoices_open (person_id=? AND currency=?";
  for (const line of (await indexes((reader) => listAging(reader, page, new Date(from)))).slice(1))
    expect(line).toStartWith(open);
  expect(await indexes((reader) => standingOf(reader, whose.person_id))).toEqual([
    "SEARCH finance_balances USING INDEX sqlite_autoindex_finance_balances_1 (person_id=?)",
    "SEARCH finance_charges USING INDEX finance_charges_person_status (person_id=? AND status=?)",
    "SEARCH finance_invoices USING INDEX finance_invoices_person (person_id=? AND <expr>=?)",
    "SEARCH finance_invoices USING INDEX finance_invoices_open (person_id=?)",
  ]);
});

test("invoices and payments are read in the order of an index, for all filters", async () => {
  const { tenant } = await newStorage();
  const at = "2026-06-01T00:00:00.000Z" as Instant;
  const on = "2026-06-01" as LegalDate;
  const person_id = id<"person">();
  const by: [RegExp, InvoiceFilter][] = [
    [/finance_invoices USING INDEX finance_invoices_issued\b/, {}],
    [/finance_invoices USING INDEX finance_invoices_issued \(/, { from: at, to: at }],
    [/finance_invoices USING INDEX finance_invoices_status \(status=\?/, { status: "sent", kind: "invoice", from: at }],
    [/finance_invoices USING INDEX finance_invoices_kind \(kind=\?/, { kind: "credit_note" }],
    [/finance_invoices USING INDEX finance_invoices_person \(person_id=\?/, { person_id, status: "sent", from: at }],
  ];
  const payments: [RegExp, PaymentFilter][] = [
    [/finance_payments USING INDEX finance_payments_received\b/, { from: on }],
    [/finance_payments USING INDEX finance_payments_person \(person_id=\?/, { person_id, to: on }],
  ];
  await areInOrderOfAnIndex(tenant, [
    ...by.map(
      ([access, filter]): Case<"tenant"> => [
        access,
        ["-issued_on,id", at, id()],
        (reader, page) => listInvoices(reader, owner, { ...page, ...filter }),
      ],
    ),
    ...payments.map(
      ([access, filter]): Case<"tenant"> => [
        access,
        ["-received_on,id", on, id()],
        (reader, page) => listPayments(reader, owner, { ...page, ...filter }),
      ],
    ),
  ]);
});

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

test("lists of a tenant are read in the order of an index, for all filters", async () => {
  const { tenant } = await newStorage();
  const status = "approved";
  const aircraft_id = id<"aircraft">();
  const flightsOf =
    (filter: FlightListFilter): List<"tenant"> =>
    (reader, page) =>
      listFlights(reader, owner, { ...page, ...filter });
  const publicFlightsOf =
    (filter: FlightFilter & Since): List<"tenant"> =>
    (reader, page) =>
      listPublicFlights(reader, { ...page, ...filter });
  const audited =
    (filter: { action?: string; subject_kind?: string; subject_id?: string }): List<"tenant"> =>
    (reader, page) =>
      listAuditLog(reader, { ...page, ...filter });
  const recordsOf =
    (filter: RecordFilter): List<"tenant"> =>
    (reader, page) =>
      listRecords(reader, owner, { ...page, ...filter });
  // A page of them is soon found among all.
  const common: readonly string[] = ["student", "pilot"];
  const [type, current] = ["sep", { status: "current" } as const];
  const flight = ["-off_block_at,id", from, id()];
  const change = ["updated_at,id", "0.", from, id()];
  const period = { from, to: from };
  await areInOrderOfAnIndex(tenant, [
    [/flights USING INDEX flights_off_block\b/, flight, flightsOf({})],
    [/flights USING INDEX flights_off_block \(<expr>>/, flight, flightsOf({ from })],
    [/flights USING INDEX flights_off_block \(.*<expr><\?/, flight, flightsOf({ to: from })],
    [/flights USING INDEX flights_off_block \(<expr>>\? AND <expr><\?/, flight, flightsOf(period)],
    [/flights USING INDEX flights_status_off_block \(status=\?/, flight, flightsOf({ status })],
    [/flights USING INDEX flights_status_off_block \(status=\? AND <expr>>/, flight, flightsOf({ status, from })],
    [/flights USING INDEX flights_aircraft_off_block \(aircraft_id=\?/, flight, flightsOf({ aircraft_id })],
    [
      /flights USING INDEX flights_aircraft_off_block \(aircraft_id=\? AND <expr>>/,
      flight,
      flightsOf({ aircraft_id, from }),
    ],
    [
      /flights USING INDEX flights_aircraft_status_off_block \(aircraft_id=\? AND status=\?/,
      flight,
      flightsOf({ aircraft_id, status }),
    ],
    [
      /flights USING INDEX flights_aircraft_status_off_block \(aircraft_id=\? AND status=\? AND <expr>>/,
      flight,
      flightsOf({ aircraft_id, status, ...period }),
    ],
    ...[{}, { status } as const].flatMap((filter): Case<"tenant">[] => [
      [/flights USING INDEX flights_workshop\b/, flight, flightsOf({ ...filter, workshop_remarks: true })],
      [
        /flights USING INDEX flights_workshop \(<expr>>\? AND <expr><\?/,
        flight,
        flightsOf({ ...filter, ...period, workshop_remarks: true }),
      ],
      [/flights USING INDEX flights_workshop\b/, flight, flightsOf({ ...filter, aircraft_id, workshop_remarks: true })],
    ]),
    [/flights USING INDEX flights_public_off_block\b/, flight, publicFlightsOf({})],
    [/flights USING INDEX flights_public_off_block \(<expr>>\? AND <expr><\?/, flight, publicFlightsOf(period)],
    [/flights USING INDEX flights_status_off_block \(status=\?/, flight, publicFlightsOf({ status })],
    [/flights USING INDEX flights_updated \(/, change, publicFlightsOf({ updated_since: from })],
    [/flights USING INDEX flights_updated \(/, change, publicFlightsOf({ status, updated_since: from })],
    ...(["all", "pilot", "instructor"] as const).map(
      (type): Case<"tenant"> => [
        /people USING INDEX people_flying_updated \(/,
        change,
        (reader, page) => listPublicPilots(reader, { ...page, type, updated_since: from }),
      ],
    ),
    ...(["all", "pilot", "instructor"] as const).map(
      (type): Case<"tenant"> => [
        /people USING INDEX people_status \(status=\?/,
        ["name,id", "Ada", id()],
        (reader, page) => listPublicPilots(reader, { ...page, type }),
      ],
    ),
    ...([{}, { type: "student" }] as const).map(
      (filter): Case<"tenant"> => [
        /people USING INDEX people_status \(status=\?/,
        ["name,id", "Ada", id()],
        (reader, page) => listPeople(reader, owner, { ...page, ...filter, status: "active" }),
      ],
    ),
    [/people USING INDEX people_name\b/, ["name,id", "Ada", id()], (reader, page) => listPeople(reader, owner, page)],
    ...personTypes.map(
      (type): Case<"tenant"> => [
        new RegExp(`people USING INDEX people_${common.includes(type) ? "name" : type}\\b`),
        ["name,id", "Ada", id()],
        (reader, page) => listPeople(reader, owner, { ...page, type }),
      ],
    ),
    [
      /aircraft USING INDEX aircraft_registration_unique\b/,
      ["registration", "D-EABC"],
      (reader, page) => listAircraft(reader, page),
    ],
    [
      /aircraft USING INDEX aircraft_registration_unique\b/,
      ["registration", "D-EABC"],
      (reader, page) => listAircraft(reader, { ...page, status: "available" }),
    ],
    [/compliance_records USING INDEX sqlite_autoindex_compliance_records_1\b/, ["-id", id()], recordsOf({})],
    [/compliance_records USING INDEX compliance_records_type \(type=\?/, ["-id", id()], recordsOf({ type })],
    [/compliance_records USING INDEX compliance_records_status \(status=\?/, ["-id", id()], recordsOf(current)],
    [
      /compliance_records USING INDEX compliance_records_(type|status) \((type|status)=\?/,
      ["-id", id()],
      recordsOf({ type, ...current }),
    ],
    ...[{}, { type }, current, { type, ...current }].flatMap((filter): Case<"tenant">[] => [
      [
        /compliance_records USING INDEX compliance_records_person \(person_id=\?/,
        ["-id", id()],
        recordsOf({ ...filter, person_id: id<"person">() }),
      ],
      [
        /compliance_records USING INDEX compliance_records_aircraft \(aircraft_id=\?/,
        ["-id", id()],
        recordsOf({ ...filter, aircraft_id }),
      ],
    ]),
    ...(
      [
        [/maintenance_items_name\b/, {}],
        [/maintenance_items_name\b/, { status: "ok" }],
        [/maintenance_items_aircraft \(aircraft_id=\?/, { aircraft_id }],
        [/maintenance_items_aircraft \(aircraft_id=\?/, { aircraft_id, status: "ok" }],
      ] as const
    ).map(
      ([index, filter]): Case<"tenant"> => [
        new RegExp(`maintenance_items USING INDEX ${index.source}`),
        ["name,id", "Oil", id()],
        (reader, page) => listItems(reader, { ...page, ...filter }),
      ],
    ),
    ...(
      [
        [/sqlite_autoindex_work_orders_1\b/, {}],
        [/work_orders_status \(status=\?/, { status: "open" }],
        [/work_orders_aircraft \(aircraft_id=\?/, { aircraft_id }],
        [/work_orders_aircraft_status \(aircraft_id=\? AND status=\?/, { aircraft_id, status: "open" }],
      ] as const
    ).map(
      ([index, filter]): Case<"tenant"> => [
        new RegExp(`work_orders USING INDEX ${index.source}`),
        ["-id", id()],
        (reader, page) => listPublicWorkOrders(reader, { ...page, ...filter }),
      ],
    ),
    ...[{}, { from }, period].flatMap((filter): Case<"tenant">[] => [
      [
        /flight_crew USING INDEX flight_crew_logbook \(person_id=\? AND /,
        ["off_block_at,flight_id", from, id()],
        (reader, page) => logbookReads.rows(reader, { ...page, ...filter, subject: id<"person">() }),
      ],
      [
        /flights USING INDEX flights_aircraft_status_off_block \(aircraft_id=\? AND status=\?/,
        ["off_block_at,flight_id", from, id()],
        (reader, page) => journeyReads.rows(reader, { ...page, ...filter, subject: aircraft_id }),
      ],
    ]),
    ...(
      [
        [/sqlite_autoindex_training_enrollments_1\b/, {}],
        [/training_enrollments_status \(status=\?/, { status: "active" }],
        [/training_enrollments_program \(program_id=\?/, { program_id: id<"program">() }],
        [
          /training_enrollments_(program|status) \((program_id|status)=\?/,
          { program_id: id<"program">(), status: "active" },
        ],
        [/training_enrollments_student \(student_id=\?/, { student_id: id<"person">() }],
        [
          /training_enrollments_student \(student_id=\?/,
          { student_id: id<"person">(), program_id: id<"program">(), status: "active" },
        ],
      ] as [RegExp, EnrollmentFilter][]
    ).map(
      ([index, filter]): Case<"tenant"> => [
        new RegExp(`training_enrollments USING INDEX ${index.source}`),
        ["-id", id()],
        (reader, page) => listEnrollments(reader, owner, { ...page, ...filter }),
      ],
    ),
    ...[{}, { from }, period].flatMap((times): Case<"tenant">[] =>
      (
        [
          [/training_signoffs_signed\b/, {}],
          [/training_signoffs_program \(program_id=\?/, { program_id: id<"program">() }],
          [/training_signoffs_student \(student_id=\?/, { student_id: id<"person">() }],
          [/training_signoffs_student \(student_id=\?/, { student_id: id<"person">(), program_id: id<"program">() }],
        ] as [RegExp, SignoffFilter][]
      ).map(
        ([index, filter]): Case<"tenant"> => [
          new RegExp(`training_signoffs USING INDEX ${index.source}`),
          ["-signed_at,id", from, id()],
          (reader, page) => listPublicSignoffs(reader, { ...page, ...filter, ...times }),
        ],
      ),
    ),
    [
      /api_keys USING INDEX sqlite_autoindex_api_keys_1\b/,
      ["-id", id()],
      (reader, page) => listApiKeys(reader, page, from),
    ],
    [/replays USING INDEX sqlite_autoindex_replays_1\b/, ["-id", id()], (reader, page) => listReplays(reader, page)],
    [
      /webhook_endpoints USING INDEX sqlite_autoindex_webhook_endpoints_1\b/,
      ["-id", id()],
      (reader, page) => listEndpoints(reader, page),
    ],
    [/audit_log(?! USING INDEX)/, ["-seq", 42], audited({})],
    [/audit_log USING INDEX audit_log_action \(action=\?/, ["-seq", 42], audited({ action: "a" })],
    [/audit_log USING INDEX audit_log_kind \(subject_kind=\?/, ["-seq", 42], audited({ subject_kind: "b" })],
    [/audit_log USING INDEX audit_log_subject \(subject_id=\?/, ["-seq", 42], audited({ subject_id: "c" })],
    [/audit_log USING INDEX audit_log_action \(action=\?/, ["-seq", 42], audited({ action: "a", subject_kind: "b" })],
    [
      /audit_log USING INDEX audit_log_subject \(subject_id=\?/,
      ["-seq", 42],
      audited({ action: "a", subject_kind: "b", subject_id: "c" }),
    ],
  ]);
});

test("lists of the control database are read in the order of an index, for all filters", async () => {
  const { control } = await newStorage();
  const orgId = id<"organization">();
  const audited =
    (filter: { action?: string; subject_kind?: string; subject_id?: string }): List<"control"> =>
    (reader, page) =>
      listAuditLog(reader, { ...page, ...filter, orgId });
  await areInOrderOfAnIndex(control, [
    [/audit_log USING INDEX audit_log_org \(org_id=\?/, ["-seq", 42], audited({})],
    [/audit_log USING INDEX audit_log_org_action \(org_id=\? AND action=\?/, ["-seq", 42], audited({ action: "a" })],
    [
      /audit_log USING INDEX audit_log_org_kind \(org_id=\? AND subject_kind=\?/,
      ["-seq", 42],
      audited({ subject_kind: "b" }),
    ],
    [/audit_log USING INDEX audit_log_subject \(subject_id=\?/, ["-seq", 42], audited({ subject_id: "c" })],
    [
      /sessions USING INDEX sessions_last_seen \(user_id=\? AND rotated_at>\?/,
      ["-last_seen_at,id", from, id()],
      (reader, page) => listSessions(reader, owner, { ...page, now: from }),
    ],
    ...(["organization", "student"] as const).flatMap((kind): Case<"control">[] => [
      [
        /invites USING INDEX invites_list \(org_id=\? AND <expr>=\?/,
        ["-id", id()],
        (reader, page) => listInvites(reader, { ...page, orgId, kind, now: from }),
      ],
      ...inviteStatuses.map(
        (status): Case<"control"> => [
          /invites USING INDEX invites_state \(org_id=\? AND <expr>=\? AND <expr>=\?/,
          ["-id", id()],
          (reader, page) => listInvites(reader, { ...page, orgId, kind, status, now: from }),
        ],
      ),
    ]),
  ]);
});

test("the invites of a person are found by an index", async () => {
  const { control } = await newStorage();
  const isTheirs = invitesOf(id(), { personId: id(), userIds: [id()], emails: ["ada@example.com"] });
  const plan = await control.read((reader) =>
    planOf(reader, (reader) => reader.values(sql`select 1 from ${invites} where ${isTheirs}`)),
  );
  expect(plan.filter((line) => /^(SCAN|SEARCH) invites/.test(line))).toEqual([
    "SEARCH invites USING INDEX invites_person (person_id=?)",
    "SEARCH invites USING INDEX invites_claimed_by (claimed_by=?)",
    "SEARCH invites USING INDEX invites_email (email=?)",
  ]);
});

test("an erasure finds where its search begins and ends, and its intents, by indexes", async () => {
  const { control } = await newStorage();
  // It only reads, as long as it finds nothing.
  const search = (reader: unknown) => searchRows(reader as Tx, auditLog, sql`false`, async () => undefined);
  const plan = await control.read((reader) => planOf(reader, search));
  expect(plan).toContain("SEARCH audit_log");
  expect(plan.filter((line) => line.startsWith("SCAN audit_log"))).toEqual([]);
  const ofOrganization = sql`select rowid from ${intents} where rowid > 0 and ${intents.org_id} = 'a' order by rowid limit 9`;
  expect(await control.read((reader) => planOf(reader, (reader) => reader.values(ofOrganization)))).toEqual([
    "SEARCH intents USING COVERING INDEX intents_org (org_id=? AND rowid>?)",
  ]);
});

test("an export reads a person's flights in the order of an index", async () => {
  const { tenant } = await newStorage();
  await areInOrderOfAnIndex(tenant, [
    [
      /flight_crew USING (COVERING )?INDEX flight_crew_listed \(person_id=\?/,
      ["off_block_at,id", from, id()],
      (reader, page) => flightsOn(reader, id(), page),
    ],
  ]);
});

test("a student's own flights are merged from an index of whom they name, for all filters", async () => {
  const { tenant } = await newStorage();
  const student = { ...owner, permissions: new Set<never>() };
  for (const n of [1, 2]) {
    const linked = { id: `p${n}`, user_id: n === 1 ? student.userId : null, email: n === 2 ? student.email : null };
    await tenant.write((tx) =>
      tx.run(sql`insert into people (id, name, user_id, email, types, ratings, restricted_instructor, created_at, updated_at)
        values (${linked.id}, 'Ada', ${linked.user_id}, ${linked.email}, '[]', '[]', 0, '', '')`),
    );
  }
  const every: FlightListFilter = { status: "approved", aircraft_id: id(), from, to: from, workshop_remarks: true };
  const filters: FlightListFilter[] = [{}, ...Object.entries(every).map(([name, value]) => ({ [name]: value })), every];
  for (const filter of filters)
    for (const start of [{}, { cursor: ["-off_block_at,id", from, id()] as Cursor }]) {
      const plan = await tenant.read((reader) =>
        planOf(reader, (reader) => listFlights(reader, student, { ...page, ...start, ...filter })),
      );
      const lists = plan.filter((line) => / USING (COVERING )?INDEX (flights|flight_crew)_/.test(line));
      const begin = "cursor" in start ? / AND .*<\(\?,\?\)\)$|<expr>[<>]/ : /\?/;
      const drafted = /^SEARCH flights USING (COVERING )?INDEX flights_created_by \(created_by=\?/;
      const flown = /^SEARCH flight_crew USING COVERING INDEX flight_crew_listed \(person_id=\?/;
      expect({ plan, lists }).toEqual({
        plan,
        lists: [drafted, flown, flown].map((one) => expect.stringMatching(one)),
      });
      for (const line of lists) expect(line).toMatch(begin);
      // Only the page is sorted, which has its rows already: the list is merged before its limit.
      expect(plan.filter((line) => line === "MERGE (UNION)")).toHaveLength(2);
      expect(plan.slice(0, plan.indexOf("SCAN page")).filter((line) => line.includes("TEMP B-TREE"))).toEqual([]);
      expect(plan).toContain("SEARCH flights USING INDEX sqlite_autoindex_flights_1 (id=?)");
      expect(plan.filter((line) => /^SCAN (flights|flight_crew|people)\b/.test(line))).toEqual([]);
    }
});

test("only lists with few rows are sorted: people by their beginning, and members", async () => {
  const { tenant, control } = await newStorage();
  const found = await tenant.read((reader) =>
    planOf(reader, (reader) => listPeople(reader, owner, { ...page, q: "a" })),
  );
  expect(found).toContain("SEARCH people USING INDEX people_name_prefix (<expr>>? AND <expr><?)");
  expect(found.some((line) => /^SEARCH people USING INDEX people_email \(email>\? AND email<\?\)/.test(line))).toBe(
    true,
  );
  expect(found).toContain("SEARCH people USING INDEX sqlite_autoindex_people_1 (id=?)");
  const members = await control.read((reader) => planOf(reader, (reader) => listMembers(reader, id(), page)));
  expect(members).toContain("SEARCH memberships USING INDEX sqlite_autoindex_memberships_1 (org_id=?)");
  expect(members).toContain("SEARCH users USING INDEX sqlite_autoindex_users_1 (id=?)");
});

test("an import finds a person by id, e-mail address, licence number and name, each with an index", async () => {
  const { tenant } = await newStorage();
  const marks = { id: id<"person">(), email: "a@example.com", licence_number: "L 1", name: "A B" };
  const plan = await tenant.read((reader) => planOf(reader, (reader) => findMatches(reader, marks)));
  expect(plan.filter((line) => line.startsWith("SEARCH") || line.startsWith("SCAN"))).toEqual([
    "SEARCH people USING INDEX sqlite_autoindex_people_1 (id=?)",
    "SEARCH people USING INDEX people_email (email=?)",
    "SEARCH people USING INDEX people_licence (licence_number=?)",
    "SEARCH people USING INDEX people_name (name=?)",
  ]);
});

test("an import finds a flight by aircraft and off-block time", async () => {
  const { tenant } = await newStorage();
  const values = { aircraft_id: id<"aircraft">(), off_block_at: from };
  const searches = async (query: (reader: Reader<"tenant">) => Promise<unknown>) =>
    (await tenant.read((reader) => planOf(reader, query))).filter((line) => /^(SEARCH|SCAN)/.test(line));
  const index = "SEARCH flights USING INDEX flights_aircraft_status_off_block (aircraft_id=? AND status=? AND";
  expect(await searches((reader) => flightAt(reader, values))).toEqual([`${index} <expr>=?)`]);
});

test("the totals of logs are summed from a place on, in the order of an index", async () => {
  const { tenant } = await newStorage();
  const plan = (query: (store: Pick<Tenant, "read">) => Promise<unknown>) =>
    tenant.read((reader) => planOf(reader, (reader) => query({ read: (read) => read(reader) })));
  const crew = await plan((store) => logbookReads.count(store, id(), { from }));
  expect(crew).toContainEqual(
    expect.stringMatching(/^SEARCH flight_crew USING INDEX flight_crew_logbook \(person_id=\? AND logged_at>\? AND /),
  );
  const flown = await plan((store) => journeyReads.count(store, id(), { from }));
  expect(flown).toContainEqual(
    expect.stringMatching(
      /^SEARCH flights USING INDEX flights_aircraft_status_off_block \(aircraft_id=\? AND status=\? AND <expr>>/,
    ),
  );
  expect([...crew, ...flown].filter((line) => line.includes("TEMP B-TREE"))).toEqual([]);
});

test("the records that count for an evaluation are those of the subject, found with an index", async () => {
  const { tenant } = await newStorage();
  for (const subject of [
    { person_id: id<"person">(), aircraft_id: null },
    { person_id: null, aircraft_id: id<"aircraft">() },
  ] as const) {
    const plan = await tenant.read((reader) => planOf(reader, (reader) => heldRecords(reader, subject)));
    expect(plan.join("\n")).toMatch(/SEARCH compliance_records USING INDEX compliance_records_(person|aircraft)/);
    expect(plan.join("\n")).not.toMatch(/SCAN (compliance_records|superseding)/);
  }
});

test("the records that stand on a day are found by their subjects, and compared with those of the same subject", async () => {
  const { tenant } = await newStorage();
  const date = toLegalDate(Temporal.PlainDate.from("2026-06-14"));
  for (const subject of ["person_id", "aircraft_id"] as const) {
    const plan = await tenant.read(async (reader) => {
      const then = await asOf(reader, date);
      return planOf(reader, (reader) => holdersOn(reader, subject, [id()], then));
    });
    expect(plan.join("\n")).toMatch(
      new RegExp(`SEARCH compliance_records USING INDEX compliance_records_${subject.slice(0, 6)}`),
    );
    expect(plan.filter((line) => /^SCAN (compliance_records|newer|superseding|people)/.test(line))).toEqual([]);
  }
  const plan = await tenant.read(async (reader) => {
    const then = await asOf(reader, date);
    const where = stands(then, await withdrawnOnes(reader, then));
    return planOf(reader, (reader) => reader.values(sql`select 1 from ${complianceRecords} where ${where}`));
  });
  expect(plan.filter((line) => /^SCAN (newer|superseding)/.test(line))).toEqual([]);
});

test("the flights of a student's training are found by their enrollment, and its signoffs", async () => {
  const { tenant } = await newStorage();
  const plan = await tenant.read((reader) =>
    planOf(reader, (reader) => factsOf(reader, [id()], Temporal.PlainDate.from("2026-06-14"))),
  );
  expect(plan).toContain("SEARCH flights USING INDEX flights_enrollment (enrollment_id=? AND status=?)");
  expect(plan).toContain("SEARCH training_signoffs USING INDEX training_signoffs_enrollment (enrollment_id=?)");
  expect(plan.filter((line) => /^SCAN (flights|flight_crew|training_\w+)/.test(line))).toEqual([]);
});

test("a flight's crew is read by its primary key, in the order of positions", async () => {
  const { tenant } = await newStorage();
  const plan = await tenant.read((reader) => planOf(reader, (reader) => listPublicFlights(reader, page)));
  const crew = plan.findIndex((line) => line.includes(" flight_crew "));
  expect(plan[crew]).toBe("SEARCH flight_crew USING INDEX sqlite_autoindex_flight_crew_1 (flight_id=?)");
  expect(plan[crew + 1]).toBe("SEARCH people USING INDEX sqlite_autoindex_people_1 (id=?)");
});

test("API keys are found by hash, persons by account, postings by aircraft, all with an index", async () => {
  const { tenant } = await newStorage();
  const lookups: [plan: string, query: SQL][] = [
    [
      "SEARCH api_keys USING INDEX api_keys_token_hash_unique (token_hash=?)",
      sql`select * from api_keys where token_hash = 'x'`,
    ],
    [
      "SEARCH api_keys USING INDEX api_keys_previous_hash_unique (previous_hash=?)",
      sql`select * from api_keys where previous_hash = 'x'`,
    ],
    ["SEARCH people USING INDEX people_user_id_unique (user_id=?)", sql`select * from people where user_id = 'x'`],
    [
      "SEARCH people USING COVERING INDEX people_supervisor (supervisor_id=?)",
      sql`select count(*) from people where supervisor_id = 'x'`,
    ],
    [
      "SEARCH former_links USING INDEX former_links_person (person_id=? AND until>?)",
      sql`select * from former_links where person_id = 'x' and until >= 'y'`,
    ],
    [
      "SEARCH counter_postings USING INDEX counter_postings_aircraft (aircraft_id=?)",
      sql`select total(hobbs) from counter_postings where aircraft_id = 'x'`,
    ],
  ];
  lookups.push(
    [
      "SEARCH counter_postings USING INDEX counter_postings_aircraft (aircraft_id=? AND posted_at>?)",
      sql`select total(hobbs) from counter_postings where aircraft_id = 'x' and posted_at >= 'y'`,
    ],
    [
      "SEARCH groundings USING INDEX groundings_open (aircraft_id=?)",
      sql`select * from groundings where aircraft_id = 'x' and lifted_at is null`,
    ],
    [
      "SEARCH maintenance_items USING COVERING INDEX maintenance_items_changes_on (changes_on>?)",
      sql`select min(changes_on) from maintenance_items where changes_on is not null`,
    ],
  );
  for (const [plan, query] of lookups) {
    const rows = await tenant.read((reader) =>
      reader.values<[number, number, number, string]>(sql`explain query plan ${query}`),
    );
    expect(rows.map(([, , , detail]) => detail)).toEqual([plan]);
  }
});
