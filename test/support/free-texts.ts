/** What an erasure does with each column in which members and people write. A new one must be decided on. */
import { is } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { tables } from "../../src/modules.ts";
import type { Kind } from "../../src/storage/store.ts";

type Columns = Readonly<Record<string, string>>;

/** Cleared, or deleted with the row, of the person's own rows. In rows of others the name is replaced, if it is no exception. */
export const erased: Columns = {
  people:
    "name email phone street postcode city country emergency_name emergency_phone emergency_relation date_of_birth licence_number licence_authority ratings",
  former_links: "email",
  flight_flyers: "email",
  flights: "lesson remarks workshop_remarks self_approval_reason rejection_reason reversal_reason findings",
  compliance_evaluations: "reasons",
  compliance_records: "level number other_levels issued_by remarks withdrawal_reason",
  training_enrollments: "reason credits remarks",
  training_exams: "examiner remarks void_reason",
  training_ground_sessions: "remarks void_reason",
  training_lesson_records: "remarks instructor_notes void_reason",
  training_signoffs: "remarks void_reason",
  planning_absences: "reason",
  planning_sessions: "title notes cancellation_note",
  finance_customers: "customer_number company register_number buyer_reference email street postcode city country",
  finance_charges: "reason description",
  finance_flights: "reason",
  finance_invoices: "note void_reason buyer",
  finance_invoice_lines: "description",
  finance_payments: "reference note",
  finance_refunds: "reason",
};

