/** `windsock backup` and `windsock restore` as an operator uses them: commands in processes of their own, beside a server or without. */
import { afterEach, expect, test } from "bun:test";
import { chown, copyFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { verify } from "@octokit/webhooks-methods";
import { newAuthority } from "../events/certificate.ts";
import { closeReceivers } from "../events/receiver.ts";
import { fileIn } from "./files.ts";
import { newInbox } from "./inbox.ts";
import { type SchoolOverHttp, signIn, signUp } from "./over-http.ts";
import { endProcesses, newFolder, run, start, startServer, stop, urlOf } from "./processes.ts";

afterEach(async () => {
  await endProcesses();
  await closeReceivers();
});

const longest = 120_000;

/** A server with one school. */
async function newServer(env: Record<string, string> = {}) {
  const folder = await newFolder();
  const [directory, place] = [join(folder, "data"), join(folder, "backups")];
  const all = { WINDSOCK_DATA_DIR: directory, WINDSOCK_BACKUP_DIR: place, ...env };
  const server = await startServer(all);
  const url = await urlOf(server);
  return { server, url, directory, place, env: all, school: await signUp(url, "olga@example.com") };
}

const backupsIn = async (place: string) => (await readdir(place)).filter((name) => !name.startsWith(".")).sort();

async function backUp(env: Record<string, string>, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(["backup", ...args], { env });
  expect([code, stderr]).toEqual([0, ""]);
  return basename(/to (\S+): /.exec(stdout)?.[1] ?? "");
}

/** Restores into an empty directory, with the secret, which a backup does not have. */
async function restoreElsewhere({ directory, place }: { directory: string; place: string }, backup: string) {
  const restored = join(await newFolder(), "data");
  await mkdir(restored, { mode: 0o700 });
  await copyFile(join(directory, "secret.key"), join(restored, "secret.key"));
  const env = { WINDSOCK_DATA_DIR: restored };
  const { code, stdout, stderr } = await run(["restore", join(place, backup)], { env });
  expect([code, stderr]).toEqual([0, ""]);
  return { env, stdout, directory: restored };
}

async function expectSound(env: Record<string, string>): Promise<void> {
  for (const command of [["check"], ["audit", "verify"]]) {
    const { code, stdout } = await run(command, { env });
    expect([code, stdout.split("\n").filter((line) => line !== "" && !line.endsWith("ok"))]).toEqual([0, []]);
  }
}

/** Adds people, one after the other, until it is told to stop. @returns the names that were acknowledged */
function keepWriting(school: SchoolOverHttp, prefix: string) {
  const names: string[] = [];
  let isOver = false;
  const written = (async () => {
    while (!isOver) {
      const name = `${prefix} ${names.length}`;
      await school.addPerson(name);
      names.push(name);
      await pause(10); // the processor is for the backup
    }
  })();
  return {
    names,
    async stop() {
      isOver = true;
      await written;
    },
  };
}

test(
  "backups beside writes can each be restored, and have every write that was acknowledged before they began",
  async () => {
    const at = await newServer();
    const other = await signUp(at.url, "otto@example.com");
    const writers = [keepWriting(at.school, "Ines"), keepWriting(other, "Ivo")];
    const taken: { name: string; acknowledged: string[][] }[] = [];
    for (let round = 0; round < 2; round += 1) {
      const acknowledged = writers.map(({ names }) => [...names]);
      taken.push({ name: await backUp(at.env), acknowledged });
    }
    for (const writer of writers) await writer.stop();
    expect(await backupsIn(at.place)).toEqual(taken.map(({ name }) => name));
    await stop(at.server);

    for (const { name, acknowledged } of taken) {
      const { env } = await restoreElsewhere(at, name);
      await expectSound(env);
      const server = await startServer(env);
      const url = await urlOf(server);
      const schools = [
        await signIn(url, "olga@example.com", at.school.orgId),
        await signIn(url, "otto@example.com", other.orgId),
      ];
      for (const [index, school] of schools.entries())
        expect(await school.names()).toEqual(expect.arrayContaining(acknowledged[index] ?? []));
      await stop(server);
    }
  },
  longest,
);

test(
  "a restored server serves the same data, signs in, and opens the secrets of webhooks",
  async () => {
    const authority = newAuthority();
    const inbox = await newInbox(authority.issue("127.0.0.1"));
    const ca = join(await newFolder(), "ca.pem");
    await writeFile(ca, authority.ca);
    const hooks = { WINDSOCK_WEBHOOK_ALLOW: "127.0.0.1/32", WINDSOCK_WEBHOOK_CA: ca };
    const at = await newServer(hooks);
    await at.school.addPerson("Ines");
    const endpoint = { url: inbox.url, event_types: ["flight.approved"] };
    const { body: made } = await at.school.ask("POST", "/integrations/webhook-endpoints", endpoint);
    const name = await backUp(at.env);
    await stop(at.server);

    const { env, stdout } = await restoreElsewhere(at, name);
    expect(stdout).toContain("Restored 2 databases to ");
    await expectSound(env);
    const url = await urlOf(await startServer({ ...env, ...hooks }));
    const school = await signIn(url, "olga@example.com", at.school.orgId);
    expect(await school.names()).toContain("Ines");
    await school.ask("POST", `/integrations/webhook-endpoints/${made.data.id}/ping`, {});
    const { body, headers } = await inbox.take("webhook.test");
    expect(await verify(made.data.secret, body, String(headers["x-svc-webhook-signature"]))).toBe(true);
  },
  longest,
);

test(
  "an idle school is copied once, and shared between backups until it changes",
  async () => {
    const at = await newServer();
    const idle = await signUp(at.url, "otto@example.com");
    await stop(at.server);
    // Its last change is long ago.
    const file = join(at.directory, `${idle.orgId}.db`);
    await utimes(file, 1_700_000_000, 1_700_000_000);
    const [first, second] = [await backUp(at.env), await backUp(at.env)];
    const fileOf = async (backup: string, id: string) => (await stat(join(at.place, backup, `${id}.db`))).ino;
    expect(await fileOf(second, idle.orgId)).toBe(await fileOf(first, idle.orgId));
    const full = await backUp(at.env, "--full");
    expect(await fileOf(full, idle.orgId)).not.toBe(await fileOf(first, idle.orgId));

    const url = await urlOf(await startServer(at.env));
    const school = await signIn(url, "otto@example.com", idle.orgId);
    await school.addPerson("Ivo");
    const later = await backUp(at.env);
    expect(await fileOf(later, idle.orgId)).not.toBe(await fileOf(full, idle.orgId));
  },
  longest,
);

test(
  "a restore refuses a damaged backup, an installation that is there, and another one's secret",
  async () => {
    const at = await newServer();
    const name = await backUp(at.env);
    const path = join(at.place, name);
    const restore = (env: Record<string, string>, ...args: string[]) => run(["restore", path, ...args], { env });

    const running = await restore(at.env, "--force");
    expect([running.code, running.stderr]).toEqual([1, expect.stringContaining("Stop it, or restore one school")]);
    await at.school.addPerson("Ines");
    await stop(at.server);
    const present = await restore(at.env);
    expect([present.code, present.stderr]).toEqual([1, expect.stringContaining("Add --force to replace it")]);
    const foreign = await restore({ ...at.env, WINDSOCK_SECRET_KEY: "s".repeat(32) }, "--force");
    expect([foreign.code, foreign.stderr]).toEqual([1, expect.stringContaining("sealed with another secret")]);

    const before = await readFile(join(at.directory, "control.db"));
    const copy = join(path, `${at.school.orgId}.db`);
    const whole = await readFile(copy);
    for (const damaged of [whole.subarray(0, -1), Buffer.concat([whole.subarray(0, -1), Buffer.of(7)]), undefined]) {
      if (damaged === undefined) await rm(copy);
      else await writeFile(copy, damaged);
      const refused = await restore(at.env, "--force");
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`Nothing was changed.\n  ${copy}: `)]);
    }
    expect((await readFile(join(at.directory, "control.db"))).equals(before)).toBe(true);
    expect((await readdir(at.directory)).filter((file) => file.endsWith(".tmp"))).toEqual([]);

    await writeFile(copy, whole);
    const forced = await restore(at.env, "--force");
    expect([forced.code, forced.stderr]).toEqual([0, ""]);
    const [, kept = ""] = /The files from before are in (\S+)\. /.exec(forced.stdout) ?? [];
    expect((await readdir(kept)).filter((file) => file.endsWith(".db")).sort()).toEqual(
      ["control.db", `${at.school.orgId}.db`].sort(),
    );
    await expectSound(at.env);
    const url = await urlOf(await startServer(at.env));
    expect(await (await signIn(url, "olga@example.com", at.school.orgId)).names()).not.toContain("Ines");
  },
  longest,
);

