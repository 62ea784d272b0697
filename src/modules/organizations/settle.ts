import type { OrgId } from "../../core/ids.ts";
import type { OrganizationDeps } from "./organizations.deps.ts";

/** Carries open intents into an organization's records, now or at the next start; never throws. */
export type Settle = (orgId: OrgId) => Promise<void>;

export const settleWith =
  ({ intents, log }: Pick<OrganizationDeps, "intents" | "log">): Settle =>
  (orgId) =>
    intents.apply(orgId).catch((err: unknown) => {
      const message =
        "A change has not reached the records yet; it is tried again every few minutes, and at the start.";
      log.error({ organization_id: orgId, err }, message);
    });
