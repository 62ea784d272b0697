import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { authorize } from "../../../core/actor.ts";
import { seal, unseal } from "../../../core/crypto.ts";
import { conflict } from "../../../core/errors.ts";
import { newIdAt } from "../../../core/ids.ts";
import type { By, InOrganization, TenantContext } from "../../../storage/context.ts";
import { addRow, changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { requireStepUp } from "../../accounts/mfa/require-step-up.ts";
import type { SigningKeyId, signingKeys } from "../evidence.tables.ts";
import { type PublicKey, publicKeyOf } from "../format/public-key.ts";
import { currentKey, signingKeyEntity } from "./keys.queries.ts";
import type { SigningKey } from "./keys.schemas.ts";

type KeyRow = typeof signingKeys.$inferSelect;

/** A key with which a pack is signed. */
export interface Signer {
  id: SigningKeyId;
  publicKey: PublicKey;
  privateKey: KeyObject;
}

const sealedFor = (id: string) => `evidence signing key ${id}`;

/**
 * Returns the organization's key. It is made on first use.
 *
 * @throws CONFLICT another installation sealed it
 */
export async function signingKey(context: TenantContext): Promise<Signer> {
  const { tenant } = context;
  const dataKey = await tenant.dataKey();
  const known = await tenant.read(currentKey);
  const row = known ?? (await tenant.write(async (tx) => (await currentKey(tx)) ?? addKey(tx, context, dataKey)));
  const der = opened(dataKey, row);
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  return { id: row.id, publicKey: row.public_key, privateKey };
}

/** A school that was adopted without the key of its installation has a new data key, which opens nothing from before. */
function opened(dataKey: Buffer, { id, sealed_private_key }: KeyRow): Buffer {
  try {
    return unseal(dataKey, sealed_private_key, sealedFor(id));
  } catch {
    throw conflict(
      "installation_key_missing",
      "The signing key was sealed by another installation. Make another one: POST /orgs/{orgId}/signing-keys/rotate.",
    );
  }
}

/**
 * Makes another key that signs from now on. What the present one signed stays valid.
 *
 * @throws FORBIDDEN; STEP_UP_REQUIRED; CONFLICT another installation sealed the organization's secrets
 */
export async function rotateSigningKey(context: InOrganization): Promise<SigningKey> {
  authorize(context.actor, "evidence:manage");
  await requireStepUp(context);
  const dataKey = await context.tenant.dataKey();
  return context.tenant.write(async (tx) => {
    const known = await currentKey(tx);
    const set = { retired_at: tx.now };
    if (known) await changeRow(tx, context, signingKeyEntity, { id: known.id, action: "signing_key.retired", set });
    const { id } = await addKey(tx, context, dataKey);
    return signingKeyEntity.read(tx, id);
  });
}

async function addKey(tx: Tx<"tenant">, by: By, dataKey: Buffer): Promise<KeyRow> {
  const pair = generateKeyPairSync("ed25519");
  const public_key = publicKeyOf(pair.publicKey);
  const id = newIdAt<"signing_key">(tx.now);
  const der = pair.privateKey.export({ format: "der", type: "pkcs8" });
  const sealed_private_key = seal(dataKey, Buffer.from(der), sealedFor(id));
  const row: KeyRow = { id, public_key, sealed_private_key, created_at: tx.now, retired_at: null };
  await addRow(tx, by, signingKeyEntity, { action: "signing_key.created", row });
  return row;
}