test(
  "one school is restored beside a running server: the others go on, and its audit log is accepted with the reason",
  async () => {
    const at = await newServer();
    const other = await signUp(at.url, "otto@example.com");
    await at.school.addPerson("Before");
    const name = await backUp(at.env);
    await at.school.addPerson("After");
    await other.addPerson("Ivo");
    const args = ["restore", join(at.place, name), "--org", at.school.orgId, "--reason", "A wrong import."];
    const refused = await run(args, { env: at.env });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("Add --force")]);

    const writer = keepWriting(other, "Meanwhile");
    const { code, stdout, stderr } = await run([...args, "--force"], { env: at.env });
    await writer.stop();
    expect([code, stderr, stdout]).toEqual([0, "", expect.stringContaining("brought 1 school up to date")]);
    expect(await at.school.names()).toEqual(expect.arrayContaining(["Before"]));
    expect(await at.school.names()).not.toContain("After");
    expect(await other.names()).toEqual(expect.arrayContaining(["Ivo", ...writer.names]));
    await at.school.addPerson("Again");
    await expectSound(at.env);
    const { code: stopped } = await stop(at.server);
    expect(stopped).toBe(0);
    const { school } = {
      school: await signIn(await urlOf(await startServer(at.env)), "olga@example.com", at.school.orgId),
    };
    expect(await school.names()).toEqual(expect.arrayContaining(["Before", "Again"]));
    await expectSound(at.env);
  },
  longest,
);

