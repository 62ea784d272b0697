/** What a program trains for, and which organizations may. */
import type { Organization } from "../../organizations/organizations.shapes.ts";

/** DTO.GEN.110: what a declared training organisation may train. */
const declared = ["lapl_a", "ppl_a", "sep", "tmg", "night", "aerobatic", "mountain", "towing"] as const;

/** ORA.ATO: needs an approval. */
const approved = ["mep", "ir", "fi", "cpl", "atpl"] as const;

/** `other`: a school's own training, such as a familiarisation, for no licence and no rating. */
export const programKinds = [...declared, ...approved, "other"] as const;
export type ProgramKind = (typeof programKinds)[number];

const permitted: Record<Organization["kind"], readonly ProgramKind[]> = {
  ato: programKinds,
  dto: [...declared, "other"],
  club: ["other"],
};

export const mayTrain = (organization: Organization["kind"], kind: ProgramKind): boolean =>
  permitted[organization].includes(kind);
