/**
 * A command names files, and a running server reads or writes them. A service may see other files under the same names: its own
 * `/tmp`, and no home directories. So the command line asks first.
 */
import { dirname } from "node:path";
import { z } from "zod";
import { fileIdentity } from "../../storage/file-identity.ts";
import { define } from "./command.ts";

const Seen = z.strictObject({ path: z.string(), identity: z.string() });

/** Returns a file as this process sees it: itself, or the nearest folder that is there. */
export function seenHere(path: string): z.infer<typeof Seen> {
  const identity = fileIdentity(path);
  if (identity !== undefined) return { path, identity };
  const parent = dirname(path);
  return parent === path ? { path, identity: "" } : seenHere(parent);
}

/** Asked by the command line before a command with files. @returns those that the server sees others in the place of, or none */
export const seeFiles = define({
  name: "see-files",
  args: z.strictObject({ files: z.array(Seen).max(10) }),
  result: z.strictObject({ unseen: z.array(z.string()) }),
  run: async (_, _deps, { files }) => ({
    unseen: files.filter(({ path, identity }) => fileIdentity(path) !== identity).map(({ path }) => path),
  }),
});
