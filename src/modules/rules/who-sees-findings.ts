import { type MemberActor, permits } from "../../core/actor.ts";

/** Findings may be health data: of other people, members see them who may see records and medicals. */
export const seesAllFindings = (actor: MemberActor): boolean =>
  permits(actor, "compliance:read") && permits(actor, "medicals:read");
