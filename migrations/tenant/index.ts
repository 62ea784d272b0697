// Written by scripts/generate-migrations.ts: every migration in order, embedded by import.
import m0 from "./0000_first.sql" with { type: "text" };
import m1 from "./0001_compliance_reminders.sql" with { type: "text" };

export const tenantMigrations: readonly string[] = [m0, m1];