test(
  "the trial of a restore checks the newest backup and finds what is damaged, and the metrics say so",
  async () => {
    const at = await newServer({ WINDSOCK_METRICS: "1" });
    const metric = async (series: string) => {
      const lines = (await (await fetch(`${at.url}/metrics`)).text()).split("\n");
      return lines.find((line) => line.startsWith(`${series} `))?.slice(series.length + 1);
    };
    const newest = () => metric("windsock_backup_newest_timestamp_seconds");
    const hasFailed = (job: string) => metric(`windsock_job_failed{job="${job}"}`);
    expect([await newest(), await hasFailed("backup")]).toEqual(["0", undefined]);
    const name = await backUp(at.env);
    const drill = () => run(["backup", "--verify-restore"], { env: at.env });
    const passed = await drill();
    expect([passed.code, passed.stdout]).toEqual([0, expect.stringContaining("and checked 2 databases.")]);
    expect(Number(await newest())).toBeGreaterThan(1_700_000_000);
    expect([await hasFailed("backup"), await hasFailed("backup-drill")]).toEqual(["0", "0"]);
    const copy = join(at.place, name, `${at.school.orgId}.db`);
    await writeFile(copy, (await readFile(copy)).fill(7, 5000, 5001));
    const failed = await drill();
    expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining("Found 1 fault: see the log.")]);
    await at.server.shows("stdout", /its SHA-256 is not that of the manifest/);
    expect([await hasFailed("backup"), await hasFailed("backup-drill")]).toEqual(["0", "1"]);
    expect(await readdir(at.place)).toEqual([name]);
  },
  longest,
);

test(
  "the operator's program gets the finished backup, without a shell and without secrets; if it fails, the job does",
  async () => {
    const folder = await newFolder();
    const [script, taken] = [join(folder, "off-site"), join(folder, "taken")];
    await writeFile(
      script,
      `#!/bin/sh\n[ "$1" = fail ] && { echo "no space there"; exit 3; }\ncp -r "$3" ${taken}\nenv > ${folder}/env\necho "$1 $2" > ${folder}/args\n`,
      { mode: 0o700 },
    );
    const env = { WINDSOCK_SECRET_KEY: "s".repeat(40), WINDSOCK_BACKUP_COMMAND: `${script} $(id) ;` };
    const at = await newServer(env);
    const name = await backUp(at.env);
    expect(await readdir(taken)).toEqual(await readdir(join(at.place, name)));
    expect(await readFile(join(folder, "args"), "utf8")).toBe("$(id) ;\n");
    expect(await readFile(join(folder, "env"), "utf8")).not.toContain("WINDSOCK_");
    await stop(at.server);
    const failing = { ...at.env, WINDSOCK_BACKUP_COMMAND: `${script} fail` };
    const failed = await run(["backup"], { env: failing });
    expect([failed.code, failed.stdout]).toEqual([
      1,
      expect.stringContaining("WINDSOCK_BACKUP_COMMAND failed: see the log."),
    ]);
    expect(await backupsIn(at.place)).toHaveLength(2);
  },
  longest,
);

test(
  "a process that is killed amid a backup or a restore leaves what was there, and the next one works",
  async () => {
    const at = await newServer();
    await at.school.addPerson("Ines");
    const name = await backUp(at.env);
    await stop(at.server);

    const begun = fileIn(at.place, /^\.partial-/);
    await using backing = await start(["backup", "--full"], { env: at.env });
    await begun;
    backing.signal("SIGKILL");
    await backing.ended;
    expect(await backupsIn(at.place)).toEqual([name]);
    await backUp(at.env);
    expect((await readdir(at.place)).filter((entry) => entry.startsWith("."))).toEqual([]);

    const staged = fileIn(at.directory, /\.db\.tmp$/);
    await using restoring = await start(["restore", join(at.place, name), "--force"], { env: at.env });
    await staged;
    restoring.signal("SIGKILL");
    await restoring.ended;
    await expectSound(at.env);
    const again = await run(["restore", join(at.place, name), "--force"], { env: at.env });
    expect([again.code, again.stderr]).toEqual([0, ""]);
    const url = await urlOf(await startServer(at.env));
    expect(await (await signIn(url, "olga@example.com", at.school.orgId)).names()).toContain("Ines");
  },
  longest,
);

test.skipIf(process.getuid?.() !== 0)(
  "root does not restore into a directory of another user, who could not use the files",
  async () => {
    const data = await newFolder();
    await chown(data, 12345, 12345);
    const { code, stderr } = await run(["restore", data], { env: { WINDSOCK_DATA_DIR: data } });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${data} belongs to the user 12345.`)]);
    expect(await readdir(data)).toEqual([]);
  },
  longest,
);
