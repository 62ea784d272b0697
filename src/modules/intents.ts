/** Every kind of message that one database leaves for the other, in one place. */

import type { StorageLog } from "../storage/file-tenant-store.ts";
import { createIntents, type Intents } from "../storage/intents.ts";
import type { Storage } from "../storage/storage.ts";
import { studentClaimed } from "./organizations/invites/student-claimed.ts";
import { organizationRenamed } from "./organizations/organization-renamed.ts";

export const intentsOf = ({ control, tenants }: Pick<Storage, "control" | "tenants">, log: StorageLog): Intents =>
  createIntents({
    control,
    tenant: (id) => tenants.tenant(id),
    fromControl: [organizationRenamed, studentClaimed],
    fromTenant: [],
    onError: (orgId, err) => log.error({ organization_id: orgId, err }, "An intent could not be settled yet."),
  });
