/** What a program trains for, and which organizations may. */

import type { organizationKinds } from "../../../identity/identity.tables.ts";
import { aeroplaneClasses } from "../../compliance/rules/rules.ts";

/** DTO.GEN.110: what a declared training organisation may train. */
const declared = ["lapl_a", "ppl_a", "sep", "tmg", "night", "aerobatic", "mountain", "towing"] as const;

/** ORA.ATO: needs an approval. */
const approved = ["mep", "ir", "fi", "cri", "fe", "cpl", "atpl"] as const;

/**
 * `other`: a school's own training, such as a familiarisation, for no licence and no rating. Not for a DTO: it trains what is on
 * its list, and nobody could tell what another program is for.
 */
export const programKinds = [...declared, ...approved, "other"] as const;
export type ProgramKind = (typeof programKinds)[number];

/** Where the law says in which aircraft the training is: FCL.110.A, FCL.210.A. */
export const classesOf: Partial<Record<ProgramKind, readonly (typeof aeroplaneClasses)[number][]>> = {
  lapl_a: aeroplaneClasses,
  ppl_a: aeroplaneClasses,
};

export type OrganizationKind = (typeof organizationKinds)[number];

const permitted: Record<OrganizationKind, readonly ProgramKind[]> = {
  ato: programKinds,
  dto: declared,
  club: ["other"],
};

export const mayTrain = (organization: OrganizationKind, kind: ProgramKind): boolean =>
  permitted[organization].includes(kind);
