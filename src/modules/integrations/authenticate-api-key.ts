import { eq, sql } from "drizzle-orm";
import type { ApiKeyActor } from "../../core/actor.ts";
import { type Clock, toInstant } from "../../core/clock.ts";
import { sha256 } from "../../core/crypto.ts";
import type { OrgId } from "../../core/ids.ts";
import { tenantMarks } from "../../storage/control.tables.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Control, Reader, Tenant } from "../../storage/store.ts";
import { isApiKeyToken } from "./api-key-token.ts";
import { apiKeys } from "./integrations.tables.ts";

interface Dependencies {
  clock: Clock;
  control: Control;
  tenant(orgId: OrgId): Tenant;
}

/**
 * Whose key it is; undefined for one that is mistyped, unknown, expired, revoked, or another organization's. Nothing is
 * kept from call to call but how the questions are put, so a revocation counts from the next request on.
 *
 * @throws TENANT_UNAVAILABLE the organization exists, but its records can't be opened
 */
export const authenticateApiKey =
  ({ clock, control, tenant }: Dependencies) =>
  async (rawKey: string, orgId: OrgId): Promise<ApiKeyActor | undefined> => {
    if (!isApiKeyToken(rawKey) || !(await hasTenant(control, orgId))) return undefined;
    const [key] = await tenant(orgId).read((reader) => keyByHash(reader).execute({ hash: sha256(rawKey) }));
    const now = toInstant(clock.now());
    if (key === undefined || key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now))
      return undefined;
    return { kind: "api_key", keyId: key.id, orgId, scopes: new Set(key.scopes) };
  };

/** A made-up organization must look like a wrong key; its tenant can't be asked, since opening it would fail. */
async function hasTenant(control: Control, orgId: OrgId): Promise<boolean> {
  const [mark] = await control.read((reader) => markOf(reader).execute({ orgId }));
  return mark !== undefined;
}

/** Every request with a key asks these two, so drizzle puts them into SQL once for each open database. */
const keyByHash = prepared((reader: Reader<"tenant">) =>
  reader
    .select({ id: apiKeys.id, scopes: apiKeys.scopes, expiresAt: apiKeys.expiresAt, revokedAt: apiKeys.revokedAt })
    .from(apiKeys)
    .where(eq(apiKeys.tokenHash, sql.placeholder("hash")))
    .prepare(),
);

const markOf = prepared((reader: Reader<"control">) =>
  reader
    .select({ orgId: tenantMarks.orgId })
    .from(tenantMarks)
    .where(eq(tenantMarks.orgId, sql.placeholder("orgId")))
    .prepare(),
);
