/**
 * Lists are read in the order of an index: SQLite never sorts a whole table to return a page. Those of one module are in its
 * folder: `finance/plans.test.ts`.
 */
import { expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { listSessions } from "../../src/modules/accounts/sessions/sessions.queries.ts";
import { listRecords } from "../../src/modules/compliance/records/records.queries.ts";
import type { RecordFilter } from "../../src/modules/compliance/records/records.schemas.ts";
import { listCorrections, listGroundings } from "../../src/modules/fleet/aircraft-history.queries.ts";
import { listAircraft } from "../../src/modules/fleet/fleet.queries.ts";
import { listFlights, listPublicFlights } from "../../src/modules/flights/flights.queries.ts";
import type { FlightFilter, FlightListFilter } from "../../src/modules/flights/flights.schemas.ts";
import { listApiKeys } from "../../src/modules/integrations/api-keys/api-keys.queries.ts";
import { listReplays } from "../../src/modules/integrations/replays/replays.queries.ts";
import { listEndpoints } from "../../src/modules/integrations/webhooks/webhooks.queries.ts";
import { journeyReads } from "../../src/modules/logbooks/journey.queries.ts";
import { logbookReads } from "../../src/modules/logbooks/logbook.queries.ts";
import { listDefects } from "../../src/modules/maintenance/defects/defects.queries.ts";
import { listItems } from "../../src/modules/maintenance/items/items.queries.ts";
import { listPublicWorkOrders, listWorkOrders } from "../../src/modules/maintenance/work-orders/work-orders.queries.ts";
import { listAuditLog } from "../../src/modules/operations/audit-log.queries.ts";
import { listInvites } from "../../src/modules/organizations/invites/invites.queries.ts";
import { inviteStatuses } from "../../src/modules/organizations/invites/invites.ts";
import { invitesOf } from "../../src/modules/organizations/invites/invites-of.queries.ts";
import { listMembers } from "../../src/modules/organizations/organizations.queries.ts";
import { invites } from "../../src/modules/organizations/organizations.tables.ts";
import { listPeople, listPublicPilots } from "../../src/modules/people/people.queries.ts";
import { personTypes } from "../../src/modules/people/people.tables.ts";
import { listEnrollments } from "../../src/modules/training/enrollments/enrollments.queries.ts";
import type { EnrollmentFilter } from "../../src/modules/training/enrollments/enrollments.schemas.ts";
import { listPublicSignoffs } from "../../src/modules/training/signoffs/signoffs.queries.ts";
import type { SignoffFilter } from "../../src/modules/training/signoffs/signoffs.schemas.ts";
import type { Since } from "../../src/storage/changes.ts";
import { areInOrderOfAnIndex, type Case, from, id, type List, newStorage, owner, page } from "../support/list-plans.ts";
import { planOf } from "../support/query-plans.ts";

test("lists of a tenant are read in the order of an index, for all filters", async () => {
  const { tenant } = await newStorage();
  const status = "approved";
  const aircraft_id = id<"aircraft">();
  const flightsOf =
    (filter: FlightListFilter & { order?: string }): List<"tenant"> =>
    (reader, page) =>
      listFlights(reader, owner, { ...page, ...filter });
  const peopleBy =
    (order: string): List<"tenant"> =>
    (reader, page) =>
      listPeople(reader, owner, { ...page, order });
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
  const oldestFlight = ["off_block_at,id", from, id()];
  const change = ["updated_at,id", "0.", from, id()];
  const period = { from, to: from };
  await areInOrderOfAnIndex(tenant, [
    [/flights USING INDEX flights_off_block\b/, flight, flightsOf({})],
    [/flights USING INDEX flights_off_block\b/, oldestFlight, flightsOf({ order: "off_block_at" })],
    [
      /flights USING INDEX flights_status_off_block \(status=\?/,
      oldestFlight,
      flightsOf({ status, order: "off_block_at" }),
    ],
    [/people USING INDEX people_name\b/, ["-name,id", "Ada", id()], peopleBy("-name")],
    [/people USING INDEX sqlite_autoindex_people_1\b/, ["-id", id()], peopleBy("-created_at")],
    [
      /work_orders USING INDEX sqlite_autoindex_work_orders_1\b/,
      ["id", id()],
      (reader, page) => listWorkOrders(reader, { ...page, order: "created_at" }),
    ],
    [
      /defects USING INDEX defects_aircraft\b/,
      ["id", id()],
      (reader, page) => listDefects(reader, { ...page, aircraft_id, order: "created_at" }),
    ],
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
      /counter_corrections USING INDEX counter_corrections_aircraft \(aircraft_id=\?/,
      ["-id", id()],
      (reader, page) => listCorrections(reader, { ...page, aircraft_id }),
    ],
    [
      /groundings USING INDEX groundings_aircraft \(aircraft_id=\?/,
      ["-id", id()],
      (reader, page) => listGroundings(reader, { ...page, aircraft_id }),
    ],
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

test("only lists with few rows are sorted: people by their words, and members", async () => {
  const { tenant, control } = await newStorage();
  const found = await tenant.read((reader) =>
    planOf(reader, (reader) => listPeople(reader, owner, { ...page, q: "a b" })),
  );
  const byWord = "SEARCH search_words USING COVERING INDEX search_words_word (list=? AND past=? AND word>? AND word<?)";
  expect(found.filter((line) => line === byWord)).toHaveLength(2);
  expect(found).toContain("SEARCH people USING INDEX sqlite_autoindex_people_1 (id=?)");
  const members = await control.read((reader) => planOf(reader, (reader) => listMembers(reader, id(), page)));
  expect(members).toContain("SEARCH memberships USING INDEX sqlite_autoindex_memberships_1 (org_id=?)");
  expect(members).toContain("SEARCH users USING INDEX sqlite_autoindex_users_1 (id=?)");
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
