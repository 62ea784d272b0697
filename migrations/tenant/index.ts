// Written by scripts/generate-migrations.ts: every migration in order, embedded by import.
import m0 from "./0000_first.sql" with { type: "text" };

export const tenantMigrations: readonly string[] = [m0];
