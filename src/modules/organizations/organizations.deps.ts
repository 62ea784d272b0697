import type { Log } from "../../http/request-log.ts";
import type { Intents } from "../../storage/intents.ts";
import type { TenantStore } from "../../storage/tenant-store.ts";
import type { AccountDeps } from "../accounts/accounts.routes.ts";

/** What the routes of organizations need besides HTTP. */
export interface OrganizationDeps extends AccountDeps {
  tenants: TenantStore;
  intents: Intents;
  log: Log;
}
