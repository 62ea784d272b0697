/** What a record is: its type, and its class or level. */
import type { ComplianceRecord, RecordType } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { nameOfType } from "./type-names.ts";

export function nameOfRecord(types: readonly RecordType[], { type, level }: Pick<ComplianceRecord, "type" | "level">) {
  const { levels } = text().compliance;
  return [nameOfType(types, type), level && (levels[level] ?? level)].filter(Boolean).join(" · ");
}
