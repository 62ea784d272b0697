import type { Connection } from "../connection.ts";

/** The columns that have JSON, by table. `test/unit/tables.test.ts` compares the list with the tables. */
export const jsonColumns: Readonly<Record<string, readonly string[]>> = {
  addon_listings: ["event_types", "scopes"],
  api_keys: ["scopes", "allowed_networks"],
  audit_log: ["payload"],
  compliance_evaluations: ["reasons"],
  compliance_records: ["other_levels"],
  compliance_requirements: ["any_of", "levels"],
  compliance_types: ["levels"],
  delivery_attempts: ["request_headers", "response_headers"],
  directory_entries: ["languages", "ratings"],
  directory_profiles: ["fields", "languages"],
  events: ["data"],
  finance_flights: ["missing"],
  finance_invoices: ["vat", "seller", "buyer", "deliver_to"],
  finance_settings: ["reminder_days", "exchange_rates"],
  flights: ["warnings", "findings"],
  invites: ["roles"],
  memberships: ["roles"],
  installation: ["scrub_place"],
  maintenance_items: ["last_done_given", "last_done_corrected"],
  mails: ["session_ids"],
  mfa_challenges: ["amr"],
  people: ["types", "types_ever", "ratings"],
  sessions: ["amr"],
  tenant_marks: ["scrub_place"],
  training_enrollments: ["credits"],
  training_lessons: ["requires"],
  training_revisions: ["theory", "subjects", "minima", "aircraft_classes", "scales", "phases"],
  used_keys: ["permissions"],
  webhook_endpoints: ["event_types", "header_names"],
  work_orders: ["parts", "release_given", "release_corrected"],
};

/** Returns each value of these columns that is not JSON, with its table, column and row. Their text must be UTF-8. */
export async function invalidJson(connection: Connection): Promise<string[]> {
  const faults: string[] = [];
  const { rows } = await connection.execute("select name from sqlite_schema where type = 'table'");
  const tables = new Set(rows.map((row) => String(Array.from(row)[0])));
  for (const [table, columns] of Object.entries(jsonColumns)) {
    if (!tables.has(table)) continue;
    for (const column of columns) {
      // A column of a later version does not exist, and SQLite then takes a name in quotes as text.
      const found = await connection
        .execute(`select rowid from ${table} where json_valid(${table}.${column}) = 0 order by rowid limit 20`)
        .catch(() => undefined);
      for (const row of found?.rows ?? []) faults.push(`${table}.${column} of row ${Array.from(row)[0]} is not JSON`);
    }
  }
  return faults;
}
