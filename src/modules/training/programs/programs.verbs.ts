import { eq, sql } from "drizzle-orm";
import { conflict } from "../../../core/errors.ts";
import type { ProgramId } from "../../../core/ids.ts";
import { touching } from "../../../storage/changes.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { addVerb, changeVerb, removeVerb } from "../../../storage/verbs.ts";
import { findOrganization } from "../../organizations/organizations.queries.ts";
import { signoffEntity } from "../signoffs/signoffs.queries.ts";
import { trainingSignoffs as signoffs, trainingRevisions } from "../training.tables.ts";
import { mayTrain, type ProgramKind } from "./program-kinds.ts";
import { programEntity } from "./programs.queries.ts";
import type { NewProgram, ProgramChange } from "./programs.schemas.ts";

const permission = "training:manage";

/** Runs before the transaction, because the kind of the organization is in the control database. @throws CONFLICT */
export async function requireMayTrain({ control, tenant }: TenantContext, kind: ProgramKind): Promise<void> {
  const { value: organization } = await control.read((reader) => findOrganization(reader, tenant.id));
  if (mayTrain(organization.kind, kind)) return;
  const message = `An organization of kind ${organization.kind} may not train ${kind}.`;
  throw conflict("program_not_permitted", message, { kinds: [kind] });
}

/** As `requireMayTrain`, of a program. @throws NOT_FOUND */
export async function requireMayTrainIn(context: TenantContext, programId: ProgramId): Promise<void> {
  const { kind } = await context.tenant.read((reader) => programEntity.row(reader, { programId }));
  await requireMayTrain(context, kind);
}

/** @throws CONFLICT the organization may not train this */
export const addProgram = addVerb(programEntity, {
  permission,
  before: (context, { kind }: NewProgram) => requireMayTrain(context, kind),
  row: async (_tx, fresh, input: NewProgram) => ({ ...fresh, ...input }),
});

const touchSignoffs = touching(signoffEntity, sql`${signoffs.program_id} = ${sql.placeholder("id")}`);

export const changeProgram = changeVerb(programEntity, {
  permission,
  async set(tx, { id, name }, { change }: { change: ProgramChange }) {
    // Signoffs show it.
    if (change.name !== undefined && change.name !== name) await touchSignoffs(tx, { id });
    return change;
  },
});

/** @throws NOT_FOUND; CONFLICT it has revisions */
export const removeProgram = removeVerb(programEntity, {
  permission,
  async also(tx, { id }) {
    const [revision] = await tx
      .select({ id: trainingRevisions.id })
      .from(trainingRevisions)
      .where(eq(trainingRevisions.program_id, id))
      .limit(1);
    if (revision) throw conflict("program_in_use", "The program has revisions.");
  },
});
