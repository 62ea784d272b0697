import { type KeyRing, randomBytes, seal, unseal } from "../core/crypto.ts";
import type { OrgId } from "../core/ids.ts";

/** A tenant's key as stored in its `meta` row: sealed, with the id of the installation key that sealed it. */
interface SealedDataKey {
  data_key: string;
  sealed_by: string;
}

const context = (orgId: OrgId) => `tenant data key ${orgId}`;

export const newDataKey = (keys: KeyRing, orgId: OrgId): SealedDataKey => sealDataKey(keys, orgId, randomBytes(32));

export const sealDataKey = (keys: KeyRing, orgId: OrgId, dataKey: Buffer): SealedDataKey => ({
  data_key: seal(keys.key("sealing"), dataKey, context(orgId)),
  sealed_by: keys.id,
});

/** @returns `undefined` when another installation sealed the key */
export function openDataKey(
  keys: KeyRing,
  orgId: OrgId,
  { data_key: dataKey, sealed_by: sealedBy }: SealedDataKey,
): Buffer | undefined {
  return sealedBy === keys.id ? unseal(keys.key("sealing"), dataKey, context(orgId)) : undefined;
}
