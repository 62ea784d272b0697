import { sql } from "drizzle-orm";
import type { ApiKeyActor } from "../../../core/actor.ts";
import { type Clock, type Instant, toInstant } from "../../../core/clock.ts";
import { sha256 } from "../../../core/crypto.ts";
import type { OrgId } from "../../../core/ids.ts";
import { tenantMarks } from "../../../storage/control.tables.ts";
import { lookUp } from "../../../storage/lookup.ts";
import type { Control, Tenant } from "../../../storage/store.ts";
import { isInNetworks } from "./api-key-networks.ts";
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
 * Returns the actor of a key. Returns `undefined` if the key is mistyped, unknown, expired, revoked, of another
 * organization, or used from outside its networks. Nothing but statements is cached, so a revocation takes effect with
 * the next request.
 *
 * @throws TENANT_UNAVAILABLE the organization exists, but its database can't be opened
 */
export const authenticateApiKey =
  ({ clock, control, tenant, uses }: Dependencies) =>
  async (rawKey: string, orgId: OrgId, { address }: { address: string }): Promise<ApiKeyActor | undefined> => {
    if (!isApiKeyToken(rawKey) || !(await hasTenant(control, orgId))) return undefined;
    const hash = sha256(rawKey);
    const key = await tenant(orgId).read((reader) => keyByHash(reader, { hash }));
    if (key === undefined || !isValid(key, hash, toInstant(clock.now()))) return undefined;
    if (key.allowed_networks !== null && !isInNetworks(key.allowed_networks, address)) return undefined;
    uses.note(orgId, key.id, address);
    return { kind: "api_key", keyId: key.id, orgId, scopes: new Set(key.scopes) };
  };

type Key = Pick<typeof apiKeys.$inferSelect, "expires_at" | "revoked_at" | "token_hash" | "previous_until">;

function isValid(key: Key, hash: string, now: Instant): boolean {
  if (key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= now)) return false;
  return key.token_hash === hash || (key.previous_until !== null && now < key.previous_until);
}

/** An unknown organization must give the same answer as an unknown key. Opening its database would fail instead. */
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
