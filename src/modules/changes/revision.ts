/** A position in the two logs that a school's changes are read from: its own, and its rows in that of the control database. */
/** Each as `storage/history.ts` writes it. */
export interface Revision {
  tenant: string;
  control: string;
}

/** Opaque for clients. */
export const revisionText = ({ tenant, control }: Revision): string => `${tenant}-${control}`;

export const revisionPattern = /^\d{1,15}\.[0-9a-f]{0,16}-\d{1,15}\.[0-9a-f]{0,16}$/;

/** @returns undefined if it is no revision */
export function parseRevision(text: string): Revision | undefined {
  const [tenant, control] = revisionPattern.test(text) ? text.split("-") : [];
  return tenant !== undefined && control !== undefined ? { tenant, control } : undefined;
}
