/** Commands of an operator whose shell is not as the server's: other variables, and other files under the same names. */
import { afterEach, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import type { Finding } from "../../src/core/finding.ts";
import { signUp } from "./over-http.ts";
import { endProcesses, newFolder, oneFile, run, startServer, stop, urlOf } from "./processes.ts";

afterEach(endProcesses);

const longest = 120_000;

/** A server whose backups are encrypted. The environment of the shell has only its directory. */
async function newServer() {
  const folder = await newFolder();
  const [directory, place, identity] = ["data", "backups", "identity.txt"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const key = await generateX25519Identity();
  await writeFile(identity, `${key}\n`);
  const recipient = await identityToRecipient(key);
  const env = { WINDSOCK_DATA_DIR: directory };
  const all = { ...env, WINDSOCK_BACKUP_DIR: place, WINDSOCK_BACKUP_RECIPIENT: recipient };
  const server = await startServer(all);
  const { orgId } = await signUp(await urlOf(server), "olga@example.com");
  return { server, folder, place, identity, recipient, env, all, orgId };
}

/** All names below a directory of backups, but the manifests. */
const filesIn = async (place: string) =>
  (await readdir(place, { recursive: true })).filter((name) => /\.(db|age|key)$/.test(name));

test(
  "a backup is made as the server is configured, whatever the shell has, and no plain one gets among encrypted ones",
  async () => {
    const at = await newServer();
    const made = await run(["backup"], { env: at.env });
    expect([made.code, made.stderr, made.stdout]).toEqual([0, "", expect.stringContaining("Backed up 2 databases")]);
    expect(made.stdout).not.toContain("secret.key is not in");
    const encrypted = await filesIn(at.place);
    expect(encrypted.filter((name) => !name.endsWith(".age"))).toEqual([]);
    expect(encrypted).toHaveLength(3);

    await stop(at.server);
    const refused = await run(["backup", "--to", at.place], { env: at.env });
    expect([refused.code, refused.stdout]).toEqual([
      1,
      expect.stringContaining(`Set WINDSOCK_BACKUP_RECIPIENT=${at.recipient}`),
    ]);
    expect((await filesIn(at.place)).sort()).toEqual(encrypted.sort());
    expect(await run(["backup"], { env: at.env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Backups are not configured. Set WINDSOCK_BACKUP_DIR"),
    });
    for (const name of ["backup", "backup-drill"])
      expect(await run(["jobs", "run", name], { env: at.env })).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringContaining("Backups are not configured. Set WINDSOCK_BACKUP_DIR"),
      });
    const elsewhere = await run(["backup", "--to", join(at.folder, "plain")], { env: at.env });
    expect([elsewhere.code, elsewhere.stdout]).toEqual([0, expect.stringContaining("secret.key is not in")]);
  },
  longest,
);

test(
  "a wrong identity is said to be wrong, by the trial of a restore and by the restore, and no job has failed by it",
  async () => {
    const at = await newServer();
    expect(await run(["backup"], { env: at.env })).toMatchObject({ code: 0 });
    const [name = ""] = await readdir(at.place);
    const [wrong, empty, missing] = ["wrong.txt", "empty.txt", "missing.txt"].map((one) => join(at.folder, one)) as [
      string,
      string,
      string,
    ];
    await writeFile(wrong, `${await generateX25519Identity()}\n`);
    await writeFile(empty, "\n");
    const drill = (identity: string) => run(["backup", "--verify-restore", "--identity", identity], { env: at.env });
    for (const [identity, why] of [
      [wrong, `does not open the backup: it is encrypted to ${at.recipient}`],
      [empty, "has no identity of age"],
      [missing, `There is no ${missing}.`],
    ] as const) {
      const { code, stdout, stderr } = await drill(identity);
      expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining(why)]);
    }
    const { stdout } = await run(["doctor", "--json"], { env: at.env });
    const { findings }: { findings: Finding[] } = JSON.parse(stdout);
    expect(findings.filter(({ subject }) => subject === "jobs")).toMatchObject([{ level: "fine" }]);
    expect(await drill(at.identity)).toMatchObject({ code: 0, stdout: expect.stringContaining("checked 2 databases") });

    await stop(at.server);
    const restored = { WINDSOCK_DATA_DIR: join(at.folder, "restored") };
    const refused = await run(["restore", join(at.place, name), "--identity", wrong], { env: restored });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("does not open the backup")]);
    expect(await run(["restore", join(at.place, name), "--identity", at.identity], { env: restored })).toMatchObject({
      code: 0,
      stderr: "",
    });
    const kept = (await readdir(restored.WINDSOCK_DATA_DIR)).filter((one) => one.startsWith("before-restore"));
    expect(kept).toEqual([]); // nothing was there before
  },
  longest,
);

test(
  "a school in an encrypted backup is adopted with the identity",
  async () => {
    const at = await newServer();
    expect(await run(["backup"], { env: at.env })).toMatchObject({ code: 0 });
    const [name = ""] = await readdir(at.place);
    const copy = join(at.place, name, `${at.orgId}.db.age`);
    const other = await startServer();
    await urlOf(other);
    const env = { WINDSOCK_DATA_DIR: other.directory };
    const wrong = join(at.folder, "wrong.txt");
    await writeFile(wrong, `${await generateX25519Identity()}\n`);
    const refused = await run(["adopt", copy, "--owner", "olga@example.com", "--identity", wrong], { env });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("it can't be decrypted")]);
    const { code, stdout } = await run(["adopt", copy, "--owner", "olga@example.com", "--identity", at.identity], {
      env,
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining(`is adopted: ${at.orgId}`)]);
  },
  longest,
);

/** Whether this account may give a process files of its own, as systemd does. */
const canUnshare = spawnSync("unshare", ["-m", "true"]).status === 0;

test.skipIf(!canUnshare)(
  "a server with a /tmp of its own is not told to write there: the operator would never see the files",
  async () => {
    const own = await newFolder();
    const { command } = await oneFile();
    const script = `mount -t tmpfs none ${own} && exec "$@"`;
    const server = await startServer({}, { command: ["unshare", "-m", "sh", "-c", script, "sh", ...command] });
    const { orgId } = await signUp(await urlOf(server), "olga@example.com");
    const env = { WINDSOCK_DATA_DIR: server.directory };
    const passphrase = join(own, "passphrase");
    await writeFile(passphrase, "a passphrase of some length\n");
    for (const args of [
      ["org", "export", orgId, join(own, "school.age"), "--passphrase-file", passphrase],
      ["backup", "--to", join(own, "new", "backups")],
      ["backup", "--verify-restore", "--to", own],
    ]) {
      const { code, stdout, stderr } = await run(args, { env });
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(`The running server does not see ${own} as this shell does`);
      expect(stderr).toContain(`Use a place below ${server.directory}.`);
    }
    const beside = await newFolder();
    await writeFile(join(beside, "other"), ""); // not as an empty mount point
    expect(await run(["backup", "--to", join(beside, "new")], { env })).toMatchObject({ code: 0, stderr: "" });
    expect(await filesIn(beside)).toHaveLength(2);
    await rm(passphrase);
  },
  longest,
);
