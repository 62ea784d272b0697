/** A position in the two logs that a school's changes are read from: its own, and its rows in that of the control database. */
import { Place } from "../../storage/history.ts";

/** Each as `storage/history.ts` writes it. */
export interface Revision {
  tenant: string;
  control: string;
}

/** Opaque for clients. */
export const revisionText = ({ tenant, control }: Revision): string => `${tenant}-${control}`;

/** @returns undefined if it is no revision */
export function parseRevision(text: string): Revision | undefined {
  const [tenant, control, ...rest] = text.split("-");
  if (rest.length > 0 || !isPlace(tenant) || !isPlace(control)) return undefined;
  return { tenant, control };
}

const isPlace = (text: string | undefined): text is string => Place.safeParse(text).success;
