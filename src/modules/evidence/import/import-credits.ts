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
import { requireOther } from "../../training/own-training.queries.ts";
import { requireRevision } from "../../training/revisions/revisions.queries.ts";
import { hasThumbprint } from "../format/trusted-key.ts";
import { PackFault, type VerifiedPack, verifyPack } from "../format/verify-pack.ts";
import { hasSigningKey } from "../keys/keys.queries.ts";
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
 * @throws NOT_FOUND; FORBIDDEN also for the student's own training
 * @throws CONFLICT the pack is not valid, of another person, or without such a training; as of `importCredits`
 */
export async function importPackCredits(
  context: InOrganization,
  { enrollmentId, file, key: thumbprint, from }: Input,
): Promise<JsonOf<Enrollment> | Response> {
  authorize(context.actor, "training:manage");
  await context.tenant.read((reader) => requireEnrollment(reader, enrollmentId, context.actor));
  const pack = await verified(file.pieces(), thumbprint);
  const { context: now, repeated } = await file.arrived(pack.sha256);
  if (repeated) return repeated;
  const { issuer, key } = pack.manifest;
  const content = contentOf(pack);
  return importCredits(now, {
    enrollmentId,
    async read(tx, { student_id, revision_id }) {
      await requireOther(tx, now.actor, student_id);
      if (issuer.id === now.actor.orgId || (await hasSigningKey(tx, key.x)))
        throw conflict("pack_not_valid", "The evidence pack is of this organization itself.");
      const { program } = (await enrollmentEntity.read(tx, enrollmentId)).value;
      const student = await findPersonRow(tx, student_id);
      if (student === undefined) throw notFound();
      requireSame(content.holder, student);
      const { minima } = await requireRevision(tx, revision_id);
      return creditsFor(trainingIn(content, { kind: program.kind, wanted: from }), minima, pack);
    },
  });
}

/** @throws CONFLICT */
async function verified(pieces: AsyncIterable<Uint8Array>, thumbprint: string): Promise<VerifiedPack> {
  try {
    return await verifyPack(pieces, { trusts: hasThumbprint(thumbprint), keep: read });
  } catch (error) {
    if (error instanceof PackFault)
      throw conflict("pack_not_valid", `The evidence pack is not valid. ${error.message}`);
    throw error;
  }
}

/** `É` is `e`, and spaces and punctuation do not count. */
const { compare } = new Intl.Collator("en", { sensitivity: "base", ignorePunctuation: true });

/**
 * What both schools know must agree. People may change their name: then the date of birth and the licence number, both, tell
 * who they are.
 *
 * @throws CONFLICT what differs
 */
function requireSame(holder: Holder, student: Holder): void {
  const agrees = (field: "name" | "date_of_birth" | "licence_number"): boolean | undefined => {
    const [there, here] = [holder[field], student[field]];
    return there === null || here === null ? undefined : compare(there, here) === 0;
  };
  const [born, licence] = [agrees("date_of_birth"), agrees("licence_number")];
  const fields = [
    ...(born === false ? ["date_of_birth"] : []),
    ...(licence === false ? ["licence_number"] : []),
    ...(agrees("name") || (born && licence) ? [] : ["name"]),
  ];
  if (fields.length > 0)
    throw conflict("other_subject", `The evidence pack is of ${holder.name}. Different here: ${fields.join(", ")}.`, {
      fields,
    });
}
