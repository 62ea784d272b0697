/** A school that moves as an operator moves it: commands in processes of their own, beside servers. */
import { afterEach, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { newIdAt } from "../../src/core/ids.ts";
import { checkProcessArgument } from "../../src/runtime/own-program.ts";
import { stretched } from "../support/limits.ts";
import { bundled } from "./bundle.ts";
import { signIn, signUp } from "./over-http.ts";
import { endProcesses, newFolder, run, startServer, urlOf } from "./processes.ts";
import { root } from "./runtimes.ts";

afterEach(endProcesses);

const longest = 120_000;

async function newServer() {
  const folder = await newFolder();
  const env = { WINDSOCK_DATA_DIR: join(folder, "data") };
  const server = await startServer(env);
  return { env, server, url: await urlOf(server), folder };
}

/** Asks for the health of a server until it is told to stop. @returns the longest wait, in milliseconds */
function watchHealth(url: string) {
  let [isOver, longestWait] = [false, 0];
  const watching = (async () => {
    while (!isOver) {
      const begun = performance.now();
      expect((await fetch(`${url}/health`)).status).toBe(200);
      longestWait = Math.max(longestWait, performance.now() - begun);
      await pause(20); // the processor is for the server
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return longestWait;
  };
}

test(
  "a school is exported beside a server that answers meanwhile, and adopted beside another one",
  async () => {
    const [from, to] = [await newServer(), await newServer()];
    const school = await signUp(from.url, "olga@example.com");
    await school.addPerson("Ines");
    const [file, secret] = [join(from.folder, "school.age"), join(from.folder, "passphrase")];
    await writeFile(secret, "correct horse battery staple\n");
    const health = watchHealth(from.url);
    const exported = await run(["org", "export", school.orgId, file, "--passphrase-file", secret], { env: from.env });
    // Making the key of a passphrase takes a second of a processor, in another process.
    expect(await health()).toBeLessThan(stretched(1000));
    expect([exported.code, exported.stdout]).toEqual([0, expect.stringContaining(`${file}: `)]);
    expect((await readdir(from.folder)).sort()).toEqual(["data", "passphrase", "school.age"]);
    expect(await readFile(file, "latin1")).toMatch(/^age-encryption\.org\/v1\n-> scrypt \S+ 17\n/);
    await school.addPerson("Later");

    const adopted = await run(["adopt", file, "--passphrase-file", secret], { env: to.env });
    expect([adopted.code, adopted.stderr, adopted.stdout]).toEqual([
      0,
      "",
      `Windy Hill is adopted: ${school.orgId}, 1 member\n`,
    ]);
    const moved = await signIn(to.url, "olga@example.com", school.orgId);
    expect(await moved.names()).toEqual(["Ines"]);
    const again = await run(["adopt", file, "--passphrase-file", secret], { env: to.env });
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("is in this installation already")]);
    const sound = await run(["audit", "verify"], { env: to.env });
    expect(sound.code).toBe(0);
  },
  longest,
);

test("what a killed server had another process write is not written on: the end of its input ends that one", async () => {
  const folder = await newFolder();
  const [path, to] = [join(folder, "copy.db"), join(folder, "school.age")];
  await writeFile(path, "a database");
  const head = {
    ...{ format: "windsock-school-1", windsock: "0.1.0", versions: { control: 1, tenant: 1 }, key_id: "key" },
    ...{ exported_at: "2026-06-14T09:00:00.000Z", organization: newIdAt<"organization">(new Date()), data_key: null },
    ...{ database: { bytes: 10, sha256: "", audit_rows: 1 }, parts: {}, intents: [] },
  };
  const program = await bundled(join(root, "src/main.ts"));
  const child = spawn(process.execPath, [program, checkProcessArgument], { stdio: ["pipe", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (text) => {
    output += text;
  });
  child.stdin.end(`${JSON.stringify({ kind: "seal-school", path, to, head, passphrase: "correct horse battery" })}\n`);
  expect([await once(child, "close"), output]).toEqual([[0, null], ""]);
  expect(await readdir(folder)).toEqual(["copy.db"]);
});

test(
  "a lost control database is rebuilt from the files, and the owner gets a link",
  async () => {
    const at = await newServer();
    const school = await signUp(at.url, "olga@example.com");
    await school.addPerson("Ines");
    // Nobody has entered anything there.
    const quiet = await signUp(at.url, "quentin@example.com");
    at.server.signal("SIGKILL");
    await at.server.ended;
    for (const suffix of ["", "-wal", "-shm"])
      await rm(join(at.env.WINDSOCK_DATA_DIR, `control.db${suffix}`), { force: true });

    // A new secret would open nothing.
    const key = join(at.env.WINDSOCK_DATA_DIR, "secret.key");
    await rename(key, `${key}.away`);
    const keyless = await run(["control", "rebuild", "--owner", "olga@example.com"], { env: at.env });
    expect([keyless.code, keyless.stderr]).toEqual([1, expect.stringContaining(`${key} is missing: put it back`)]);
    await rename(`${key}.away`, key);
    const without = await run(["control", "rebuild"], { env: at.env });
    expect([without.code, without.stdout]).toEqual([1, expect.stringContaining("Name one with --owner EMAIL.")]);
    const rebuilt = await run(["control", "rebuild", "--owner", "olga@example.com"], { env: at.env });
    expect([rebuilt.code, rebuilt.stdout]).toEqual([
      0,
      expect.stringContaining(`Windy Hill is adopted: ${school.orgId}`),
    ]);
    expect(rebuilt.stdout).toContain(`is adopted: ${quiet.orgId}`);
    expect(rebuilt.stderr).toContain("were in the other control database");
    // What is known of her is that she has written there: nobody linked her to a person.
    expect(rebuilt.stdout).toContain("1 account without a membership here:\n  Olga\tno address in the records\n");
    expect(rebuilt.stderr).toContain("An owner invites those who are still at the school again");
    const token = /#reset=([\w-]+)/.exec(rebuilt.stdout)?.[1];

    const url = await urlOf(await startServer(at.env));
    const body = JSON.stringify({ token, password: "correct horse battery" });
    const reset = await fetch(`${url}/auth/password/reset`, {
      ...{ method: "POST", headers: { "content-type": "application/json" }, body },
    });
    expect(reset.status).toBe(200);
    expect(await (await signIn(url, "olga@example.com", school.orgId)).names()).toEqual(["Ines"]);
  },
  longest,
);
