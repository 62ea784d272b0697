import { sql } from "drizzle-orm";
import type { ApiKeyActor } from "../../../core/actor.ts";
import { type Clock, type Instant, toInstant } from "../../../core/clock.ts";
import { sha256 } from "../../../core/crypto.ts";
import type { OrgId } from "../../../core/ids.ts";
import { tenantMarks } from "../../../storage/control.tables.ts";
import { lookUp } from "../../../storage/look-up.ts";
import type { Control, Tenant } from "../../../storage/store.ts";
import { liesIn } from "./api-key-networks.ts";
import { isApiKeyToken } from "./api-key-token.ts";
import type { ApiKeyUses } from "./api-key-uses.ts";
import { apiKeys } from "./api-keys.tables.ts";

interface Dependencies {
  clock: Clock;
  control: Control;
  tenant(orgId: OrgId): Tenant;
  uses: Pick<ApiKeyUses, "note">;
}

/**
 * Whose key it is; undefined for one that is mistyped, unknown, expired, revoked, another organization's, or used from
 * outside of its networks. Nothing is kept from call to call but how the questions are put, so a revocation counts from
 * the next request on.
 *
 * @throws TENANT_UNAVAILABLE the organization exists, but its records can't be opened
 */
export const authenticateApiKey =
  ({ clock, control, tenant, uses }: Dependencies) =>
  async (rawKey: string, orgId: OrgId, { address }: { address: string }): Promise<ApiKeyActor | undefined> => {
    if (!isApiKeyToken(rawKey) || !(await hasTenant(control, orgId))) return undefined;
    const hash = sha256(rawKey);
    const key = await tenant(orgId).read((reader) => keyByHash(reader, { hash }));
    if (key === undefined || !isGood(key, hash, toInstant(clock.now()))) return undefined;
    if (key.allowed_networks !== null && !liesIn(key.allowed_networks, address)) return undefined;
    uses.note(orgId, key.id, address);
    return { kind: "api_key", keyId: key.id, orgId, scopes: new Set(key.scopes) };
  };

type Key = Pick<typeof apiKeys.$inferSelect, "expires_at" | "revoked_at" | "token_hash" | "previous_until">;

function isGood(
  { expires_at: expiresAt, revoked_at: revokedAt, token_hash: tokenHash, previous_until: previousUntil }: Key,
  hash: string,
  now: Instant,
): boolean {
  if (revokedAt !== null || (expiresAt !== null && expiresAt <= now)) return false;
  return tokenHash === hash || (previousUntil !== null && now < previousUntil);
}

/** A made-up organization must look like a wrong key; its tenant can't be asked, since opening it would fail. */
async function hasTenant(control: Control, orgId: OrgId): Promise<boolean> {
  const mark = await control.read((reader) => markOf(reader, { orgId }));
  return mark !== undefined;
}

const keyByHash = lookUp(
  {
    id: apiKeys.id,
    scopes: apiKeys.scopes,
    allowed_networks: apiKeys.allowed_networks,
    token_hash: apiKeys.token_hash,
    previous_until: apiKeys.previous_until,
    expires_at: apiKeys.expires_at,
    revoked_at: apiKeys.revoked_at,
  },
  sql`from ${apiKeys}
    where ${apiKeys.token_hash} = ${sql.placeholder("hash")} or ${apiKeys.previous_hash} = ${sql.placeholder("hash")}`,
);

const markOf = lookUp(
  { org_id: tenantMarks.org_id },
  sql`from ${tenantMarks} where ${tenantMarks.org_id} = ${sql.placeholder("orgId")}`,
);
