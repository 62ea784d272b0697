import { authorize } from "../../../core/actor.ts";
import { conflict, notFound } from "../../../core/errors.ts";
import type { EnrollmentId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { FileBody } from "../../../http/file-body.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import { enrollmentEntity, requireEnrollment } from "../../training/enrollments/enrollments.queries.ts";
import type { Enrollment } from "../../training/enrollments/enrollments.shapes.ts";
import { importCredits } from "../../training/enrollments/enrollments.verbs.ts";
import { requireRevision } from "../../training/revisions/revisions.queries.ts";
import { hasThumbprint } from "../format/trusted-key.ts";
import { PackFault, type VerifiedPack, verifyPack } from "../format/verify-pack.ts";
import { contentOf, creditsFor, type Holder, read, trainingIn } from "./pack-content.ts";

interface Input {
  enrollmentId: EnrollmentId;
  file: Pick<FileBody, "pieces" | "arrived">;
  /** The thumbprint of the issuer's key, which the caller has from the issuer. */
  key: string;
  /** The enrollment in the pack. */
  from: EnrollmentId | undefined;
}

/**
 * Credits what a student was trained at another school, from a pack that is verified as it arrives.
 *
 * @returns the enrollment, or the response of the request that this one repeats
 * @throws NOT_FOUND, FORBIDDEN
 * @throws CONFLICT the pack is not valid, of another person, or without such a training; the enrollment has ended
 */
export async function importPackCredits(
  context: InOrganization,
  { enrollmentId, file, key, from }: Input,
): Promise<JsonOf<Enrollment> | Response> {
  authorize(context.actor, "training:manage");
  await context.tenant.read((reader) => requireEnrollment(reader, enrollmentId, context.actor));
  const pack = await verified(file.pieces(), key);
  const { context: now, repeated } = await file.arrived(pack.sha256);
  if (repeated) return repeated;
  const { issuer } = pack.manifest;
  if (issuer.id === now.actor.orgId)
    throw conflict("pack_not_valid", "The evidence pack is of this organization itself.");
  const content = contentOf(pack);
  const imported = await now.tenant.read(async (reader) => {
    const { student_id, revision_id } = await requireEnrollment(reader, enrollmentId, now.actor);
    const { program } = (await enrollmentEntity.read(reader, enrollmentId)).value;
    const student = await findPersonRow(reader, student_id);
    if (student === undefined) throw notFound();
    requireSame(content.holder, student);
    const { minima } = await requireRevision(reader, revision_id);
    return creditsFor(trainingIn(content, { kind: program.kind, wanted: from }), minima, pack);
  });
  return importCredits(now, { enrollmentId, imported });
}

/** @throws CONFLICT */
async function verified(pieces: AsyncIterable<Uint8Array>, key: string): Promise<VerifiedPack> {
  try {
    return await verifyPack(pieces, { trusts: hasThumbprint(key), keep: read });
  } catch (error) {
    if (error instanceof PackFault)
      throw conflict("pack_not_valid", `The evidence pack is not valid. ${error.message}`);
    throw error;
  }
}

/** People may change their name, so the date of birth decides if both are known. @throws CONFLICT */
function requireSame(holder: Holder, student: Holder): void {
  const isSame =
    holder.date_of_birth !== null && student.date_of_birth !== null
      ? holder.date_of_birth === student.date_of_birth
      : holder.name.toLowerCase() === student.name.toLowerCase();
  if (!isSame)
    throw conflict("other_subject", `The evidence pack is of ${holder.name}: the date of birth or the name differs.`);
}
