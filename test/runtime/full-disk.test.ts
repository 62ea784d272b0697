/** A disk without space, as a small file system: what the start, requests, probes and the log say, and what heals. */

import { afterEach, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { afterThisTest } from "../support/after-test.ts";
import { times } from "../support/school.ts";
import { signUp } from "./over-http.ts";
import { endProcesses, newFolder, run, startServer, stop, urlOf } from "./processes.ts";
import { denoFromSource, isLinuxX64, type Runtime } from "./runtimes.ts";

afterEach(endProcesses);

/** Mounts a file system of so many MiB, not in /dev, of which Deno rejects files; undefined where that is not permitted. */
function smallDisk(size = 8): string | undefined {
  const folder = mkdtempSync("/tmp/windsock-disk-");
  try {
    execFileSync("sh", ["-c", `mount -t tmpfs -o size=${size}m tmpfs ${folder}`], { stdio: "ignore" });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
}

const canMount = (() => {
  const folder = smallDisk();
  if (folder !== undefined) unmount(folder);
  return folder !== undefined;
})();

function unmount(folder: string): void {
  execFileSync("sh", ["-c", `umount --lazy ${folder}`]);
  rmSync(folder, { recursive: true, force: true });
}

function newDisk(size?: number) {
  const folder = smallDisk(size) ?? "";
  afterThisTest(async () => unmount(folder));
  const filler = join(folder, "filler");
  const directory = join(folder, "data");
  mkdirSync(directory);
  return {
    directory,
    fill() {
      try {
        for (;;) writeFileSync(filler, Buffer.alloc(4096), { flag: "a" });
      } catch {
        // It is full.
      }
    },
    free: () => rmSync(filler),
  };
}

const account = (email: string) => ({
  ...{ email, password: "correct horse battery", name: "Olga" },
  organization: { name: "Windy Hill", kind: "ato", time_zone: "Europe/Berlin" },
});

const runtimes: [string, Runtime | undefined][] = [
  ["Bun", undefined],
  ...(isLinuxX64 ? [["Deno", denoFromSource] satisfies [string, Runtime]] : []),
];

test.if(canMount).each(runtimes)(
  "on %s, a full disk is named, stops writes only, and heals",
  async (_, runtime) => {
    const { directory, fill, free } = newDisk();
    const env = { WINDSOCK_DATA_DIR: directory, WINDSOCK_METRICS: "1", WINDSOCK_DISK_WARNING_MIB: "4" };
    fill();
    const refused = await startServer(env, runtime);
    expect(await refused.ended).toBe(1);
    expect(refused.stderr()).toContain(`The disk of the data directory ${directory} is full. Free some space`);
    free();

    const server = await startServer(env, runtime);
    const url = await urlOf(server);
    let token = "";
    const ask = async (method: string, path: string, body?: object) => {
      const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
      const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      const text = await answer.text();
      return { status: answer.status, text, reason: /"reason":"(\w+)"/.exec(text)?.[1] };
    };
    const school = JSON.parse((await ask("POST", "/auth/signup-org", account("olga@example.com"))).text).data;
    token = school.tokens.access_token;
    const people = `/orgs/${school.organization.id}/people`;
    const addPerson = () => ask("POST", people, { name: "x".repeat(80), types: ["student"] });
    const freeBytes = async () =>
      Number(/^windsock_disk_free_bytes (\d+)$/m.exec((await ask("GET", "/metrics")).text)?.[1]);
    expect((await addPerson()).status).toBe(201);
    expect((await ask("GET", "/health/ready")).text).toBe("ready");
    expect(await freeBytes()).toBeGreaterThan(1024 * 1024);

    fill();
    await server.shows("stdout", /The disk of the data directory is full/);
    let refusal = await addPerson();
    while (refusal.status === 201) refusal = await addPerson(); // while the file has free pages
    expect(refusal).toMatchObject({ status: 503, reason: "disk_full" });
    const others = [
      await ask("POST", "/auth/signup-org", account("other@example.com")),
      await ask("GET", "/health/ready"),
    ];
    expect(others.map(({ status, reason }) => [status, reason])).toEqual(times(2, () => [503, "disk_full"]));
    expect([(await ask("GET", people)).status, (await ask("GET", "/health")).status]).toEqual([200, 200]);
    expect(await freeBytes()).toBeLessThan(1024 * 1024);
    expect(server.stdout()).not.toContain("others are not affected");

    free();
    expect((await addPerson()).status).toBe(201);
    expect((await ask("POST", "/auth/signup-org", account("third@example.com"))).status).toBe(201);
    await server.shows("stdout", /has enough space again/);
    expect((await ask("GET", "/health/ready")).text).toBe("ready");

    fill();
    const stopped = await stop(server);
    expect(stopped.code).toBe(0);
    free();
    const url2 = await urlOf(await startServer(env, runtime));
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const read = await fetch(`${url2}${people}?limit=1`, { headers });
    expect(read.status).toBe(200);
  },
  300_000,
);

const tooLittle = (directory: string, outcome: string) =>
  new RegExp(
    `The disk of ${directory} has too little space: \\d+ MiB are needed, and 0 MiB are free\\. ${outcome} Free some space there`,
  );

test.if(canMount)(
  "a backup to a full disk fails and leaves nothing; those before it stay, and the next one works",
  async () => {
    const { directory: place, fill, free } = newDisk();
    const env = { WINDSOCK_DATA_DIR: join(await newFolder(), "data"), WINDSOCK_BACKUP_DIR: place };
    const url = await urlOf(await startServer(env));
    const body = JSON.stringify(account("olga@example.com"));
    const headers = { "content-type": "application/json" };
    expect((await fetch(`${url}/auth/signup-org`, { method: "POST", headers, body })).status).toBe(201);
    const backUp = () => run(["backup"], { env });
    expect((await backUp()).code).toBe(0);
    const before = readdirSync(place);
    fill();
    const failed = await backUp();
    expect([failed.code, readdirSync(place)]).toEqual([1, before]);
    expect(failed.stdout).toMatch(tooLittle(place, "There is no new backup; earlier ones are complete."));
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    free();
    expect((await backUp()).code).toBe(0);
    expect(readdirSync(place)).toHaveLength(2);
    expect((await run(["backup", "--verify-restore"], { env })).code).toBe(0);
  },
  300_000,
);

test.if(canMount)(
  "a school is neither exported to a full disk nor adopted on one, leaves nothing there, and can be both when there is space",
  async () => {
    const from = { WINDSOCK_DATA_DIR: join(await newFolder(), "data") };
    const url = await urlOf(await startServer(from));
    const { orgId } = await signUp(url, "olga@example.com");
    const { directory, fill, free } = newDisk();
    const to = { WINDSOCK_DATA_DIR: directory };
    const other = await startServer(to);
    await urlOf(other);
    await stop(other);
    const [elsewhere, here] = [join(await newFolder(), "school.age"), join(directory, "..", "school.age")];
    const passphrase = join(await newFolder(), "passphrase");
    writeFileSync(passphrase, "correct horse battery staple");
    const given = ["--passphrase-file", passphrase];
    const exported = (file: string) => run(["org", "export", orgId, file, ...given], { env: from });
    expect((await exported(elsewhere)).code).toBe(0);

    fill();
    const [full, stuck] = [await exported(here), await run(["adopt", elsewhere, ...given], { env: to })];
    expect([full.code, stuck.code]).toEqual([1, 1]);
    for (const { stderr } of [full, stuck]) expect(stderr).toMatch(/full|no space/i);
    expect(readdirSync(join(directory, "..")).sort()).toEqual(["data", "filler"]);
    expect(readdirSync(directory).filter((name) => name.endsWith(".tmp") || name.includes(orgId))).toEqual([]);
    free();
    expect((await exported(here)).code).toBe(0);
    expect(await run(["adopt", here, ...given], { env: to })).toMatchObject({ code: 0 });
  },
  120_000,
);

test.if(canMount)(
  "on a full disk, an encrypted backup and restores of one school and of all change nothing and say what they need; with space they are done",
  async () => {
    const { directory, fill, free } = newDisk(24);
    const [place, identity] = [await newFolder(), join(await newFolder(), "identity")];
    const key = await generateX25519Identity();
    writeFileSync(identity, key);
    const recipient = await identityToRecipient(key);
    const env = { WINDSOCK_DATA_DIR: directory, WINDSOCK_BACKUP_DIR: place, WINDSOCK_BACKUP_RECIPIENT: recipient };
    const server = await startServer(env);
    const school = await signUp(await urlOf(server), "olga@example.com");
    await school.addPerson("Before");
    expect((await run(["backup"], { env })).code).toBe(0);
    const [name = ""] = readdirSync(place);
    await school.addPerson("After");
    const restore = (...args: string[]) =>
      run(["restore", join(place, name), "--force", "--identity", identity, ...args], { env });
    const one = ["--org", school.orgId];
    // `-shm` and `-wal` files come and go with the server.
    const files = () => readdirSync(directory).filter((file) => !/-(shm|wal|journal)$/.test(file));
    const before = files();

    fill();
    const backup = await run(["backup"], { env });
    expect([backup.code, readdirSync(place)]).toEqual([1, [name]]);
    expect(backup.stdout).toMatch(tooLittle(directory, "There is no new backup; earlier ones are complete."));
    const unchanged = tooLittle(directory, "Nothing was changed.");
    expect(await restore(...one)).toMatchObject({ code: 1, stderr: expect.stringMatching(unchanged) });
    expect([files(), await school.names()]).toEqual([before, expect.arrayContaining(["Before", "After"])]);
    free();
    expect(await restore(...one)).toMatchObject({ code: 0, stderr: "" });
    expect(await school.names()).not.toContain("After");

    fill();
    await stop(server);
    const [databases, stopped] = [() => files().filter((file) => file.endsWith(".db")), files()];
    const contents = () => databases().map((file) => readFileSync(join(directory, file)).toString("base64"));
    const whole = contents();
    expect(await restore()).toMatchObject({ code: 1, stderr: expect.stringMatching(unchanged) });
    expect(files()).toEqual(stopped);
    expect(contents()).toEqual(whole);
    free();
    expect(await restore()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Restored 2 databases"),
      stderr: "",
    });
  },
  300_000,
);
