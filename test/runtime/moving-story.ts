/** A school that one runtime exports and another one adopts. */
import { expect } from "bun:test";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./processes.ts";
import type { Runtime } from "./runtimes.ts";

interface Place {
  runtime: Runtime;
  /** Its data, which no server uses. */
  directory: string;
}

const schoolsIn = async (directory: string) =>
  (await readdir(directory)).filter((name) => /^[0-9a-f-]{36}\.db$/.test(name)).map((name) => name.slice(0, -3));

/** @param owner who has an account at the other place, and becomes an owner of the school there */
export async function playTheMove(from: Place, to: Place, { folder, owner }: { folder: string; owner: string }) {
  const known = await schoolsIn(to.directory);
  const [school = ""] = (await schoolsIn(from.directory)).filter((id) => !known.includes(id));
  const [file, secret] = [join(folder, `${school}.age`), join(folder, "passphrase")];
  await writeFile(secret, "correct horse battery staple\n");
  const at = ({ runtime, directory }: Place) => ({ runtime, env: { WINDSOCK_DATA_DIR: directory } });
  const exported = await run(["org", "export", school, file, "--passphrase-file", secret], at(from));
  expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining(`${file}: `) });
  // It decrypts the file, checks the database and its audit log, migrates it and places it.
  const adopted = await run(["adopt", file, "--passphrase-file", secret, "--owner", owner], at(to));
  expect(adopted).toMatchObject({ code: 0, stdout: expect.stringContaining(`is adopted: ${school}`) });
  expect((await schoolsIn(to.directory)).sort()).toEqual([...known, school].sort());
}
