import { eq } from "drizzle-orm";
import { authorize, type MemberActor, permits } from "../../../core/actor.ts";
import { isLegalDate, type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { conflict, invalid, notFound, wrongStatus } from "../../../core/errors.ts";
import { newId, type PersonId, type UserId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { addRow, changeRow } from "../../../storage/entity.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { meta } from "../../../storage/tenant.tables.ts";
import { today } from "../../../storage/today.ts";
import { checkQuota } from "../../attachments/usage.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import { type PackId, evidencePacks as table } from "../evidence.tables.ts";
import { packEntity, requirePack } from "./packs.queries.ts";
import type { NewEvidencePack } from "./packs.schemas.ts";
import type { EvidencePack } from "./packs.shapes.ts";

/** Packs that wait to be built. */
const most = { ofOrganization: 20, ofMember: 3 };

/**
 * Requests a pack, which a job builds. Members without `evidence:manage` request packs of themselves.
 *
 * @throws NOT_FOUND no such person, or the caller may not; VALIDATION_ERROR the subject is not that of the type
 * @throws CONFLICT the person's data was erased; too many packs wait; the quota is used up
 */
export async function requestPack(
  context: InOrganization,
  input: NewEvidencePack,
  quota: number,
): Promise<JsonOf<EvidencePack>> {
  const { actor, clock, tenant } = context;
  authorize(actor, "evidence:manage", "evidence:own");
  return tenant.write(async (tx) => {
    const subject = await subjectOf(tx, actor, input);
    await requireRoom(tx, actor.userId, quota);
    const stamps = { requested_by: actor.userId, created_at: tx.now, updated_at: tx.now };
    const row = {
      id: newId<"evidence_pack">(clock),
      type: input.type,
      status: "generating",
      ...subject,
      ...stamps,
    } as const;
    return addRow(tx, context, packEntity, { action: "evidence_pack.requested", row });
  });
}

/** Builds a pack that has failed again. @throws NOT_FOUND, FORBIDDEN; CONFLICT it has not failed; the person's data was erased; too many packs wait; the quota is used up */
export const retryPack = (
  context: InOrganization,
  { packId }: { packId: PackId },
  quota: number,
): Promise<JsonOf<EvidencePack>> =>
  context.tenant.write(async (tx) => {
    const { id, status, failure, requested_by } = await requirePack(tx, packId, context.actor);
    if (failure === "person_erased") throw personErased();
    if (status !== "failed") throw wrongStatus("evidence pack", status, "failed");
    await requireRoom(tx, requested_by, quota);
    const set = { status: "generating", failure: null, content_removed_at: null, updated_at: tx.now } as const;
    return changeRow(tx, context, packEntity, { id, action: "evidence_pack.retried", set });
  });

/** @throws CONFLICT too many packs wait, or the quota is used up */
async function requireRoom(tx: Tx<"tenant">, requestedBy: UserId, quota: number): Promise<void> {
  const waiting = await tx.select({ by: table.requested_by }).from(table).where(eq(table.status, "generating"));
  const own = waiting.filter(({ by }) => by === requestedBy).length;
  if (waiting.length >= most.ofOrganization || own >= most.ofMember)
    throw conflict("limit_reached", `${waiting.length} evidence packs wait to be built. Retry when some are ready.`, {
      max: own >= most.ofMember ? most.ofMember : most.ofOrganization,
    });
  await checkQuota(tx, 1, quota);
}

async function subjectOf(
  tx: Tx<"tenant">,
  actor: MemberActor,
  { type, person_id, as_of }: NewEvidencePack,
): Promise<{ person_id: PersonId | null; as_of: LegalDate | null }> {
  if (type === "pilot_portable") {
    if (person_id === null) throw invalid({ path: "person_id", code: "missing", message: "Name the person." });
    if (as_of !== null)
      throw invalid({ path: "as_of", code: "impossible", message: "A pilot's pack has no such day." });
    await requireHolder(tx, actor, person_id);
    return { person_id, as_of: null };
  }
  if (!permits(actor, "evidence:manage")) throw notFound();
  if (person_id !== null)
    throw invalid({ path: "person_id", code: "impossible", message: "A compliance pack is of the organization." });
  const date = toLegalDate(await today(tx, tx.now));
  if (as_of !== null && isLegalDate(as_of) && as_of > date)
    throw invalid({ path: "as_of", code: "impossible", message: "Must not be in the future." });
  const [school] = await tx.select({ since: meta.created_at }).from(meta);
  const first = toLegalDate(await today(tx, school?.since ?? tx.now));
  if (as_of !== null && as_of < first)
    throw invalid({ path: "as_of", code: "impossible", message: `The school has records from ${first} on.` });
  return { person_id: null, as_of: as_of === null ? date : (as_of as LegalDate) };
}

/** @throws NOT_FOUND no such person, or the actor may not issue packs of them; CONFLICT the person's data was erased */
async function requireHolder(reader: Reader<"tenant">, actor: MemberActor, id: PersonId): Promise<void> {
  const person = await findPersonRow(reader, id);
  const isOwn = person?.user_id === actor.userId;
  if (!person || !(isOwn || permits(actor, "evidence:manage"))) throw notFound();
  if (person.erased_at !== null) throw personErased();
}

const personErased = () => conflict("person_erased", "The person's data was erased.", {});
