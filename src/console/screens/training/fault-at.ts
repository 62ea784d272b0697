import { Problem } from "../../api/problem.ts";
import { text } from "../../app/language.ts";

/** What a form throws that finds faults by itself: they are shown at the fields, as those that the server finds. */
const faultsAt = (faults: Readonly<Record<string, string>>): Problem =>
  new Problem(400, {
    issues: Object.entries(faults).map(([path, message]) => ({ path, code: "found_here", message })),
  });

export const faultAt = (path: string, message: string): Problem => faultsAt({ [path]: message });

interface Coded {
  key: string;
  code: string;
  name: string;
}

/** The field of a row: its place changes when the rows are sorted, its key does not. */
export const rowField = ({ key }: Pick<Coded, "key">, field: "code" | "name"): string => `${key}.${field}`;

/**
 * Each row needs a name, and a code that no other has.
 *
 * @throws Problem with what is wrong, at the fields of the rows
 */
export function checkRows(rows: readonly Coded[], taken: string): void {
  const { required } = text().form;
  const faults: Record<string, string> = {};
  const codes = new Set<string>();
  for (const row of rows) {
    const code = row.code.trim();
    if (code === "") faults[rowField(row, "code")] = required;
    else if (codes.has(code)) faults[rowField(row, "code")] = taken;
    codes.add(code);
    if (row.name.trim() === "") faults[rowField(row, "name")] = required;
  }
  if (Object.keys(faults).length > 0) throw faultsAt(faults);
}
