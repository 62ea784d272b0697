/** What `windsock doctor` says about one thing. */
export interface Finding {
  /** What was looked at, in a word or two. */
  subject: string;
  level: "fine" | "warning" | "error";
  message: string;
  /** What to do. Not needed when all is well. */
  remedy?: string | undefined;
  /** Which case it is, and the values of its message: a front end says the same in another language. */
  code?: FindingCode | undefined;
  params?: { [Name in keyof FindingValues]?: FindingValues[Name] | undefined } | undefined;
}

/** The values of `params`, by name. */
export interface FindingValues {
  /** An instant. */
  at: string;
  now: string;
  /** A path of the server's machine. */
  path: string;
  /** Names of files. */
  files: string[];
  free_mib: number;
  limit: number;
  /** How many can be open. */
  schools: number;
  host: string;
  url: string;
  /** The code of the system or of the library. */
  error: string;
  status_code: number;
  organization_id: string;
  organization_name: string;
  fault: string;
  /** What to type. */
  command: string;
  job: string;
  /** Runs in a row. */
  failures: number;
  /** What the last run said. */
  summary: string;
}

/** The cases that need the operator, with the values that each has. */
export const findingCodes = {
  open_files_unknown: [],
  open_files_few: ["limit", "schools"],
  disk_unreadable: ["path"],
  disk_full: ["path", "free_mib"],
  disk_low: ["path", "free_mib"],
  mail_off: [],
  mail_plain: ["host"],
  mail_refused: ["host", "error"],
  address_insecure: ["url", "host"],
  address_local: ["url", "host"],
  address_unknown: ["host", "error"],
  address_other: ["url", "status_code"],
  address_silent: ["url", "error"],
  clock_behind: ["now", "at"],
  control_missing: ["path"],
  files_unowned: ["files"],
  file_unusable: ["organization_id", "organization_name", "fault", "command"],
  backups_off: [],
  backups_missing: ["path", "fault"],
  backups_same_disk: ["path"],
  backups_unreadable: ["path", "error"],
  backups_none: ["path"],
  backups_old: ["at"],
  removal_late: ["organization_name", "at"],
  job_failing: ["job", "failures", "at", "summary"],
} as const satisfies Record<string, readonly (keyof FindingValues)[]>;

export type FindingCode = keyof typeof findingCodes;
export const findingCodeNames = Object.keys(findingCodes) as [FindingCode, ...FindingCode[]];
export type FindingParams<C extends FindingCode> = Pick<FindingValues, (typeof findingCodes)[C][number]>;

/** A case with its values. */
type Case = { [C in FindingCode]: { code: C; params: FindingParams<C> } }[FindingCode];

export const fine = (subject: string, message: string): Finding => ({ subject, level: "fine", message });

export const warning = (subject: string, message: string, remedy: string, one?: Case): Finding => ({
  subject,
  level: "warning",
  message,
  remedy,
  ...one,
});

export const fault = (subject: string, message: string, remedy: string, one?: Case): Finding => ({
  ...warning(subject, message, remedy, one),
  level: "error",
});
