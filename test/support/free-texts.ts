/** What an erasure does with each column in which members and people write. A new one must be decided on. */
import { is } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { tables } from "../../src/modules.ts";

type Columns = Readonly<Record<string, string>>;

/** Cleared, or deleted with the row, of the person's own rows. */
export const erased: Columns = {
  people:
    "name email phone street postcode city country emergency_name emergency_phone emergency_relation date_of_birth licence_number licence_authority ratings",
  former_links: "email",
  flight_flyers: "email",
  flights: "lesson remarks workshop_remarks self_approval_reason rejection_reason reversal_reason findings",
  compliance_evaluations: "reasons",
  compliance_records: "level number other_levels remarks withdrawal_reason",
  training_enrollments: "reason credits remarks",
  training_exams: "examiner remarks void_reason",
  training_ground_sessions: "remarks void_reason",
  training_signoffs: "remarks void_reason",
  planning_absences: "reason",
  planning_sessions: "title notes cancellation_note",
  finance_customers: "customer_number company register_number buyer_reference email street postcode city country",
  directory_profiles: "fields headline description website email phone languages place country",
  attachments: "filename",
  evidence_packs: "manifest signature",
  evidence_parts: "name",
  share_tokens: "name token_hash",
  mails: "session_ids",
  events: "data",
  audit_log: "payload",
  used_keys: "answer location permissions",
};

/** About an aircraft, a price or a lesson: only the person's name and addresses are replaced. */
export const replaced: Columns = {
  groundings: "note",
  defects: "description deferral_reason",
  maintenance_items: "name notes",
  work_orders: "title findings notes",
  finance_charges: "reason description",
  finance_flights: "reason",
  finance_packages: "name",
  finance_rates: "description",
};

/** The school's, a program's, or kept by law as it was sent: invoices, payments and releases. */
export const notPersonal: Columns = {
  intents: "kind payload",
  audit_log: "action actor_kind at digest hash salt subject_kind",
  used_keys: "body_hash",
  meta: "name time_zone data_key",
  deliveries: "lease_token",
  delivery_attempts: "error_class response_headers response_body request_headers",
  events: "type",
  webhook_endpoints:
    "url description event_types disabled_reason primary_secret secondary_secret header_names headers last_failure_class",
  people: "types types_ever",
  aircraft: "registration model icao_type currency",
  flights: "departure arrival warnings",
  compliance_requirements: "any_of levels",
  compliance_types: "key name levels",
  clearance_rules: "key",
  maintenance_items: "last_done_given",
  work_order_items: "name",
  work_orders: "parts release_licence_number release_given",
  training_exams: "subject",
  training_items: "lesson_code code name scale",
  training_lessons: "code name phase requires",
  training_programs: "name",
  training_revisions: "legal_basis theory subjects minima aircraft_classes scales phases",
  training_signoffs: "grade",
  planning_hours: "from_time to_time",
  planning_rooms: "name",
  planning_wishes: "icao_type",
  finance_charges: "currency vat_reason vat_reason_code",
  finance_flights: "missing",
  finance_packages: "icao_type currency vat_reason vat_reason_code",
  finance_rates: "icao_type place currency vat_reason vat_reason_code",
  finance_settings:
    "legal_name street postcode city country email phone tax_number register_number iban bic vat_reason vat_reason_code reminder_days invoice_series credit_note_series",
  finance_invoice_lines: "description vat_reason vat_reason_code",
  finance_invoices: "currency note number seller buyer vat void_reason",
  finance_numbers: "series",
  finance_payments: "currency reference note",
  finance_refunds: "currency reason",
  finance_balances: "currency",
  finance_entries: "currency",
  finance_months: "month currency",
  finance_vat_months: "month currency",
  signing_keys: "public_key sealed_private_key",
  api_keys: "name scopes allowed_networks token_hash hint previous_hash last_used_address",
  replays: "type position",
};

/** Returns each column with text that is no id, no instant, no date, no digest, and none of a list, as `table.column`. */
export const freeTexts = (): string[] =>
  Object.values(tables.tenant).flatMap((table) => {
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
  !/(_at|_on|_id|_by|_sha256|_until|_from|_to|_since)$|^(id|sha256|on|as_of|since|until|issued_date)$/.test(name);

export const namesIn = (columns: Columns): string[] =>
  Object.entries(columns).flatMap(([table, names]) => names.split(" ").map((name) => `${table}.${name}`));
