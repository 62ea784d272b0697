import { defineConfig } from "drizzle-kit";

const kind = process.env.DATABASE_KIND;
const tables: Record<string, string[]> = {
  control: [
    "./src/storage/shared.tables.ts",
    "./src/storage/control.tables.ts",
    "./src/modules/accounts/accounts.tables.ts",
    "./src/modules/accounts/mfa/mfa.tables.ts",
    "./src/modules/accounts/oauth/oauth.tables.ts",
    "./src/modules/organizations/organizations.tables.ts",
    "./src/scheduler/scheduler.tables.ts",
  ],
  tenant: [
    "./src/storage/shared.tables.ts",
    "./src/storage/tenant.tables.ts",
    "./src/events/events.tables.ts",
    "./src/modules/people/people.tables.ts",
    "./src/modules/fleet/fleet.tables.ts",
    "./src/modules/flights/flights.tables.ts",
    "./src/modules/integrations/api-keys/api-keys.tables.ts",
    "./src/modules/integrations/replays/replays.tables.ts",
  ],
};

export default defineConfig({ dialect: "sqlite", schema: tables[kind ?? ""] ?? [], out: `./migrations/${kind}` });
