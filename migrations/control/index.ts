// Written by scripts/generate-migrations.ts: every migration in order, embedded by import.
import m0 from "./0000_first.sql" with { type: "text" };
import m1 from "./0001_list_indexes.sql" with { type: "text" };
import m2 from "./0002_tenant_time_zone.sql" with { type: "text" };

export const controlMigrations: readonly string[] = [m0, m1, m2];
