import { and, eq, gt, isNull, or } from "drizzle-orm";
import type { ApiKeyActor } from "../../core/actor.ts";
import { type Clock, toInstant } from "../../core/clock.ts";
import { sha256 } from "../../core/crypto.ts";
import type { OrgId } from "../../core/ids.ts";
import { tenantMarks } from "../../storage/control.tables.ts";
import type { Control, Tenant } from "../../storage/store.ts";
import { isApiKeyToken } from "./api-key-token.ts";
import { apiKeys } from "./integrations.tables.ts";

interface Dependencies {
  clock: Clock;
  control: Control;
  tenant(orgId: OrgId): Tenant;
}

/**
 * Whose key it is; undefined for one that is mistyped, unknown, expired, revoked, or another organization's. Nothing is
 * kept from call to call, so a revocation counts from the next request on.
 *
 * @throws TENANT_UNAVAILABLE the organization exists, but its records can't be opened
 */
export const authenticateApiKey =
  ({ clock, control, tenant }: Dependencies) =>
  async (rawKey: string, orgId: OrgId): Promise<ApiKeyActor | undefined> => {
    if (!isApiKeyToken(rawKey) || !(await hasTenant(control, orgId))) return undefined;
    const now = toInstant(clock.now());
    const [key] = await tenant(orgId).read((reader) =>
      reader
        .select({ id: apiKeys.id, scopes: apiKeys.scopes })
        .from(apiKeys)
        .where(
          and(
            eq(apiKeys.tokenHash, sha256(rawKey)),
            isNull(apiKeys.revokedAt),
            or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
          ),
        ),
    );
    return key && { kind: "api_key", keyId: key.id, orgId, scopes: new Set(key.scopes) };
  };

/** A made-up organization must look like a wrong key; its tenant can't be asked, since opening it would fail. */
async function hasTenant(control: Control, orgId: OrgId): Promise<boolean> {
  const [mark] = await control.read((reader) =>
    reader.select({ orgId: tenantMarks.orgId }).from(tenantMarks).where(eq(tenantMarks.orgId, orgId)),
  );
  return mark !== undefined;
}
