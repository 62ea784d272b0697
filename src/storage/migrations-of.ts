import { controlMigrations } from "../../migrations/control/index.ts";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import type { Migrations } from "./migrations.ts";
import type { Kind } from "./store.ts";

/** The migrations of this program. */
export const migrationsOf: Record<Kind, Migrations> = { control: controlMigrations, tenant: tenantMigrations };
