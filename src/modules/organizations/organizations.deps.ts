import type { Log } from "../../http/request-log.ts";
import type { Intents } from "../../storage/intents.ts";
import type { TenantStore } from "../../storage/tenant-store.ts";
import type { AccountParts } from "../accounts/accounts.parts.ts";

/** What the routes of organizations need besides HTTP. */
export interface OrganizationDeps extends AccountParts {
  tenants: TenantStore;
  intents: Intents;
  log: Log;
}
