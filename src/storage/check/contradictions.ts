/**
 * Records that contradict each other. Most rows have no digest: what the audit log or the journal says about them a second
 * time is compared instead.
 */
import type { Connection } from "../connection.ts";

/** The faults that are listed of one kind. */
const listed = 20;

interface Contradiction {
  /** The columns that the statement reads, by table. A file of an older version may lack some: it is not asked. */
  needs: Readonly<Record<string, readonly string[]>>;
  /** Returns a row for each fault, whose first column is the id. */
  statement: string;
  fault: (id: string) => string;
}

/** Of an approved flight, which is not changed any more, as the audit log has them. */
const flownColumns = [
  ...["off_block_at", "take_off_at", "landing_at", "on_block_at"],
  ...["departure", "arrival", "passengers"],
];

const differs = flownColumns.map(
  (name) =>
    `(json_type(a.payload, '$.after.${name}') is not null and a.payload ->> '$.after.${name}' is not f.${name})`,
);

export const contradictions: readonly Contradiction[] = [
  {
    needs: { flights: ["id", "approved_at", ...flownColumns], audit_log: ["subject_id", "action", "payload", "seq"] },
    statement: `select cast(f.id as blob) from flights f join audit_log a on a.seq = (
        select max(seq) from audit_log where subject_id = f.id and action = 'flight.approved')
      where f.approved_at is not null and a.payload is not null and (${differs.join(" or ")})`,
    fault: (id) => `flights ${id}: not as the audit log has it since its approval`,
  },
  {
    needs: {
      finance_entries: [
        ...["created_at", "posting", "person_id", "invoice_id", "payment_id", "refund_id", "currency"],
        ...["debit_minor", "credit_minor"],
      ],
    },
    statement: `select cast(min(id) as text) from finance_entries
      group by created_at, posting, person_id, invoice_id, payment_id, refund_id, currency
      having sum(debit_minor) <> sum(credit_minor)`,
    fault: (id) => `finance_entries ${id}: the debits of its posting differ from the credits`,
  },
  {
    needs: {
      finance_entries: ["person_id", "currency", "account", "debit_minor", "credit_minor"],
      finance_balances: ["person_id", "currency", "balance_minor"],
    },
    statement: `select cast(b.person_id as blob) from finance_balances b
      where b.balance_minor <> (select coalesce(sum(e.debit_minor - e.credit_minor), 0) from finance_entries e
        where e.person_id = b.person_id and e.account = 'receivables' and e.currency = b.currency)`,
    fault: (id) => `finance_balances ${id}: not the sum of the journal`,
  },
];

/** Returns the faults, one line each. */
export async function findContradictions(connection: Connection): Promise<string[]> {
  const faults: string[] = [];
  for (const { needs, statement, fault } of contradictions) {
    if (!hasAll(connection, needs)) continue;
    const { rows } = await connection.execute(`${statement} limit ${listed}`);
    for (const [id] of rows.map((row) => Array.from(row)))
      faults.push(
        fault(
          id instanceof Uint8Array || id instanceof ArrayBuffer ? Buffer.from(id as Uint8Array).toString() : String(id),
        ),
      );
  }
  return faults;
}

function hasAll(connection: Connection, needs: Contradiction["needs"]): boolean {
  return Object.entries(needs).every(([table, columns]) =>
    columns.every((name) => connection.first("select 1 from pragma_table_info(?) where name = ?", [table, name])),
  );
}
