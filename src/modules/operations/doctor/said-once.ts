import type { Finding } from "../../../core/finding.ts";

/** By the name of a job: whether another finding says why it fails. */
const saidElsewhere: Readonly<Record<string, (finding: Finding) => boolean>> = {
  certificate: ({ subject, level }) => subject === "certificate" && level !== "fine",
  backup: ({ code }) => code === "backups_missing",
};

/** Leaves out jobs whose failure has a finding of its own, with the same words and the better remedy. */
export const saidOnce = (findings: readonly Finding[]): Finding[] =>
  findings.filter(({ code, params }) => {
    const isSaid = code === "job_failing" && params?.job !== undefined ? saidElsewhere[params.job] : undefined;
    return isSaid === undefined || !findings.some(isSaid);
  });
