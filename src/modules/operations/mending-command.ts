import type { OrgId } from "../../core/ids.ts";
import type { Backup } from "../../storage/backup/places.ts";
import { copiesIn } from "./school-copies.ts";

/**
 * Returns the command that mends a file that can't be used: the restore of its copy in the newest backup, or, without a copy, the
 * check that says whether a file that was put into its place is good.
 */
export function mendingCommand(orgId: OrgId, newest: Backup | null | undefined): string {
  if (!newest || !copiesIn(newest).get(orgId)?.at) return `windsock check --org ${orgId}`;
  const identity = newest.manifest.recipient === null ? "" : " --identity FILE";
  return `windsock restore ${quoted(newest.path)} --org ${orgId} --force${identity}`;
}

/** As a shell takes it. */
const quoted = (path: string): string => (/^[\w./:-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);