/** What is never replaced in the rows of others, and why. In all other columns the person's names and addresses are. */
export const exceptions: readonly { why: string; columns: Columns }[] = [
  {
    why: "another person's or account's own: who they are, and where they live",
    columns: {
      people: "name email phone street postcode city country date_of_birth licence_number licence_authority ratings",
      former_links: "email",
      flight_flyers: "email",
      finance_customers: "register_number customer_number postcode country",
      invites: "email",
      users: "name email password_hash",
      email_tokens: "email token_hash",
      sessions: "amr auth_time user_agent address",
      identities: "provider issuer subject",
    },
  },
  {
    why: "the school's own: its name, its address, its account",
    columns: {
      meta: "name time_zone zone_of_dates data_key sealed_by",
      organizations: "name approval_number authority home_icao time_zone",
      finance_settings:
        "legal_name street postcode city country email phone tax_number register_number iban bic vat_reason vat_reason_code reminder_days invoice_series credit_note_series exchange_rates",
    },
  },
  {
    why: "what can't be without a valid one: the school gives it another",
    columns: {
      addon_listings: "slug homepage_url support_email icon_url",
      webhook_endpoints: "url header_names headers",
    },
  },
  {
    why: "belongs to the aircraft's records, which name who released it (ML.A.305, ML.A.801)",
    columns: {
      maintenance_items: "last_done_by last_done_given last_done_corrected",
      work_orders:
        "release_by release_licence_number release_approval_reference release_maintenance_data release_given release_corrected",
    },
  },
  {
    why: "somebody else's invoice as it was sent, and their payment as it was booked (§ 14b UStG, § 147 AO): another test has their drafts",
    columns: {
      finance_invoices: "note void_reason number seller buyer vat exchange_rate",
      finance_invoice_lines: "description vat_reason vat_reason_code exchange_rate",
      finance_payments: "reference note",
      finance_refunds: "reason",
    },
  },
  {
    why: "signed, so that a change would void it",
    columns: {
      evidence_packs: "manifest signature",
      evidence_parts: "name",
      signing_keys: "public_key sealed_private_key",
    },
  },
  {
    why: "the school's catalogs, by which rules find records; of a program also because it is frozen as it was published",
    columns: {
      compliance_requirements: "any_of levels",
      compliance_types: "key name levels",
      compliance_records: "level other_levels number",
      compliance_evaluations: "reasons",
      training_items: "lesson_code code name scale",
      training_lessons: "code name phase requires",
      training_programs: "name",
      training_revisions: "legal_basis theory subjects minima aircraft_classes scales phases",
      training_signoffs: "grade",
      training_exams: "subject",
    },
  },
  {
    why: "the operator's: a suspended school refuses each erasure, and the row goes when it is resumed",
    columns: { suspensions: "reason backup" },
  },
  {
    why: "no text of people: codes, figures and what the program writes",
    columns: {
      people: "types types_ever",
      aircraft: "registration model icao_type serial_number",
      flights: "departure arrival warnings findings",
      work_orders: "number",
      clearance_rules: "key",
      planning_hours: "from_time to_time",
      planning_wishes: "icao_type",
      finance_charges: "vat_reason vat_reason_code",
      finance_flights: "missing",
      finance_packages: "icao_type vat_reason vat_reason_code",
      finance_rates: "icao_type place vat_reason vat_reason_code",
      finance_numbers: "series",
      finance_months: "month",
      finance_vat_months: "month",
      directory_profiles: "fields languages country",
      mails: "session_ids traceparent",
      events: "type traceparent",
      deliveries: "lease_token",
      delivery_attempts: "error_class request_headers",
      webhook_endpoints: "event_types disabled_reason primary_secret secondary_secret last_failure_class",
      api_keys: "scopes allowed_networks token_hash hint previous_hash last_used_address",
      replays: "type position",
      share_tokens: "token_hash",
      audit_log: "action actor_kind at digest hash salt subject_kind",
      used_keys: "body_hash permissions location",
      installation: "audit_head scrub_place",
      tenant_marks: "audit_head file_note scrub_place",
      nodes: "host version",
      leases: "name tick",
      scheduler_runs: "job summary",
      handoff_tokens: "token_hash",
      platform_permissions: "permission",
      mfa_challenges: "token_hash amr",
      recovery_codes: "code_hash",
      totp_enrollments: "secret",
      oauth_flows: "state_hash provider nonce sealed browser_hash",
      invites: "roles token_hash",
      memberships: "roles",
      opportunities: "country",
      application_moves: "at",
      addon_listings: "event_types scopes",
    },
  },
  {
    why: "the copy of what a school publishes, which follows from that",
    columns: {
      directory_entries:
        "name headline description website email phone languages place country approval_number authority ratings registration icao_type class",
      directory_words: "word",
    },
  },
  { why: "follows from the texts of the records that it finds", columns: { search_words: "list record word" } },
  { why: "applied and deleted at once", columns: { intents: "kind payload" } },
];

/** Returns each column with text that is no id, no instant, no date, no digest, no currency, and none of a list, as `table.column`. */
export const freeTexts = (kind: Kind): string[] =>
  Object.values(tables[kind]).flatMap((table) => {
    if (!is(table, SQLiteTable)) return [];
    const { name, columns, foreignKeys } = getTableConfig(table);
    const refers = new Set(foreignKeys.flatMap((key) => key.reference().columns.map((column) => column.name)));
    return columns
      .filter((column) => isFree(column) && !refers.has(column.name))
      .map((column) => `${name}.${column.name}`);
  });

const isFree = ({ name, dataType, enumValues }: SQLiteColumn): boolean =>
  (dataType === "string" || dataType === "json") &&
  !enumValues?.length &&
  !/(_at|_on|_id|_sha256|_until|_from|_to|_since|currency)$|^(id|sha256|on|as_of|since|until|issued_date)$/.test(
    name,
  ) &&
  !byId.test(name);

/** The id of an account that did it, or of a record. Others that end in `_by` are names. */
const byId =
  /^(created|ended|submitted|approved|opened|reported|uploaded|consented|invited|claimed|grounded|corrected|lifted|requested|linked|superseded|reviewed)_by$/;

export const namesIn = (columns: Columns): string[] =>
  Object.entries(columns).flatMap(([table, names]) => names.split(" ").map((name) => `${table}.${name}`));
