/** What an operator does with backups, on any runtime: encrypted, by command and by schedule, and each is tried. */
import { expect } from "bun:test";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { signIn } from "./over-http.ts";
import { run, startServer, stop, urlOf } from "./processes.ts";
import type { Runtime } from "./runtimes.ts";
import type { Played } from "./story.ts";

/** Backs up what the story has left, and restores it into a directory of its own, where the server goes on. */
export async function playTheBackups(runtime: Runtime, { directory, org, env }: Played): Promise<void> {
  const [place, restored, identity] = [`${directory}.backups`, `${directory}.restored`, `${directory}.identity`];
  const key = await generateX25519Identity();
  await writeFile(identity, `${key}\n`, { mode: 0o600 });
  const encrypted = { WINDSOCK_BACKUP_DIR: place, WINDSOCK_BACKUP_RECIPIENT: await identityToRecipient(key) };
  const windsock = async (args: readonly string[], data: string) => {
    const { code, stdout, stderr } = await run(args, {
      runtime,
      env: { ...env, ...encrypted, WINDSOCK_DATA_DIR: data },
    });
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  };

  expect(await windsock(["backup"], directory)).toContain("Backed up 2 databases to ");
  const [name = ""] = await readdir(place);
  const backup = join(place, name);
  const files = ["control.db.age", "manifest.json", "secret.key.age", `${org}.db.age`];
  expect((await readdir(backup)).sort()).toEqual(files.sort());
  for (const file of files) expect((await readFile(join(backup, file))).includes("Sam Student")).toBe(false);

  await mkdir(restored, { mode: 0o700 });
  const opened = ["--identity", identity];
  expect(await windsock(["restore", backup, ...opened], restored)).toContain("Restored 2 databases to ");
  const scheduled = { ...env, ...encrypted, WINDSOCK_BACKUP_SCHEDULE: "*/2 * * * * *", WINDSOCK_BACKUP_KEEP: "1000" };
  await using server = await startServer({ ...scheduled, WINDSOCK_DATA_DIR: restored }, runtime);
  await server.shows("stdout", /"job":"backup",.*"outcome":"succeeded"/);
  const school = await signIn(await urlOf(server), "olga@example.com", org);
  expect(await school.names()).toContain("Sam Student");

  await school.addPerson("Ines");
  expect(await windsock(["restore", backup, "--org", org, "--force", ...opened], restored)).toContain(
    "brought 1 school up to date",
  );
  const names = await school.names();
  expect([names.includes("Sam Student"), names.includes("Ines")]).toEqual([true, false]);
  expect(await windsock(["backup", "--verify-restore", ...opened], restored)).toContain("and checked 2 databases.");
  expect((await readdir(place)).filter((entry) => !entry.startsWith(".")).length).toBeGreaterThan(1);
  expect((await stop(server)).code).toBe(0);
}
