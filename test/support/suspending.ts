/** The operator's commands for organizations, as a server runs them. */
import type { Command } from "../../src/modules/operations/command.ts";
import { orgDelete, orgRename, orgResume, orgSuspend } from "../../src/modules/operations/org-commands.ts";
import type { Installation } from "./installation.ts";
import { unexamined } from "./operator.ts";
import type { School } from "./school.ts";

type At = Pick<School<Installation>, "installation" | "orgId">;

export const order = <Args, Result>(at: Installation, command: Command<Args, Result>, args: unknown): Promise<Result> =>
  command.handle({ ...unexamined, ...at, publicUrl: at.config.publicUrl, backupPlace: at.config.backup.place }, args);

export const suspend = ({ installation, orgId }: At, reason = "Invoice 7 is not paid.") =>
  order(installation, orgSuspend, { id: orgId, reason });

export const resume = ({ installation, orgId }: At) => order(installation, orgResume, { id: orgId });

export const rename = ({ installation, orgId }: At, name: string) =>
  order(installation, orgRename, { id: orgId, name });

/** Plans the removal of a school. */
export const remove = ({ installation, orgId }: At, options: object) =>
  order(installation, orgDelete, { id: orgId, grace: "30d", "without-backup": false, ...options });
