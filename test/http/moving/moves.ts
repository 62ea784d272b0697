/** Schools that move between installations, by the operator's commands. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { adopt, controlRebuild, orgExport } from "../../../src/modules/operations/move-commands.ts";
import { moved } from "../../../src/modules.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { unexamined } from "../../support/operator.ts";

export const passphrase = "correct horse battery staple";

const folders: string[] = [];

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "windsock-move-"));
  folders.push(folder);
  return folder;
}

/** For `afterAll`. */
export async function removeFolders(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}

/** An installation with a secret of its own: those of other tests have the same one. */
export const newPlace = async () => newInstallation({ directory: await newFolder() });

export const depsOf = (at: Installation) => {
  const { linkUrl, publicUrl } = at.config;
  return { ...unexamined, ...at, linkUrl, publicUrl, moved };
};

/** @returns the file */
export async function exported(at: Installation, org: string): Promise<string> {
  const to = join(await newFolder(), "school.age");
  await orgExport.handle(depsOf(at), { org, to, passphrase });
  return to;
}

export const adopted = (at: Installation, from: string, more: object = {}) =>
  adopt.handle(depsOf(at), { from, passphrase, members: false, by: "olga", ...more });

export const rebuilt = (at: Installation, more: object = {}) =>
  controlRebuild.handle(depsOf(at), { members: false, by: "olga", ...more });

/** So that a difference can be read. */
const inHex = (value: unknown) => (value instanceof ArrayBuffer ? Buffer.from(value).toString("hex") : value);

export type Rows = Record<string, Record<string, unknown>[]>;

/** Returns the rows of all tables of a database, by table. */
export async function rowsOf(path: string): Promise<Rows> {
  const client = createClient({ url: `file:${path}` });
  try {
    const { rows: tables } = await client.execute("select name from sqlite_schema where type = 'table' order by name");
    const found: Rows = {};
    for (const { name } of tables) {
      const { rows } = await client.execute(`select * from "${name}" order by 1, 2`);
      found[String(name)] = rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([key, of]) => [key, inHex(of)])),
      );
    }
    return found;
  } finally {
    client.close();
  }
}
