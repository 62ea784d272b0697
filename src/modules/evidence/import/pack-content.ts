/** What an import reads of a pilot's pack of another organization. */
import { z } from "zod";
import { conflict } from "../../../core/errors.ts";
import type { EnrollmentId } from "../../../core/ids.ts";
import { dateField, idOf } from "../../../http/fields.ts";
import { parseJson } from "../../../http/json-body.ts";
import type { Minimum } from "../../compliance/rules/training-minima.ts";
import { summed } from "../../compliance/rules/training-minima.ts";
import type { Imported } from "../../training/enrollments/enrollments.verbs.ts";
import type { VerifiedPack } from "../format/verify-pack.ts";

const count = z.int().min(0).max(100_000);

const Holder = z.looseObject({
  name: z.string().max(300),
  date_of_birth: dateField.nullable(),
  licence_number: z.string().max(300).nullable(),
});
export type Holder = z.infer<typeof Holder>;

const Training = z.looseObject({
  id: idOf<"enrollment">(),
  program: z.looseObject({ kind: z.string().max(50) }),
  trained: z.partialRecord(z.enum(summed), count),
  solo_cross_countries: z.array(z.looseObject({ distance_km: z.number(), full_stops_elsewhere: z.int() })).max(2000),
});
type Training = z.infer<typeof Training>;

/** The parts that are read. */
export const read = ["person.json", "training.json"] as const;

const Content = z.object({ holder: Holder, trainings: z.array(Training).max(200) });
export type PackContent = z.infer<typeof Content>;

/** @throws CONFLICT the parts are missing, or are not as this version writes them */
export function contentOf({ contents }: VerifiedPack): PackContent {
  try {
    const [holder, trainings] = read.map((name) =>
      parseJson(contents.get(name) ?? Buffer.alloc(0), { entries: 10_000 }),
    );
    return Content.parse({ holder, trainings });
  } catch {
    throw conflict("pack_not_valid", "The evidence pack has no training that can be read.");
  }
}

/** @param wanted the enrollment, at the issuer. By default the only one in a program of the kind */
export function trainingIn(
  { trainings }: PackContent,
  { kind, wanted }: { kind: string; wanted: EnrollmentId | undefined },
): Training {
  const found = trainings.filter(({ id, program }) => (wanted === undefined ? program.kind === kind : id === wanted));
  const [training, second] = found;
  if (training !== undefined && second === undefined) return training;
  const known = trainings.map(({ id, program }) => `${id} (${program.kind})`).join(", ");
  throw conflict(
    "training_not_in_pack",
    `${second === undefined ? "There is no such training in the pack" : "There are several trainings of this kind in the pack"}: name one in \`from\`. It has ${known === "" ? "none" : known}.`,
    { trainings: trainings.map(({ id, program }) => ({ enrollment_id: id, kind: program.kind })) },
  );
}

/** Returns what was trained as credits: by measure, and long flights as the program here defines them. */
export function creditsFor(
  { id, trained, solo_cross_countries }: Training,
  minima: readonly Minimum[],
  { manifest, sha256 }: VerifiedPack,
): Imported {
  const reason = `Trained at ${manifest.issuer.name}: evidence pack ${manifest.id} of ${manifest.issued_at.slice(0, 10)}.`;
  const source = {
    issuer_id: manifest.issuer.id,
    enrollment_id: id,
    pack_id: manifest.id,
    issued_at: manifest.issued_at,
    key_thumbprint: manifest.key.thumbprint,
    sha256,
  };
  const long = minima.find(({ measure }) => measure === "long_cross_country");
  const isLong = (flight: Training["solo_cross_countries"][number]) =>
    flight.distance_km >= (long?.distance_km ?? Number.POSITIVE_INFINITY) &&
    flight.full_stops_elsewhere >= (long?.full_stops_elsewhere ?? 0);
  const amounts = { ...trained, long_cross_country: solo_cross_countries.filter(isLong).length };
  const credits = [...summed, "long_cross_country" as const].flatMap((measure) => {
    const amount = amounts[measure] ?? 0;
    return amount === 0 ? [] : { measure, amount, reason, source };
  });
  return { source, credits };
}
