import { authorize } from "../../core/actor.ts";
import type { KeyRing } from "../../core/crypto.ts";
import type { OrgId } from "../../core/ids.ts";
import { audit } from "../../storage/audit.ts";
import type { Context, InOrganization, OperatorContext } from "../../storage/context.ts";
import type { Intents } from "../../storage/intents.ts";
import type { ExportedSchool, Moves } from "../../storage/move/moves.ts";
import type { MovedData } from "../../storage/moved-data.ts";
import { requireStepUp } from "../accounts/mfa/require-step-up.ts";
import { findOrganization } from "../organizations/organizations.queries.ts";

export interface ExportDeps {
  moves: Pick<Moves, "exportSchool">;
  intents: Pick<Intents, "apply" | "keep">;
  keys: KeyRing;
  moved: readonly MovedData[];
  stopping?: AbortSignal;
}

interface Export {
  orgId: OrgId;
  passphrase: string;
  to?: string;
  withCredentials: boolean;
}

/**
 * Writes a school into one file, which another installation can adopt: for the operator, with what signs in to the accounts that
 * belong to this school only.
 *
 * @throws NOT_FOUND no such organization
 * @throws MoveRefused
 */
export async function exportSchool(
  context: OperatorContext,
  deps: ExportDeps,
  { orgId, passphrase, to }: { orgId: OrgId; passphrase: string; to: string },
): Promise<ExportedSchool> {
  await context.control.read((reader) => findOrganization(reader, orgId));
  return makeExport(context, deps, { orgId, passphrase, to, withCredentials: true });
}

/**
 * The same for an owner, into a file that the caller sends and removes. Without what signs in to accounts: that is the members' own,
 * not the school's.
 *
 * @throws FORBIDDEN STEP_UP_REQUIRED
 * @throws MoveRefused the file is damaged, or another export is being made
 */
export async function exportOwnSchool(
  context: InOrganization,
  deps: ExportDeps,
  { passphrase }: { passphrase: string },
): Promise<ExportedSchool> {
  authorize(context.actor, "organization:export");
  await requireStepUp(context);
  return makeExport(context, deps, { orgId: context.actor.orgId, passphrase, withCredentials: false });
}

async function makeExport(
  context: Context,
  { moves, intents, keys, moved, stopping }: ExportDeps,
  { orgId, withCredentials, ...request }: Export,
): Promise<ExportedSchool> {
  await intents.apply(orgId);
  return moves.exportSchool({
    ...request,
    orgId,
    stopping,
    keepIntents: () => intents.keep(),
    control: context.control,
    async take(tx) {
      const parts: Record<string, unknown> = {};
      for (const part of moved) parts[part.name] = await part.take(tx, { orgId, keys, withCredentials });
      const subject = { kind: "organization", id: orgId };
      await audit(tx, context, "organization.exported", { subject, orgId, after: { with_sign_in: withCredentials } });
      return parts;
    },
  });
}
