import type { OrgId } from "../../core/ids.ts";
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

/** Applies the open intents of an organization. Never throws: the job or the next start applies those that fail. */
export type ApplyIntents = (orgId: OrgId) => Promise<void>;

export const applyIntentsWith =
  ({ intents, log }: Pick<OrganizationDeps, "intents" | "log">): ApplyIntents =>
  (orgId) =>
    intents.apply(orgId).catch((err: unknown) => {
      const message =
        "A change is not in the organization's database yet. The job intents retries it every few minutes and at the start.";
      log.error({ organization_id: orgId, err }, message);
    });
