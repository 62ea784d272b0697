/** The name of the job that builds packs, which is also the actor in the audit log. */
export const buildJobName = "evidence-packs";
